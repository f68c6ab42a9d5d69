// Sums trips by vehicle, driver, day or group as they arrive. Memory does not grow with the trips.

import { DAY_MS, momentAt, offsetAt } from '../../../core/time-zone.js';
import type { FleetClient, Trip, TripOptions } from '../../../index.js';
import { despiteFailures } from '../../../telemetry/streams/despite-failures.js';
import { allowPartial } from '../../connection/allow-partial.js';
import { call } from '../../connection/call.js';
import { driverNames } from '../../connection/driver-names.js';
import { type Context, serviceNow } from '../../context/context.js';
import type { Report } from '../../context/report.js';
import { FailedVehicles } from '../../errors/failed-vehicles.js';
import { type ChosenVehicle, vehicleChoice } from '../../find/vehicles.js';
import type { PeriodSpan } from '../../parse/time.js';
import { compareValues } from '../../shape/compare.js';
import { localDate } from '../../time/format-time.js';
import type { SumKey, TripSumRow } from '../../views/trip-sum.js';
import { GroupTree } from '../shared/group-tree.js';
import { boundsOf } from '../shared/list-activities.js';
import { beyondPeriod } from './beyond-period.js';
import { partsByDriver } from './by-driver.js';
import { tripProgress } from './progress.js';
import { Sum } from './sum.js';

interface SumsToRead {
  readonly choose: (client: FleetClient) => Promise<readonly ChosenVehicle[]>;
  readonly by: SumKey;
  /** False when all vehicles are chosen, so that each group is complete. */
  readonly isPart: boolean;
  readonly span: () => Promise<PeriodSpan>;
  readonly options: TripOptions & { readonly partial: boolean; readonly signal: AbortSignal };
  readonly clip: boolean;
  /** Called for each trip; trips of one vehicle come in order. */
  readonly onTrip?: (trip: Trip) => void;
}

export interface Sums {
  readonly rows: readonly TripSumRow[];
  /** Sum of all trips, each counted once. */
  readonly whole: TripSumRow;
  readonly span: PeriodSpan;
}

interface SumStrategy {
  add(trip: Trip, sumOf: (key: string | null) => Sum): void;
  /** `sumOf` also creates empty sums for keys without trips. */
  rows(sumOf: (key: string | null) => Sum, keys: readonly (string | null)[]): readonly TripSumRow[];
}

/** Returns the sums; null when no vehicle is chosen. */
export async function sumTrips(
  context: Context,
  client: FleetClient,
  { choose, by, isPart: isPartOfFleet, span: readSpan, options, clip, onTrip }: SumsToRead,
): Promise<Sums | null> {
  const [vehicles, all, drivers, groups] = await Promise.all([
    choose(client),
    by === 'group' && isPartOfFleet ? vehicleChoice(context, [], {})(client) : null,
    by === 'driver' ? driverNames(context, client) : new Map<string, string>(),
    by === 'group' ? groupsOf(context, client) : [],
  ]);
  if (vehicles.length === 0) return null;
  const span = await readSpan();
  const reader = new TripReader(context, client, vehicles, span, { ...options, clip, withDetails: by === 'driver' });
  const days = daysOf(span, serviceNow(context), context.zone.name);
  const strategies: Readonly<Record<SumKey, () => SumStrategy>> = {
    vehicle: () => byVehicle(vehicles, reader.failedIds),
    driver: () => byDriver(context, drivers),
    day: () => byDay(context, days),
    group: () => byGroup(context, vehicles, all ?? vehicles, new GroupTree(groups)),
  };
  const strategy = strategies[by]();
  const sums = new Map<string | null, Sum>();
  const sumOf = (key: string | null) => {
    const sum = sums.get(key) ?? new Sum();
    sums.set(key, sum);
    return sum;
  };
  const whole = new Sum();
  const parts = new PartCounter();
  const isPart = context.globals.filter !== undefined || context.globals.limit !== undefined;
  const beyond = beyondPeriod(context, span, {
    whose: isPart ? ', including those of rows that are not shown,' : '',
    clip: 'Without --whole-trips sums count only what lies inside.',
  });
  try {
    // A trip over midnight has a part in each day, with its own fuel and top speed.
    for (const { from, end } of by === 'day' && clip ? days : [span]) {
      parts.begin();
      for await (const trip of reader.read(from, end)) {
        beyond.take(trip);
        whole.add(trip, parts.take(trip));
        strategy.add(trip, sumOf);
        onTrip?.(trip);
        reader.progress.take(trip);
      }
    }
    if (!clip) beyond.warn();
    parts.report(context.report);
  } finally {
    reader.progress.clear();
  }
  reader.failed.report(context.report);
  return { rows: strategy.rows(sumOf, [...sums.keys()]), whole: whole.values, span };
}

