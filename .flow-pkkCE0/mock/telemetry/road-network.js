import { hashText, mixHash, randomBelow, randomBetween } from "./hash.js";
const radialCount = 7;
const ringShares = [0.08, 0.3, 0.6, 0.87];
const endShare = 0.98;
const ringCount = ringShares.length;
const firstRingWithGaps = 2;
const streetsKmh = 50;
const cityKmh = 60;
const junctionKmh = 70;
const countryKmh = 90;
const motorwayKmh = 110;
const plannedKmh = 85;
class RoadNetwork {
  roads;
  /** For each pair of junctions the seconds between them, and the road with which the way from the first begins. */
  seconds;
  firstRoad;
  /** The junctions from which a road leads on around the city or out of it. */
  outerJunctions;
  constructor(region, seed) {
    this.roads = buildMainRoads(region, hashText(`roads/${region.name}`, seed));
    const junctionCount = (ringCount + 1) * radialCount;
    this.seconds = Array.from(
      { length: junctionCount },
      (_, i) => Array.from({ length: junctionCount }, (_2, j) => i === j ? 0 : Number.POSITIVE_INFINITY)
    );
    this.firstRoad = Array.from({ length: junctionCount }, () => new Array(junctionCount).fill(-1));
    this.findWays();
    this.outerJunctions = Array.from({ length: junctionCount }, (_, i) => i).filter((junction) => junction >= 2 * radialCount).flatMap((junction) => {
      const road = this.roads.findIndex(({ from, to }) => from === junction || to === junction);
      const found = this.roads[road];
      return found === void 0 ? [] : [{ road, at: found.from === junction ? 0 : found.points.length - 1 }];
    });
  }
  /** The quickest ways between all junctions (Floyd and Warshall). */
  findWays() {
    this.roads.forEach(({ from, to, seconds }, road) => {
      for (const [a, b] of [
        [from, to],
        [to, from]
      ]) {
        row(this.seconds, a)[b] = seconds.at(-1) ?? 0;
        row(this.firstRoad, a)[b] = road;
      }
    });
    const count = this.seconds.length;
    for (let via = 0; via < count; via++)
      for (let a = 0; a < count; a++)
        for (let b = 0; b < count; b++) {
          const detour = this.between(a, via) + this.between(via, b);
          if (detour >= this.between(a, b)) continue;
          row(this.seconds, a)[b] = detour;
          row(this.firstRoad, a)[b] = this.firstRoad[a]?.[via] ?? -1;
        }
  }
  between(a, b) {
    return this.seconds[a]?.[b] ?? Number.POSITIVE_INFINITY;
  }
  roadOf(index) {
    const road = this.roads[index];
    if (road === void 0) throw new Error("there is no such road");
    return road;
  }
  /** Where a point of a main road is. */
  pointOf({ road, at }) {
    const point = this.roadOf(road).points[at];
    if (point === void 0) throw new Error("the road is not that long");
    return point;
  }
  /** The point of a main road that is nearest to a place. */
  nearestTo(place) {
    let nearest = { road: 0, at: 0 };
    let least = Number.POSITIVE_INFINITY;
    for (const [road, { points }] of this.roads.entries()) {
      for (const [at, { x, y }] of points.entries()) {
        const squared = (x - place.x) ** 2 + (y - place.y) ** 2;
        if (squared >= least) continue;
        least = squared;
        nearest = { road, at };
      }
    }
    return nearest;
  }
  /** The quickest way along main roads, without the point where it begins. */
  way(from, to) {
    const [first, last] = [this.roadOf(from.road), this.roadOf(to.road)];
    if (from.road === to.road) return along(first, from.at, to.at);
    let best = { seconds: Number.POSITIVE_INFINITY, out: first.from, into: last.from };
    for (const out of [first.from, first.to])
      for (const into of [last.from, last.to]) {
        const seconds = secondsToEnd(first, from.at, out) + this.between(out, into) + secondsToEnd(last, to.at, into);
        if (seconds < best.seconds) best = { seconds, out, into };
      }
    const waypoints = along(first, from.at, endOf(first, best.out));
    for (let junction = best.out; junction !== best.into; ) {
      const road = this.roadOf(this.firstRoad[junction]?.[best.into] ?? -1);
      const next = road.from === junction ? road.to : road.from;
      waypoints.push(...along(road, endOf(road, junction), endOf(road, next)));
      junction = next;
    }
    waypoints.push(...along(last, endOf(last, best.into), to.at));
    return waypoints;
  }
}
function row(matrix, index) {
  const found = matrix[index];
  if (found === void 0) throw new Error("there is no such junction");
  return found;
}
function endOf(road, junction) {
  return road.from === junction ? 0 : road.points.length - 1;
}
function secondsToEnd(road, at, junction) {
  return Math.abs((road.seconds[endOf(road, junction)] ?? 0) - (road.seconds[at] ?? 0));
}
function along({ points, pointsBack }, from, to) {
  return from < to ? points.slice(from + 1, to + 1) : pointsBack.slice(to, from).reverse();
}
function buildMainRoads(region, hash) {
  const draw = (salt, low, high) => randomBetween(hash, salt, low, high);
  const junctions = [...ringShares, endShare].flatMap(
    (share, j) => Array.from({ length: radialCount }, (_, k) => {
      const salt = 10 + 2 * (j * radialCount + k);
      const sway = (draw(1 + k, -0.22, 0.22) + draw(salt, -0.12, 0.12)) / radialCount;
      const angle = (k / radialCount + sway) * 2 * Math.PI;
      const distance = share * (j < ringCount ? draw(salt + 1, 0.86, 1.08) : 1) * region.reachKm * 1e3;
      return { x: Math.cos(angle) * distance, y: Math.sin(angle) * distance };
    })
  );
  const roads = [];
  const add = (from, to, limit, aside) => {
    const [begin, end] = [junctions[from], junctions[to]];
    if (begin === void 0 || end === void 0) throw new Error("a road joins two junctions");
    roads.push(mainRoad({ from, to, begin, end }, limit, aside, mixHash(hash, 1e3 + roads.length)));
  };
  for (let k = 0; k < radialCount; k++) {
    const outside = k % 3 === randomBelow(hash, 100, 3) ? motorwayKmh : countryKmh;
    const limits = [cityKmh, outside, outside, countryKmh];
    for (let j = 0; j < ringCount; j++) add(j * radialCount + k, (j + 1) * radialCount + k, limits[j] ?? countryKmh, 0);
  }
  const ringLimits = [streetsKmh, junctionKmh, countryKmh, countryKmh];
  for (let j = 0; j < ringCount; j++) {
    const gap = randomBelow(hash, 110 + j, radialCount);
    for (let k = 0; k < radialCount; k++) {
      if (j >= firstRingWithGaps && (k === gap || j === ringCount - 1 && k === (gap + 3) % radialCount)) continue;
      add(j * radialCount + k, j * radialCount + (k + 1) % radialCount, ringLimits[j] ?? countryKmh, -0.07);
    }
  }
  return roads;
}
function mainRoad({ from, to, begin, end }, limit, aside, hash) {
  const [dx, dy] = [end.x - begin.x, end.y - begin.y];
  const length = Math.hypot(dx, dy);
  const bend = aside + randomBetween(hash, 2, -0.08, 0.08);
  const waves = Math.max(1, Math.min(3, Math.round(length / 3500)));
  const wave = randomBetween(hash, 3, 6e-3, 0.013) * (randomBelow(hash, 4, 2) === 0 ? 1 : -1);
  const place = (t) => {
    const left = bend * 4 * t * (1 - t) + wave * Math.sin(2 * Math.PI * waves * t);
    return { x: begin.x + dx * t - dy * left, y: begin.y + dy * t + dx * left };
  };
  const pieces = Math.max(2, Math.round(length / Math.max(150, Math.min(450, length / 18))));
  const village = length > 5e3 ? Math.floor(pieces * randomBetween(hash, 1, 0.25, 0.7)) : -10;
  const limits = Array.from({ length: pieces }, (_, i) => {
    if (i === village || i === village + 1) return Math.min(limit, streetsKmh);
    return i === 0 || i === pieces - 1 ? Math.min(limit, junctionKmh) : limit;
  });
  const places = Array.from({ length: pieces + 1 }, (_, i) => place(i / pieces));
  const seconds = [0];
  limits.forEach((kmh, i) => {
    const [start, stop] = [places[i] ?? begin, places[i + 1] ?? end];
    const metres = Math.hypot(stop.x - start.x, stop.y - start.y);
    seconds.push((seconds[i] ?? 0) + metres * 3.6 / Math.min(plannedKmh, kmh));
  });
  return {
    from,
    to,
    points: places.map((point, i) => ({ ...point, limit: limits[i - 1] ?? limit })),
    pointsBack: places.map((point, i) => ({ ...point, limit: limits[i] ?? limit })),
    seconds
  };
}
export {
  RoadNetwork,
  plannedKmh
};
