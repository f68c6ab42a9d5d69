import { mixHash, randomBelow, randomBetween } from "./hash.js";
const nearestToDepotM = 1500;
function planRounds(region, { customers }, traits, depot, hash) {
  const reach = region.reachKm * 1e3;
  const [near, far] = traits.customers;
  const candidates = customers.filter((place) => {
    const share = Math.hypot(place.x, place.y) / reach;
    return share >= near && share <= far && distanceBetween(place, depot) > nearestToDepotM;
  });
  const chosen = [];
  while (chosen.length < traits.maxStops && candidates.length > 0)
    chosen.push(...candidates.splice(randomBelow(hash, 10 + chosen.length, candidates.length), 1));
  const first = randomBetween(hash, 2, 0, 2 * Math.PI);
  const byDirection = chosen.map((customer) => ({ customer, turn: turnFrom(first, Math.atan2(customer.y - depot.y, customer.x - depot.x)) })).sort((a, b) => a.turn - b.turn).map(({ customer }) => customer);
  const roundCount = Math.ceil(byDirection.length / traits.stopsPerRound);
  const rounds = Array.from(
    { length: roundCount },
    (_, i) => nearestFirst(depot, byDirection.slice(i * traits.stopsPerRound, (i + 1) * traits.stopsPerRound))
  );
  return rounds.map((round, i) => ({ round, draw: mixHash(hash, 80 + i) })).sort((a, b) => a.draw - b.draw).map(({ round }) => round);
}
function distanceBetween(a, b) {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
function turnFrom(first, angle) {
  const full = 2 * Math.PI;
  return ((angle - first) % full + full) % full;
}
function nearestFirst(start, places) {
  const left = [...places];
  const ordered = [];
  let position = start;
  while (left.length > 0) {
    const distances = left.map((place) => distanceBetween(position, place));
    const [next] = left.splice(distances.indexOf(Math.min(...distances)), 1);
    if (next === void 0) break;
    ordered.push(next);
    position = next;
  }
  return ordered;
}
export {
  distanceBetween,
  planRounds
};
