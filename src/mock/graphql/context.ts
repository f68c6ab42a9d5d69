// What the resolvers of one request are handed.
import type { GraphQLError } from 'graphql';
import type { AssignmentRecord, VehicleRecord } from '../store/records.js';
import type { Fleet, Store } from '../store/store.js';
import type { Scope } from '../store/visibility.js';
import type { SnapshotRow, Telemetry, TelemetryVehicle } from '../telemetry/telemetry.js';
import type { Login } from '../world/users.js';
import { badRequest, refusal } from './errors.js';

// Relations can be nested so that a small document asks for millions of records; the process answers nobody meanwhile.
const mostRecords = 500_000;

export interface ContextOptions {
  readonly login: Login;
  readonly scope: Scope;
  readonly store: Store;
  readonly telemetry: Telemetry;
  /** The service's time; one moment for the whole request. */
  readonly now: number;
  readonly strict: boolean;
  /** Messages of planned faults by root field; under '' for every root field. */
  readonly failing: ReadonlyMap<string, string>;
}

export class Context {
  readonly login: Login;
  readonly scope: Scope;
  readonly store: Store;
  readonly telemetry: Telemetry;
  readonly now: number;
  readonly strict: boolean;
  readonly failing: ReadonlyMap<string, string>;
  /** `Vehicle.latestData` by vehicle: however often a request comes by the same vehicle, it is put together once. */
  readonly latestData = new Map<string, object | null>();
  readonly #latest = new Map<string, SnapshotRow | null>();
  #records = 0;

  constructor(options: ContextOptions) {
    this.login = options.login;
    this.scope = options.scope;
    this.store = options.store;
    this.telemetry = options.telemetry;
    this.now = options.now;
    this.strict = options.strict;
    this.failing = options.failing;
  }

  get fleet(): Fleet {
    return this.scope.fleet;
  }

  /** Throws when a planned fault wants this root field to fail. */
  failAsPlanned(rootField: string): void {
    const message = this.failing.get(rootField) ?? this.failing.get('');
    if (message !== undefined) throw refusal('DataFetchingException', message);
  }

  /** Counts records that relations lead to. False when it gets out of hand: then nothing more is to be looked up. */
  spend(records: number): boolean {
    this.#records += records;
    return this.#records <= mostRecords;
  }

  /** Why the request as a whole is refused after all; null when it is not. */
  get excess(): GraphQLError | null {
    if (this.#records <= mostRecords) return null;
    return badRequest(`The query leads to more than ${mostRecords} related records. Ask for fewer levels or records.`);
  }

  /** The newest snapshot of a vehicle, looked up once per request. */
  latest(vehicle: VehicleRecord): SnapshotRow | null {
    const known = this.#latest.get(vehicle.id);
    if (known !== undefined) return known;
    const row = this.telemetry.latest(telemetryOf(vehicle), this.now);
    this.#latest.set(vehicle.id, row);
    return row;
  }

  /** The assignment that holds for the vehicle at this time. */
  assignmentAt(vehicleId: string, time: number): AssignmentRecord | null {
    const all = this.fleet.assignments.by('vehicle', vehicleId);
    return all.find((row) => row.startedAt <= time && (row.endedAt === null || time < row.endedAt)) ?? null;
  }
}

/** What the telemetry must know of a vehicle. */
export function telemetryOf(vehicle: VehicleRecord): TelemetryVehicle {
  return {
    id: vehicle.id,
    kind: vehicle.kind,
    region: vehicle.region,
    place: vehicle.place,
    deviceSince: vehicle.deviceSince,
    deviceUntil: vehicle.deactivated ? vehicle.deactivatedAt : null,
    hasDevice: vehicle.deviceIds.length > 0,
  };
}
