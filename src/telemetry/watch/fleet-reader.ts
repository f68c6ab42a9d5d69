// Reads vehicles with their last snapshots, geofences and work schedules for watches, with the
// fields that these use. Watches of a client that read the same share their requests.
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

/** The vehicles of a watch. */
export interface VehicleChoice {
  readonly vehicleIds?: readonly string[] | undefined;
  readonly active?: boolean | undefined;
}

export interface FleetReaderDependencies {
  /** Sends a call through the user's queue. */
  send(call: Call, options: CallOptions): Promise<CallAnswer>;
  readonly notifier: Notifier;
  /** Milliseconds since 1970, by the clock of this machine. */
  now(): number;
  /** The same by the clock of the service. */
  serviceNow(): number;
}

type ReadOptions = Pick<CallOptions, 'signal' | 'timeoutMs' | 'attemptTimeoutMs' | 'retry'>;

/** The fields of a snapshot that a watch uses. */
export const watchedSnapshotSelection = {
  timestamp: true,
  gps: { state: true, latitude: true, longitude: true, direction: true, speed: true },
  ignition: { engineStatus: true },
  driver: { driverId: true },
  canBus: { canSpeed: true, canWheelSpeed: true },
} as const;

/** The fields of a vehicle, around those of its last snapshot. */
export const watchedVehicleSelection = { id: true, name: true, licensePlate: true } as const;
export const geofenceSelection = { id: true, isDeleted: true, name: true, geojson: true } as const;

/** A vehicle with the selected fields. */
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
  /** The shared reads by vehicles and fields. */
  readonly #shared = new Map<string, SharedRead>();
  /**
   * Warnings about the last answer of each operation: the same one is not repeated with every poll.
   */
  readonly #warned = new Map<string, ReadonlySet<string>>();
  #hasWarnedOfUnreadable = false;
  readonly #clocks: DeviceClocks;

  constructor(dependencies: FleetReaderDependencies) {
    this.#dependencies = dependencies;
    this.#clocks = new DeviceClocks(dependencies.serviceNow, dependencies.notifier.warning);
  }

  /** Throws an InvalidInputError when the choice cannot be sent. */
  check({ vehicleIds }: VehicleChoice): void {
    if (vehicleIds !== undefined)
      checkVariables('getLatestSnapshots', operations.getLatestSnapshots.args, { vehicleIds });
  }

  /**
   * Returns the reads of one watch, which closes them at its end. `selection`: the fields of a
   * snapshot.
   */
  open({ vehicleIds, active }: VehicleChoice, selection: SelectionTree = watchedSnapshotSelection): VehicleReads {
    const choice = { vehicleIds, active, selection };
    const key = JSON.stringify([vehicleIds ?? null, active ?? false, selection]);
    const shared = this.#shared.get(key) ?? { watches: 0, underWay: null, last: null };
    this.#shared.set(key, shared);
    shared.watches++;
    let mine: TimedAnswer<FleetAnswer> | null = null;
    return {
      next: async (reuseMs, options) => {
        mine = await this.#next(shared, mine, choice, reuseMs, options);
        return mine;
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
    mine: TimedAnswer<FleetAnswer> | null,
    choice: SelectedVehicles,
    reuseMs: number,
    options: ReadOptions,
  ): Promise<TimedAnswer<FleetAnswer>> {
    const { last } = shared;
    if (last !== null && last !== mine) {
      const age = this.#dependencies.now() - last.receivedAt;
      if (age >= 0 && age < reuseMs) return last;
    }
    // The other watch may give up its request.
    const other = await shared.underWay?.catch(() => null);
    if (other) return other;
    const underWay = this.#requestVehicles(choice, options);
    shared.underWay = underWay;
    try {
      shared.last = await underWay;
      return shared.last;
    } finally {
      if (shared.underWay === underWay) shared.underWay = null;
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

  /** Warns once, because the next answers have the same form. */
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

  /** Reads a list; `isComplete` is false when a row or the id of one is missing. Throws when all of it is. */
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
    // The document selects what the row type has; responses are not validated at run time.
    const rows = unwrapRows(name, answer, true, notifier) as readonly Row[];
    const nameless = rows.filter((row) => typeof row[id] !== 'string').length;
    if (nameless > 0) {
      const message = `${name} answered ${nameless} rows without ${id} among ${rows.length}; they are left out.`;
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

/** The reads of one watch. */
export interface VehicleReads {
  /**
   * Returns the next answer: one that another watch of this client got at most `reuseMs` ago, that
   * of a request under way, or a new one.
   */
  next(reuseMs: number, options: ReadOptions): Promise<TimedAnswer<FleetAnswer>>;
  close(): void;
}

interface SelectedVehicles extends VehicleChoice {
  readonly selection: SelectionTree;
}

interface SharedRead {
  watches: number;
  underWay: Promise<TimedAnswer<FleetAnswer>> | null;
  last: TimedAnswer<FleetAnswer> | null;
}

/** Returns the vehicles of the rows that have an id. */
export function vehicleReports(rows: readonly WatchedVehicleRow[]): readonly VehicleReport[] {
  return rows.flatMap(({ id, name, licensePlate, lastData }): VehicleReport | [] =>
    typeof id === 'string'
      ? { vehicleId: id, name: name ?? null, licensePlate: licensePlate ?? null, snapshot: lastData ?? null }
      : [],
  );
}

/**
 * Returns the geofences of the rows that have an id. Some services keep deleted ones in the list.
 */
export function geofenceReports(rows: readonly GeofenceRow[]): readonly GeofenceReport[] {
  return rows.flatMap(({ id, isDeleted, name, geojson }) =>
    typeof id === 'string' && isDeleted !== true ? { geofenceId: id, name: name ?? null, geojson } : [],
  );
}
