// Sums trips by one or two keys as they arrive. Memory does not grow with the trips.

import { DAY_MS, momentAt, offsetAt } from '../../../core/time-zone.js';
import type { FleetClient, Trip, TripOptions } from '../../../index.js';
import { despiteFailures } from '../../../telemetry/streams/despite-failures.js';
import { driverNames } from '../../connection/driver-names.js';
import { type Context, serviceNow } from '../../context/context.js';
import type { Report } from '../../context/report.js';
import { FailedVehicles } from '../../errors/failed-vehicles.js';
import { findDriverId, isDriver } from '../../find/driver.js';
import { namedGeofences } from '../../find/named-geofences.js';
import { type ChosenVehicle, vehicleChoice } from '../../find/vehicles.js';
import type { PeriodSpan } from '../../parse/time.js';
import { localDate } from '../../time/format-time.js';
import type { SumCosts, SumKey, TripSumRow } from '../../views/trip-sum.js';
import { boundsOf } from '../shared/list-activities.js';
import { tripProgress } from './progress.js';
import { Sum, type SumOptions } from './sum.js';
import { type KeyValue, readGroups, type SumKeyRule, sumKeyRules } from './sum-keys.js';
import { partsOfDriver, partsOfTrip, type SummedPart } from './trip-parts.js';

interface SumsToRead {
  readonly choose: (client: FleetClient) => Promise<readonly ChosenVehicle[]>;
  /** One or two different keys. */
  readonly by: readonly SumKey[];
  /** False when all vehicles are chosen, so that each group is complete. */
  readonly isPart: boolean;
  readonly span: () => Promise<PeriodSpan>;
  readonly options: TripOptions & { readonly partial: boolean; readonly signal: AbortSignal };
  readonly needs?: SumNeeds;
  /** Name, e-mail or id of the only driver; undefined for all. */
  readonly driver?: string | undefined;
  readonly costs?: SumCosts;
  /** Called for each trip; trips of one vehicle come in order. */
  readonly onTrip?: (trip: Trip) => void;
}

interface SumNeeds {
  /** The parts of trips by day, and their readings. */
  readonly parts: boolean;
  readonly visits: boolean;
}

export interface Sums {
  readonly rows: readonly TripSumRow[];
  /** Sum of all trips, each counted once. */
  readonly whole: TripSumRow;
  /** False when rows of failed vehicles are missing, whose trips are in `whole`. */
  readonly isComplete: boolean;
  readonly span: PeriodSpan;
  /** The distance of trips without fuel in litres: a fuel cost does not count them. */
  readonly distanceWithoutLitresKm: number;
}

/** Returns the sums; null when no vehicle is chosen. */
export async function sumTrips(
  context: Context,
  client: FleetClient,
  { choose, by, isPart: isPartOfFleet, span: readSpan, options, onTrip, driver, ...more }: SumsToRead,
): Promise<Sums | null> {
  const { needs = { parts: false, visits: false }, costs = { idleCost: null, fuelPrice: null } } = more;
  const isByGroup = by.includes('group');
  const [vehicles, all, drivers, groups, driverId, geofences] = await Promise.all([
    choose(client),
    isByGroup && isPartOfFleet ? vehicleChoice(context, [], {})(client) : null,
    by.includes('driver') ? driverNames(context, client) : new Map<string, string>(),
    isByGroup ? readGroups(context, client) : [],
    findDriverId(context, client, driver),
    needs.visits ? namedGeofences(context, client, []) : [],
  ]);
  if (vehicles.length === 0) return null;
  const span = await readSpan();
  const withParts = needs.parts || driverId !== null || by.some((key) => key !== 'vehicle' && key !== 'group');
  const isByDriver = by.includes('driver') || driverId !== null;
  const rules = sumKeyRules({ vehicles, fleet: all ?? vehicles, drivers, groups });
  const table = new SumTable(
    by.map((key) => rules[key]),
    { ...costs, isByDriver, withParts, withVisits: needs.visits },
  );
  const nameById = new Map(vehicles.map(({ id, name }) => [id, name]));
  const failed = new FailedVehicles('getSnapshots', (id) => nameById.get(id) ?? id);
  const failedIds = new Set<string>();
  const progress = tripProgress(context, span, 'trip', vehicles.length);
  const detailed = { withDetails: 'parts', timeZone: context.zone.name ?? 'local', geofences } as const;
  const trips = client.streamTrips(
    { vehicleIds: vehicles.map(({ id }) => id), ...boundsOf(span, true) },
    {
      ...options,
      ...(withParts && detailed),
      clip: true,
      onEvent(event) {
        if (event.type === 'error') {
          failedIds.add(event.vehicleId);
          failed.add(event.vehicleId, event.error);
        }
        if (event.type === 'error' || event.type === 'complete') progress.reach(event.vehicleId, span.end);
      },
    },
  );
  try {
    for await (const trip of despiteFailures(trips)) {
      progress.take(trip);
      for (const own of driverId === null ? [trip] : partsOfDriver(trip, driverId)) onTrip?.(own);
      const startDay = localDate(Date.parse(trip.startedAt), context.zone.name);
      const isOwn = (part: SummedPart) => driverId === null || isDriver(part.driverId, driverId);
      const parts = partsOfTrip(trip).filter(isOwn);
      table.add(parts.map((part) => ({ ...part, day: part.day ?? startDay })));
    }
    table.report(context.report);
  } finally {
    progress.clear();
  }
  failed.report(context.report);
  const { values: whole, distanceWithoutLitresKm } = table.whole;
  const isSparse = driverId !== null && by.some((key) => key === 'vehicle' || key === 'group');
  const days = daysOf(span, serviceNow(context), context.zone.name);
  const rows = table.rows(isSparse ? [] : vehicles.filter(({ id }) => !failedIds.has(id)), days, failedIds);
  const isComplete = failedIds.size === 0 || !by.includes('vehicle');
  return { rows, whole, isComplete, span, distanceWithoutLitresKm };
}

