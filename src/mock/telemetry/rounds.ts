// The rounds of a working day: the customers between two visits to the depot, in order. Each round
// stays in one direction, as a dispatcher would plan it.
import { mixHash, randomBelow, randomBetween } from './hash.js';
import type { Region } from './regions.js';
import type { NetworkPoint } from './road-network.js';
import type { Site } from './roads.js';
import type { Sites } from './sites.js';
import type { VehicleTraits } from './vehicle-traits.js';

/** Nearer customers need no drive. */
const nearestToDepotM = 1500;

export function planRounds(
  region: Region,
  { customers }: Sites,
  traits: VehicleTraits,
  depot: Site,
  hash: number,
): readonly (readonly Site[])[] {
  const reach = region.reachKm * 1000;
  const [near, far] = traits.customers;
  const candidates = customers.filter((place) => {
    const share = Math.hypot(place.x, place.y) / reach;
    return share >= near && share <= far && distanceBetween(place, depot) > nearestToDepotM;
  });
  const chosen: Site[] = [];
  while (chosen.length < traits.maxStops && candidates.length > 0)
    chosen.push(...candidates.splice(randomBelow(hash, 10 + chosen.length, candidates.length), 1));
  const first = randomBetween(hash, 2, 0, 2 * Math.PI);
  const byDirection = chosen
    .map((customer) => ({ customer, turn: turnFrom(first, Math.atan2(customer.y - depot.y, customer.x - depot.x)) }))
    .sort((a, b) => a.turn - b.turn)
    .map(({ customer }) => customer);
  const roundCount = Math.ceil(byDirection.length / traits.stopsPerRound);
  const rounds = Array.from({ length: roundCount }, (_, i) =>
    nearestFirst(depot, byDirection.slice(i * traits.stopsPerRound, (i + 1) * traits.stopsPerRound)),
  );
  // The rounds of a day are in random order, not clockwise.
  return rounds
    .map((round, i) => ({ round, draw: mixHash(hash, 80 + i) }))
    .sort((a, b) => a.draw - b.draw)
    .map(({ round }) => round);
}

export function distanceBetween(a: NetworkPoint, b: NetworkPoint): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

function turnFrom(first: number, angle: number): number {
  const full = 2 * Math.PI;
  return (((angle - first) % full) + full) % full;
}

/** Orders places by repeatedly choosing the nearest next one. */
function nearestFirst(start: NetworkPoint, places: readonly Site[]): readonly Site[] {
  const left = [...places];
  const ordered: Site[] = [];
  let position = start;
  while (left.length > 0) {
    const distances = left.map((place) => distanceBetween(position, place));
    const [next] = left.splice(distances.indexOf(Math.min(...distances)), 1);
    if (next === undefined) break;
    ordered.push(next);
    position = next;
  }
  return ordered;
}
