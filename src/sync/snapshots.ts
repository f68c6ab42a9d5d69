// Keeps the snapshots of vehicles current: all of the period, or the newest of each vehicle. The snapshots of a period are written in batches,
// each together with the cursors of its vehicles.
import type { Snapshot } from '../generated/record-types.js';
import { isSame } from './compare-records.js';
import { BATCH_SNAPSHOTS, SNAPSHOT_ANSWER_BYTES } from './limits.js';
import type { SyncClient } from './parts.js';
import type { Teller } from './report.js';
import { type Row, rowOf, timeText } from './rows.js';
import type { OpenTarget } from './target.js';
import type { VehicleData } from './trips.js';

/** Vehicles in one request for newest snapshots. */
const LATEST_VEHICLES = 500;
const none = { added: null, changed: null, removed: null };

export async function syncLatest(
  fleet: SyncClient,
  target: OpenTarget,
  teller: Teller,
  vehicleIds: readonly string[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const asked = new Set(vehicleIds);
  let rows = 0;
  for (let at = 0; at < vehicleIds.length; at += LATEST_VEHICLES) {
    const some = vehicleIds.slice(at, at + LATEST_VEHICLES);
    const snapshots = await fleet.getLatestSnapshots({ vehicleIds: some }, { priority: 'low', signal });
    const known = snapshots.filter(({ vehicleId }) => vehicleId !== null && asked.has(vehicleId));
    const found = known.map((snapshot) => rowOf('latest_snapshots', snapshot));
    if (found.length > 0)
      await target.apply({ steps: [{ kind: 'upsert', table: 'latest_snapshots', rows: found }], cursors: [] });
    rows += found.length;
    teller.progress('latest', rows, (at + some.length) / vehicleIds.length);
  }
  teller.done('latest', { table: 'latest_snapshots', read: rows, written: rows, ...none });
}

/** What is known of a vehicle while its snapshots arrive. */
interface VehicleReading {
  /** The snapshots of the newest time, to number those that differ and drop those that came twice. */
  time: string;
  ofTime: Snapshot[];
}

export async function syncSnapshots({ fleet, target, teller, reading, until, signal }: VehicleData): Promise<void> {
  const total = reading.periods.reduce((sum, { from, vehicleIds }) => sum + (until - from) * vehicleIds.length, 0);
  let [read, written, doneMs] = [0, 0, 0];
  for (const { from, vehicleIds } of reading.periods) {
    const vehicles = new Map<string, VehicleReading>();
    const readUntil = new Map<string, string>();
    const reached = new Map<string, number>(vehicleIds.map((vehicleId) => [vehicleId, from]));
    let rows: Row[] = [];
    const reach = (vehicleId: string, time: string) => {
      const before = reached.get(vehicleId) ?? from;
      const at = Math.min(until, Date.parse(time));
      if (at < before) return;
      reached.set(vehicleId, at);
      doneMs += at - before;
      readUntil.set(vehicleId, new Date(at).toISOString());
    };
    const write = async () => {
      const cursors = [...readUntil].map(([vehicleId, time]) => ({
        vehicleId,
        kind: 'snapshots' as const,
        beginsAt: reading.begins.get(vehicleId) ?? time,
        readUntil: time,
      }));
      readUntil.clear();
      if (cursors.length === 0 && rows.length === 0) return;
      written += rows.length;
      const steps = rows.length === 0 ? [] : [{ kind: 'upsert' as const, table: 'snapshots', rows }];
      rows = [];
      await target.apply({ steps, cursors });
      teller.progress('snapshots', written, total === 0 ? 1 : doneMs / total);
    };
    const stream = fleet.streamSnapshots(
      { vehicleIds, from: new Date(from), to: new Date(until) },
      {
        priority: 'low',
        signal,
        answerBytes: SNAPSHOT_ANSWER_BYTES,
        onError: ({ vehicleId, error }) => teller.failed('snapshots', vehicleId, error),
        onComplete: (vehicleId) => reach(vehicleId, new Date(until).toISOString()),
      },
    );
    for await (const snapshot of stream) {
      read++;
      const { vehicleId } = snapshot;
      const time = snapshot.timestamp === null ? null : timeText(snapshot.timestamp);
      // Without a time it can neither be stored under a key nor be found again.
      if (time === null) continue;
      const vehicle = vehicles.get(vehicleId) ?? { time: '', ofTime: [] };
      vehicles.set(vehicleId, vehicle);
      if (vehicle.time !== time) {
        vehicle.time = time;
        vehicle.ofTime = [];
      } else if (vehicle.ofTime.some((other) => isSame(other, snapshot))) continue;
      rows.push(rowOf('snapshots', snapshot, { ordinal: vehicle.ofTime.length }));
      vehicle.ofTime.push(snapshot);
      reach(vehicleId, time);
      if (rows.length >= BATCH_SNAPSHOTS) await write();
    }
    await write();
  }
  teller.done('snapshots', { table: 'snapshots', read, written, ...none });
}