interface TableRow {
  readonly keys: readonly KeyValue[];
  readonly sum: Sum;
}

/** The sums by the values of the keys. A part counts in a row for each of its values. */
class SumTable {
  readonly #keys: readonly SumKeyRule[];
  readonly #options: SumOptions;
  readonly #rows = new Map<string, TableRow>();
  readonly whole: Sum;
  /** The trips with parts in several rows by day, or by driver. */
  #repeatedTrips = 0;

  constructor(keys: readonly SumKeyRule[], options: SumOptions) {
    this.#keys = keys;
    this.#options = options;
    this.whole = new Sum(options);
  }

  /** Adds the parts of one trip. */
  add(parts: readonly SummedPart[]): void {
    const single = this.#keys.filter(({ cutReason }) => cutReason !== undefined);
    const places = new Set(parts.map((part) => single.map((key) => key.valuesOf(part)[0]).join('\n')));
    if (places.size > 1) this.#repeatedTrips++;
    for (const part of parts) {
      this.whole.add(part);
      for (const values of product(this.#keys.map((key) => key.valuesOf(part)))) this.#rowOf(values).sum.add(part);
    }
  }

  /** Returns the rows in the order of their keys, also for vehicles and days without a trip. */
  rows(
    vehicles: readonly ChosenVehicle[],
    days: readonly string[],
    failedIds: ReadonlySet<string>,
  ): readonly TripSumRow[] {
    const keyDays = this.#keys.some(({ isOfTime }) => isOfTime) ? days : [''];
    for (const [vehicle, day] of vehicles.flatMap((one) => keyDays.map((name) => [one, name] as const))) {
      for (const values of product(this.#keys.map((key) => key.valuesWithout(vehicle, day)))) this.#rowOf(values);
    }
    const isComplete = ({ keys }: TableRow) => !keys.some((value) => value !== null && failedIds.has(value));
    return [...this.#rows.values()]
      .filter(isComplete)
      .sort((one, other) => this.#compare(one.keys, other.keys))
      .map(({ keys, sum }) => ({
        ...Object.assign({}, ...keys.map((value, index) => this.#keys[index]?.fieldsOf(value))),
        ...sum.values,
      }));
  }

  #compare(one: readonly KeyValue[], other: readonly KeyValue[]): number {
    return this.#keys.reduce((order, key, index) => order || key.compare(one[index] ?? null, other[index] ?? null), 0);
  }

  report(report: Report): void {
    for (const remark of this.#keys.flatMap((key) => key.remark ?? [])) report.remark(remark);
    if (this.#repeatedTrips === 0) return;
    const isOne = this.#repeatedTrips === 1;
    const reasons = new Set(this.#keys.flatMap(({ cutReason }) => cutReason?.[isOne ? 0 : 1] ?? []));
    const [trips, count] = isOne ? ['1 trip', 'counts'] : [`${this.#repeatedTrips} trips`, 'count'];
    report.remark(`${trips} ${[...reasons].join(' or ')} and ${count} in several rows; the total has each trip once.`);
  }

  #rowOf(keys: readonly KeyValue[]): TableRow {
    const name = JSON.stringify(keys);
    const row = this.#rows.get(name) ?? { keys, sum: new Sum(this.#options) };
    this.#rows.set(name, row);
    return row;
  }
}

function product(lists: readonly (readonly KeyValue[])[]): readonly (readonly KeyValue[])[] {
  const [first = [], second] = lists;
  return first.flatMap((one) => (second === undefined ? [[one]] : second.map((other) => [one, other])));
}

/** Returns the local days of the period up to now. */
function daysOf({ from, end }: PeriodSpan, now: number, zone: string | undefined): readonly string[] {
  const days: string[] = [];
  for (let at = from; at < end && (at <= now || days.length === 0); ) {
    days.push(localDate(at, zone));
    const wall = Math.floor((at + offsetAt(at, zone)) / DAY_MS) * DAY_MS;
    at = Math.max(momentAt(wall + DAY_MS, zone), at + 1);
  }
  return days;
}
