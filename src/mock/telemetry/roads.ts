// Builds the roads that vehicles drive: city blocks, main roads, and blocks again at the other end.
// A road is a polyline in degrees with speed limits per segment and traffic lights at some corners.
import { mixHash, randomBelow, randomBetween, toUnit } from './hash.js';
import type { Region } from './regions.js';
import type { Access, NetworkPoint, RoadNetwork, Waypoint } from './road-network.js';

/** A corner of a road and the segment that begins there. */
export interface Corner {
  readonly latitude: number;
  readonly longitude: number;
  /** In km/h, of the segment. */
  readonly limit: number;
  /** Seconds of waiting at a red light; 0 without one. */
  readonly redLight: number;
}

export type Road = readonly Corner[];

/** A destination, and the main road point that its streets lead to. */
export interface Site extends NetworkPoint {
  readonly access: Access;
}

/** Metres per degree of latitude on a sphere of the mean radius, 6,371,008.8 m. */
export const metresPerDegree = 111_195.08;
export const radians = Math.PI / 180;

const streetKmh = 50;
const blockM = 230;
/** Probabilities of red: at street corners and at main road points in the city. */
const redOnStreets = 0.3;
const redOnMainRoads = 0.07;
const fastestWithLightsKmh = 70;

/** Returns the road from one site to another. Equal arguments give equal roads. */
export function buildRoad(region: Region, network: RoadNetwork, from: Site, to: Site, hash: number): Road {
  const waypoints: Waypoint[] = [{ x: from.x, y: from.y, limit: streetKmh }];
  let mainRoads: readonly [number, number] = [0, 0];
  if (Math.hypot(to.x - from.x, to.y - from.y) < 1800) {
    addBlocks(waypoints, region, from, to, mixHash(hash, 1));
  } else {
    addBlocks(waypoints, region, from, network.pointOf(from.access), mixHash(hash, 4));
    const begin = waypoints.length;
    waypoints.push(...network.fastestRoute(from.access, to.access));
    mainRoads = [begin, waypoints.length];
    addBlocks(waypoints, region, network.pointOf(to.access), to, mixHash(hash, 6));
  }
  return toRoad(region, waypoints, (fastest, i) => {
    const isMainRoad = i >= mainRoads[0] && i < mainRoads[1];
    const chance = fastest > fastestWithLightsKmh ? 0 : isMainRoad ? redOnMainRoads : redOnStreets;
    const draw = mixHash(hash, 100 + i);
    return toUnit(draw) < chance ? 8 + randomBelow(draw, 1, 45) : 0;
  });
}

/** Returns streets from a place to a main road point, without traffic lights. */
export function streetsBetween(region: Region, from: NetworkPoint, to: NetworkPoint, hash: number): Waypoint[] {
  const waypoints: Waypoint[] = [{ x: from.x, y: from.y, limit: streetKmh }];
  addBlocks(waypoints, region, from, to, hash);
  return waypoints;
}

export function buildRoadWithoutLights(region: Region, waypoints: readonly Waypoint[]): Road {
  return toRoad(region, waypoints, () => 0);
}

export function reversed(waypoints: readonly Waypoint[]): Waypoint[] {
  return waypoints.map(({ x, y }, i) => ({ x, y, limit: waypoints[i + 1]?.limit ?? streetKmh })).reverse();
}

/** `redLight` returns the seconds of red at corner i by the higher limit of its two segments. */
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

/** Adds waypoints along the street grid: in one direction, across, and on. */
function addBlocks(waypoints: Waypoint[], region: Region, from: NetworkPoint, to: NetworkPoint, hash: number): void {
  const turn = -region.gridBearing * radians;
  const along = { x: Math.cos(turn), y: Math.sin(turn) };
  const dx = to.x - from.x;
  const dy = to.y - from.y;
  const onward = blockLengths(dx * along.x + dy * along.y, mixHash(hash, 1));
  const across = blockLengths(-dx * along.y + dy * along.x, mixHash(hash, 2));
  const corner = randomBelow(hash, 3, onward.length + 1);
  let { x, y } = from;
  const add = (eastM: number, northM: number): void => {
    x += eastM;
    y += northM;
    waypoints.push({ x, y, limit: streetKmh });
  };
  for (const block of onward.slice(0, corner)) add(block * along.x, block * along.y);
  for (const block of across) add(-block * along.y, block * along.x);
  for (const block of onward.slice(corner)) add(block * along.x, block * along.y);
}

function blockLengths(distance: number, hash: number): number[] {
  if (Math.abs(distance) < 0.5) return [];
  const count = Math.max(1, Math.min(5, Math.round(Math.abs(distance) / blockM)));
  const shares = Array.from({ length: count }, (_, i) => randomBetween(hash, i, 0.6, 1.4));
  const sum = shares.reduce((total, share) => total + share, 0);
  return shares.map((share) => (distance * share) / sum);
}
