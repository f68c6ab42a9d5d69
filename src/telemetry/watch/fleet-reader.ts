// Reads vehicles with their last snapshots, geofences and work schedules for watches. Watches of a
// client with equal vehicles and fields share their requests.
import { withSelection } from '../../contract/selection/selection.js';
import type { SelectionTree } from '../../contract/selection/tree.js';
import type { Notifier, Warning } from '../../core/hooks.js';
import type { CallOptions } from '../../core/operation.js';
import { operations } from '../../generated/operation-table.js';
import type { Call, CallAnswer } from '../../request/call.js';
import { unwrapRows } from '../../request/unwrap-result.js';
import { checkVariables } from '../../request/variables.js';
import { DeviceClocks } from '../device-clocks.js';
import type { GeofenceReport, GeofencesAnswer } from '../events/geofences.js';
import type { FleetAnswer, VehicleReport, WatchedSnapshot } from '../events/snapshot-readings.js';
import { type WorkScheduleRow, workScheduleSelection } from '../events/work-schedule.js';
import { Readings } from '../readings.js';
import { fixOf } from '../tracks/fix.js';
import type { TimedAnswer } from './poll.js';

export interface VehicleChoice {
  readonly vehicleIds?: readonly string[] | undefined;
  readonly active?: boolean | undefined;
}

export interface FleetReaderDependencies {
  /** Sends a call through the user's queue. */
  send(call: Call, options: CallOptions): Promise<CallAnswer>;
  readonly notifier: Notifier;
  /** Local time in milliseconds since 1970. */
  now(): number;
  /** The time of the service. */
  serviceNow(): number;
}

type ReadOptions = Pick<CallOptions, 'signal' | 'timeoutMs' | 'attemptTimeoutMs' | 'retry'>;

export const watchedSnapshotSelection = {
  timestamp: true,
  gps: { state: true, latitude: true, longitude: true, direction: true, speed: true },
  ignition: { engineStatus: true },
  driver: { driverId: true },
  canBus: { canSpeed: true, canWheelSpeed: true },
} as const;

/** In addition to the fields of the last snapshot. */
export const watchedVehicleSelection = { id: true, name: true, licensePlate: true } as const;
export const geofenceSelection = { id: true, isDeleted: true, name: true, geojson: true } as const;

export interface WatchedVehicleRow {
  readonly id?: string | null;
  readonly name?: string | null;
  readonly licensePlate?: string | null;
  readonly lastData?: WatchedSnapshot | null;
}

interface LatestRow extends WatchedSnapshot {
  readonly vehicleId?: string | null;
  readonly vehicle?: Pick<WatchedVehicleRow, 'name' | 'licensePlate'> | null;
}

export interface GeofenceRow {
  readonly id?: string | null;
  readonly isDeleted?: boolean | null;
  readonly name?: string | null;
  readonly geojson?: unknown;
}

export class FleetReader {
  readonly #dependencies: FleetReaderDependencies;
  readonly #shared = new Map<string, SharedRead>();
  /** The warnings of the last answer by operation, so that polls do not repeat them. */
  readonly #warned = new Map<string, ReadonlySet<string>>();
  #hasWarnedOfUnreadable = false;
  readonly #clocks: DeviceClocks;

  constructor(dependencies: FleetReaderDependencies) {
    this.#dependencies = dependencies;
    this.#clocks = new DeviceClocks(dependencies.serviceNow, dependencies.notifier.warning);
  }

  /** Throws an InvalidInputError for ids that cannot be sent. */
  check({ vehicleIds }: VehicleChoice): void {
    if (vehicleIds !== undefined)
      checkVariables('getLatestSnapshots', operations.getLatestSnapshots.args, { vehicleIds });
  }

