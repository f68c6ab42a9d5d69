// Builds roads between two points: some blocks of the city's street grid, a curved main road, and blocks again at the other end. A road
// is a polyline in degrees with a speed limit for each segment and traffic lights at some corners.
import { mixHash, randomBelow, randomBetween, toUnit } from './hash.js';
import type { Region } from './regions.js';

/** A point in metres east and north of the region's centre. */
export interface MapPoint {
  readonly x: number;
  readonly y: number;
}

/** A corner of a road and the segment that begins there. */
export interface Corner {
  readonly latitude: number;
  readonly longitude: number;
  /** Speed limit of the segment in km/h. */
  readonly limit: number;
  /** Seconds of waiting at a red light; 0 where there is none. */
  readonly redLight: number;
}

export type Road = readonly Corner[];

/** Metres per degree of latitude on a sphere of the mean radius, 6,371,008.8 m. */
export const metresPerDegree = 111_195.08;
export const radians = Math.PI / 180;

const cityKmh = 50;
const shuttleKmh = 90;
const blockM = 230;

/** A point on the way, with the speed limit of the segment that ends there. */
interface Waypoint extends MapPoint {
  readonly limit: number;
}

/**
 * Builds the roads of a shuttle, there and back: a main road of a given length without traffic lights, which leads from a point to
 * the ring around the city and along it.
 */
export function buildShuttleRoads(region: Region, from: MapPoint, metres: number, hash: number): readonly [Road, Road] {
  const count = Math.ceil(metres / 600);
  const ring = region.reachKm * 1000 * randomBetween(hash, 1, 0.76, 0.82);
  const centreDistance = Math.hypot(from.x, from.y);
  const angle = Math.atan2(from.y, from.x);
  const spiralPoints = (turn: number): MapPoint[] =>
    Array.from({ length: count + 1 }, (_, i) => {
      const out = Math.min(1, (3 * i) / count);
      const radius = centreDistance + (ring - centreDistance) * out * out * (3 - 2 * out);
      return {
        x: radius * Math.cos(angle + (turn * i) / count),
        y: radius * Math.sin(angle + (turn * i) / count),
      };
    });
  const length = (places: readonly MapPoint[]): number =>
    places.reduce((sum, { x, y }, i) => sum + Math.hypot(x - (places[i - 1]?.x ?? x), y - (places[i - 1]?.y ?? y)), 0);
  // The length grows with the angle, which bisection finds.
  let [low, high] = [0, (2 * metres) / ring];
  for (let i = 0; i < 24; i++) {
    const middle = (low + high) / 2;
    if (length(spiralPoints(middle)) < metres) low = middle;
    else high = middle;
  }
  const waypoints = spiralPoints(low).map((place) => ({ ...place, limit: shuttleKmh }));
  return [toRoad(region, waypoints, () => 0), toRoad(region, waypoints.reverse(), () => 0)];
}

/** Builds the road from one point to another. The same arguments give the same road. */
export function buildRoad(region: Region, from: MapPoint, to: MapPoint, hash: number): Road {
  const dx = to.x - from.x;
  const dy = to.y - from.y;
  const distance = Math.hypot(dx, dy);
  const waypoints: Waypoint[] = [{ ...from, limit: cityKmh }];
  if (distance < 1800) {
    addBlocks(waypoints, region, from, to, mixHash(hash, 1));
  } else {
    const streets = Math.min(1300, distance * 0.2);
    const swerve = randomBetween(hash, 2, -0.45, 0.45);
    const enter = offset(from, Math.atan2(dy, dx) + swerve, streets);
    const leave = offset(to, Math.atan2(-dy, -dx) + randomBetween(hash, 3, -0.45, 0.45), streets);
    addBlocks(waypoints, region, from, enter, mixHash(hash, 4));
    addMainRoad(waypoints, enter, leave, mixHash(hash, 5));
    addBlocks(waypoints, region, leave, to, mixHash(hash, 6));
  }
  return toRoad(region, waypoints, (fastest, i) => {
    const chance = fastest <= cityKmh ? 0.3 : fastest <= 70 ? 0.1 : 0;
    const draw = mixHash(hash, 100 + i);
    return toUnit(draw) < chance ? 8 + randomBelow(draw, 1, 45) : 0;
  });
}

