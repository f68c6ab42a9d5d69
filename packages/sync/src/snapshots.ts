// Syncs all snapshots of vehicles, in batches with the cursors of their vehicles. A batch replaces
// everything that the copy has of the period that was read.
import type { VehiclesStreamEvent } from 'fleet-telematics';
import { despiteFailures } from 'fleet-telematics/kit';
import { distinctVehicles, nextCursor, type ReadProgress, streamPeriod, type VehicleFrom } from './periods.js';
import { readInParallel, sharesOf } from './readers.js';
import { type Row, rowOf, timeText } from './rows.js';
import type { SnapshotSelection } from './snapshot-columns.js';
import type { RowPeriod } from './target.js';
import type { VehicleData } from './trips.js';

/** In bytes, for whole snapshots. A vehicle that was silent may bring ten times as much at once. */
export const SNAPSHOT_ANSWER_BYTES = 1024 * 1024;
const BATCH_SNAPSHOTS = 2000;

const none = { added: null, changed: null, removed: null };

/** A vehicle whose snapshots arrive in time order. Times are milliseconds since 1970. */
class VehicleReading {
  readonly vehicleId: string;
  readonly begin: number;
  /** True when rows may be missing: no row is deleted. */
  isGapped = false;
  /** Rows of the newest moment by ordinal. More may come, and they are written together. */
  #moment: { readonly time: number; readonly rows: Map<number, Row> } | null = null;
  #newestRow = Number.NEGATIVE_INFINITY;
  #isComplete = false;
  /** Period that is read, but not written. */
  #from: number;
  #to: number;

  constructor({ vehicleId, from }: VehicleFrom) {
    this.vehicleId = vehicleId;
    this.begin = from;
    this.#from = from;
    this.#to = from;
  }

  get readTo(): number {
    return this.#to;
  }

  /** Returns the rows of the previous moment when a new one begins. Repeated rows are replaced. */
  addRow(time: number, ordinal: number, row: Row): readonly Row[] {
    const moment = this.#moment;
    if (moment?.time === time) {
      moment.rows.set(ordinal, row);
      return [];
    }
    // An earlier moment is of another part of the period, which may be written already.
    if (moment !== null && time < moment.time) this.isGapped = true;
    const rows = this.#finishMoment();
    this.#moment = { time, rows: new Map([[ordinal, row]]) };
    return rows;
  }

  complete(until: number): readonly Row[] {
    const rows = this.#finishMoment();
    this.#isComplete = true;
    this.#to = until;
    return rows;
  }

  #finishMoment(): readonly Row[] {
    if (this.#moment === null) return [];
    const { time, rows } = this.#moment;
    this.#moment = null;
    this.#newestRow = Math.max(this.#newestRow, time);
    this.#to = Math.max(this.#to, time);
    return [...rows.values()];
  }

  reached(confirmedUntil: number): ReadProgress {
    return { newestRow: this.#newestRow, confirmedUntil: this.#isComplete ? confirmedUntil : Number.NEGATIVE_INFINITY };
  }

  /** Returns the period that the rows since the last call replace. */
  replacedPeriods(): readonly RowPeriod[] {
    const [from, until] = [new Date(this.#from).toISOString(), new Date(this.#to).toISOString()];
    this.#from = this.#to + 1;
    return this.isGapped ? [] : [{ vehicleId: this.vehicleId, from, until }];
  }
}

/** `selection` has the fields to request; null for all. */
export async function syncSnapshots(
  { readers, target, reporter, reading, confirmedUntil, signal, writing }: VehicleData,
  selection: SnapshotSelection | null,
): Promise<void> {
  const { until } = reading;
  const all = distinctVehicles(reading);
  const total = all.reduce((sum, { from }) => sum + (until - from), 0);
  const remarks = reporter.remarks('snapshots');
  let [read, written, doneMs] = [0, 0, 0];
  const vehicles = new Map(all.map((vehicle) => [vehicle.vehicleId, new VehicleReading(vehicle)]));
  const reached = new Map<VehicleReading, number>();
  let rows: Row[] = [];
  const add = (vehicle: VehicleReading, more: readonly Row[], before: number) => {
    rows.push(...more);
    if (!reached.has(vehicle)) reached.set(vehicle, before);
  };
  const write = async () => {
    if (reached.size === 0) return;
    const periods = [...reached.keys()].flatMap((vehicle) => vehicle.replacedPeriods());
    const cursors = [...reached.keys()].map((vehicle) =>
      nextCursor(reading, vehicle.vehicleId, vehicle.reached(confirmedUntil)),
    );
    for (const [vehicle, before] of reached) doneMs += vehicle.readTo - before;
    reached.clear();
    const step = { kind: 'replace', table: 'snapshots', rows, periods } as const;
    rows = [];
    const [readSoFar, share] = [read, total === 0 ? 1 : doneMs / total];
    await writing(async () => {
      written += (await target.apply({ steps: [step], cursors })).written;
      reporter.progress('snapshots', readSoFar, share);
    });
  };
  await readInParallel(sharesOf(all, readers), signal, async ({ fleet, vehicles: own }, ended) => {
    const options = {
      priority: 'low',
      signal: ended,
      answerBytes: SNAPSHOT_ANSWER_BYTES,
      onEvent(event: VehiclesStreamEvent) {
        const { type, vehicleId } = event;
        const vehicle = vehicles.get(vehicleId);
        if (type === 'error') reporter.failed('snapshots', vehicleId, event.error);
        else if (type === 'other') reporter.unstored('snapshots', 'noVehicle', vehicleId);
        else if (type === 'gap' && vehicle) vehicle.isGapped = true;
        else if (vehicle) add(vehicle, vehicle.complete(until), vehicle.readTo);
      },
    } as const;
    const period = streamPeriod(own, until);
    const stream =
      selection === null
        ? fleet.streamSnapshots(period, options)
        : fleet.streamSnapshots(period, { ...options, select: selection });
    for await (const snapshot of despiteFailures(stream)) {
      read++;
      const vehicle = vehicles.get(snapshot.vehicleId);
      if (vehicle === undefined) {
        reporter.unstored('snapshots', 'noVehicle', snapshot.vehicleId);
        continue;
      }
      const text = snapshot.timestamp === null ? null : timeText(snapshot.timestamp);
      // A snapshot without a time has no key.
      if (text === null) {
        reporter.unstored('snapshots', 'noTime', vehicle.vehicleId);
        continue;
      }
      const time = Date.parse(text);
      // Services may round the ends of a period, and a moment outside of it may be incomplete.
      if (time < vehicle.begin || time > until) continue;
      const before = vehicle.readTo;
      const finished = vehicle.addRow(
        time,
        snapshot.ordinal,
        rowOf(
          'snapshots',
          target.ids.inSnapshot(snapshot),
          { vehicle_id: vehicle.vehicleId, recorded_at: text },
          remarks,
        ),
      );
      if (finished.length === 0) continue;
      add(vehicle, finished, before);
      if (rows.length >= BATCH_SNAPSHOTS) await write();
    }
  });
  await write();
  await writing(async () => reporter.done('snapshots', { table: 'snapshots', read, written, ...none }));
}
