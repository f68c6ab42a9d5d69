// The main roads of a region: radials, rings around the city, and their junctions. The seed
// determines their bends; all vehicles of the region share the roads.
import { hashText, mixHash, randomBelow, randomBetween } from './hash.js';
import type { Region } from './regions.js';

/** A point in metres east and north of the region's centre. */
export interface NetworkPoint {
  readonly x: number;
  readonly y: number;
}

/** A route point with the speed limit (km/h) of the segment that ends there. */
export interface Waypoint extends NetworkPoint {
  readonly limit: number;
}

/** A point of a main road. */
export interface Access {
  readonly road: number;
  readonly at: number;
}

/** A main road from one junction to the next. */
interface MainRoad {
  readonly from: number;
  readonly to: number;
  /** The points, with the limits for driving from the first and from the last point. */
  readonly points: readonly Waypoint[];
  readonly pointsBack: readonly Waypoint[];
  /** Seconds from the first point to each point. */
  readonly seconds: readonly number[];
}

const radialCount = 7;
/** Distances of the rings as shares of the region's reach. Radials end beyond the last ring. */
const ringShares = [0.08, 0.3, 0.6, 0.87] as const;
const endShare = 0.98;
const ringCount = ringShares.length;
/** From this ring on, each ring has gaps. */
const firstRingWithGaps = 2;
const streetsKmh = 50;
const cityKmh = 60;
const junctionKmh = 70;
const countryKmh = 90;
const motorwayKmh = 110;
/** Maximum speed in route planning. */
export const plannedKmh = 85;

export class RoadNetwork {
  private readonly roads: readonly MainRoad[];
  /** By pair of junctions: the seconds between them, and the first road of the route. */
  private readonly seconds: number[][];
  private readonly firstRoad: number[][];
  /** Junctions whose roads continue around the city or out of it. */
  readonly outerJunctions: readonly Access[];

  constructor(region: Region, seed: number) {
    this.roads = buildMainRoads(region, hashText(`roads/${region.name}`, seed));
    const junctionCount = (ringCount + 1) * radialCount;
    this.seconds = Array.from({ length: junctionCount }, (_, i) =>
      Array.from({ length: junctionCount }, (_, j) => (i === j ? 0 : Number.POSITIVE_INFINITY)),
    );
    this.firstRoad = Array.from({ length: junctionCount }, () => new Array<number>(junctionCount).fill(-1));
    this.computeRoutes();
    this.outerJunctions = Array.from({ length: junctionCount }, (_, i) => i)
      .filter((junction) => junction >= 2 * radialCount)
      .flatMap((junction) => {
        const road = this.roads.findIndex(({ from, to }) => from === junction || to === junction);
        const found = this.roads[road];
        return found === undefined ? [] : [{ road, at: found.from === junction ? 0 : found.points.length - 1 }];
      });
  }

