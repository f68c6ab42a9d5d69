// Syncs the trips and stops of vehicles. Those of a vehicle are written together with its cursor,
// and replace everything that the copy has of the period that was read. So an open one, or one
// whose begin moves when late snapshots arrive, is never there twice.
import type {
  CallOptions,
  Stop,
  Trip,
  TripGeofence,
  VehiclesStreamEvent,
  VehiclesStreamOptions,
} from 'fleet-telematics';
import { canonicalZone, despiteFailures, offsetAt, type TripWithDetails } from 'fleet-telematics/kit';
import { distinctVehicles, nextCursor, type ReadingPlan, streamPeriod } from './periods.js';
import { readInParallel, type Share, sharesOf, type UserReader } from './readers.js';
import type { ReportWriter } from './report.js';
import { type Cell, partRows, type Row, rowOf } from './rows.js';
import type { PlannedStep, StampedCopy } from './stamped-copy.js';
import { partTables, tableOf } from './tables.js';
import type { Cursor, RowFilter, RowPeriod, Step } from './target.js';
import type { WriteBehind } from './write-behind.js';

/**
 * Maximum growth of answers for trips, in bytes: about eight vehicle days, as they have few fields.
 * Two answers are in memory as bytes, and one vehicle's rows as objects, which take far more. Twice
 * the size halves the requests, but takes 100 MB more memory, and other calls wait longer.
 */
const TRIP_ANSWER_BYTES = 8 * 1024 * 1024;
const BATCH_ROWS = 1000;
const BATCH_VEHICLES = 25;

export interface VehicleData {
  readonly readers: readonly UserReader[];
  readonly target: StampedCopy;
  readonly reporter: ReportWriter;
  readonly reading: ReadingPlan;
  /** Counts as read without newer rows. Milliseconds since 1970. */
  readonly confirmedUntil: number;
  readonly signal: AbortSignal | undefined;
  readonly writing: WriteBehind;
}

type Activity = Pick<Trip, 'vehicleId' | 'startedAt' | 'endedAt' | 'lastSeenAt' | 'isOpen'>;

type ActivityStream<Item> = (
  fleet: UserReader['fleet'],
  period: ReturnType<typeof streamPeriod>,
  options: CallOptions & VehiclesStreamOptions,
) => AsyncIterable<Item>;

interface Activities<Item> {
  readonly part: 'trips' | 'stops';
  readonly stream: ActivityStream<Item>;
  /** Returns steps that replace these periods. */
  readonly steps: (items: readonly Item[], periods: readonly RowPeriod[]) => readonly PlannedStep[];
  /**
   * Returns the times from which a vehicle is read again. `until`: the start of a trip or stop in
   * progress, or the end of the reading. `unchangedSince`: that of an open stop.
   */
  readonly readAgainFrom: (items: readonly Item[], until: number, unchangedSince: number | null) => readonly number[];
}

/** `speedLimitKmh`: the limit of `trip_speeding`; undefined for the default. */
export async function syncTrips(data: VehicleData, speedLimitKmh: number | undefined): Promise<void> {
  const geofences = data.reading.periods.length === 0 ? [] : await geofencesOf(data.target);
  const trips = new ActivitySync<TripWithDetails>(data, {
    part: 'trips',
    stream: (fleet, period, options) =>
      fleet.streamTrips(period, { ...options, withDetails: true, speedLimitKmh, geofences }),
    steps: tripSteps,
    // A silence may end an open trip at its last snapshot.
    readAgainFrom: (trips) => trips.flatMap(({ isOpen, lastSeenAt }) => (isOpen ? [Date.parse(lastSeenAt)] : [])),
  });
  await trips.run();
}

/** Returns steps that replace the trips of these periods together with their parts. */
export function tripSteps(trips: readonly TripWithDetails[], periods: readonly RowPeriod[]): readonly Step[] {
  const parts = new Map<string, Row[]>(partTables('trips').map(({ name }) => [name, []]));
  for (const trip of trips) {
    for (const { table, rows } of partRows('trips', trip)) parts.get(table)?.push(...rows);
  }
  const rows = trips.map((trip) => rowOf('trips', trip, localTimes(trip)));
  return [
    { kind: 'replace', table: 'trips', rows, periods },
    ...[...parts].map(([table, own]): Step => ({ kind: 'replace', table, rows: own, periods })),
  ];
}

