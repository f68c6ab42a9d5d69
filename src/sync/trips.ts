// Keeps the trips of vehicles current. The trips of a vehicle are written together with its cursor: they replace everything that the copy
// has of the time that was read, so that a trip that was open, or that begins elsewhere since late snapshots arrived, is not there twice.
import type { Trip, TripGeofence, TripWithDetails } from '../telemetry/trips/trip.js';
import { TRIP_ANSWER_BYTES } from './memory-limits.js';
import { periodOf, type ReadingPlan, reachedCursor, vehiclesOf } from './periods.js';
import { type Reader, sharesOf, sideBySide } from './readers.js';
import type { ReportWriter } from './report.js';
import type { Cell } from './rows.js';
import type { PlannedStep, StampedCopy } from './stamped-copy.js';
import { partTables, tableOf } from './tables.js';
import type { Cursor, RowFilter, RowPeriod } from './target.js';
import { localTimeText, tripSteps } from './trip-rows.js';
import type { WriteBehind } from './write-behind.js';

/** Rows and vehicles that are written together. */
const BATCH_ROWS = 1000;
const BATCH_VEHICLES = 25;

export interface VehicleData {
  readonly readers: readonly Reader[];
  readonly target: StampedCopy;
  readonly teller: ReportWriter;
  readonly reading: ReadingPlan;
  /** Up to when a vehicle without newer rows counts as read. Milliseconds since 1970. */
  readonly vouched: number;
  readonly signal: AbortSignal | undefined;
  readonly writing: WriteBehind;
}

/** `speedLimitKmh`: that of `trip_speeding`; undefined for the default. */
export async function syncTrips(
  { readers, target, teller, reading, vouched, signal, writing }: VehicleData,
  speedLimitKmh: number | undefined,
): Promise<void> {
  const { until } = reading;
  const vehicles = vehiclesOf(reading);
  const begins = new Map(vehicles.map(({ vehicleId, from }) => [vehicleId, from]));
  let [read, written, done] = [0, 0, 0];
  const unfinished = new Map<string, TripWithDetails[]>();
  const finished: string[] = [];
  /** Rows of theirs may be missing in the answers, so nothing says that a trip is gone. */
  const gapped = new Set<string>();
  let waiting = 0;
  const write = async () => {
    const replaced: TripWithDetails[] = [];
    const periods: RowPeriod[] = [];
    const cursors: Cursor[] = [];
    for (const vehicleId of finished.splice(0)) {
      const trips = unfinished.get(vehicleId) ?? [];
      unfinished.delete(vehicleId);
      replaced.push(...trips);
      if (!gapped.has(vehicleId))
        periods.push({
          vehicleId,
          from: beginOf(trips, begins.get(vehicleId) ?? until),
          until: new Date(until).toISOString(),
        });
      cursors.push(cursorAfter(vehicleId, trips, reading, vouched));
      done++;
    }
    waiting = 0;
    if (cursors.length === 0) return;
    read += replaced.length;
    const [readSoFar, share] = [read, done / vehicles.length];
    const steps = tripSteps(replaced, periods);
    await writing(async () => {
      written += (await target.apply({ steps, cursors })).written;
      teller.progress('trips', readSoFar, share);
    });
  };
  const geofences = vehicles.length === 0 ? [] : await geofencesOf(target);
  await sideBySide(sharesOf(vehicles, readers), signal, async ({ fleet, vehicles: own }, ended) => {
    const stream = fleet.streamTrips(periodOf(own, until), {
      priority: 'low',
      signal: ended,
      answerBytes: TRIP_ANSWER_BYTES,
      withDetails: true,
      speedLimitKmh,
      geofences,
      onError: ({ vehicleId, error }) => {
        unfinished.delete(vehicleId);
        teller.failed('trips', vehicleId, error);
      },
      onGap: (vehicleId) => gapped.add(vehicleId),
      onOther: (vehicleId) => teller.unstored('trips', 'noVehicle', vehicleId),
      onComplete: (vehicleId) => {
        finished.push(vehicleId);
        waiting += unfinished.get(vehicleId)?.length ?? 0;
      },
    });
    for await (const answered of stream) {
      const trip = target.ids.in(answered);
      const trips = unfinished.get(trip.vehicleId);
      if (trips) trips.push(trip);
      else unfinished.set(trip.vehicleId, [trip]);
      if (waiting >= BATCH_ROWS || finished.length >= BATCH_VEHICLES) await write();
    }
  });
  await write();
  const none = { added: null, changed: null, removed: null };
  await writing(async () => teller.done('trips', { table: 'trips', read, written, ...none }));
}

