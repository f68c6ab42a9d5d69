// Every fault of the reference service, and a refused connection, with every kind of call over real
// HTTP. Checks the caller's result, the number of requests, and the number of changes made. Pauses
// take no time.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { FleetClient, FleetError, memoryTokenStore, type RetryEvent, type UserSelection } from '../../src/index.js';
import type { FaultRule, MockService } from '../../src/mock/service.js';
import { createLogins, defaultUsers } from '../../src/mock/world/users.js';
import { held, untilHeld } from '../held.js';
import { recordsOf } from '../records-of.js';
import { until } from '../until.js';
import { passingTimers } from './passing-timers.js';
import { makeService, START, statusesOf } from './setup.js';

const FOR_EVER = 999;
const PAST_DEADLINE = 'delay past the deadline';

/** Null: the connection is refused. */
const faults: Readonly<Record<string, FaultRule | null>> = {
  '400': { kind: 'status', status: 400 },
  '401': { kind: 'status', status: 401 },
  '401 for ever': { kind: 'status', status: 401, times: FOR_EVER },
  '403': { kind: 'status', status: 403 },
  '404': { kind: 'status', status: 404 },
  '429': { kind: 'status', status: 429 },
  '429, Retry-After 7': { kind: 'status', status: 429, retryAfter: 7, times: 2 },
  '429 for ever': { kind: 'status', status: 429, retryAfter: 7, times: FOR_EVER },
  '500': { kind: 'status', status: 500 },
  '500 for ever': { kind: 'status', status: 500, times: FOR_EVER },
  '502': { kind: 'status', status: 502 },
  '503': { kind: 'status', status: 503 },
  '503, Retry-After 7': { kind: 'status', status: 503, retryAfter: 7 },
  '503 for ever': { kind: 'status', status: 503, times: FOR_EVER },
  '504': { kind: 'status', status: 504 },
  delay: held,
  [PAST_DEADLINE]: held,
  reset: { kind: 'reset' },
  'reset for ever': { kind: 'reset', times: FOR_EVER },
  truncate: { kind: 'truncate' },
  'truncate for ever': { kind: 'truncate', times: FOR_EVER },
  malformed: { kind: 'malformed' },
  'html with 200': { kind: 'html', status: 200 },
  'html with 502': { kind: 'html', status: 502 },
  graphqlError: { kind: 'graphqlError' },
  'graphqlError in one field': { kind: 'graphqlError', operation: 'getGroups' },
  'connection refused': null,
};

