// The reference service: the whole fleet telematics service in memory, for tests, demonstrations and development.

import { Tokens } from './auth/tokens.js';
import { createControl } from './control/endpoints.js';
import { Faults } from './control/faults.js';
import { Journal, type JournalEntry } from './control/journal.js';
import { createClock, type MockClock } from './core/clock.js';
import { DocumentCache } from './graphql/document-cache.js';
import type { Schemas } from './graphql/execute.js';
import { streamingSchema } from './graphql/row-stream.js';
import { buildServiceSchema } from './graphql/schema.js';
import { createFetch } from './http/fetch.js';
import { createHandler } from './http/routes.js';
import { type Listening, type ListenOptions, listen } from './http/server.js';
import { type MockServiceOptions, resolveOptions } from './options.js';
import type { StoreSnapshot } from './store/records.js';
import { Store } from './store/store.js';
import { telemetryVehicleOf } from './store/telemetry-vehicle.js';
import { createTelemetry, regions, type SnapshotRow } from './telemetry/telemetry.js';
import { buildFleet } from './world/fleet.js';
import { createLogins, demoFleet } from './world/users.js';

export type { FaultKind, FaultRule } from './control/fault-rule.js';
export type { Faults, PlannedFault } from './control/faults.js';
export type { JournalEntry } from './control/journal.js';
export type { MockClock, TimeSource } from './core/clock.js';
export type { Listening, ListenOptions } from './http/server.js';
export type { MockServiceOptions } from './options.js';
export type { StoreSnapshot } from './store/records.js';
export type { Store } from './store/store.js';
export type { MockUser } from './world/users.js';

export interface MockService {
  /** The service with the signature of the global fetch. It answers for any host, routed by the end of the path. */
  readonly fetch: typeof globalThis.fetch;
  /** Serves over HTTP. Default: a free port on loopback. */
  listen(options?: ListenOptions): Promise<Listening>;
  readonly clock: MockClock;
  readonly faults: Pick<Faults, 'add' | 'list' | 'clear'>;
  /** The newest 10,000 requests that the service received, oldest first. */
  readonly requests: readonly JournalEntry[];
  /** Clears `requests`. */
  clearRequests(): void;
  /** Resets records, tokens, faults, journal and clock to their initial state. */
  reset(): void;
  /** A copy of the records as plain data. */
  snapshot(): StoreSnapshot;
  /**
   * Restores the records of a snapshot; tokens, faults, journal and clock stay as they are. Throws a TypeError that names the
   * place, and changes nothing, when the value is not a valid snapshot of this service.
   */
  restore(snapshot: StoreSnapshot): void;
  readonly store: Store;
}

const maxVehiclesOfOtherFleets = 8;

/** The position of a snapshot; null without a fix, when devices report 0, 0. */
function positionOf(row: SnapshotRow | null): SnapshotRow['gps'] {
  return row?.gps?.state === true ? row.gps : null;
}

/** Creates a service that shares nothing with any other. */
export function createMockService(options: MockServiceOptions = {}): MockService {
  const { seed, vehicles, latencyMs, users: accounts, clock: source, strict, timestamps } = resolveOptions(options);
  const logins = createLogins(seed, accounts);
  const users = logins.flatMap((login) => login.users);
  const clock = createClock(source);
  const telemetry = createTelemetry(seed);
  const tokens = new Tokens(clock);
  const faults = new Faults();
  const journal = new Journal();
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
        positionAt: (vehicle, time) => positionOf(telemetry.latest(telemetryVehicleOf(vehicle), time)),
      }),
  });
  const reset = (): void => {
    store.reset();
    tokens.reset();
    faults.clear();
    journal.clear();
    clock.reset();
  };
  const snapshot = (): StoreSnapshot => store.snapshot();
  const restore = (data: unknown): void => store.restore(data);

  let graphql: { schemas: Schemas; documents: DocumentCache } | null = null;
  const handle = createHandler({
    clock,
    store,
    telemetry,
    tokens,
    logins,
    faults,
    journal,
    graphql() {
      if (graphql === null) {
        const standard = buildServiceSchema(timestamps);
        let streaming: ReturnType<typeof streamingSchema> | null = null;
        const schemas: Schemas = {
          standard,
          streaming: () => {
            streaming ??= streamingSchema(standard);
            return streaming;
          },
        };
        graphql = { schemas, documents: new DocumentCache(standard, strict) };
      }
      return graphql;
    },
    latencyMs,
    strict,
    stopwatch: () => performance.now(),
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    control: createControl({ clock, faults, journal, reset, snapshot, restore }),
  });

  return {
    fetch: createFetch(handle),
    listen: (listenOptions) => listen(handle, listenOptions),
    clock,
    faults,
    get requests() {
      return journal.list();
    },
    clearRequests: () => journal.clear(),
    reset,
    snapshot,
    restore,
    store,
  };
}
