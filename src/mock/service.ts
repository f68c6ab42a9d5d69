// The reference service: the whole fleet telematics service in memory, for tests, demonstrations and development.
import { createClock, type MockClock, type TimeSource } from './clock.js';
import { telemetryOf } from './context.js';
import { createControl } from './control.js';
import { Documents } from './documents.js';
import { Faults } from './faults.js';
import { createFetch } from './fetch.js';
import type { Schemas } from './graphql.js';
import { Journal, type JournalEntry } from './journal.js';
import { Tokens } from './login.js';
import { createHandler } from './routes.js';
import { streamingSchema } from './row-stream.js';
import type { TimestampForm } from './scalars.js';
import { buildServiceSchema } from './schema.js';
import { type Listening, type ListenOptions, listen } from './server.js';
import { checkedSnapshot } from './snapshot-check.js';
import { Store, type StoreSnapshot } from './store.js';
import { createTelemetry, regions, type SnapshotRow } from './telemetry/telemetry.js';
import { buildFleet } from './world/fleet.js';
import { createLogins, defaultUsers, demoFleet, type MockUser } from './world/users.js';

export type { MockClock, TimeSource } from './clock.js';
export type { FaultKind, FaultRule, Faults, PlannedFault } from './faults.js';
export type { JournalEntry } from './journal.js';
export type { Listening, ListenOptions } from './server.js';
export type { Store, StoreSnapshot } from './store.js';
export type { MockUser } from './world/users.js';

export interface MockServiceOptions {
  /** Everything follows from it: ids, names, routes, snapshots. Default 1. */
  readonly seed?: number | undefined;
  /** Size of the demo fleet. Default 25; the other fleets have at most 8. */
  readonly vehicles?: number | undefined;
  /** Real time in milliseconds that every GraphQL request takes at least, during which it is active. Default 0. */
  readonly latencyMs?: number | undefined;
  /** Logins in place of demo, multi and limited. */
  readonly users?: readonly MockUser[] | undefined;
  /** Where the service's clock takes its time from. Default: the system's clock. */
  readonly clock?: TimeSource | undefined;
  /** False lets pass what the contract says nothing about: unknown keys of inputs, unknown custom fields. Default true. */
  readonly strict?: boolean | undefined;
  /** How `createdAt` and its like are sent: RFC 3339 text, or epoch milliseconds. Default 'rfc3339'. */
  readonly timestamps?: TimestampForm | undefined;
}

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
  /** The records as plain data. */
  snapshot(): StoreSnapshot;
  /** Puts the records of a snapshot back; tokens, faults, journal and clock stay as they are. */
  restore(snapshot: StoreSnapshot): void;
  readonly store: Store;
}

const otherFleets = 8;

function wholeNumber(value: number, name: string, most: number): number {
  if (!Number.isInteger(value) || value < 0 || value > most) {
    throw new RangeError(`createMockService: ${name} must be a whole number from 0 to ${most}`);
  }
  return value;
}

/** The position of a snapshot, if it had found one: devices report 0, 0 without a fix. */
function fixOf(row: SnapshotRow | null): SnapshotRow['gps'] {
  return row?.gps?.state === true ? row.gps : null;
}

/** Makes a service of its own: nothing is shared with any other. */
export function createMockService(options: MockServiceOptions = {}): MockService {
  const seed = wholeNumber(options.seed ?? 1, 'seed', Number.MAX_SAFE_INTEGER);
  const vehicles = wholeNumber(options.vehicles ?? 25, 'vehicles', 1_000_000);
  const latencyMs = wholeNumber(options.latencyMs ?? 0, 'latencyMs', 3_600_000);
  const strict = options.strict ?? true;

  const logins = createLogins(seed, options.users ?? defaultUsers);
  const users = logins.flatMap((login) => login.users);
  const clock = createClock(options.clock ?? Date);
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
  const restore = (saved: StoreSnapshot): void => store.restore(checkedSnapshot(saved));

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
        const whole = buildServiceSchema(options.timestamps ?? 'rfc3339');
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