// The caller's result and the number of requests: `done 2` succeeded with its second request,
// `HTTP 1` failed after one. Three calls are merged: `done 3` is all three sent again in halves.
// Pauses are half of the longest. A stream sends two requests, for two parts of its period. A
// refresh with a final failure logs in with its credentials: `done 1, login 1`. Broken JSON that
// ends within a text looks like a truncated answer.
const reading = `
                            | query            | merged              | stream           | login            | refresh         | users
  400                       | GRAPHQL 1        | done 3              | GRAPHQL 1        | AUTHENTICATION 1 | done 1, login 1 | HTTP 1
  401                       | done 2           | done 2              | done 3           | AUTHENTICATION 1 | done 1, login 1 | done 2
  401 for ever              | AUTHENTICATION 2 | AUTHENTICATION 2    | AUTHENTICATION 2 | AUTHENTICATION 1 | done 1, login 1 | AUTHENTICATION 2
  403                       | done 2           | done 2              | done 3           | AUTHENTICATION 1 | done 1, login 1 | HTTP 1
  404                       | HTTP 1           | done 3              | HTTP 1           | HTTP 1           | done 1, login 1 | HTTP 1
  429                       | done 2           | done 2              | done 3           | done 2           | done 2          | done 2
  429, Retry-After 7        | done 3           | done 3              | done 4           | done 3           | done 3          | done 3
  429 for ever              | RATE_LIMIT 12    | RATE_LIMIT 12       | RATE_LIMIT 12    | RATE_LIMIT 12    | RATE_LIMIT 12   | RATE_LIMIT 12
  500                       | done 2           | done 2              | done 3           | done 2           | done 2          | done 2
  500 for ever              | HTTP 3           | HTTP 15             | HTTP 3           | HTTP 3           | done 3, login 1 | HTTP 3
  502                       | done 2           | done 2              | done 3           | done 2           | done 2          | done 2
  503                       | done 2           | done 2              | done 3           | done 2           | done 2          | done 2
  503, Retry-After 7        | done 2           | done 2              | done 3           | done 2           | done 2          | done 2
  503 for ever              | HTTP 22          | HTTP 22             | HTTP 22          | HTTP 22          | HTTP 22         | HTTP 22
  504                       | done 2           | done 2              | done 3           | done 2           | done 2          | done 2
  delay                     | done 1           | done 1              | done 2           | done 1           | done 1          | done 1
  delay past the deadline   | TIMEOUT 1        | TIMEOUT 1           | TIMEOUT 1        | TIMEOUT 1        | TIMEOUT 1       | TIMEOUT 1
  reset                     | done 2           | done 2              | done 3           | done 2           | done 2          | done 2
  reset for ever            | NETWORK 5        | NETWORK 5           | NETWORK 5        | NETWORK 5        | NETWORK 5       | NETWORK 5
  truncate                  | done 2           | done 2              | done 3           | done 2           | done 2          | done 2
  truncate for ever         | NETWORK 5        | NETWORK 5           | NETWORK 5        | NETWORK 5        | NETWORK 5       | NETWORK 5
  malformed                 | done 2           | done 2              | done 3           | PROTOCOL 1       | done 1, login 1 | PROTOCOL 1
  html with 200             | PROTOCOL 1       | done 3              | PROTOCOL 1       | PROTOCOL 1       | done 1, login 1 | PROTOCOL 1
  html with 502             | done 2           | done 2              | done 3           | done 2           | done 2          | done 2
  graphqlError              | GRAPHQL 1        | GRAPHQL 1           | GRAPHQL 1        |                  |                 |
  graphqlError in one field |                  | done GRAPHQL done 1 |                  |                  |                 |
  connection refused        | NETWORK 5        | NETWORK 5           | NETWORK 5        | NETWORK 5        | NETWORK 5       | NETWORK 5
`;

// Also the number of changes made. Only a call with `idempotent` may run more than once.
const changing = `
                          | mutation                     | idempotent
  400                     | GRAPHQL 1, made 0            | GRAPHQL 1, made 0
  401                     | done 2, made 1               | done 2, made 1
  401 for ever            | AUTHENTICATION 2, made 0     | AUTHENTICATION 2, made 0
  403                     | HTTP 1, made 0               | done 2, made 1
  404                     | HTTP 1, made 0               | HTTP 1, made 0
  429                     | done 2, made 1               | done 2, made 1
  429, Retry-After 7      | done 3, made 1               | done 3, made 1
  429 for ever            | RATE_LIMIT 11, made 0        | RATE_LIMIT 11, made 0
  500                     | AMBIGUOUS_MUTATION 1, made 0 | done 2, made 1
  500 for ever            | AMBIGUOUS_MUTATION 1, made 0 | AMBIGUOUS_MUTATION 3, made 0
  502                     | AMBIGUOUS_MUTATION 1, made 0 | done 2, made 1
  503                     | AMBIGUOUS_MUTATION 1, made 0 | done 2, made 1
  503, Retry-After 7      | AMBIGUOUS_MUTATION 1, made 0 | done 2, made 1
  503 for ever            | AMBIGUOUS_MUTATION 1, made 0 | AMBIGUOUS_MUTATION 22, made 0
  504                     | AMBIGUOUS_MUTATION 1, made 0 | done 2, made 1
  delay                   | done 1, made 1               | done 1, made 1
  delay past the deadline | AMBIGUOUS_MUTATION 1, made 1 | AMBIGUOUS_MUTATION 1, made 1
  reset                   | AMBIGUOUS_MUTATION 1, made 1 | done 2, made 2
  reset for ever          | AMBIGUOUS_MUTATION 1, made 1 | AMBIGUOUS_MUTATION 5, made 5
  truncate                | AMBIGUOUS_MUTATION 1, made 1 | done 2, made 2
  truncate for ever       | AMBIGUOUS_MUTATION 1, made 1 | AMBIGUOUS_MUTATION 5, made 5
  malformed               | AMBIGUOUS_MUTATION 1, made 1 | done 2, made 2
  html with 200           | AMBIGUOUS_MUTATION 1, made 0 | AMBIGUOUS_MUTATION 1, made 0
  html with 502           | AMBIGUOUS_MUTATION 1, made 0 | done 2, made 1
  graphqlError            | GRAPHQL 1, made 0            | GRAPHQL 1, made 0
  connection refused      | NETWORK 5, made 0            | NETWORK 5, made 0
`;