/** Converts waypoints to a road. `redLight` gives the seconds of red at corner i by the higher speed limit of its two segments. */
function toRoad(
  region: Region,
  waypoints: readonly Waypoint[],
  redLight: (fastestKmh: number, i: number) => number,
): Road {
  return waypoints.map((point, i) => {
    const latitude = region.latitude + point.y / metresPerDegree;
    const longitude = region.longitude + point.x / (metresPerDegree * Math.cos(latitude * radians));
    const limit = waypoints[i + 1]?.limit ?? 0;
    const isEnd = i === 0 || i === waypoints.length - 1;
    return { latitude, longitude, limit, redLight: isEnd ? 0 : redLight(Math.max(point.limit, limit), i) };
  });
}

function offset(place: MapPoint, angle: number, distance: number): MapPoint {
  return { x: place.x + Math.cos(angle) * distance, y: place.y + Math.sin(angle) * distance };
}

/** Adds waypoints from one point to another along the street grid, alternating between its two directions. */
function addBlocks(waypoints: Waypoint[], region: Region, from: MapPoint, to: MapPoint, hash: number): void {
  const turn = -region.gridBearing * radians;
  const along = { x: Math.cos(turn), y: Math.sin(turn) };
  const dx = to.x - from.x;
  const dy = to.y - from.y;
  const a = dx * along.x + dy * along.y;
  const b = -dx * along.y + dy * along.x;
  const first = blockLengths(a, mixHash(hash, 1));
  const second = blockLengths(b, mixHash(hash, 2));
  let x = from.x;
  let y = from.y;
  for (let i = 0; i < Math.max(first.length, second.length); i++) {
    const u = first[i] ?? 0;
    const v = second[i] ?? 0;
    if (u !== 0) {
      x += u * along.x;
      y += u * along.y;
      waypoints.push({ x, y, limit: cityKmh });
    }
    if (v !== 0) {
      x -= v * along.y;
      y += v * along.x;
      waypoints.push({ x, y, limit: cityKmh });
    }
  }
}

/** Divides a distance into blocks of uneven length. */
function blockLengths(distance: number, hash: number): number[] {
  if (Math.abs(distance) < 0.5) return [];
  const count = Math.max(1, Math.min(5, Math.round(Math.abs(distance) / blockM)));
  const shares = Array.from({ length: count }, (_, i) => randomBetween(hash, i, 0.6, 1.4));
  const sum = shares.reduce((total, share) => total + share, 0);
  return shares.map((share) => (distance * share) / sum);
}

/** Adds a main road with one wide bend and smaller ones. The longer it is, the higher its speed limit in the middle. */
function addMainRoad(waypoints: Waypoint[], from: MapPoint, to: MapPoint, hash: number): void {
  const dx = to.x - from.x;
  const dy = to.y - from.y;
  const distance = Math.hypot(dx, dy);
  const bend = randomBetween(hash, 1, -0.16, 0.16);
  const wave = randomBetween(hash, 2, -0.012, 0.012);
  const waves = 2 + randomBelow(hash, 3, 4);
  const middle = distance < 4000 ? 50 : distance < 12_000 ? 70 : distance < 24_000 ? 90 : 110;
  const outer = Math.min(middle, 70);
  const pieces = Math.max(3, Math.ceil(distance / Math.min(650, Math.max(200, distance / 36))));
  for (let i = 1; i <= pieces; i++) {
    const t = i / pieces;
    const aside = bend * 4 * t * (1 - t) + wave * Math.sin(2 * Math.PI * waves * t);
    waypoints.push({
      x: from.x + dx * t - dy * aside,
      y: from.y + dy * t + dx * aside,
      limit: t <= 0.14 || t > 0.86 ? outer : middle,
    });
  }
}
