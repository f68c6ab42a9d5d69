import { mixHash, randomBelow, randomBetween, toUnit } from "./hash.js";
const metresPerDegree = 111195.08;
const radians = Math.PI / 180;
const streetKmh = 50;
const blockM = 230;
const redOnStreets = 0.3;
const redOnMainRoads = 0.07;
const fastestWithLightsKmh = 70;
function buildRoad(region, network, from, to, hash) {
  const waypoints = [{ x: from.x, y: from.y, limit: streetKmh }];
  let mainRoads = [0, 0];
  if (Math.hypot(to.x - from.x, to.y - from.y) < 1800) {
    addBlocks(waypoints, region, from, to, mixHash(hash, 1));
  } else {
    addBlocks(waypoints, region, from, network.pointOf(from.access), mixHash(hash, 4));
    const begin = waypoints.length;
    waypoints.push(...network.way(from.access, to.access));
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
function streetsBetween(region, from, to, hash) {
  const waypoints = [{ x: from.x, y: from.y, limit: streetKmh }];
  addBlocks(waypoints, region, from, to, hash);
  return waypoints;
}
function buildRoadWithoutLights(region, waypoints) {
  return toRoad(region, waypoints, () => 0);
}
function reversed(waypoints) {
  return waypoints.map(({ x, y }, i) => ({ x, y, limit: waypoints[i + 1]?.limit ?? streetKmh })).reverse();
}
function toRoad(region, waypoints, redLight) {
  return waypoints.map((point, i) => {
    const latitude = region.latitude + point.y / metresPerDegree;
    const longitude = region.longitude + point.x / (metresPerDegree * Math.cos(latitude * radians));
    const limit = waypoints[i + 1]?.limit ?? 0;
    const isEnd = i === 0 || i === waypoints.length - 1;
    return { latitude, longitude, limit, redLight: isEnd ? 0 : redLight(Math.max(point.limit, limit), i) };
  });
}
function addBlocks(waypoints, region, from, to, hash) {
  const turn = -region.gridBearing * radians;
  const along = { x: Math.cos(turn), y: Math.sin(turn) };
  const dx = to.x - from.x;
  const dy = to.y - from.y;
  const onward = blockLengths(dx * along.x + dy * along.y, mixHash(hash, 1));
  const across = blockLengths(-dx * along.y + dy * along.x, mixHash(hash, 2));
  const corner = randomBelow(hash, 3, onward.length + 1);
  let { x, y } = from;
  const add = (eastM, northM) => {
    x += eastM;
    y += northM;
    waypoints.push({ x, y, limit: streetKmh });
  };
  for (const block of onward.slice(0, corner)) add(block * along.x, block * along.y);
  for (const block of across) add(-block * along.y, block * along.x);
  for (const block of onward.slice(corner)) add(block * along.x, block * along.y);
}
function blockLengths(distance, hash) {
  if (Math.abs(distance) < 0.5) return [];
  const count = Math.max(1, Math.min(5, Math.round(Math.abs(distance) / blockM)));
  const shares = Array.from({ length: count }, (_, i) => randomBetween(hash, i, 0.6, 1.4));
  const sum = shares.reduce((total, share) => total + share, 0);
  return shares.map((share) => distance * share / sum);
}
export {
  buildRoad,
  buildRoadWithoutLights,
  metresPerDegree,
  radians,
  reversed,
  streetsBetween
};