type Column = 'query' | 'merged' | 'stream' | 'login' | 'refresh' | 'users' | 'mutation' | 'idempotent';

function cellsOf(table: string): (readonly [string, Column, string])[] {
  const [head = [], ...rows] = table
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));
  const columns = head.at(0) === '' ? head.slice(1) : head;
  return rows.flatMap(([fault = '', ...cells]) =>
    // The head names the columns.
    cells.flatMap((cell, at) => (cell === '' ? [] : [[fault, columns[at] as Column, cell] as const])),
  );
}

const DEADLINE_MS = 60_000;

const timers = passingTimers();
const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown) => unhandled.push(reason);

beforeAll(() => void process.on('unhandledRejection', onUnhandled));
beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => void vi.restoreAllMocks());
afterAll(async () => {
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', onUnhandled);
  expect(unhandled).toEqual([]);
});

/** Columns whose request goes to one of the login endpoints. */
const loginPaths: Readonly<Partial<Record<Column, string>>> = {
  login: '/login/token',
  refresh: '/login/refresh',
  users: '/login/userinfo',
};

interface World {
  readonly fleet: FleetClient;
  readonly vehicleId: string;
}

const CHANGED = 'made by this test';

const calls: Readonly<Record<Column, (world: World) => Promise<unknown>[]>> = {
  query: ({ fleet }) => [fleet.getVehicleTypes()],
  merged: ({ fleet }) => [fleet.getLabels(), fleet.getGroups(), fleet.getMetaSensors()],
  mutation: ({ fleet }) => [fleet.createGroup({ createGroupInput: { name: CHANGED } })],
  idempotent: ({ fleet, vehicleId }) => [
    fleet.updateVehicle({ vehicleId, vehicleInput: { name: CHANGED } }, { idempotent: true }),
  ],
  stream: ({ fleet, vehicleId }) => [readAll(fleet, vehicleId)],
  login: ({ fleet }) => [fleet.getVehicleTypes()],
  refresh: ({ fleet }) => [fleet.getVehicleTypes()],
  users: ({ fleet }) => [fleet.listLoginUsers()],
};

async function readAll(fleet: FleetClient, vehicleId: string): Promise<unknown[]> {
  const period = { vehicleId, from: new Date(START - 3 * 3_600_000), to: new Date(START) };
  const rows: unknown[] = [];
  for await (const row of fleet.streamSnapshots(period)) rows.push(row);
  return rows;
}

