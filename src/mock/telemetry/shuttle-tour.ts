// The runs of a shuttle: an hour each, from its depot to distant terminals in turn and back.
import { dayMs } from '../core/durations.js';
import { mixHash, randomBetween } from './hash.js';
import { driveAlong, type Leg } from './leg.js';
import type { Region } from './regions.js';
import { type NetworkPoint, plannedKmh, type RoadNetwork, type Waypoint } from './road-network.js';
import { buildRoadWithoutLights, reversed, type Site, streetsBetween } from './roads.js';
import { longestShuttleEngineMs, shortestShuttleEngineMs, shuttleLoadingMs, shuttleRunMs } from './roster.js';
import type { VehicleTraits } from './vehicle-traits.js';

const terminalCount = 3;
const yardKmh = 50;
/** Distance of a terminal from the main road. */
const yardM = 240;
/** Minimum distance of two terminals as a share of the region's reach. */
const apartShare = 0.55;

/** Returns the legs of a day, out and back, with the time parked after each. */
export function buildShuttleLegs(
  region: Region,
  network: RoadNetwork,
  depot: Site,
  traits: VehicleTraits,
  hash: number,
): { readonly legs: readonly Leg[]; readonly dwells: readonly number[] } {
  const runs = findTerminals(region, network, depot, hash).map((route, i) =>
    driveThereAndBack(region, route, traits, mixHash(hash, 20 + i)),
  );
  const legs = Array.from({ length: dayMs / shuttleRunMs / 2 }, (_, i) => runs[i % runs.length] ?? []).flat();
  return { legs, dwells: legs.map(({ durationMs }) => shuttleRunMs - durationMs) };
}

/** Returns (too long) routes over two outer junctions, far from the depot and each other. */
function findTerminals(region: Region, network: RoadNetwork, depot: Site, hash: number): Waypoint[][] {
  const reach = region.reachKm * 1000;
  const start = streetsBetween(region, depot, network.pointOf(depot.access), hash);
  const plannedSeconds = (longestShuttleEngineMs - shuttleLoadingMs) / 1000;
  const candidates = network.outerJunctions
    .flatMap((via) => {
      const out = [...start, ...network.fastestRoute(depot.access, via)];
      return network.outerJunctions.map((end) => ({ out, on: network.fastestRoute(via, end) }));
    })
    .filter(({ out, on }) => !turnsBack(out, on))
    .flatMap(({ out, on }, i) => {
      const waypoints = [...out, ...on];
      const end = pointAfter(waypoints, plannedSeconds);
      if (end === undefined) return [];
      const distance = Math.hypot(end.x - depot.x, end.y - depot.y);
      return [{ waypoints, end, worth: distance + randomBetween(hash, 100 + i, 0, 0.3 * reach) }];
    })
    .sort((a, b) => b.worth - a.worth);
  const chosen: typeof candidates = [];
  for (const route of candidates) {
    const isApart = chosen.every(
      ({ end }) => Math.hypot(end.x - route.end.x, end.y - route.end.y) > apartShare * reach,
    );
    if (isApart && chosen.length < terminalCount) chosen.push(route);
  }
  return chosen.map(({ waypoints }) => waypoints);
}

/** True when the second part goes back along the first. */
function turnsBack(out: readonly NetworkPoint[], on: readonly NetworkPoint[]): boolean {
  const [before, after] = [out.at(-2), on[0]];
  return before === undefined || after === undefined || (before.x === after.x && before.y === after.y);
}

/** Returns the route point after about this many seconds; undefined when the route is shorter. */
function pointAfter(waypoints: readonly Waypoint[], plannedSeconds: number): Waypoint | undefined {
  let seconds = 0;
  return waypoints.find(({ x, y, limit }, i) => {
    const from = waypoints[i - 1];
    if (from !== undefined) seconds += (Math.hypot(x - from.x, y - from.y) * 3.6) / Math.min(plannedKmh, limit);
    return seconds > plannedSeconds;
  });
}

/** Drives as far along a route as the time of a run allows, found by bisection, and back. */
function driveThereAndBack(
  region: Region,
  route: readonly Waypoint[],
  traits: VehicleTraits,
  hash: number,
): readonly [Leg, Leg] {
  const limitMs = randomBetween(hash, 1, shortestShuttleEngineMs, longestShuttleEngineMs);
  const routeTo = (count: number): Waypoint[] => [...route.slice(0, count), yardNextTo(route, count - 1)];
  const drive = (waypoints: readonly Waypoint[], salt: number): Leg =>
    driveAlong(buildRoadWithoutLights(region, waypoints), traits, mixHash(hash, salt), shuttleLoadingMs);
  const isInTime = (count: number): boolean =>
    drive(routeTo(count), 2).durationMs <= limitMs && drive(reversed(routeTo(count)), 3).durationMs <= limitMs;
  let [low, high] = [2, route.length];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isInTime(middle)) low = middle;
    else high = middle;
  }
  return [drive(routeTo(low), 2), drive(reversed(routeTo(low)), 3)];
}

function yardNextTo(route: readonly Waypoint[], at: number): Waypoint {
  const [before, end] = [route[at - 1], route[at]];
  if (before === undefined || end === undefined) throw new Error('a route needs two points');
  const angle = Math.atan2(end.y - before.y, end.x - before.x) - Math.PI / 2;
  return { x: end.x + Math.cos(angle) * yardM, y: end.y + Math.sin(angle) * yardM, limit: yardKmh };
}
