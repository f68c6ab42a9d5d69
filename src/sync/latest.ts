// Keeps the newest snapshot of each vehicle current.
import { ProtocolError } from '../core/errors.js';
import { readText } from '../telemetry/readings.js';
import { timestampMs } from '../telemetry/timestamps.js';
import { type ListAnswer, readWhole, type SyncClient } from './parts.js';
import type { ReportWriter } from './report.js';
import { rowOf } from './rows.js';
import type { StampedCopy } from './stamped-copy.js';

/** Vehicles in one request. */
const VEHICLES = 500;
const none = { added: null, changed: null, removed: null };

export class LatestSnapshots {
  /** When the newest snapshot of each vehicle was recorded, as far as they have been written. Milliseconds since 1970. */
  readonly newest = new Map<string, number>();
  readonly #fleet: SyncClient;
  readonly #vehicleIds: readonly string[];
  readonly #signal: AbortSignal | undefined;
  readonly #first: Promise<ListAnswer> | null;

  /** Asks for the first of them, so that other calls of the same moment share the request. */
  constructor(fleet: SyncClient, vehicleIds: readonly string[], signal: AbortSignal | undefined) {
    this.#fleet = fleet;
    this.#vehicleIds = vehicleIds;
    this.#signal = signal;
    this.#first = vehicleIds.length === 0 ? null : this.#read(vehicleIds.slice(0, VEHICLES));
    // Its error is thrown by `write`, when the parts before it are done.
    this.#first?.catch(() => undefined);
  }

  async write(target: StampedCopy, teller: ReportWriter): Promise<void> {
    const vehicleIds = this.#vehicleIds;
    const asked = askedVehicles(vehicleIds);
    const remarks = teller.remarks('latest');
    let [read, written] = [0, 0];
    for (let at = 0; at < vehicleIds.length; at += VEHICLES) {
      const some = vehicleIds.slice(at, at + VEHICLES);
      const { records, gap } = await ((at === 0 ? this.#first : null) ?? this.#read(some));
      if (gap !== null) teller.failed('latest', null, new ProtocolError(gap));
      const rows = records.flatMap((snapshot) => {
        const vehicleId = asked(snapshot);
        if (vehicleId === null) {
          teller.unstored('latest', 'noVehicle', vehicleOf(snapshot));
          return [];
        }
        const time = timestampMs(Reflect.get(snapshot, 'timestamp'));
        if (time !== null) this.newest.set(vehicleId, time);
        return [rowOf('latest_snapshots', snapshot, { vehicle_id: vehicleId }, remarks)];
      });
      read += records.length;
      const step = { kind: 'upsert', table: 'latest_snapshots', rows } as const;
      if (rows.length > 0) written += (await target.apply({ steps: [step], cursors: [] })).written;
      teller.progress('latest', read, (at + some.length) / vehicleIds.length);
    }
    teller.done('latest', { table: 'latest_snapshots', read, written, ...none });
  }

  #read(vehicleIds: string[]): Promise<ListAnswer> {
    const options = { priority: 'low', signal: this.#signal } as const;
    // Null is the answer for a vehicle that has never reported.
    return readWhole((own) => this.#fleet.getLatestSnapshots({ vehicleIds }, own), options, 'nothing');
  }
}

/** Finds the vehicle of a snapshot among those that were asked for; null when it is none of them. A service may write ids in upper case. */
function askedVehicles(vehicleIds: readonly string[]): (snapshot: unknown) => string | null {
  const exact = new Set(vehicleIds);
  const anyCase = new Map(vehicleIds.map((vehicleId) => [vehicleId.toLowerCase(), vehicleId]));
  return (snapshot) => {
    const vehicleId = vehicleOf(snapshot);
    if (vehicleId === null) return null;
    return exact.has(vehicleId) ? vehicleId : (anyCase.get(vehicleId.toLowerCase()) ?? null);
  };
}

function vehicleOf(snapshot: unknown): string | null {
  return typeof snapshot === 'object' && snapshot !== null ? readText(Reflect.get(snapshot, 'vehicleId')) : null;
}
