// The tours of a day: rounds from the depot to customers and back. The vehicles of a region and
// kind share a few tours, however large the fleet is.
import { hourMs, minuteMs } from '../core/durations.js';
import { hashText, mixHash, randomBetween } from './hash.js';
import { driveAlong, type Leg } from './leg.js';
import type { Region } from './regions.js';
import { RoadNetwork } from './road-network.js';
import { buildRoad, type Site } from './roads.js';
import { distanceBetween, planRounds } from './rounds.js';
import { buildShuttleLegs } from './shuttle-tour.js';
import { createSites, depotCount, type Sites } from './sites.js';
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
  /** Usual parked milliseconds after each leg except the last. */
  readonly dwells: readonly number[];
  /** Share of the day's load by leg. */
  readonly loads: readonly number[];
  /** Totals before each leg; the last entry is the whole tour. */
  readonly before: readonly Totals[];
  readonly total: Totals;
}

/** Working-day tours per region and kind. Weekend and shuttle tours have the next indexes. */
export const workingTours = 6;
export const weekendTour = workingTours;
export const shuttleTour = weekendTour + 1;
export const shuttleTours = 3;

/** Maximum daily variation of the parked time. */
export const maxDwellFactor = 1.6;
const maxDayMs = 16.5 * hourMs;
/** Approximate ratio of road length to straight line. */
const roadFactor = 1.35;
export class TourLibrary {
  private readonly tours = new Map<string, Tour>();
  private readonly grounds = new Map<string, Ground>();

  constructor(
    private readonly seed: number,
    private readonly onBuild: () => void,
  ) {}

  get(region: Region, kind: VehicleKind, depotIndex: number, index: number): Tour {
    const key = `${region.name}/${kind}/${depotIndex % depotCount}/${index}`;
    let tour = this.tours.get(key);
    if (tour === undefined) {
      const ground = this.grounds.get(region.name) ?? createGround(region, this.seed);
      this.grounds.set(region.name, ground);
      const hash = hashText(key, this.seed);
      const depot = ground.sites.depots[depotIndex % depotCount];
      if (depot === undefined) throw new Error('a region has no depot');
      tour =
        index >= shuttleTour
          ? buildShuttleTour(ground, depot, kind, hash)
          : buildTour(ground, kind, depot, index === weekendTour, hash);
      this.tours.set(key, tour);
      this.onBuild();
    }
    return tour;
  }
}

interface Ground {
  readonly region: Region;
  readonly network: RoadNetwork;
  readonly sites: Sites;
}

function createGround(region: Region, seed: number): Ground {
  const network = new RoadNetwork(region, seed);
  return { region, network, sites: createSites(region, network, seed) };
}

/** Returns a working day: rounds from the depot until the day's time or distance is used up. */
function buildTour(ground: Ground, kind: VehicleKind, depot: Site, isShort: boolean, hash: number): Tour {
  const { region, network, sites } = ground;
  const traits = traitsByKind[kind];
  const longestM = traits.dayKm * 1000 * (isShort ? 0.5 : randomBetween(hash, 1, 0.85, 1.1));
  const legs: Leg[] = [];
  const dwells: number[] = [];
  const loads: number[] = [];
  let position = depot;
  let spent = 0;
  let driven = 0;
  const drive = (to: Site): void => {
    const salt = mixHash(hash, 50 + legs.length);
    const leg = driveAlong(buildRoad(region, network, position, to, salt), traits, salt);
    legs.push(leg);
    spent += leg.durationMs;
    driven += leg.distanceM;
    position = to;
  };
  const park = (): void => {
    const dwell = Math.round(randomBetween(hash, 30 + dwells.length, ...traits.dwellMinutes)) * minuteMs;
    dwells.push(dwell);
    spent += dwell * maxDwellFactor;
  };
  for (const round of planRounds(region, sites, traits, depot, hash)) {
    const firstLeg = legs.length;
    for (const customer of round) {
      const remainingM = roadFactor * (distanceBetween(position, customer) + distanceBetween(customer, depot));
      if (spent > maxDayMs - 3 * hourMs || (legs.length > 0 && driven + remainingM > longestM)) continue;
      if (legs.length > dwells.length) park();
      drive(customer);
    }
    const visits = legs.length - firstLeg;
    if (visits === 0) continue;
    park();
    drive(depot);
    // A vehicle leaves the depot full and returns empty.
    loads.push(...Array.from({ length: visits + 1 }, (_, i) => 1 - i / visits));
  }
  return createTour(legs, dwells, loads);
}

function buildShuttleTour({ region, network }: Ground, depot: Site, kind: VehicleKind, hash: number): Tour {
  const { legs, dwells } = buildShuttleLegs(region, network, depot, traitsByKind[kind], hash);
  return createTour(
    legs,
    dwells,
    legs.map((_, i) => (i % 2 === 0 ? 1 : 0.3)),
  );
}

function createTour(legs: readonly Leg[], dwells: readonly number[], loads: readonly number[]): Tour {
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
  return { legs, dwells, loads, before, total };
}