  /** Returns the reads of one watch, to be closed at its end. `selection`: snapshot fields. */
  open({ vehicleIds, active }: VehicleChoice, selection: SelectionTree = watchedSnapshotSelection): VehicleReads {
    const choice = { vehicleIds, active, selection };
    const key = JSON.stringify([vehicleIds ?? null, active ?? false, selection]);
    const shared = this.#shared.get(key) ?? { watches: 0, pending: null, last: null };
    this.#shared.set(key, shared);
    shared.watches++;
    let lastOfWatch: TimedAnswer<FleetAnswer> | null = null;
    return {
      next: async (reuseMs, options) => {
        lastOfWatch = await this.#next(shared, lastOfWatch, choice, reuseMs, options);
        return lastOfWatch;
      },
      close: () => {
        shared.watches--;
        if (shared.watches === 0) this.#shared.delete(key);
      },
    };
  }

  async geofences(options: ReadOptions): Promise<GeofencesAnswer> {
    const { rows, isComplete } = await this.#read<GeofenceRow>('getGeofences', {}, 'id', geofenceSelection, options);
    return { geofences: geofenceReports(rows), isComplete };
  }

  async schedules(options: ReadOptions): Promise<readonly WorkScheduleRow[]> {
    const read = await this.#read<WorkScheduleRow>('getWorkSchedules', {}, 'id', workScheduleSelection, options);
    return read.rows;
  }

  async #next(
    shared: SharedRead,
    lastOfWatch: TimedAnswer<FleetAnswer> | null,
    choice: SelectedVehicles,
    reuseMs: number,
    options: ReadOptions,
  ): Promise<TimedAnswer<FleetAnswer>> {
    const { last } = shared;
    if (last !== null && last !== lastOfWatch) {
      const age = this.#dependencies.now() - last.receivedAt;
      if (age >= 0 && age < reuseMs) return last;
    }
    // The other watch may abort its request.
    const other = await shared.pending?.catch(() => null);
    if (other) return other;
    const pending = this.#requestVehicles(choice, options);
    shared.pending = pending;
    try {
      shared.last = await pending;
      return shared.last;
    } finally {
      if (shared.pending === pending) shared.pending = null;
    }
  }

  async #requestVehicles(choice: SelectedVehicles, options: ReadOptions): Promise<TimedAnswer<FleetAnswer>> {
    const list = choice.active ? 'getActiveVehicles' : 'getVehicles';
    const operation = choice.vehicleIds === undefined ? list : 'getLatestSnapshots';
    const answer =
      operation === 'getLatestSnapshots'
        ? await this.#latest(choice, options)
        : await this.#listed(operation, choice, options);
    this.#warnOfUnreadable(operation, answer.vehicles);
    const { now, serviceNow } = this.#dependencies;
    for (const { vehicleId, snapshot } of answer.vehicles) this.#clocks.take(operation, vehicleId, snapshot);
    return { answer, receivedAt: now(), at: serviceNow() };
  }

  async #listed(
    name: 'getVehicles' | 'getActiveVehicles',
    { selection }: SelectedVehicles,
    options: ReadOptions,
  ): Promise<FleetAnswer> {
    const select = { ...watchedVehicleSelection, lastData: selection };
    const { rows, isComplete } = await this.#read<WatchedVehicleRow>(name, {}, 'id', select, options);
    return { vehicles: vehicleReports(rows), isComplete };
  }

  async #latest({ vehicleIds = [], selection }: SelectedVehicles, options: ReadOptions): Promise<FleetAnswer> {
    const { rows, isComplete } = await this.#read<LatestRow>(
      'getLatestSnapshots',
      { vehicleIds: [...new Set(vehicleIds)] },
      'vehicleId',
      { vehicleId: true, vehicle: { name: true, licensePlate: true }, ...selection },
      options,
    );
    const vehicles = rows.flatMap(({ vehicleId, vehicle, ...snapshot }): VehicleReport | [] =>
      typeof vehicleId === 'string'
        ? { vehicleId, name: vehicle?.name ?? null, licensePlate: vehicle?.licensePlate ?? null, snapshot }
        : [],
    );
    return { vehicles, isComplete };
  }

  /** Warns once: the next answers have the same form. */
  #warnOfUnreadable(operation: string, vehicles: readonly VehicleReport[]): void {
    if (this.#hasWarnedOfUnreadable) return;
    const readings = new Readings();
    for (const { snapshot } of vehicles) {
      readings.flag('ignition', snapshot?.ignition?.engineStatus);
      if (snapshot?.gps) fixOf({ timestamp: snapshot.timestamp ?? null, gps: snapshot.gps }, readings);
    }
    for (const warning of readings.warnings()) {
      this.#hasWarnedOfUnreadable = true;
      this.#dependencies.notifier.warning({ ...warning, operation });
    }
  }

  /** Reads a list; `isComplete`: no row or id is missing. Throws when all rows are missing. */
  async #read<Row extends object>(
    name: 'getVehicles' | 'getActiveVehicles' | 'getLatestSnapshots' | 'getGeofences' | 'getWorkSchedules',
    variables: object,
    id: keyof Row & string,
    select: object,
    options: ReadOptions,
  ): Promise<{ readonly rows: readonly Row[]; readonly isComplete: boolean }> {
    const operation = operations[name];
    const chosen = withSelection(operation, select);
    const answer = await this.#dependencies.send(
      {
        name,
        kind: 'query',
        document: chosen.document,
        variables: checkVariables(name, operation.args, variables),
        idempotent: true,
        field: chosen.mergeable ? chosen : undefined,
      },
      options,
    );
    const warnings: Warning[] = [];
    const notifier = { ...this.#dependencies.notifier, warning: (event: Warning) => void warnings.push(event) };
    // Safe cast: the document selects the fields of the row type; responses are not validated.
    const rows = unwrapRows(name, answer, true, notifier) as readonly Row[];
    const rowsWithoutId = rows.filter((row) => typeof row[id] !== 'string').length;
    if (rowsWithoutId > 0) {
      const message = `${name} answered ${rowsWithoutId} rows without ${id} among ${rows.length}; they are left out.`;
      warnings.push({ code: 'NULL_ROWS', operation: name, message });
    }
    this.#warn(name, warnings);
    return { rows, isComplete: warnings.length === 0 };
  }

  #warn(name: string, warnings: readonly Warning[]): void {
    const before = this.#warned.get(name);
    for (const event of warnings) if (!before?.has(event.message)) this.#dependencies.notifier.warning(event);
    this.#warned.set(name, new Set(warnings.map(({ message }) => message)));
  }
}

