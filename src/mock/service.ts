/**
 * The reference service: the whole telematics service in memory, for tests and development.
 * @module fleet-telematics/mock
 */

import { TokenTable } from './auth/tokens.js';
import {
  type AnsweredOperation,
  type AnswerOptions,
  Answers,
  type OperationAnswer,
  type PlannedAnswer,
} from './control/answers.js';
import { createControl } from './control/endpoints.js';
import { Faults } from './control/faults.js';
import { type JournaledRequest, RequestJournal } from './control/journal.js';
import { createClock, type MockClock } from './core/clock.js';
import { Waits } from './core/real-time.js';
import { SharedCache } from './core/shared-cache.js';
import { type Contract, contractOf } from './graphql/schema.js';
import { ActiveRequests } from './http/active-requests.js';
import { createFetch } from './http/fetch.js';
import { Handler } from './http/handler.js';
import { createPlainFetch, type PlainFetch } from './http/plain-fetch.js';
import { type Listening, type ListenOptions, listen } from './http/server.js';
import { type MockServiceOptions, type ResolvedOptions, resolveOptions } from './options.js';
import type { VehicleScript } from './script/script-types.js';
import { Scripts, type ScriptsData, withScripts } from './script/scripts.js';
import { restoreSnapshot, type ServiceSnapshot, takeSnapshot } from './service-snapshot.js';
import { Store } from './store/store.js';
import { telemetryVehicleOf } from './store/telemetry-vehicle.js';
import { GeneratedTelemetry, regions, type Telemetry, type TelemetryRow } from './telemetry/telemetry.js';
import { withRowVariants } from './variants/rows.js';
import { type MockVariant, VariantSetting } from './variants/variant.js';
import { buildFleet } from './world/fleet.js';
import { createLogins, demoFleet } from './world/users.js';

export type { AnswerOptions, OperationAnswer, PlannedAnswer } from './control/answers.js';
export type { FaultKind, FaultRule } from './control/fault-rule.js';
export type { Faults, PlannedFault } from './control/faults.js';
export type { JournaledRequest } from './control/journal.js';
export type { MockClock, TimeSource } from './core/clock.js';
export type { Listening, ListenOptions } from './http/server.js';
export type { MockServiceOptions } from './options.js';
export type {
  ScriptedPath,
  ScriptedRow,
  ScriptPlace,
  ScriptTime,
  VehicleScript,
} from './script/script-types.js';
export type { ServiceSnapshot } from './service-snapshot.js';
export type { MockVariant } from './variants/variant.js';
export type { MockUser } from './world/users.js';

type ScriptedTelemetry = {
  /**
   * Sets the rows or the path of a vehicle, replacing its telemetry, past rows included.
   * @throws TypeError that names the wrong place (`script.steps[2].minutes`).
   * @throws RangeError for an unknown vehicle.
   */
  script(vehicleId: string, script: VehicleScript): void;
  /** Removes the script of one vehicle, or all scripts. Swapped devices stay. */
  clear(vehicleId?: string): void;
  /** Returns the scripts by vehicle id as plain data. */
  list(): ScriptsData;
};

export interface MockService {
  /** The service as a fetch function. It answers for any host and routes by the end of the path. */
  readonly fetch: typeof globalThis.fetch;
  /**
   * The service for the CLI, without the classes of the fetch API.
   * @internal
   */
  readonly plainFetch: PlainFetch;
  /** Serves over HTTP. Default: a free port on loopback. */
  listen(options?: ListenOptions): Promise<Listening>;
  readonly clock: MockClock;
  readonly telemetry: ScriptedTelemetry;
  /**
   * Plans an operation's answer and returns the plan's id. Missing members are answered as null.
   * The newest plan that matches a request applies. The operation does not run.
   * @throws TypeError that names the place when the answer does not fit the contract.
   */
  answer<Operation extends AnsweredOperation>(
    operation: Operation,
    answer: OperationAnswer<Operation>,
    options?: AnswerOptions<Operation>,
  ): string;
  /** The planned answers that still apply. */
  readonly answers: readonly PlannedAnswer[];
  /** Removes one planned answer, or all of them. */
  clearAnswers(id?: string): void;
  readonly faults: Pick<Faults, 'add' | 'list' | 'clear'>;
  /** The newest 10,000 requests that the service received, oldest first. */
  readonly requests: readonly JournaledRequest[];
  clearRequests(): void;
  /** The current variant. */
  readonly variant: MockVariant;
  /** Replaces the whole variant; `{}` is the standard service. A wrong member is a TypeError. */
  setVariant(variant: MockVariant): void;
  /**
   * Resets all state, including tokens, journal and clock. Waiting requests lose their connection.
   */
  reset(): void;
  /** Returns a copy of all records, scripts, planned answers and the variant as plain data. */
  snapshot(): ServiceSnapshot;
  /**
   * Restores a snapshot. Tokens, faults, journal and clock do not change.
   * @throws TypeError that names the place when it is not a snapshot of this service; nothing
   * changes then.
   */
  restore(snapshot: ServiceSnapshot): void;
}

