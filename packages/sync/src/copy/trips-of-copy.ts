// Reads trips from a copy of the fleet, and from the service what the copy lacks: other vehicles,
// the time after its last sync, and trips that an end of the period cuts.

import {
  type CallOptions,
  type FleetClient,
  type Trip,
  toDate,
  type VehiclePeriod,
  type VehiclesPeriod,
  type VehiclesStreamOptions,
} from 'fleet-telematics';
import { DAY_MS, offsetAt, type PeriodTripOptions } from 'fleet-telematics/kit';
import { CliError, type Context, serviceNow } from 'fleet-telematics/kit/command';
import { ORIGIN, originOf } from '../origin.js';
import { tripColumns, tripOfRow } from '../trip-of-row.js';
import type { CopyQuery } from './sql-process.js';

/** One query returns some ten thousand rows. */
const VEHICLES_AT_ONCE = 100;
const WINDOW_MS = 31 * 86_400_000;

/** Time after its end in which a trip may continue, by docs/telemetry.md. */
const LATEST_END_MS = 600_000;
const LATEST_SILENCE_MS = 6 * 3_600_000 + LATEST_END_MS;

/** A vehicle and the period whose trips come from the copy. */
interface Share {
  readonly vehicleId: string;
  readonly from: number;
  readonly to: number;
}

interface Split {
  readonly ofCopy: readonly Share[];
  /** Trips that begin before `from` of the share, and trips that begin at its `to` or later. */
  readonly before: readonly Share[];
  readonly after: readonly Share[];
  readonly others: readonly string[];
}

type StreamOptions = CallOptions & PeriodTripOptions & VehiclesStreamOptions;

/** The source of trips and the time of the copy; empty when the copy was not used. */
type TripSource = { readonly source?: 'copy' | 'copy and service'; readonly asOf?: number };

interface PeriodOfVehicles {
  readonly vehicleIds: readonly string[];
  readonly from: string | Date;
  readonly to: string | Date;
}

export type TripStream = (period: VehiclePeriod | VehiclesPeriod, options?: StreamOptions) => AsyncIterable<Trip>;

interface Period {
  readonly from: number;
  readonly to: number;
}

/** The trips of one answer, some of which may come from the copy. */
export class TripsOfCopy {
  readonly #context: Context;
  readonly #client: FleetClient;
  readonly #query: CopyQuery;
  #readUntil: Promise<ReadonlyMap<string, Period> | null> | null = null;
  #asOf = Number.POSITIVE_INFINITY;
  #isAlsoOfService = false;

  constructor(context: Context, client: FleetClient, query: CopyQuery) {
    this.#context = context;
    this.#client = client;
    this.#query = query;
  }

  /**
   * Streams the trips that `streamTrips` would. Only clipped trips come from the copy. Trips that
   * the period cuts at its start come first.
   */
  readonly stream: TripStream = (period, options = {}) => {
    if ('vehicles' in period && period.vehicles !== undefined) return this.#ofService(period, options);
    const vehicleIds = 'vehicleId' in period ? [period.vehicleId] : period.vehicleIds;
    return this.#stream({ vehicleIds, from: period.from, to: period.to }, options);
  };

  get source(): TripSource {
    if (this.#asOf === Number.POSITIVE_INFINITY) return {};
    return { source: this.#isAlsoOfService ? 'copy and service' : 'copy', asOf: this.#asOf };
  }

  async *#stream(requested: PeriodOfVehicles, options: StreamOptions): AsyncGenerator<Trip, void, undefined> {
    const period = { from: toDate(requested.from).getTime(), to: toDate(requested.to).getTime() };
    const { ofCopy, before, after, others } = await this.#split(requested.vehicleIds, period, options);
    if (others.length > 0) yield* this.#ofService({ ...requested, vehicleIds: others }, options);
    if (before.length > 0) {
      const ends = new Map(before.map(({ vehicleId, from }) => [vehicleId, from]));
      const to = Math.min(period.to, Math.max(...ends.values()) + LATEST_SILENCE_MS);
      const begins = { vehicleIds: [...ends.keys()], from: requested.from, to: new Date(to) };
      for await (const trip of this.#ofService(begins, options)) {
        if (Date.parse(trip.startedAt) < (ends.get(trip.vehicleId) ?? 0)) yield trip;
      }
    }
    const missing: Trip[] = [];
    for await (const trip of this.#ofCopy(ofCopy)) {
      if (hasSeveralParts(trip, options)) missing.push(trip);
      else yield trip;
    }
    yield* this.#againOfService(missing, options);
    if (after.length > 0) {
      const vehicles = after.map(({ vehicleId, to }) => ({ vehicleId, from: new Date(to).toISOString() }));
      yield* this.#ofService({ vehicles, to: requested.to }, options);
    }
  }

  #ofService(period: VehiclesPeriod, options: StreamOptions): AsyncIterable<Trip> {
    this.#isAlsoOfService = true;
    return this.#client.streamTrips(period, options);
  }

