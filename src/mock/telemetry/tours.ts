// The tours of a day: from the depot to some customers and back. Each region has a few tours for each kind of vehicle, which its
// vehicles share, so that the number of tours does not grow with the fleet.
import { dayMs, hourMs, minuteMs } from '../core/durations.js';
import { hashText, mixHash, randomBelow, randomBetween } from './hash.js';
import { driveAlong, type Leg } from './leg.js';
import type { Region } from './regions.js';
import { buildRoad, buildShuttleRoads, type MapPoint } from './roads.js';
import { shuttleLoadingMs, shuttleRoadMetres, shuttleRunMs } from './roster.js';
import type { VehicleKind } from './types.js';
import { traitsByKind } from './vehicle-traits.js';

/** Totals of a vehicle in whole metres, millilitres and milliseconds. */
export interface Totals {
  readonly metres: number;
  readonly fuelMl: number;
  readonly engineMs: number;
  readonly idleMs: number;
}

export const zeroTotals: Totals = { metres: 0, fuelMl: 0, engineMs: 0, idleMs: 0 };

export function addTotals(a: Totals, b: Totals, times = 1): Totals {
  return {
    metres: a.metres + b.metres * times,
    fuelMl: a.fuelMl + b.fuelMl * times,
    engineMs: a.engineMs + b.engineMs * times,
    idleMs: a.idleMs + b.idleMs * times,
  };
}

export interface Tour {
  readonly legs: readonly Leg[];
  /** Usual time parked after each leg except the last, in milliseconds. */
  readonly dwells: readonly number[];
  /** For each leg the totals of the legs before it; one more entry for the whole tour. */
  readonly before: readonly Totals[];
  readonly total: Totals;
}

/** Number of tours for working days per region and kind of vehicle. The tour for weekends and the shuttle follow. */
export const workingTours = 6;
export const weekendTour = workingTours;
export const shuttleTour = weekendTour + 1;

/** The time parked varies from day to day by up to this factor. */
export const maxDwellFactor = 1.6;
const maxDayMs = 16.5 * hourMs;
const depotCount = 2;
const customerCount = 28;

/** The depots and customers of a region, which all of its vehicles share. */
interface Sites {
  readonly depots: readonly MapPoint[];
  readonly customers: readonly MapPoint[];
}

function createSites(region: Region, seed: number): Sites {
  const hash = hashText(region.name, seed);
  const at = (salt: number, low: number, high: number): MapPoint => {
    const angle = randomBetween(hash, salt, 0, 2 * Math.PI);
    const distance = randomBetween(hash, salt + 1, low, high) * region.reachKm * 1000;
    return { x: Math.cos(angle) * distance, y: Math.sin(angle) * distance };
  };
  return {
    depots: Array.from({ length: depotCount }, (_, i) => at(10 + i * 2, 0.15, 0.3)),
    customers: Array.from({ length: customerCount }, (_, i) => {
      const share = i / customerCount;
      return at(100 + i * 2, 0.06 + 0.8 * share, 0.1 + 0.85 * share);
    }),
  };
}

/** Builds the tours of one seed on first use. */
export class TourLibrary {
  private readonly tours = new Map<string, Tour>();
  private readonly sites = new Map<string, Sites>();

  constructor(
    private readonly seed: number,
    private readonly onBuild: () => void,
  ) {}

  get(region: Region, kind: VehicleKind, depotIndex: number, index: number): Tour {
    const key = `${region.name}/${kind}/${depotIndex % depotCount}/${index}`;
    let tour = this.tours.get(key);
    if (tour === undefined) {
      const sites = this.sites.get(region.name) ?? createSites(region, this.seed);
      this.sites.set(region.name, sites);
      const hash = hashText(key, this.seed);
      const depot = sites.depots[depotIndex % depotCount] ?? { x: 0, y: 0 };
      tour =
        index === shuttleTour
          ? buildShuttleTour(region, depot, kind, hash)
          : buildTour(region, sites, kind, depot, index, hash);
      this.tours.set(key, tour);
      this.onBuild();
    }
    return tour;
  }
}

function buildTour(
  region: Region,
  sites: Sites,
  kind: VehicleKind,
  depot: MapPoint,
  index: number,
  hash: number,
): Tour {
  const traits = traitsByKind[kind];
  const reach = region.reachKm * 1000;
  const [near, far] = traits.customers;
  const candidates = sites.customers.filter((place) => {
    const distance = Math.hypot(place.x, place.y) / reach;
    return distance >= near && distance <= far && Math.hypot(place.x - depot.x, place.y - depot.y) > 1500;
  });
  const share = index === weekendTour ? 0.5 : randomBetween(hash, 1, 0.85, 1.1);
  const legs: Leg[] = [];
  const dwells: number[] = [];
  let position = depot;
  let spent = 0;
  let driven = 0;
  const drive = (to: MapPoint): void => {
    const salt = mixHash(hash, 50 + legs.length);
    const leg = driveAlong(buildRoad(region, position, to, salt), traits, salt);
    legs.push(leg);
    spent += leg.durationMs;
    driven += leg.distanceM;
    position = to;
  };
  for (let stop = 0; stop < traits.maxStops && candidates.length > 0; stop++) {
    const [next] = candidates.splice(randomBelow(hash, 10 + stop, candidates.length), 1);
    if (next === undefined) break;
    // Skips a customer from which the way back would be too long.
    const outward = Math.hypot(next.x - position.x, next.y - position.y);
    const back = Math.hypot(next.x - depot.x, next.y - depot.y);
    if (stop > 0 && driven + 1.15 * (outward + back) > traits.dayKm * 1000 * share) continue;
    drive(next);
    const dwell = Math.round(randomBetween(hash, 30 + stop, ...traits.dwellMinutes)) * minuteMs;
    dwells.push(dwell);
    spent += dwell * maxDwellFactor;
    if (spent > maxDayMs - 3 * hourMs) break;
  }
  drive(depot);
  return createTour(legs, dwells);
}

/** A day of runs between the depot and a terminal on the ring around the city. */
function buildShuttleTour(region: Region, depot: MapPoint, kind: VehicleKind, hash: number): Tour {
  const [outward, back] = buildShuttleRoads(region, depot, shuttleRoadMetres, hash).map((road, i) =>
    driveAlong(road, traitsByKind[kind], mixHash(hash, i), shuttleLoadingMs),
  );
  if (outward === undefined || back === undefined) throw new Error('a shuttle needs a road there and a road back');
  const legs = Array.from({ length: dayMs / shuttleRunMs }, (_, i) => (i % 2 === 0 ? outward : back));
  return createTour(
    legs,
    legs.map(({ durationMs }) => shuttleRunMs - durationMs),
  );
}

function createTour(legs: readonly Leg[], dwells: readonly number[]): Tour {
  const before: Totals[] = [zeroTotals];
  let total = zeroTotals;
  for (const leg of legs) {
    total = addTotals(total, {
      metres: leg.distanceM,
      fuelMl: leg.fuelMl,
      engineMs: leg.durationMs,
      idleMs: leg.idleMs,
    });
    before.push(total);
  }
  return { legs, dwells, before, total };
}