function localTimes({ startedAt, endedAt, details }: TripWithDetails): Readonly<Record<string, Cell>> {
  const { timeZone } = details;
  return {
    local_started_at: localTimeText(Date.parse(startedAt), timeZone),
    local_ended_at: endedAt === null ? null : localTimeText(Date.parse(endedAt), timeZone),
  };
}

/** Formats a local time as `2026-03-29 07:15:00`, or the UTC time for an unknown zone. */
function localTimeText(moment: number, timeZone: Cell | undefined): string {
  const zone = (typeof timeZone === 'string' ? canonicalZone(timeZone) : undefined) ?? 'UTC';
  return new Date(moment + offsetAt(moment, zone)).toISOString().slice(0, 19).replace('T', ' ');
}

export async function syncStops(data: VehicleData): Promise<void> {
  const stops = new ActivitySync<Stop>(data, {
    part: 'stops',
    stream: (fleet, period, options) => fleet.streamStops(period, { ...options, continued: data.reading.continued }),
    steps: (items, periods) => [{ kind: 'replace', table: 'stops', rows: items.map(stopRow), periods }],
    // An open stop that has not changed continues from the copy. Others are read from before their
    // start: without another snapshot, a vehicle is at a stop after five minutes.
    readAgainFrom(items, until, unchangedSince) {
      const last = items.at(-1);
      return [last?.isOpen ? (unchangedSince ?? Date.parse(last.startedAt) - 1) : until - 1];
    },
  });
  await stops.run();
}

/** Leaves out the duration of an open stop, which would change with every sync. */
function stopRow(stop: Stop): Row {
  return rowOf('stops', stop.isOpen ? { ...stop, durationSeconds: null } : stop);
}

type CompleteEvent = Extract<VehiclesStreamEvent, { readonly type: 'complete' }>;

class ActivitySync<Item extends Activity> {
  readonly #data: VehicleData;
  readonly #activities: Activities<Item>;
  /** Begins of the read periods by vehicle, in milliseconds since 1970. */
  readonly #begins: ReadonlyMap<string, number>;
  /** Items that are not written, by vehicle. */
  readonly #items = new Map<string, Item[]>();
  readonly #finished: CompleteEvent[] = [];
  /** Vehicles whose answers have gaps, so that no missing row counts as removed. */
  readonly #gapped = new Set<string>();
  /** Items of finished vehicles. */
  #waiting = 0;
  #read = 0;
  #written = 0;
  #done = 0;

  constructor(data: VehicleData, activities: Activities<Item>) {
    this.#data = data;
    this.#activities = activities;
    this.#begins = new Map(distinctVehicles(data.reading).map(({ vehicleId, from }) => [vehicleId, from]));
  }

  async run(): Promise<void> {
    const { readers, reporter, reading, signal, writing } = this.#data;
    const { part } = this.#activities;
    const shares = sharesOf(distinctVehicles(reading), readers);
    await readInParallel(shares, signal, (share, ended) => this.#readShare(share, ended));
    await this.#write();
    await writing(async () => reporter.doneRows(part, part, this.#read, this.#written));
  }

  async #readShare({ fleet, vehicles }: Share, signal: AbortSignal | undefined): Promise<void> {
    const { target, reading } = this.#data;
    const stream = this.#activities.stream(fleet, streamPeriod(vehicles, reading.until), {
      priority: 'low',
      signal,
      answerBytes: TRIP_ANSWER_BYTES,
      onEvent: (event) => this.#takeEvent(event),
    });
    for await (const answered of despiteFailures(stream)) {
      const item = target.ids.in(answered);
      const items = this.#items.get(item.vehicleId);
      if (items) items.push(item);
      else this.#items.set(item.vehicleId, [item]);
      if (this.#waiting >= BATCH_ROWS || this.#finished.length >= BATCH_VEHICLES) await this.#write();
    }
  }

  #takeEvent(event: VehiclesStreamEvent): void {
    const { reporter } = this.#data;
    const { part } = this.#activities;
    const { type, vehicleId } = event;
    if (type === 'error') {
      this.#items.delete(vehicleId);
      reporter.failed(part, vehicleId, event.error);
    } else if (type === 'other') reporter.unstored(part, 'noVehicle', vehicleId);
    else if (type === 'gap') this.#gapped.add(vehicleId);
    else {
      this.#finished.push(event);
      this.#waiting += this.#items.get(vehicleId)?.length ?? 0;
    }
  }