  /** Computes the fastest routes between all junctions (Floyd-Warshall). */
  private computeRoutes(): void {
    this.roads.forEach(({ from, to, seconds }, road) => {
      for (const [a, b] of [
        [from, to],
        [to, from],
      ] as const) {
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

  private between(a: number, b: number): number {
    return this.seconds[a]?.[b] ?? Number.POSITIVE_INFINITY;
  }

  private roadOf(index: number): MainRoad {
    const road = this.roads[index];
    if (road === undefined) throw new Error('there is no such road');
    return road;
  }

  pointOf({ road, at }: Access): NetworkPoint {
    const point = this.roadOf(road).points[at];
    if (point === undefined) throw new Error('the road is not that long');
    return point;
  }

  nearestTo(place: NetworkPoint): Access {
    let nearest: Access = { road: 0, at: 0 };
    let least = Number.POSITIVE_INFINITY;
    for (const [road, { points }] of this.roads.entries()) {
      for (const [at, { x, y }] of points.entries()) {
        // Squared distances have the same order and are cheaper: every site checks every point.
        const squared = (x - place.x) ** 2 + (y - place.y) ** 2;
        if (squared >= least) continue;
        least = squared;
        nearest = { road, at };
      }
    }
    return nearest;
  }

  /** Returns the fastest route along main roads, without its first point. */
  fastestRoute(from: Access, to: Access): Waypoint[] {
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

function row(matrix: number[][], index: number): number[] {
  const found = matrix[index];
  if (found === undefined) throw new Error('there is no such junction');
  return found;
}

function endOf(road: MainRoad, junction: number): number {
  return road.from === junction ? 0 : road.points.length - 1;
}

function secondsToEnd(road: MainRoad, at: number, junction: number): number {
  return Math.abs((road.seconds[endOf(road, junction)] ?? 0) - (road.seconds[at] ?? 0));
}

function along({ points, pointsBack }: MainRoad, from: number, to: number): Waypoint[] {
  return from < to ? points.slice(from + 1, to + 1) : pointsBack.slice(to, from).reverse();
}

function buildMainRoads(region: Region, hash: number): MainRoad[] {
  const draw = (salt: number, low: number, high: number): number => randomBetween(hash, salt, low, high);
  const junctions = [...ringShares, endShare].flatMap((share, j) =>
    Array.from({ length: radialCount }, (_, k) => {
      const salt = 10 + 2 * (j * radialCount + k);
      const sway = (draw(1 + k, -0.22, 0.22) + draw(salt, -0.12, 0.12)) / radialCount;
      const angle = (k / radialCount + sway) * 2 * Math.PI;
      const distance = share * (j < ringCount ? draw(salt + 1, 0.86, 1.08) : 1) * region.reachKm * 1000;
      return { x: Math.cos(angle) * distance, y: Math.sin(angle) * distance };
    }),
  );
  const roads: MainRoad[] = [];
  const add = (from: number, to: number, limit: number, aside: number): void => {
    const [begin, end] = [junctions[from], junctions[to]];
    if (begin === undefined || end === undefined) throw new Error('a road joins two junctions');
    roads.push(mainRoad({ from, to, begin, end }, limit, aside, mixHash(hash, 1000 + roads.length)));
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
      if (j >= firstRingWithGaps && (k === gap || (j === ringCount - 1 && k === (gap + 3) % radialCount))) continue;
      add(j * radialCount + k, j * radialCount + ((k + 1) % radialCount), ringLimits[j] ?? countryKmh, -0.07);
    }
  }
  return roads;
}

/**
 * Returns a road with a wide bend and some narrow ones, slower at junctions and in villages.
 * `aside` is its usual bend to the left, as a share of its length.
 */
function mainRoad(
  { from, to, begin, end }: { from: number; to: number; begin: NetworkPoint; end: NetworkPoint },
  limit: number,
  aside: number,
  hash: number,
): MainRoad {
  const [dx, dy] = [end.x - begin.x, end.y - begin.y];
  const length = Math.hypot(dx, dy);
  const bend = aside + randomBetween(hash, 2, -0.08, 0.08);
  const waves = Math.max(1, Math.min(3, Math.round(length / 3500)));
  const wave = randomBetween(hash, 3, 0.006, 0.013) * (randomBelow(hash, 4, 2) === 0 ? 1 : -1);
  const place = (t: number): NetworkPoint => {
    const left = bend * 4 * t * (1 - t) + wave * Math.sin(2 * Math.PI * waves * t);
    return { x: begin.x + dx * t - dy * left, y: begin.y + dy * t + dx * left };
  };
  const pieces = Math.max(2, Math.round(length / Math.max(150, Math.min(450, length / 18))));
  const village = length > 5000 ? Math.floor(pieces * randomBetween(hash, 1, 0.25, 0.7)) : -10;
  const limits = Array.from({ length: pieces }, (_, i) => {
    if (i === village || i === village + 1) return Math.min(limit, streetsKmh);
    return i === 0 || i === pieces - 1 ? Math.min(limit, junctionKmh) : limit;
  });
  const places = Array.from({ length: pieces + 1 }, (_, i) => place(i / pieces));
  const seconds = [0];
  limits.forEach((kmh, i) => {
    const [start, stop] = [places[i] ?? begin, places[i + 1] ?? end];
    const metres = Math.hypot(stop.x - start.x, stop.y - start.y);
    seconds.push((seconds[i] ?? 0) + (metres * 3.6) / Math.min(plannedKmh, kmh));
  });
  return {
    from,
    to,
    points: places.map((point, i) => ({ ...point, limit: limits[i - 1] ?? limit })),
    pointsBack: places.map((point, i) => ({ ...point, limit: limits[i] ?? limit })),
    seconds,
  };
}
