// Syncs the newest snapshot of each vehicle.
import { ProtocolError } from 'fleet-telematics';
import { despiteFailures, MAX_AHEAD_MS, readText, timestampMs } from 'fleet-telematics/kit';
import { type Clocks, latestNow } from './clocks.js';
import { type ListAnswer, readWhole, type SyncClient } from './parts.js';
import { namedIds, type ReportWriter } from './report.js';
import { type Cell, type Row, rowOf } from './rows.js';
import { SNAPSHOT_ANSWER_BYTES } from './snapshots.js';
import type { StampedCopy } from './stamped-copy.js';

const TABLE = 'latest_snapshots';
const VEHICLES_PER_REQUEST = 500;
/** Period in which an earlier snapshot is searched, for a device whose clock is ahead. */
const LOOK_BACK_MS = 86_400_000;

export class LatestSnapshots {
  /** Times of the newest written snapshots by vehicle id, in milliseconds since 1970. */
  readonly newest = new Map<string, number>();
  readonly #fleet: SyncClient;
  readonly #vehicleIds: readonly string[];
  readonly #signal: AbortSignal | undefined;
  readonly #first: Promise<ListAnswer> | null;

  /** Starts the first read, so that other calls of the same moment share its request. */
  constructor(fleet: SyncClient, vehicleIds: readonly string[], signal: AbortSignal | undefined) {
    this.#fleet = fleet;
    this.#vehicleIds = vehicleIds;
    this.#signal = signal;
    this.#first = vehicleIds.length === 0 ? null : this.#read(vehicleIds.slice(0, VEHICLES_PER_REQUEST));
    // `write` throws the error, after the parts before it.
    this.#first?.catch(() => undefined);
  }

  async write(target: StampedCopy, reporter: ReportWriter, clocks: Clocks): Promise<void> {
    const vehicleIds = this.#vehicleIds;
    const matchVehicle = vehicleMatcher(vehicleIds);
    const remarks = reporter.remarks('latest');
    const limit = clocks.service + MAX_AHEAD_MS;
    const ahead = new Map<string, number>();
    let [read, written] = [0, 0];
    const write = async (rows: readonly Row[]) => {
      if (rows.length > 0)
        written += (await target.apply({ steps: [{ kind: 'upsert', table: TABLE, rows }], cursors: [] })).written;
    };
    for (let at = 0; at < vehicleIds.length; at += VEHICLES_PER_REQUEST) {
      const some = vehicleIds.slice(at, at + VEHICLES_PER_REQUEST);
      const { records, gap } = await ((at === 0 ? this.#first : null) ?? this.#read(some));
      if (gap !== null) reporter.failed('latest', null, new ProtocolError(gap));
      const rows = records.flatMap((snapshot) => {
        const vehicleId = matchVehicle(snapshot);
        if (vehicleId === null) {
          reporter.unstored('latest', 'noVehicle', vehicleOf(snapshot));
          return [];
        }
        const time = timestampMs(Reflect.get(snapshot, 'timestamp'));
        if (time !== null && time > limit) {
          ahead.set(vehicleId, time);
          return [];
        }
        if (time !== null) this.newest.set(vehicleId, time);
        return [rowOf(TABLE, target.ids.inSnapshot(snapshot), { vehicle_id: vehicleId }, remarks)];
      });
      read += records.length;
      await write(rows);
      reporter.progress('latest', read, (at + some.length) / vehicleIds.length);
    }
    if (ahead.size > 0) {
      reporter.warn('DEVICE_CLOCK_AHEAD', aheadText(ahead, clocks.service));
      await write(await this.#plausible(target, [...ahead.keys()], limit, reporter));
    }
    await deleteFuture(target, latestNow(clocks) + MAX_AHEAD_MS);
    reporter.doneRows('latest', TABLE, read, written);
  }

  /** Reads the newest snapshots up to a time. A vehicle without a newer one keeps its row. */
  async #plausible(
    target: StampedCopy,
    vehicleIds: readonly string[],
    limit: number,
    reporter: ReportWriter,
  ): Promise<readonly Row[]> {
    const stored = new Map(await target.read(TABLE, ['vehicle_id', 'recorded_at']).then(asTimes));
    const begin = (time = 0) => new Date(time > limit ? limit - LOOK_BACK_MS : Math.max(time, limit - LOOK_BACK_MS));
    const vehicles = vehicleIds.map((vehicleId) => ({ vehicleId, from: begin(stored.get(vehicleId)) }));
    const stream = this.#fleet.streamSnapshots(
      { vehicles, to: new Date(limit) },
      {
        ...{ priority: 'low', signal: this.#signal, answerBytes: SNAPSHOT_ANSWER_BYTES },
        onEvent: (event) => event.type === 'error' && reporter.failed('latest', event.vehicleId, event.error),
      },
    );
    const rows = new Map<string, Row>();
    for await (const { ordinal: _, ...snapshot } of despiteFailures(stream)) {
      const time = timestampMs(snapshot.timestamp);
      if (time === null || time > limit || time < (this.newest.get(snapshot.vehicleId) ?? time)) continue;
      this.newest.set(snapshot.vehicleId, time);
      rows.set(snapshot.vehicleId, rowOf(TABLE, target.ids.inSnapshot(snapshot), {}, reporter.remarks('latest')));
    }
    return [...rows.values()];
  }

  #read(vehicleIds: string[]): Promise<ListAnswer> {
    const options = { priority: 'low', signal: this.#signal } as const;
    // Null is the answer for a vehicle that has never reported.
    return readWhole((own) => this.#fleet.getLatestSnapshots({ vehicleIds }, own), options, 'nothing');
  }
}

/** Deletes rows after a time. A clock that was ahead and has been corrected leaves them. */
async function deleteFuture(target: StampedCopy, after: number): Promise<void> {
  const stored = await target.read(TABLE, ['vehicle_id', 'recorded_at']).then(asTimes);
  const values = stored.flatMap(([vehicleId, time]) => (time > after ? [vehicleId] : []));
  const step = { kind: 'delete', table: TABLE, column: 'vehicle_id', values } as const;
  if (values.length > 0) await target.apply({ steps: [step], cursors: [] });
}

function asTimes(rows: readonly (readonly Cell[])[]): readonly (readonly [vehicleId: string, time: number])[] {
  return rows.map(([vehicleId, recordedAt]) => [String(vehicleId), Date.parse(String(recordedAt))]);
}

function aheadText(ahead: ReadonlyMap<string, number>, now: number): string {
  const latest = new Date([...ahead.values()].reduce((one, other) => Math.max(one, other))).toISOString();
  return `The newest snapshots of ${ahead.size} vehicles (${namedIds(new Set(ahead.keys()), ahead.size)}) are ahead of the service's clock, which shows ${new Date(now).toISOString()}: the latest is from ${latest}. The clocks of these devices are ahead, or that of the service is behind. latest_snapshots has their newest snapshot from before that, if there is one in the last 24 hours. Check these devices.`;
}

/** Finds the requested vehicle of a snapshot, if any. A service may write ids in upper case. */
function vehicleMatcher(vehicleIds: readonly string[]): (snapshot: unknown) => string | null {
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
