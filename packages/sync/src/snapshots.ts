// Syncs all snapshots of vehicles, in batches with the cursors of their vehicles. A batch replaces
// everything that the copy has of the period that was read.
import type { VehiclesStreamEvent } from 'fleet-telematics';
import { despiteFailures } from 'fleet-telematics/kit';
import { distinctVehicles, nextCursor, type ReadProgress, streamPeriod, type VehicleFrom } from './periods.js';
import { readInParallel, type Share, sharesOf } from './readers.js';
import { type Row, type RowRemarks, rowOf, timeText } from './rows.js';
import type { SnapshotSelection } from './snapshot-columns.js';
import type { RowPeriod } from './target.js';
import type { VehicleData } from './trips.js';

/** In bytes, for whole snapshots. A vehicle that was silent may bring ten times as much at once. */
export const SNAPSHOT_ANSWER_BYTES = 1024 * 1024;
const BATCH_SNAPSHOTS = 2000;

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
    // A row out of order may belong to a part that is already written, so nothing is deleted.
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

/** A row of a stream of snapshots, with the values of its key. */
interface StreamedSnapshot {
  readonly vehicleId: string;
  readonly timestamp: string | number | null;
  readonly ordinal: number;
}

/** `selection` has the fields to request; null for all. */
export async function syncSnapshots(data: VehicleData, selection: SnapshotSelection | null): Promise<void> {
  await new SnapshotSync(data, selection).run();
}

class SnapshotSync {
  readonly #data: VehicleData;
  readonly #selection: SnapshotSelection | null;
  readonly #remarks: RowRemarks;
  readonly #vehicles: ReadonlyMap<string, VehicleReading>;
  /** Vehicles with something to write, and the time up to which the copy has their rows. */
  readonly #reached = new Map<VehicleReading, number>();
  readonly #totalMs: number;
  #rows: Row[] = [];
  #read = 0;
  #written = 0;
  #doneMs = 0;

  constructor(data: VehicleData, selection: SnapshotSelection | null) {
    const { reading, reporter } = data;
    const all = distinctVehicles(reading);
    this.#data = data;
    this.#selection = selection;
    this.#remarks = reporter.remarks('snapshots');
    this.#vehicles = new Map(all.map((vehicle) => [vehicle.vehicleId, new VehicleReading(vehicle)]));
    this.#totalMs = all.reduce((sum, { from }) => sum + (reading.until - from), 0);
  }

  async run(): Promise<void> {
    const { readers, reporter, reading, signal, writing } = this.#data;
    const shares = sharesOf(distinctVehicles(reading), readers);
    await readInParallel(shares, signal, (share, ended) => this.#readShare(share, ended));
    await this.#write();
    await writing(async () => reporter.doneRows('snapshots', 'snapshots', this.#read, this.#written));
  }

  async #readShare({ fleet, vehicles }: Share, signal: AbortSignal | undefined): Promise<void> {
    const period = streamPeriod(vehicles, this.#data.reading.until);
    const options = {
      priority: 'low',
      signal,
      answerBytes: SNAPSHOT_ANSWER_BYTES,
      onEvent: (event: VehiclesStreamEvent) => this.#takeEvent(event),
    } as const;
    const stream =
      this.#selection === null
        ? fleet.streamSnapshots(period, options)
        : fleet.streamSnapshots(period, { ...options, select: this.#selection });
    for await (const snapshot of despiteFailures(stream)) {
      this.#take(snapshot);
      if (this.#rows.length >= BATCH_SNAPSHOTS) await this.#write();
    }
  }

  #takeEvent(event: VehiclesStreamEvent): void {
    const { reporter, reading } = this.#data;
    const { type, vehicleId } = event;
    const vehicle = this.#vehicles.get(vehicleId);
    if (type === 'error') reporter.failed('snapshots', vehicleId, event.error);
    else if (type === 'other') reporter.unstored('snapshots', 'noVehicle', vehicleId);
    else if (type === 'gap' && vehicle) vehicle.isGapped = true;
    else if (vehicle) this.#add(vehicle, vehicle.complete(reading.until), vehicle.readTo);
  }

  #take(snapshot: StreamedSnapshot): void {
    const { target, reporter, reading } = this.#data;
    this.#read++;
    const vehicle = this.#vehicles.get(snapshot.vehicleId);
    if (vehicle === undefined) {
      reporter.unstored('snapshots', 'noVehicle', snapshot.vehicleId);
      return;
    }
    const { vehicleId, readTo } = vehicle;
    const text = snapshot.timestamp === null ? null : timeText(snapshot.timestamp);
    // A snapshot without a time has no key.
    if (text === null) {
      reporter.unstored('snapshots', 'noTime', vehicleId);
      return;
    }
    const time = Date.parse(text);
    // Services may round the ends of a period, and a moment outside of it may be incomplete.
    if (time < vehicle.begin || time > reading.until) return;
    const filled = { vehicle_id: vehicleId, recorded_at: text };
    const row = rowOf('snapshots', target.ids.inSnapshot(snapshot), filled, this.#remarks);
    const finished = vehicle.addRow(time, snapshot.ordinal, row);
    if (finished.length > 0) this.#add(vehicle, finished, readTo);
  }

  #add(vehicle: VehicleReading, rows: readonly Row[], before: number): void {
    this.#rows.push(...rows);
    if (!this.#reached.has(vehicle)) this.#reached.set(vehicle, before);
  }

  async #write(): Promise<void> {
    if (this.#reached.size === 0) return;
    const { target, reporter, reading, confirmedUntil, writing } = this.#data;
    const vehicles = [...this.#reached.keys()];
    const periods = vehicles.flatMap((vehicle) => vehicle.replacedPeriods());
    const cursors = vehicles.map((vehicle) => nextCursor(reading, vehicle.vehicleId, vehicle.reached(confirmedUntil)));
    for (const [vehicle, before] of this.#reached) this.#doneMs += vehicle.readTo - before;
    this.#reached.clear();
    const step = { kind: 'replace', table: 'snapshots', rows: this.#rows, periods } as const;
    this.#rows = [];
    const [read, share] = [this.#read, this.#totalMs === 0 ? 1 : this.#doneMs / this.#totalMs];
    await writing(async () => {
      this.#written += (await target.apply({ steps: [step], cursors })).written;
      reporter.progress('snapshots', read, share);
    });
  }
}
