// Keeps the trips of vehicles current. The trips of a vehicle are written together with its cursor: they replace everything that the copy
// has of the time that was read, so that a trip that was open, or that begins elsewhere since late snapshots arrived, is not there twice.
import type { Trip } from '../telemetry/trips/trip.js';
import { TRIP_ANSWER_BYTES } from './memory-limits.js';
import type { SyncClient } from './parts.js';
import { periodOf, type ReadingPlan, reachedCursor, vehiclesOf } from './periods.js';
import type { ReportWriter } from './report.js';
import { type Cell, type Row, rowOf } from './rows.js';
import type { StampedCopy } from './stamped-copy.js';
import { tableOf } from './tables.js';
import type { Cursor, RowPeriod } from './target.js';

/** Rows and vehicles that are written together. */
const BATCH_ROWS = 1000;
const BATCH_VEHICLES = 25;

export interface VehicleData {
  readonly fleet: SyncClient;
  readonly target: StampedCopy;
  readonly teller: ReportWriter;
  readonly reading: ReadingPlan;
  /** Up to when a vehicle without newer rows counts as read. Milliseconds since 1970. */
  readonly vouched: number;
  readonly signal: AbortSignal | undefined;
}

export async function syncTrips({ fleet, target, teller, reading, vouched, signal }: VehicleData): Promise<void> {
  const { until } = reading;
  const vehicles = vehiclesOf(reading);
  const begins = new Map(vehicles.map(({ vehicleId, from }) => [vehicleId, from]));
  let [read, written, done] = [0, 0, 0];
  const unfinished = new Map<string, Trip[]>();
  const finished: string[] = [];
  /** Rows of theirs may be missing in the answers, so nothing says that a trip is gone. */
  const gapped = new Set<string>();
  let waiting = 0;
  const write = async () => {
    const rows: Row[] = [];
    const periods: RowPeriod[] = [];
    const cursors: Cursor[] = [];
    for (const vehicleId of finished.splice(0)) {
      const trips = unfinished.get(vehicleId) ?? [];
      unfinished.delete(vehicleId);
      rows.push(...trips.map((trip) => rowOf('trips', trip)));
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
    const step = { kind: 'replace', table: 'trips', rows, periods } as const;
    written += (await target.apply({ steps: [step], cursors })).written;
    read += rows.length;
    teller.progress('trips', read, done / vehicles.length);
  };
  const stream =
    vehicles.length === 0
      ? []
      : fleet.streamTrips(periodOf(vehicles, until), {
          priority: 'low',
          signal,
          answerBytes: TRIP_ANSWER_BYTES,
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
  for await (const trip of stream) {
    const trips = unfinished.get(trip.vehicleId);
    if (trips) trips.push(trip);
    else unfinished.set(trip.vehicleId, [trip]);
    if (waiting >= BATCH_ROWS || finished.length >= BATCH_VEHICLES) await write();
  }
  await write();
  const none = { added: null, changed: null, removed: null };
  teller.done('trips', { table: 'trips', read, written, ...none });
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
  const columns = tableOf('trips').columns.map(({ name }) => name);
  const open = await target.read('trips', columns, { vehicle_id: gone, is_open: [true] });
  if (open.length === 0) return;
  const rows = open.map((row) => {
    const ended: Readonly<Record<string, Cell>> = {
      is_open: false,
      ended_at: row[columns.indexOf('last_seen_at')] ?? null,
      ended_by: 'unfinished',
    };
    return columns.map((column, index) => ended[column] ?? row[index] ?? null);
  });
  await target.apply({ steps: [{ kind: 'upsert', table: 'trips', rows }], cursors: [] });
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