const maxVehiclesOfOtherFleets = 8;

/** Returns the position of a snapshot; null without a fix, when devices report 0, 0. */
function positionOf(row: TelemetryRow | null): TelemetryRow['gps'] {
  return row?.gps?.state === true ? row.gps : null;
}

/** Building a seed's roads and tours takes longer than creating an hour of rows. */
const telemetries = new SharedCache<Telemetry>(4);

/** Creates the parts of a service that hold its state. */
function createParts({ seed, vehicles, users: accounts, clock: source, variant: initial }: ResolvedOptions) {
  const variant = new VariantSetting(initial);
  const logins = createLogins(seed, accounts);
  const users = logins.flatMap((login) => login.users);
  const clock = createClock(source);
  const generated = telemetries.get(String(seed), () => new GeneratedTelemetry(seed));
  const store = new Store({
    seed,
    fleets: new Map(users.map((user) => [user.fleetId, user.fleetName])),
    build: (fleetId, name) =>
      buildFleet({
        seed,
        fleetId,
        vehicles: name === demoFleet ? vehicles : Math.min(vehicles, maxVehiclesOfOtherFleets),
        users: users.filter((user) => user.fleetId === fleetId),
        cities: regions,
        positionAt: (vehicle, time) => positionOf(generated.latest(telemetryVehicleOf(vehicle), time)),
      }),
  });
  const scripts = new Scripts(store);
  const delays = new Waits();
  return {
    variant,
    logins,
    clock,
    store,
    scripts,
    telemetry: withRowVariants(withScripts(generated, scripts, clock), variant, clock),
    tokens: new TokenTable(clock, variant),
    active: new ActiveRequests(),
    faults: new Faults(() => delays.endAll('shortened')),
    answers: new Answers(),
    journal: new RequestJournal(),
    delays,
    lingering: new Waits(),
  };
}

type Parts = ReturnType<typeof createParts>;

function resetParts(parts: Parts): void {
  parts.store.reset();
  parts.active.reset();
  parts.delays.endAll('broken off');
  parts.lingering.endAll('broken off');
  parts.scripts.clear();
  parts.answers.clear();
  parts.tokens.reset();
  parts.faults.clear();
  parts.journal.clear();
  parts.clock.reset();
  parts.variant.reset();
}

/** Returns a function that creates the contract of the current variant on first use. */
function contractSource({ timestamps, strict }: ResolvedOptions, variant: VariantSetting): () => Contract {
  let latest: { readonly variant: MockVariant; readonly contract: Contract } | null = null;
  return () => {
    const { current } = variant;
    if (latest?.variant !== current) latest = { variant: current, contract: contractOf(timestamps, current, strict) };
    return latest.contract;
  };
}

/** Creates a service whose state is independent of other services. */
export function createMockService(options: MockServiceOptions = {}): MockService {
  const resolved = resolveOptions(options);
  const parts = createParts(resolved);
  const { clock, scripts, answers, faults, journal, variant } = parts;
  const reset = (): void => resetParts(parts);
  const snapshot = (): ServiceSnapshot => takeSnapshot(parts);
  const restore = (data: unknown): void => restoreSnapshot(parts, data);
  const { handle } = new Handler({
    ...parts,
    graphql: contractSource(resolved, variant),
    basePath: resolved.basePath,
    latencyMs: resolved.latencyMs,
    strict: resolved.strict,
    stopwatch: () => performance.now(),
    control: createControl({ ...parts, reset, snapshot, restore }),
  });
  return {
    fetch: createFetch(handle),
    plainFetch: createPlainFetch(handle),
    listen: (listenOptions) => listen(handle, () => variant.current.idleConnectionMs, listenOptions),
    clock,
    telemetry: {
      script: (vehicleId, script) => scripts.script(vehicleId, script),
      clear: (vehicleId) => scripts.clear(vehicleId),
      list: () => scripts.list(),
    },
    answer: (operation, answer, answerOptions) => answers.add(operation, answer, answerOptions),
    get answers() {
      return answers.list();
    },
    clearAnswers: (id) => answers.clear(id),
    faults,
    get requests() {
      return journal.list();
    },
    get variant() {
      return variant.current;
    },
    setVariant: (value) => variant.set(value),
    clearRequests: () => journal.clear(),
    reset,
    snapshot,
    restore,
  };
}
