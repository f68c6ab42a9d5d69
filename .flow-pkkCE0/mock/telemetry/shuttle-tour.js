import { dayMs } from "../core/durations.js";
import { mixHash, randomBetween } from "./hash.js";
import { driveAlong } from "./leg.js";
import { plannedKmh } from "./road-network.js";
import { buildRoadWithoutLights, reversed, streetsBetween } from "./roads.js";
import { longestShuttleEngineMs, shortestShuttleEngineMs, shuttleLoadingMs, shuttleRunMs } from "./roster.js";
const terminalCount = 3;
const yardKmh = 50;
const yardM = 240;
const apartShare = 0.55;
function buildShuttleLegs(region, network, depot, traits, hash) {
  const runs = findTerminals(region, network, depot, hash).map(
    (way, i) => driveThereAndBack(region, way, traits, mixHash(hash, 20 + i))
  );
  const legs = Array.from({ length: dayMs / shuttleRunMs / 2 }, (_, i) => runs[i % runs.length] ?? []).flat();
  return { legs, dwells: legs.map(({ durationMs }) => shuttleRunMs - durationMs) };
}
function findTerminals(region, network, depot, hash) {
  const reach = region.reachKm * 1e3;
  const start = streetsBetween(region, depot, network.pointOf(depot.access), hash);
  const plannedSeconds = (longestShuttleEngineMs - shuttleLoadingMs) / 1e3;
  const ways = network.outerJunctions.flatMap((via) => {
    const out = [...start, ...network.way(depot.access, via)];
    return network.outerJunctions.map((end) => ({ out, on: network.way(via, end) }));
  }).filter(({ out, on }) => !turnsRound(out, on)).flatMap(({ out, on }, i) => {
    const waypoints = [...out, ...on];
    const end = pointAfter(waypoints, plannedSeconds);
    if (end === void 0) return [];
    const distance = Math.hypot(end.x - depot.x, end.y - depot.y);
    return [{ waypoints, end, worth: distance + randomBetween(hash, 100 + i, 0, 0.3 * reach) }];
  }).sort((a, b) => b.worth - a.worth);
  const chosen = [];
  for (const way of ways) {
    const isApart = chosen.every(({ end }) => Math.hypot(end.x - way.end.x, end.y - way.end.y) > apartShare * reach);
    if (isApart && chosen.length < terminalCount) chosen.push(way);
  }
  return chosen.map(({ waypoints }) => waypoints);
}
function turnsRound(out, on) {
  const [before, after] = [out.at(-2), on[0]];
  return before === void 0 || after === void 0 || before.x === after.x && before.y === after.y;
}
function pointAfter(waypoints, plannedSeconds) {
  let seconds = 0;
  return waypoints.find(({ x, y, limit }, i) => {
    const from = waypoints[i - 1];
    if (from !== void 0) seconds += Math.hypot(x - from.x, y - from.y) * 3.6 / Math.min(plannedKmh, limit);
    return seconds > plannedSeconds;
  });
}
function driveThereAndBack(region, way, traits, hash) {
  const limitMs = randomBetween(hash, 1, shortestShuttleEngineMs, longestShuttleEngineMs);
  const wayTo = (count) => [...way.slice(0, count), yardBeside(way, count - 1)];
  const drive = (waypoints, salt) => driveAlong(buildRoadWithoutLights(region, waypoints), traits, mixHash(hash, salt), shuttleLoadingMs);
  const isInTime = (count) => drive(wayTo(count), 2).durationMs <= limitMs && drive(reversed(wayTo(count)), 3).durationMs <= limitMs;
  let [low, high] = [2, way.length];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isInTime(middle)) low = middle;
    else high = middle;
  }
  return [drive(wayTo(low), 2), drive(reversed(wayTo(low)), 3)];
}
function yardBeside(way, at) {
  const [before, end] = [way[at - 1], way[at]];
  if (before === void 0 || end === void 0) throw new Error("a way needs two points");
  const angle = Math.atan2(end.y - before.y, end.x - before.x) - Math.PI / 2;
  return { x: end.x + Math.cos(angle) * yardM, y: end.y + Math.sin(angle) * yardM, limit: yardKmh };
}
export {
  buildShuttleLegs
};
