// The reference service: the whole fleet telematics service in memory, for tests, demonstrations and development.

import { Tokens } from './auth/login.js';
import { createClock, type MockClock } from './control/clock.js';
import { createControl } from './control/endpoints.js';
import { Faults } from './control/faults.js';
import { Journal, type JournalEntry } from './control/journal.js';
import { telemetryOf } from './graphql/context.js';
import { Documents } from './graphql/documents.js';
import type { Schemas } from './graphql/execute.js';
import { streamingSchema } from './graphql/row-stream.js';
import { buildServiceSchema } from './graphql/schema.js';
import { createFetch } from './http/fetch.js';
import { createHandler } from './http/routes.js';
import { type Listening, type ListenOptions, listen } from './http/server.js';
import { type MockServiceOptions, settled } from './options.js';
import { Store, type StoreSnapshot } from './store/store.js';
import { createTelemetry, regions, type SnapshotRow } from './telemetry/telemetry.js';
import { buildFleet } from './world/fleet.js';
import { createLogins, demoFleet } from './world/users.js';

export type { MockClock, TimeSource } from './control/clock.js';
export type { FaultKind, FaultRule } from './control/fault-rule.js';
export type { Faults, PlannedFault } from './control/faults.js';
export type { JournalEntry } from './control/journal.js';
export type { Listening, ListenOptions } from './http/server.js';
export type { MockServiceOptions } from './options.js';
export type { Store, StoreSnapshot } from './store/store.js';
export type { MockUser } from './world/users.js';

export interface MockService {
  /** The whole service with the signature of the global fetch; any host, routed by the end of the path. */
  readonly fetch: typeof globalThis.fetch;
  /** Serves over HTTP, on loopback and a free port unless told otherwise. */
  listen(options?: ListenOptions): Promise<Listening>;
  readonly clock: MockClock;
  readonly faults: Pick<Faults, 'add' | 'list' | 'clear'>;
  /** What the service was asked so far, oldest first; the newest 10,000. */
  readonly requests: readonly JournalEntry[];
  /** Forgets what it was asked. */
  clearRequests(): void;
  /** Back to how it was made: records, tokens, faults, journal and clock. */
  reset(): void;
  /** A copy of the records as plain data. */
  snapshot(): StoreSnapshot;
  /**
   * Puts the records of a snapshot back; tokens, faults, journal and clock stay as they are. A TypeError that names the place,
   * and nothing changed, when it is no sound snapshot of this service.
   */
  restore(snapshot: StoreSnapshot): void;
  readonly store: Store;
}

const otherFleets = 8;

/** The position of a snapshot, if it had found one: devices report 0, 0 without a fix. */
function fixOf(row: SnapshotRow | null): SnapshotRow['gps'] {
  return row?.gps?.state === true ? row.gps : null;
}

/** Makes a service of its own: nothing is shared with any other. */
export function createMockService(options: MockServiceOptions = {}): MockService {
  const { seed, vehicles, latencyMs, users: accounts, clock: source, strict, timestamps } = settled(options);
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
        vehicles: name === demoFleet ? vehicles : Math.min(vehicles, otherFleets),
        users: users.filter((user) => user.fleetId === fleetId),
        places: regions,
        positionAt: (vehicle, time) => fixOf(telemetry.latest(telemetryOf(vehicle), time)),
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
  const restore = (saved: unknown): void => store.restore(saved);

  let graphql: { schemas: Schemas; documents: Documents } | null = null;
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
        const whole = buildServiceSchema(timestamps);
        let streaming: ReturnType<typeof streamingSchema> | null = null;
        const schemas: Schemas = {
          whole,
          streaming: () => {
            streaming ??= streamingSchema(whole);
            return streaming;
          },
        };
        graphql = { schemas, documents: new Documents(whole, strict) };
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
    listen: (where) => listen(handle, where),
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
