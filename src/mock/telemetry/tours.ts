/**
 * A day's work: from the depot past some customers and back. Each region has a few tours for each kind of vehicle, shared
 * by its fleet, so that the work to build them is bounded however many vehicles there are.
 */
import { driveAlong, type Leg } from './drive.js';
import { between, hashText, mix, pick } from './hash.js';
import { kinds } from './kinds.js';
import type { Terrain } from './regions.js';
import { buildLine, buildRoad, type Place } from './roads.js';
import { dayMs, lineLoadingMs, lineMetres, lineRunMs } from './roster.js';
import type { VehicleKind } from './rows.js';

/** What a vehicle has done in all: whole metres, millilitres and milliseconds. */
export interface Totals {
  readonly metres: number;
  readonly fuelMl: number;
  readonly engineMs: number;
  readonly idleMs: number;
}

export const nothing: Totals = { metres: 0, fuelMl: 0, engineMs: 0, idleMs: 0 };

export function plus(a: Totals, b: Totals, times = 1): Totals {
  return {
    metres: a.metres + b.metres * times,
    fuelMl: a.fuelMl + b.fuelMl * times,
    engineMs: a.engineMs + b.engineMs * times,
    idleMs: a.idleMs + b.idleMs * times,
  };
}

export interface Tour {
  readonly legs: readonly Leg[];
  /** Usual time parked after each leg but the last, in ms. */
  readonly dwells: readonly number[];
  /** Totals of the legs before each leg; one entry more for the whole tour. */
  readonly before: readonly Totals[];
  readonly total: Totals;
}

/** Tours on which the vehicles of one region and kind spend their working days; then the one for weekends, and the line. */
export const workingTours = 6;
export const weekendTour = workingTours;
export const lineTour = weekendTour + 1;

/** Stretching a dwell by chance multiplies it by up to this. */
export const longestDwell = 1.6;
const longestDayMs = 16.5 * 3_600_000;
const depots = 2;
const customerCount = 28;

/** The places a region's vehicles visit, the same for all of them. */
interface Sites {
  readonly depots: readonly Place[];
  readonly customers: readonly Place[];
}

function sitesOf(terrain: Terrain, seed: number): Sites {
  const hash = hashText(terrain.name, seed);
  const at = (salt: number, low: number, high: number): Place => {
    const angle = between(hash, salt, 0, 2 * Math.PI);
    const distance = between(hash, salt + 1, low, high) * terrain.reachKm * 1000;
    return { x: Math.cos(angle) * distance, y: Math.sin(angle) * distance };
  };
  return {
    depots: Array.from({ length: depots }, (_, i) => at(10 + i * 2, 0.15, 0.3)),
    customers: Array.from({ length: customerCount }, (_, i) => {
      const share = i / customerCount;
      return at(100 + i * 2, 0.06 + 0.8 * share, 0.1 + 0.85 * share);
    }),
  };
}

/** Builds the tours of one seed as they are asked for, each once. */
export class TourLibrary {
  private readonly tours = new Map<string, Tour>();
  private readonly sites = new Map<string, Sites>();

  constructor(
    private readonly seed: number,
    private readonly onBuild: () => void,
  ) {}

  get(terrain: Terrain, kind: VehicleKind, depot: number, index: number): Tour {
    const key = `${terrain.name}/${kind}/${depot % depots}/${index}`;
    let tour = this.tours.get(key);
    if (tour === undefined) {
      const sites = this.sites.get(terrain.name) ?? sitesOf(terrain, this.seed);
      this.sites.set(terrain.name, sites);
      const hash = hashText(key, this.seed);
      const home = sites.depots[depot % depots] ?? { x: 0, y: 0 };
      tour =
        index === lineTour
          ? buildLineTour(terrain, home, kind, hash)
          : buildTour(terrain, sites, kind, home, index, hash);
      this.tours.set(key, tour);
      this.onBuild();
    }
    return tour;
  }
}

function buildTour(terrain: Terrain, sites: Sites, kind: VehicleKind, home: Place, index: number, hash: number): Tour {
  const traits = kinds[kind];
  const reach = terrain.reachKm * 1000;
  const [near, far] = traits.customers;
  const open = sites.customers.filter((place) => {
    const distance = Math.hypot(place.x, place.y) / reach;
    return distance >= near && distance <= far && Math.hypot(place.x - home.x, place.y - home.y) > 1500;
  });
  const share = index === weekendTour ? 0.5 : between(hash, 1, 0.85, 1.1);
  const legs: Leg[] = [];
  const dwells: number[] = [];
  let here = home;
  let spent = 0;
  let driven = 0;
  const drive = (to: Place): void => {
    const salt = mix(hash, 50 + legs.length);
    const leg = driveAlong(buildRoad(terrain, here, to, salt), traits, salt);
    legs.push(leg);
    spent += leg.durationMs;
    driven += leg.distanceM;
    here = to;
  };
  for (let stop = 0; stop < traits.maxStops && open.length > 0; stop++) {
    const [next] = open.splice(pick(hash, 10 + stop, open.length), 1);
    if (next === undefined) break;
    // Driving there takes it farther from the depot: stop while the way back still fits.
    const there = Math.hypot(next.x - here.x, next.y - here.y);
    const back = Math.hypot(next.x - home.x, next.y - home.y);
    if (stop > 0 && driven + 1.15 * (there + back) > traits.dayKm * 1000 * share) continue;
    drive(next);
    const dwell = Math.round(between(hash, 30 + stop, ...traits.dwellMinutes)) * 60_000;
    dwells.push(dwell);
    spent += dwell * longestDwell;
    if (spent > longestDayMs - 3 * 3_600_000) break;
  }
  drive(home);
  return tourOf(legs, dwells);
}

/** A day and a night to and fro between the depot and a terminal on the main road around the city. */
function buildLineTour(terrain: Terrain, home: Place, kind: VehicleKind, hash: number): Tour {
  const [there, back] = buildLine(terrain, home, lineMetres, hash).map((road, i) =>
    driveAlong(road, kinds[kind], mix(hash, i), lineLoadingMs),
  );
  if (there === undefined || back === undefined) throw new Error('a line has two ways');
  const legs = Array.from({ length: dayMs / lineRunMs }, (_, i) => (i % 2 === 0 ? there : back));
  return tourOf(
    legs,
    legs.map(({ durationMs }) => lineRunMs - durationMs),
  );
}

function tourOf(legs: readonly Leg[], dwells: readonly number[]): Tour {
  const before: Totals[] = [nothing];
  let total = nothing;
  for (const leg of legs) {
    total = plus(total, {
      metres: leg.distanceM,
      fuelMl: leg.fuelMl,
      engineMs: leg.durationMs,
      idleMs: leg.idleMs,
    });
    before.push(total);
  }
  return { legs, dwells, before, total };
}
