// Keeps the trips of vehicles current. The trips of a vehicle are written together with its cursor: they replace everything that the copy
// has from the begin of the reading on, so that a trip that was open, or that begins elsewhere since late snapshots arrived, is not there twice.
import type { Trip } from '../telemetry/trips/trip.js';
import { TRIP_ANSWER_BYTES } from './limits.js';
import type { SyncClient } from './parts.js';
import type { Reading } from './periods.js';
import type { Teller } from './report.js';
import { rowOf } from './rows.js';
import type { Cursor, OpenTarget, Step } from './target.js';

/** Rows and vehicles that are written together. */
const BATCH_ROWS = 1000;
const BATCH_VEHICLES = 25;

export interface VehicleData {
  readonly fleet: SyncClient;
  readonly target: OpenTarget;
  readonly teller: Teller;
  readonly reading: Reading;
  /** Milliseconds since 1970. */
  readonly until: number;
  readonly signal: AbortSignal | undefined;
}

export async function syncTrips({ fleet, target, teller, reading, until, signal }: VehicleData): Promise<void> {
  const vehicles = reading.periods.reduce((sum, { vehicleIds }) => sum + vehicleIds.length, 0);
  let [rows, done] = [0, 0];
  for (const { from, vehicleIds } of reading.periods) {
    const unfinished = new Map<string, Trip[]>();
    const finished: string[] = [];
    let waiting = 0;
    const write = async () => {
      const steps: Step[] = [];
      const cursors: Cursor[] = [];
      for (const vehicleId of finished.splice(0)) {
        const trips = unfinished.get(vehicleId) ?? [];
        unfinished.delete(vehicleId);
        steps.push({ kind: 'deleteTrips', vehicleId, from: beginOf(trips, from) });
        if (trips.length > 0)
          steps.push({ kind: 'upsert', table: 'trips', rows: trips.map((trip) => rowOf('trips', trip)) });
        cursors.push(cursorAfter(vehicleId, trips, reading, until));
        rows += trips.length;
        done++;
      }
      waiting = 0;
      if (cursors.length === 0) return;
      await target.apply({ steps, cursors });
      teller.progress('trips', rows, done / vehicles);
    };
    const stream = fleet.streamTrips(
      { vehicleIds, from: new Date(from), to: new Date(until) },
      {
        priority: 'low',
        signal,
        answerBytes: TRIP_ANSWER_BYTES,
        onError: ({ vehicleId, error }) => {
          unfinished.delete(vehicleId);
          teller.failed('trips', vehicleId, error);
        },
        onComplete: (vehicleId) => {
          finished.push(vehicleId);
          waiting += unfinished.get(vehicleId)?.length ?? 0;
        },
      },
    );
    for await (const trip of stream) {
      const trips = unfinished.get(trip.vehicleId);
      if (trips) trips.push(trip);
      else unfinished.set(trip.vehicleId, [trip]);
      if (waiting >= BATCH_ROWS || finished.length >= BATCH_VEHICLES) await write();
    }
    await write();
  }
  const none = { added: null, changed: null, removed: null };
  teller.done('trips', { table: 'trips', read: rows, written: rows, ...none });
}

/** The begin of what these trips replace. A trip that was under way is complete, so it may begin earlier. */
function beginOf(trips: readonly Trip[], from: number): string {
  const starts = trips.map(({ startedAt }) => Date.parse(startedAt));
  return new Date(starts.reduce((first, start) => Math.min(first, start), from)).toISOString();
}

/** An open trip is read again from its last snapshot on: a silence may end it there. */
function cursorAfter(vehicleId: string, trips: readonly Trip[], { begins }: Reading, until: number): Cursor {
  const ends = trips.filter(({ isOpen }) => isOpen).map(({ lastSeenAt }) => Date.parse(lastSeenAt));
  const readUntil = new Date(Math.min(until, ...ends)).toISOString();
  return { vehicleId, kind: 'trips', beginsAt: begins.get(vehicleId) ?? readUntil, readUntil };
}