export interface VehicleReads {
  /**
   * Returns the next answer: one that another watch of this client received within `reuseMs`, that
   * of a request in progress, or a new one.
   */
  next(reuseMs: number, options: ReadOptions): Promise<TimedAnswer<FleetAnswer>>;
  close(): void;
}

interface SelectedVehicles extends VehicleChoice {
  readonly selection: SelectionTree;
}

interface SharedRead {
  watches: number;
  pending: Promise<TimedAnswer<FleetAnswer>> | null;
  last: TimedAnswer<FleetAnswer> | null;
}

export function vehicleReports(rows: readonly WatchedVehicleRow[]): readonly VehicleReport[] {
  return rows.flatMap(({ id, name, licensePlate, lastData }): VehicleReport | [] =>
    typeof id === 'string'
      ? { vehicleId: id, name: name ?? null, licensePlate: licensePlate ?? null, snapshot: lastData ?? null }
      : [],
  );
}

/** Returns the geofences of the rows with an id, without deleted ones, which some services list. */
export function geofenceReports(rows: readonly GeofenceRow[]): readonly GeofenceReport[] {
  return rows.flatMap(({ id, isDeleted, name, geojson }) =>
    typeof id === 'string' && isDeleted !== true ? { geofenceId: id, name: name ?? null, geojson } : [],
  );
}