  /** Reads trips again whose parts by driver and day are needed: the copy has only their sums. */
  async *#againOfService(trips: readonly Trip[], options: StreamOptions): AsyncGenerator<Trip, void, undefined> {
    for (const day of new Set(trips.map(({ startedAt }) => startedAt.slice(0, 10)))) {
      const some = trips.filter(({ startedAt }) => startedAt.startsWith(day));
      const missing = new Map(some.map((trip) => [trip.id, trip]));
      const begins = new Map(some.toReversed().map(({ vehicleId, startedAt }) => [vehicleId, startedAt]));
      const end = Math.max(...some.map(({ endedAt, lastSeenAt }) => Date.parse(endedAt ?? lastSeenAt)));
      const vehicles = [...begins].map(([vehicleId, from]) => ({ vehicleId, from }));
      for await (const trip of this.#ofService({ vehicles, to: new Date(end + 1) }, options)) {
        if (missing.delete(trip.id)) yield trip;
      }
      // Late snapshots may have changed the start of a trip.
      yield* missing.values();
    }
  }

  async *#ofCopy(shares: readonly Share[]): AsyncGenerator<Trip, void, undefined> {
    for (let at = 0; at < shares.length; at += VEHICLES_AT_ONCE) {
      const some = shares.slice(at, at + VEHICLES_AT_ONCE);
      const shareOf = new Map(some.map((share) => [share.vehicleId, share]));
      const end = Math.max(...some.map(({ to }) => to));
      for (let from = Math.min(...some.map((share) => share.from)); from < end; from += WINDOW_MS) {
        const to = Math.min(end, from + WINDOW_MS);
        const statement = `SELECT ${tripColumns.join(', ')} FROM trips WHERE vehicle_id IN (${textsOf([...shareOf.keys()])})
          AND started_at >= ${timeOf(from)} AND started_at < ${timeOf(to)} ORDER BY vehicle_id, started_at`;
        const [rows = []] = await this.#query([statement], this.#context.io.signal);
        for (const row of rows) {
          const trip = tripOfRow(row);
          const share = shareOf.get(String(row.vehicle_id));
          const begun = Date.parse(String(row.started_at));
          if (trip !== null && share !== undefined && begun >= share.from && begun < share.to) yield trip;
        }
      }
    }
  }

  async #split(vehicleIds: readonly string[], period: Period, { clip }: StreamOptions): Promise<Split> {
    const none = { ofCopy: [], before: [], after: [], others: vehicleIds };
    const read = clip === true ? await this.#vehiclesOfCopy() : null;
    if (read === null) return none;
    const now = Math.min(period.to, serviceNow(this.#context));
    // If the copy has less than half of the period, one read of the service is simpler than two.
    const isWorthIt = ({ from, to }: Period) =>
      from <= period.from && Math.min(to, period.to) - period.from >= (now - period.from) / 2;
    const coverable = vehicleIds.flatMap((vehicleId) => {
      const own = read.get(vehicleId);
      return own !== undefined && isWorthIt(own)
        ? [{ vehicleId, from: period.from, to: Math.min(own.to, period.to) }]
        : [];
    });
    const split = { ofCopy: [] as Share[], before: [] as Share[], after: [] as Share[] };
    for (let at = 0; at < coverable.length; at += VEHICLES_AT_ONCE) {
      const some = coverable.slice(at, at + VEHICLES_AT_ONCE);
      const cuts = await this.#cutsOf(some);
      if (cuts === null) return none;
      for (const share of some) {
        const { from, to } = cuts.get(share.vehicleId) ?? share;
        if (from >= to) continue;
        const own = { ...share, from, to };
        split.ofCopy.push(own);
        if (from > period.from) split.before.push(own);
        if (to < period.to && to < now) split.after.push(own);
      }
    }
    if (split.ofCopy.length === 0) return none;
    const usedPeriods = new Map(split.ofCopy.map(({ vehicleId }) => [vehicleId, read.get(vehicleId)]));
    this.#asOf = Math.min(this.#asOf, ...[...usedPeriods.values()].map((own) => own?.to ?? this.#asOf));
    return { ...split, others: vehicleIds.filter((id) => !usedPeriods.has(id)) };
  }

  /** Returns shares without trips across their ends, maybe empty; null for an unreadable copy. */
  async #cutsOf(shares: readonly Share[]): Promise<ReadonlyMap<string, Period> | null> {
    const [first] = shares;
    if (first === undefined) return new Map();
    const of = `vehicle_id IN (${textsOf(shares.map(({ vehicleId }) => vehicleId))})`;
    const columns = 'vehicle_id, started_at, ended_at, ended_by, driver_ids';
    const earliestEnd = Math.min(...shares.map(({ to }) => to)) - LATEST_SILENCE_MS;
    const end = Math.max(...shares.map(({ to }) => to));
    const statements = [
      `SELECT ${columns} FROM trips WHERE ${of} AND started_at < ${timeOf(first.from)} AND (ended_at IS NULL OR ended_at > ${timeOf(first.from)})`,
      `SELECT ${columns} FROM trips WHERE ${of} AND started_at < ${timeOf(end)} AND (ended_at IS NULL OR ended_at > ${timeOf(earliestEnd)})`,
    ];
    const found = await this.#queryOrNull(statements);
    if (found === null) return null;
    const [atBegin = [], atEnd = []] = found;
    const cuts = new Map(shares.map(({ vehicleId, from, to }) => [vehicleId, { from, to }]));
    const cut = (vehicleId: unknown, by: (own: Period) => Period) => {
      const own = cuts.get(String(vehicleId));
      if (own !== undefined) cuts.set(String(vehicleId), by(own));
    };
    for (const row of atBegin) {
      // The copy has no whole trip of a vehicle whose trip, begun before the period, has no end.
      const ended = row.ended_at === null ? Number.POSITIVE_INFINITY : Date.parse(String(row.ended_at));
      cut(row.vehicle_id, (own) => ({ ...own, from: Math.max(own.from, ended) }));
    }
    for (const row of atEnd) {
      const late = row.ended_by === 'silence' ? LATEST_SILENCE_MS : LATEST_END_MS;
      const ended = row.ended_at === null ? Number.POSITIVE_INFINITY : Date.parse(String(row.ended_at)) + late;
      cut(row.vehicle_id, (own) =>
        ended > own.to ? { ...own, to: Math.min(own.to, Date.parse(String(row.started_at))) } : own,
      );
    }
    return cuts;
  }

  /** Returns the period of each vehicle's trips; null for a copy of another user or service. */
  #vehiclesOfCopy(): Promise<ReadonlyMap<string, Period> | null> {
    this.#readUntil ??= this.#readVehicles();
    return this.#readUntil;
  }

  async #readVehicles(): Promise<ReadonlyMap<string, Period> | null> {
    const { signal } = this.#context.io;
    const found = await this.#queryOrNull([
      `SELECT value FROM sync_state WHERE name = '${ORIGIN}'`,
      `SELECT vehicle_id, begins_at, read_until FROM sync_cursors WHERE kind = 'trips'`,
    ]);
    if (found === null) return null;
    const [[origin] = [], rows = []] = found;
    if (origin?.value !== originOf(await this.#client.identity({ signal }))) {
      this.#context.report.warn(
        'The copy is that of another user or service: this answer comes from the service alone.',
      );
      return null;
    }
    return new Map(
      rows.map((row) => [
        String(row.vehicle_id),
        { from: Date.parse(String(row.begins_at)), to: Date.parse(String(row.read_until)) },
      ]),
    );
  }

  async #queryOrNull(statements: readonly string[]) {
    try {
      return await this.#query(statements, this.#context.io.signal);
    } catch (error) {
      if (!(error instanceof CliError) || error.code === 'ABORTED') throw error;
      this.#context.report.warn(
        `The copy could not be read, so this answer comes from the service alone: ${error.problem}`,
      );
      return null;
    }
  }
}

/** True for a trip whose parts by driver or local day are needed and are not the whole trip. */
function hasSeveralParts({ driverIds, startedAt, endedAt, lastSeenAt }: Trip, options: StreamOptions): boolean {
  if (!options.withDetails) return false;
  const zone = options.timeZone === 'local' ? undefined : options.timeZone;
  const dayOf = (time: number) => Math.floor((time + offsetAt(time, zone)) / DAY_MS);
  const [start, end] = [Date.parse(startedAt), Date.parse(endedAt ?? lastSeenAt)];
  return driverIds.length > 1 || (options.timeZone !== undefined && dayOf(start) !== dayOf(end));
}

/** Formats a time as the text that a copy has. These texts sort by time. */
function timeOf(moment: number): string {
  return `'${new Date(moment).toISOString()}'`;
}

function textsOf(values: readonly string[]): string {
  return values.map((value) => `'${value.replaceAll("'", "''").replaceAll('\0', '')}'`).join(', ');
}