  /** Writes the items of the finished vehicles with their cursors. */
  async #write(): Promise<void> {
    const { target, reporter, reading, confirmedUntil, writing } = this.#data;
    const { part, steps: stepsOf, readAgainFrom } = this.#activities;
    const replaced: Item[] = [];
    const periods: RowPeriod[] = [];
    const cursors: Cursor[] = [];
    for (const { vehicleId, until, unchangedSince } of this.#finished.splice(0)) {
      const items = this.#items.get(vehicleId) ?? [];
      this.#items.delete(vehicleId);
      replaced.push(...items);
      if (!this.#gapped.has(vehicleId)) periods.push(this.#periodOf(vehicleId, items));
      const unchanged = unchangedSince === null ? null : Date.parse(unchangedSince);
      const again = readAgainFrom(items, Date.parse(until), unchanged);
      cursors.push(cursorAfter(vehicleId, items, again, reading, confirmedUntil));
      this.#done++;
    }
    this.#waiting = 0;
    if (cursors.length === 0) return;
    this.#read += replaced.length;
    const [read, share] = [this.#read, this.#done / this.#begins.size];
    const steps = stepsOf(replaced, periods);
    await writing(async () => {
      this.#written += (await target.apply({ steps, cursors })).written;
      reporter.progress(part, read, share);
    });
  }

  /** Returns the replaced period, which may begin earlier for one that was in progress. */
  #periodOf(vehicleId: string, items: readonly Activity[]): RowPeriod {
    const { until } = this.#data.reading;
    const starts = items.map(({ startedAt }) => Date.parse(startedAt));
    const from = starts.reduce((first, start) => Math.min(first, start), this.#begins.get(vehicleId) ?? until);
    return { vehicleId, from: new Date(from).toISOString(), until: new Date(until).toISOString() };
  }
}

async function geofencesOf(target: StampedCopy): Promise<readonly TripGeofence[]> {
  const rows = await target.read('geofences', ['id', 'geojson', 'deleted_at']);
  return rows.flatMap(([id, geojson, deletedAt]) =>
    deletedAt === null ? { id: String(id), geojson: parsed(geojson) } : [],
  );
}

/** Returns null for invalid JSON, which a user may have written. */
function parsed(json: Cell | undefined): unknown {
  try {
    return JSON.parse(String(json));
  } catch {
    return null;
  }
}

/** Returns the begins of open trips or stops by vehicle, in milliseconds since 1970. */
export async function openBeginsOf(
  target: StampedCopy,
  table: 'trips' | 'stops',
): Promise<ReadonlyMap<string, number>> {
  const open = await target.read(table, ['vehicle_id', 'started_at'], { is_open: [true] });
  return new Map(open.map(([vehicleId, startedAt]) => [String(vehicleId), Date.parse(String(startedAt))]));
}

const openStopColumns = [
  ...['id', 'vehicle_id', 'started_at', 'last_seen_at', 'is_start_known', 'driver_ids'],
  ...['idle_s', 'unseen_s', 'latitude_deg', 'longitude_deg'],
];

export async function openStopsOf(target: StampedCopy): Promise<ReadonlyMap<string, Stop>> {
  const rows = await target.read('stops', openStopColumns, { is_open: [true] });
  return new Map(rows.map((row) => [String(row[1]), openStopOf(row)]));
}

function openStopOf(row: readonly Cell[]): Stop {
  const [id, vehicleId, startedAt, lastSeenAt, isStartKnown, driverIds, idle, unseen, latitude, longitude] = row;
  const drivers = parsed(driverIds);
  return {
    ...{ id: String(id), vehicleId: String(vehicleId), isOpen: true, endedAt: null, endedBy: null },
    ...{ startedAt: String(startedAt), lastSeenAt: String(lastSeenAt), isStartKnown: isStartKnown === true },
    ...{ driverIds: Array.isArray(drivers) ? drivers.map(String) : [], durationSeconds: 0 },
    ...{ idleSeconds: typeof idle === 'number' ? idle : null, unseenSeconds: Number(unseen ?? 0) },
    position: typeof latitude === 'number' && typeof longitude === 'number' ? { latitude, longitude } : null,
  };
}

/**
 * Ends the open trips and stops of deleted vehicles: no snapshot will show their end. A vehicle
 * that comes back is read from the end of its rows, or from before its open stop, which continues.
 */
export async function endOpenOfDeleted(target: StampedCopy, cursors: readonly Cursor[]): Promise<void> {
  const vehicles = await target.read('vehicles', ['id', 'deleted_at']);
  const gone = vehicles.flatMap(([id, deletedAt]) => (id === undefined || deletedAt === null ? [] : [id]));
  if (gone.length === 0) return;
  const begins = await openBeginsOf(target, 'stops');
  const ends = new Map<Cell, Cell>();
  const trips = await rewriteRows(target, 'trips', { vehicle_id: gone, is_open: [true] }, (cell) => {
    const end = cell('last_seen_at') ?? null;
    ends.set(cell('id') ?? null, end);
    const local_ended_at = localTimeText(Date.parse(String(end)), cell('time_zone'));
    return { is_open: false, ended_at: end, local_ended_at, ended_by: 'unfinished' };
  });
  const stops = await rewriteRows(target, 'stops', { vehicle_id: gone, is_open: [true] }, (cell) => {
    const ended_at = cell('last_seen_at') ?? null;
    const ms = Date.parse(String(ended_at)) - Date.parse(String(cell('started_at')));
    return { is_open: false, ended_at, ended_by: 'unfinished', duration_s: ms / 1_000 };
  });
  if (ends.size === 0 && stops.rows.length === 0) return;
  const steps: PlannedStep[] = [trips, stops];
  for (const { name } of partTables('trips')) {
    const filter = { trip_id: [...ends.keys()] };
    steps.push(
      await rewriteRows(target, name, filter, (cell) => {
        const end = ends.get(cell('trip_id') ?? null) ?? null;
        return { trip_ended_at: end, ...(cell('ended_at') === null ? { ended_at: end } : {}) };
      }),
    );
  }
  const isGone = new Set(gone);
  const movedCursors = cursors.flatMap((cursor) => {
    const begin = begins.get(cursor.vehicleId);
    if (cursor.kind !== 'stops' || begin === undefined || !isGone.has(cursor.vehicleId)) return [];
    const readUntil = Math.min(Date.parse(cursor.readUntil), begin - 1);
    return [{ ...cursor, readUntil: new Date(readUntil).toISOString() }];
  });
  await target.apply({ steps, cursors: movedCursors });
}

/** Returns the matching rows with the cells that `change` sets. */
async function rewriteRows(
  target: StampedCopy,
  table: string,
  filter: RowFilter,
  change: (cell: (column: string) => Cell | undefined) => Readonly<Record<string, Cell>>,
): Promise<Extract<PlannedStep, { readonly kind: 'upsert' }>> {
  const columns = tableOf(table).columns.map(({ name }) => name);
  const rows = (await target.read(table, columns, filter)).map((row) => {
    const changed = change((column) => row[columns.indexOf(column)]);
    return columns.map((column, index) => (Object.hasOwn(changed, column) ? changed[column] : row[index]) ?? null);
  });
  return { kind: 'upsert', table, rows };
}

function cursorAfter(
  vehicleId: string,
  items: readonly Activity[],
  readAgainFrom: readonly number[],
  reading: ReadingPlan,
  confirmedUntil: number,
): Cursor {
  const seen = items.map(({ endedAt, lastSeenAt }) => Date.parse(endedAt ?? lastSeenAt));
  const newestRow = seen.reduce((one, other) => Math.max(one, other), Number.NEGATIVE_INFINITY);
  const reached = nextCursor(reading, vehicleId, { newestRow, confirmedUntil });
  const readUntil = Math.min(Date.parse(reached.readUntil), ...readAgainFrom);
  return { ...reached, readUntil: new Date(readUntil).toISOString() };
}