/** The geofences of the copy. */
async function geofencesOf(target: StampedCopy): Promise<readonly TripGeofence[]> {
  const rows = await target.read('geofences', ['id', 'geojson', 'deleted_at']);
  return rows.flatMap(([id, geojson, deletedAt]) =>
    deletedAt === null ? { id: String(id), geojson: parsed(geojson) } : [],
  );
}

/** Null for what is no JSON: the user may have written it. */
function parsed(json: Cell | undefined): unknown {
  try {
    return JSON.parse(String(json));
  } catch {
    return null;
  }
}

/** The begin of the trip that each vehicle is on, where it is known: read from there on, nobody has to look for it. Milliseconds since 1970. */
export async function openTripsOf(target: StampedCopy): Promise<ReadonlyMap<string, number>> {
  const open = await target.read('trips', ['vehicle_id', 'started_at'], { is_open: [true] });
  return new Map(open.map(([vehicleId, startedAt]) => [String(vehicleId), Date.parse(String(startedAt))]));
}

/**
 * Ends the open trips of vehicles that are gone: nobody will say how they ended. Should a vehicle come back, it is read from where the copy
 * ends, as any other.
 */
export async function endTripsOfGone(target: StampedCopy): Promise<void> {
  const vehicles = await target.read('vehicles', ['id', 'deleted_at']);
  const gone = vehicles.flatMap(([id, deletedAt]) => (id === undefined || deletedAt === null ? [] : [id]));
  if (gone.length === 0) return;
  const ends = new Map<Cell, Cell>();
  const trips = await rewritten(target, 'trips', { vehicle_id: gone, is_open: [true] }, (cell) => {
    const end = cell('last_seen_at') ?? null;
    ends.set(cell('id') ?? null, end);
    const local_ended_at = localTimeText(Date.parse(String(end)), cell('time_zone'));
    return { is_open: false, ended_at: end, local_ended_at, ended_by: 'unfinished' };
  });
  if (ends.size === 0) return;
  const steps: PlannedStep[] = [trips];
  for (const { name } of partTables('trips')) {
    const filter = { trip_id: [...ends.keys()] };
    steps.push(
      await rewritten(target, name, filter, (cell) => {
        const end = ends.get(cell('trip_id') ?? null) ?? null;
        return { trip_ended_at: end, ...(cell('ended_at') === null ? { ended_at: end } : {}) };
      }),
    );
  }
  await target.apply({ steps, cursors: [] });
}

/** The rows that the filter wants, with other cells in the columns that `change` names. `cell` gives undefined for a column that is not there. */
async function rewritten(
  target: StampedCopy,
  table: string,
  filter: RowFilter,
  change: (cell: (column: string) => Cell | undefined) => Readonly<Record<string, Cell>>,
): Promise<PlannedStep> {
  const columns = tableOf(table).columns.map(({ name }) => name);
  const rows = (await target.read(table, columns, filter)).map((row) => {
    const changed = change((column) => row[columns.indexOf(column)]);
    return columns.map((column, index) => (Object.hasOwn(changed, column) ? changed[column] : row[index]) ?? null);
  });
  return { kind: 'upsert', table, rows };
}

/** The begin of what these trips replace. A trip that was under way is complete, so it may begin earlier. */
function beginOf(trips: readonly Trip[], from: number): string {
  const starts = trips.map(({ startedAt }) => Date.parse(startedAt));
  return new Date(starts.reduce((first, start) => Math.min(first, start), from)).toISOString();
}

/** An open trip is read again from its last snapshot on: a silence may end it there. */
function cursorAfter(vehicleId: string, trips: readonly Trip[], reading: ReadingPlan, vouched: number): Cursor {
  const open = trips.filter(({ isOpen }) => isOpen).map(({ lastSeenAt }) => Date.parse(lastSeenAt));
  const seen = trips.map(({ endedAt, lastSeenAt }) => Date.parse(endedAt ?? lastSeenAt));
  const newestRow = seen.reduce((one, other) => Math.max(one, other), Number.NEGATIVE_INFINITY);
  const reached = reachedCursor(reading, vehicleId, { newestRow, vouched });
  const readUntil = Math.min(Date.parse(reached.readUntil), ...open);
  return { ...reached, readUntil: new Date(readUntil).toISOString() };
}