type ReaderOptions = SumsToRead['options'] & { readonly clip: boolean; readonly withDetails: boolean };

/** Reads the trips of the vehicles, without those that failed in an earlier part of the period. */
class TripReader {
  readonly failedIds = new Set<string>();
  readonly failed: FailedVehicles;
  readonly progress: ReturnType<typeof tripProgress>;
  readonly #client: FleetClient;
  readonly #vehicleIds: readonly string[];
  readonly #span: PeriodSpan;
  readonly #options: ReaderOptions;

  constructor(
    context: Context,
    client: FleetClient,
    vehicles: readonly ChosenVehicle[],
    span: PeriodSpan,
    options: ReaderOptions,
  ) {
    const nameById = new Map(vehicles.map(({ id, name }) => [id, name]));
    this.failed = new FailedVehicles('getSnapshots', (id) => nameById.get(id) ?? id);
    this.progress = tripProgress(context, span, 'trip', vehicles.length);
    this.#client = client;
    this.#vehicleIds = vehicles.map(({ id }) => id);
    this.#span = span;
    this.#options = options;
  }

  read(from: number, end: number): AsyncIterable<Trip> {
    const vehicleIds = this.#vehicleIds.filter((id) => !this.failedIds.has(id));
    const bounds = boundsOf({ from, to: this.#span.to, end }, this.#options.clip);
    const trips = this.#client.streamTrips(
      { vehicleIds, ...bounds },
      {
        ...this.#options,
        onEvent: (event) => {
          if (event.type === 'complete') this.progress.reach(event.vehicleId, end);
          if (event.type !== 'error') return;
          this.failedIds.add(event.vehicleId);
          this.failed.add(event.vehicleId, event.error);
          this.progress.reach(event.vehicleId, this.#span.end);
        },
      },
    );
    return despiteFailures(trips);
  }
}

/** Detects parts of one trip in adjacent days: they share its id. */
class PartCounter {
  #repeated = 0;
  #before = new Set<string>();
  #now = new Set<string>();

  begin(): void {
    this.#before = this.#now;
    this.#now = new Set();
  }

  take({ id, endedBy }: Trip): boolean {
    const isNew = !this.#before.has(id);
    if (!isNew) this.#repeated++;
    if (endedBy === 'period') this.#now.add(id);
    return isNew;
  }

  report(report: Report): void {
    if (this.#repeated === 0) return;
    const few = this.#repeated === 1 ? '1 trip goes' : `${this.#repeated} trips go`;
    const count = this.#repeated === 1 ? 'counts' : 'count';
    report.remark(`${few} over midnight and ${count} on both days; the total has each trip once.`);
  }
}

async function groupsOf(context: Context, client: FleetClient) {
  const select = { id: true, name: true, parentId: true } as const;
  return allowPartial(context, (options) => call(client, 'getGroups', {}, { ...options, select }));
}

function byVehicle(vehicles: readonly ChosenVehicle[], failedIds: ReadonlySet<string>): SumStrategy {
  return {
    add: (trip, sumOf) => sumOf(trip.vehicleId).add(trip),
    // Sums of failed vehicles are unknown.
    rows: (sumOf) =>
      vehicles
        .filter(({ id }) => !failedIds.has(id))
        .map(({ id, name }) => ({ vehicle: name, vehicleId: id, ...sumOf(id).values })),
  };
}

function byDriver(context: Context, names: ReadonlyMap<string, string>): SumStrategy {
  let shared = 0;
  return {
    add(trip, sumOf) {
      const parts = partsByDriver(trip);
      if (parts.length > 1) shared++;
      for (const { driverId, part } of parts) sumOf(driverId).add(part);
    },
    rows(sumOf, keys) {
      if (shared > 0) {
        const few = shared === 1 ? '1 trip has' : `${shared} trips have`;
        context.report.remark(
          `${few} several drivers: distance and times count for whoever drove, fuel is split by distance, and the top speed is left out. The total has each trip once.`,
        );
      }
      const rows = keys.map((id) => ({
        driver: id === null ? null : (names.get(id) ?? id),
        driverId: id,
        ...sumOf(id).values,
      }));
      return rows.sort(
        (a, b) => Number(a.driver === null) - Number(b.driver === null) || compareValues(a.driver, b.driver),
      );
    },
  };
}

interface Day {
  readonly from: number;
  readonly end: number;
  readonly name: string;
}

/** Returns the local days of the period up to now. The first and the last one may be cut. */
function daysOf({ from, end }: PeriodSpan, now: number, zone: string | undefined): readonly Day[] {
  const days: Day[] = [];
  for (let at = from; at < end && (at <= now || days.length === 0); ) {
    const wall = Math.floor((at + offsetAt(at, zone)) / DAY_MS) * DAY_MS;
    const next = Math.max(momentAt(wall + DAY_MS, zone), at + 1);
    days.push({ from: at, end: Math.min(next, end), name: localDate(at, zone) });
    at = next;
  }
  return days;
}

/** Counts a whole trip on the day of its start, which may be before the period. */
function byDay(context: Context, days: readonly Day[]): SumStrategy {
  return {
    add: (trip, sumOf) => sumOf(localDate(Date.parse(trip.startedAt), context.zone.name)).add(trip),
    rows(sumOf, keys) {
      const names = new Set([...days.map(({ name }) => name), ...keys.filter((key) => key !== null)]);
      return [...names].sort().map((day) => ({ day, ...sumOf(day).values }));
    },
  };
}

/** Returns the groups of a vehicle and their ancestors; null for no group. */
function groupKeysOf({ row }: ChosenVehicle, tree: GroupTree): readonly (string | null)[] {
  const ids = tree.withAbove((row?.assignedGroups ?? []).flatMap((group) => group?.id ?? []));
  return ids.size === 0 ? [null] : [...ids];
}

function countsOf(keys: Iterable<readonly (string | null)[]>): ReadonlyMap<string | null, number> {
  const counts = new Map<string | null, number>();
  for (const key of [...keys].flat()) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/** `fleet`: all vehicles, including those that are not in `vehicles`. */
function byGroup(
  context: Context,
  vehicles: readonly ChosenVehicle[],
  fleet: readonly ChosenVehicle[],
  tree: GroupTree,
): SumStrategy {
  const keys = new Map(vehicles.map((vehicle) => [vehicle.id, groupKeysOf(vehicle, tree)] as const));
  const chosenCounts = countsOf(keys.values());
  const present = countsOf(fleet.map((vehicle) => groupKeysOf(vehicle, tree)));
  const several = vehicles.filter(({ row }) => (row?.assignedGroups ?? []).filter((group) => group?.id).length > 1);
  const counts = (id: string | null) => ({
    vehiclesAsked: chosenCounts.get(id) ?? 0,
    vehiclesInGroup: present.get(id) ?? 0,
  });
  return {
    add(trip, sumOf) {
      for (const key of keys.get(trip.vehicleId) ?? [null]) sumOf(key).add(trip);
    },
    rows(sumOf) {
      if (several.length > 0) {
        const few = several.length === 1 ? '1 vehicle is' : `${several.length} vehicles are`;
        context.report.remark(`${few} in several groups and count in each of them; the total has each trip once.`);
      }
      const ids = new Set([...chosenCounts.keys()].filter((id) => id !== null));
      const placed = tree.inOrder(ids).map(({ id, name, parentId, level }) => ({
        group: name,
        groupId: id,
        parentId,
        level,
        ...counts(id),
        ...sumOf(id).values,
      }));
      const none = { group: null, groupId: null, parentId: null, level: 0 };
      return chosenCounts.has(null) ? [...placed, { ...none, ...counts(null), ...sumOf(null).values }] : placed;
    },
  };
}
