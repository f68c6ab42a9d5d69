// The context that every resolver of one request receives.
import type { GraphQLError } from 'graphql';
import { badRequest, serviceError } from '../core/refusals.js';
import type { ReportContext } from '../reports/run-report.js';
import { isActiveAt } from '../store/assignments.js';
import type { FleetRecords, Store } from '../store/store.js';
import type { AssignmentRecord, VehicleRecord } from '../store/tables.js';
import { telemetryVehicleOf } from '../store/telemetry-vehicle.js';
import type { UserScope } from '../store/visibility.js';
import type { Telemetry, TelemetryRow } from '../telemetry/telemetry.js';
import type { MockVariant } from '../variants/variant.js';
import type { Login } from '../world/users.js';

// A small document with nested relations could select millions of records and block the process.
const maxRelatedRecords = 500_000;

export interface RequestContextOptions {
  readonly login: Login;
  readonly scope: UserScope;
  readonly store: Store;
  readonly telemetry: Telemetry;
  /** The service's time, constant during the request. */
  readonly now: number;
  readonly strict: boolean;
  /** Messages of planned faults by root field; the key '' means every root field. */
  readonly plannedErrors: ReadonlyMap<string, string>;
  readonly plannedAnswers: PlannedAnswers;
  readonly variant: MockVariant;
}

export interface PlannedAnswers {
  has(operation: string): boolean;
  take(operation: string, args: object): { readonly value: unknown } | null;
}

export class RequestContext implements ReportContext {
  readonly login: Login;
  readonly scope: UserScope;
  readonly store: Store;
  readonly telemetry: Telemetry;
  readonly now: number;
  readonly strict: boolean;
  readonly plannedErrors: ReadonlyMap<string, string>;
  readonly variant: MockVariant;
  readonly #plannedAnswers: PlannedAnswers;
  /** Objects of planned answers, as opposed to records. */
  readonly #answered = new WeakSet<object>();
  readonly latestData = new Map<string, object | null>();
  readonly #latestSnapshots = new Map<string, TelemetryRow | null>();
  #recordCount = 0;

  constructor(options: RequestContextOptions) {
    this.login = options.login;
    this.scope = options.scope;
    this.store = options.store;
    this.telemetry = options.telemetry;
    this.now = options.now;
    this.strict = options.strict;
    this.plannedErrors = options.plannedErrors;
    this.variant = options.variant;
    this.#plannedAnswers = options.plannedAnswers;
  }

  get fleet(): FleetRecords {
    return this.scope.fleet;
  }

  throwPlannedError(rootField: string): void {
    const message = this.plannedErrors.get(rootField) ?? this.plannedErrors.get('');
    if (message !== undefined) throw serviceError('DataFetchingException', message);
  }

  mayBeAnswered(operation: string): boolean {
    return this.#plannedAnswers.has(operation);
  }

  plannedAnswer(operation: string, args: object): { readonly value: unknown } | null {
    const planned = this.#plannedAnswers.take(operation, args);
    if (planned === null) return null;
    const value = structuredClone(planned.value);
    this.#markAnswered(value);
    return { value };
  }

  isAnswered(source: unknown): boolean {
    return typeof source === 'object' && source !== null && this.#answered.has(source);
  }

  #markAnswered(value: unknown): void {
    if (typeof value !== 'object' || value === null) return;
    this.#answered.add(value);
    for (const member of Object.values(value)) this.#markAnswered(member);
  }

  /** Counts the records of a relation. False beyond the limit: the relation stays empty. */
  tryAddRecords(records: number): boolean {
    this.#recordCount += records;
    return this.#recordCount <= maxRelatedRecords;
  }

  /** The error that replaces the whole response beyond the limit; otherwise null. */
  get recordLimitError(): GraphQLError | null {
    if (this.#recordCount <= maxRelatedRecords) return null;
    return badRequest(
      `The query leads to more than ${maxRelatedRecords} related records. Ask for fewer levels or records.`,
    );
  }

  latestSnapshot(vehicle: VehicleRecord): TelemetryRow | null {
    const cached = this.#latestSnapshots.get(vehicle.id);
    if (cached !== undefined) return cached;
    const row = this.telemetry.latest(telemetryVehicleOf(vehicle), this.now);
    this.#latestSnapshots.set(vehicle.id, row);
    return row;
  }

  assignmentAt(vehicleId: string, time: number): AssignmentRecord | null {
    const assignments = this.fleet.assignments.findBy('vehicle', vehicleId);
    return assignments.find(({ startedAt, endedAt }) => isActiveAt({ start: startedAt, end: endedAt }, time)) ?? null;
  }
}
