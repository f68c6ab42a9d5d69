// The scripted vehicles. A script replaces all generated telemetry of its vehicle.
import type { TimeSource } from '../core/clock.js';
import { fail, record, type ValueReader } from '../core/readers.js';
import { isIdText, uuidFromName } from '../core/uuid.js';
import type { FleetRecords, Store } from '../store/store.js';
import type { Telemetry, TelemetryRow, TelemetryVehicle } from '../telemetry/telemetry.js';
import { type ReadScript, scriptReader } from './read-script.js';
import type { VehicleScript } from './script-types.js';
import { partsOfRows, tripsOfRows } from './scripted-trips.js';

/** The scripts as plain data by vehicle id. */
export type ScriptsData = Readonly<Record<string, VehicleScript>>;

const savedScripts: ValueReader<Readonly<Record<string, ReadScript>>> = record((id) =>
  isIdText(id) && id === id.toLowerCase()
    ? scriptReader(id)
    : (_, path) => fail(path, 'must have a UUID in lower case as its key'),
);

export class Scripts {
  readonly #store: Store;
  #scripts = new Map<string, ReadScript>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Throws a TypeError that names the wrong place, or a RangeError for an unknown vehicle. */
  script(vehicleId: string, script: VehicleScript): void {
    const id = this.#knownVehicle(vehicleId);
    this.#scripts.set(id, scriptReader(id)(script, 'script'));
  }

  clear(vehicleId?: string): void {
    if (vehicleId === undefined) this.#scripts.clear();
    else this.#scripts.delete(vehicleId.toLowerCase());
  }

  list(): ScriptsData {
    return Object.fromEntries([...this.#scripts].map(([id, { source }]) => [id, structuredClone(source)]));
  }

  /** Checks scripts from `list`. Returns a function that replaces all scripts with them. */
  prepare(data: unknown, path: string): () => void {
    const scripts = new Map(Object.entries(savedScripts(data, path)));
    return () => {
      this.#scripts = scripts;
    };
  }

  /** Installs the devices whose swap time has passed. */
  swapDevices(now: number): void {
    for (const [vehicleId, { swaps }] of this.#scripts) {
      const due = swaps.filter(({ at }) => at <= now).at(-1);
      const fleet = due === undefined ? null : this.#fleetOf(vehicleId);
      const vehicle = fleet?.vehicles.get(vehicleId);
      if (due === undefined || fleet === null || vehicle === undefined) continue;
      const id = uuidFromName(`${vehicleId}/device/${due.serial}`);
      if (vehicle.deviceIds.length === 1 && vehicle.deviceIds[0] === id) continue;
      const earlier = fleet.devices.get(vehicle.deviceIds[0] ?? '');
      fleet.devices.put({
        deviceTypeKey: 'gateway-4g',
        phoneNumber: null,
        ...earlier,
        id,
        serial: due.serial,
        enabled: true,
      });
      fleet.vehicles.put({ ...vehicle, deviceIds: [id], version: vehicle.version + 1, updatedAt: due.at });
    }
  }

  of(vehicleId: string): ReadScript | null {
    return this.#scripts.get(vehicleId) ?? null;
  }

  #knownVehicle(vehicleId: unknown): string {
    if (!isIdText(vehicleId)) throw new TypeError('the id of the vehicle must be a UUID');
    const id = vehicleId.toLowerCase();
    if (this.#fleetOf(id) === null) throw new RangeError(`there is no vehicle with id ${id}`);
    return id;
  }

  #fleetOf(vehicleId: string): FleetRecords | null {
    for (const fleetId of this.#store.fleets.keys()) {
      const fleet = this.#store.fleet(fleetId);
      if (fleet.vehicles.get(vehicleId) !== undefined) return fleet;
    }
    return null;
  }
}

export function withScripts(telemetry: Telemetry, scripts: Scripts, clock: TimeSource): Telemetry {
  /** Returns the arrived rows of the script in its order; null for an unscripted vehicle. */
  function arrivedRows(vehicle: TelemetryVehicle, from: number, to: number): TelemetryRow[] | null {
    const script = scripts.of(vehicle.id);
    if (script === null) return null;
    const now = clock.now();
    const last = Math.min(to, vehicle.deviceUntil ?? Number.POSITIVE_INFINITY);
    return script.rows.flatMap(({ row, arrivesAt }) =>
      arrivesAt <= now && row.timestamp >= from && row.timestamp <= last ? row : [],
    );
  }

  return {
    snapshots: (vehicle, from, to) => arrivedRows(vehicle, from, to) ?? telemetry.snapshots(vehicle, from, to),
    latest(vehicle, at) {
      const rows = arrivedRows(vehicle, Number.NEGATIVE_INFINITY, at);
      if (rows === null) return telemetry.latest(vehicle, at);
      let newest: TelemetryRow | null = null;
      for (const row of rows) if (newest === null || row.timestamp >= newest.timestamp) newest = row;
      return newest;
    },
    trips(vehicle, from, to) {
      const rows = arrivedRows(vehicle, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
      if (rows === null) return telemetry.trips(vehicle, from, to);
      return tripsOfRows(rows).filter(({ start, end }) => end >= from && start <= to);
    },
    tripParts(vehicle, from, to) {
      const rows = arrivedRows(vehicle, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
      return rows === null ? telemetry.tripParts(vehicle, from, to) : partsOfRows(rows, from, to);
    },
    rowsKey: (vehicle) => (scripts.of(vehicle.id) === null ? telemetry.rowsKey(vehicle) : null),
  };
}