test.each([...cellsOf(reading), ...cellsOf(changing)])('%s: %s: %s', async (name, column, expected) => {
  const fault = faults[name];
  if (fault === undefined) throw new Error(`there is no fault ${name}`);
  const isLate = name === PAST_DEADLINE;
  const service = makeService();
  const server = await service.listen();
  const retries: RetryEvent[] = [];
  const tokenStore = memoryTokenStore();
  const open = (user?: UserSelection) =>
    new FleetClient({
      baseUrl: server.url,
      credentials: { username: 'demo', password: 'demo' },
      tokenStore,
      user,
      clock: service.clock,
      timeoutMs: DEADLINE_MS,
      hooks: { onRetry: (event) => retries.push(event) },
    });
  let fleet = open();
  try {
    if (column !== 'login' && column !== 'users') await fleet.getRoles();
    if (!fault) {
      // A keep-alive socket would break instead of being refused.
      await fleet.close();
      fleet = open({ userId: demoUser() });
      await server.close();
    }
    if (column === 'refresh') service.clock.advance(301_000);
    service.clearRequests();
    const path = loginPaths[column] ?? '/graphql';
    if (fault) service.faults.add({ ...fault, path });

    const settling = Promise.all(calls[column]({ fleet, vehicleId: firstVehicle(service).id }).map(outcomeOf));
    if (fault === held) {
      await untilHeld(service);
      if (isLate) timers().passLimits(DEADLINE_MS / 2);
      else service.faults.clear();
    }
    const outcomes = await settling;
    const ends = outcomes.map((outcome) => outcome.ends);
    // The service finishes even when no caller waits.
    service.faults.clear();
    if (isLate) await until(() => statusesOf(service, path).length > 0);
    const sent = fault ? statusesOf(service, path).length : retries.length + 1;
    expect(cellOf(column, ends, sent, service)).toBe(expected);
    // Every request but the first of a call was reported as a retry.
    if (column !== 'merged') expect(retries).toHaveLength(sent - callsIn(column, ends));
    if (fault?.retryAfter !== undefined) expect(retries[0]?.waitMs ?? 7000).toBe(7000);
    // An error after the call was sent reports its attempts.
    if (!loginPaths[column]) {
      for (const { attempts } of outcomes) {
        // Halves of a merged document are separate requests.
        if (column === 'merged' && name === '500 for ever') expect(attempts).toBeLessThan(sent);
        else expect(attempts ?? sent).toBe(sent);
      }
    }
    if (column === 'mutation') expect(made(service)).toBeLessThanOrEqual(1);

    // The next call works as if nothing had failed.
    service.faults.clear();
    if (fault) expect(await fleet.getVehicleTypes()).not.toHaveLength(0);
  } finally {
    await fleet.close();
    await server.close();
  }
  expect(timers().pending).toBe(0);
});

function callsIn(column: Column, [outcome]: readonly string[]): number {
  return column === 'stream' && outcome === 'done' ? 2 : 1;
}

function cellOf(column: Column, outcomes: readonly string[], sent: number, service: MockService): string {
  const [first = ''] = outcomes;
  const ends = outcomes.every((outcome) => outcome === first) ? first : outcomes.join(' ');
  if (column === 'mutation' || column === 'idempotent') return `${ends} ${sent}, made ${made(service)}`;
  const logins = column === 'refresh' ? statusesOf(service, '/login/token').length : 0;
  return `${ends} ${sent}${logins > 0 ? `, login ${logins}` : ''}`;
}

async function outcomeOf(call: Promise<unknown>): Promise<{ readonly ends: string; readonly attempts: number | null }> {
  try {
    // Never half an answer.
    expect(await call).not.toBeNull();
    return { ends: 'done', attempts: null };
  } catch (error) {
    if (!(error instanceof FleetError)) throw error;
    return { ends: error.code, attempts: error.attempts };
  }
}

function demoUser(): string {
  const [user] = createLogins(1, defaultUsers).find(({ username }) => username === 'demo')?.users ?? [];
  return user?.userId ?? '';
}

function firstVehicle(service: MockService) {
  const [vehicle] = recordsOf(service).vehicles;
  if (!vehicle) throw new Error('the fleet has no vehicle');
  return vehicle;
}

/** Counts the changes made: a group of this name each, or one more version of the vehicle. */
function made(service: MockService): number {
  const groups = recordsOf(service).groups.filter(({ name }) => name === CHANGED).length;
  return groups + Number(firstVehicle(service).version) - Number(firstVehicle(makeService()).version);
}
