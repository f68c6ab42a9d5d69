// A scan for secrets: a large run of SDK and command line through every fault uses recognisable
// passwords, tokens and values. All output except the requests is searched for them.
import { channel } from 'node:diagnostics_channel';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { realTimers } from '../src/core/ports.js';
import {
  type Fetch,
  FleetClient,
  type FleetClientOptions,
  FleetError,
  fileGate,
  fileTokenStore,
  memoryTokenStore,
  type TokenStore,
} from '../src/index.js';
import type { FaultRule, Listening, MockService } from '../src/mock/service.js';
import { LOGIN_ATTEMPT_TIMEOUT_MS } from '../src/request/login-requests.js';
import { baseUrl, type Outcome, type Place, shell } from './cli/harness.js';
import { held } from './held.js';
import { passingTimers } from './request/passing-timers.js';
import { makeService, START } from './request/setup.js';
import { until } from './until.js';

const PASSWORD = 'planted-password-3f9c';
const WRONG = 'planted-wrong-password-3f9c';
const VALUE = 'planted-value-3f9c';
/** The service's text: allowed in `errors` of an error or a warning only. */
const SAID = 'said-by-the-service-3f9c';
/** The beginning is enough. */
const PLANTED = /planted/;

const tokens = new Set<string>();
const dumps = new Set<string>();
/** The sources of output, to detect a scan that misses one. */
const outputSources = new Set<string>();

/** Prints a value in all ways of loggers; hidden members too. */
function show(value: unknown, isHiddenToo = true, depth = 0): void {
  dumps.add(String(value));
  dumps.add(inspect(value, { depth: Number.POSITIVE_INFINITY }));
  if (isHiddenToo) dumps.add(inspect(value, { depth: Number.POSITIVE_INFINITY, showHidden: true, getters: true }));
  dumps.add(JSON.stringify(value) ?? '');
  if (!(value instanceof Error) || depth > 8) return;
  dumps.add(value.message);
  dumps.add(value.stack ?? '');
  // The raw object holds the service's text and data apart from logs, but no secrets.
  const bare = inspect(value, { depth: Number.POSITIVE_INFINITY, showHidden: true, customInspect: false });
  dumps.add(bare.replaceAll(SAID, '').replaceAll(VALUE, ''));
  show(value.cause, isHiddenToo, depth + 1);
}

function expectNothingShown(): void {
  expect(dumps.size).toBeGreaterThan(3);
  for (const dump of dumps) {
    expect(dump).not.toMatch(PLANTED);
    expect(dump).not.toContain(SAID);
    for (const token of tokens) if (dump.includes(token)) expect.fail(`a token is in: ${dump}`);
  }
}

const events = ['request', 'call'].flatMap((of) =>
  ['start', 'end', 'asyncStart', 'asyncEnd', 'error'].map((name) => channel(`tracing:fleet-telematics:${of}:${name}`)),
);
const onTrace = (message: unknown, name: string | symbol) => {
  outputSources.add(String(name));
  show(message);
};
const onWarning = (warning: Error) => show(warning);
const log = ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const;

beforeAll(() => {
  for (const event of events) event.subscribe(onTrace);
  process.on('warning', onWarning);
});
afterAll(() => {
  for (const event of events) event.unsubscribe(onTrace);
  process.off('warning', onWarning);
});
beforeEach(() => {
  dumps.clear();
  tokens.clear();
  for (const name of log) vi.spyOn(console, name).mockImplementation((...args) => show(args));
});
afterEach(() => void vi.restoreAllMocks());

function watched(store: TokenStore): TokenStore {
  const save: TokenStore['save'] = (key, session) => {
    tokens.add(session.accessToken);
    if (session.refreshToken !== null) tokens.add(session.refreshToken);
    return store.save(key, session);
  };
  return { load: store.load.bind(store), clear: store.clear.bind(store), withLock: store.withLock.bind(store), save };
}

function makeWorld(): MockService {
  return makeService({ users: [{ username: 'demo', password: PASSWORD, entries: [{ fleet: 'Demo Fleet' }] }] });
}

function makeClient(service: MockService, url: string, options: Partial<FleetClientOptions> = {}): FleetClient {
  // A warning hides the service's text from logs, and has it in `errors`.
  const record = (name: string, event: unknown) => {
    outputSources.add(name);
    show(event, name !== 'onWarning');
  };
  const hooks = {
    onRequest: (event: unknown) => record('onRequest', event),
    onResponse: (event: unknown) => record('onResponse', event),
    onRetry: (event: unknown) => record('onRetry', event),
    onCall: (event: unknown) => record('onCall', event),
    onSession: (event: unknown) => record('onSession', event),
    onWarning: (event: unknown) => record('onWarning', event),
  };
  const tokenStore = watched(memoryTokenStore());
  const credentials = { username: 'demo', password: PASSWORD };
  const retry = { attempts: 2, baseDelayMs: 0, maxDelayMs: 0 };
  return new FleetClient({ baseUrl: url, credentials, tokenStore, clock: service.clock, retry, hooks, ...options });
}

/** Returns every kind of call, with planted values in every argument. */
function callsOf(fleet: FleetClient): (() => Promise<unknown>)[] {
  const period = { vehicleId: VALUE, from: new Date(START - 3_600_000), to: new Date(START) };
  const late = { timeoutMs: 15 };
  return [
    () => Promise.all([fleet.getVehiclesByVin({ vin: VALUE }), fleet.getVehicleById({ id: VALUE }), fleet.getLabels()]),
    () => fleet.listLoginUsers(),
    () => fleet.createGroup({ createGroupInput: { name: VALUE } }),
    () => fleet.login(),
    () => fleet.getVehiclesByVin({ vin: VALUE }, { partial: true }),
    () => fleet.createGroup({ createGroupInput: { name: VALUE, [VALUE]: VALUE } as never }, { idempotent: true }),
    () => fleet.updateVehicle({ vehicleId: VALUE, vehicleInput: { name: VALUE } }, late),
    () => fleet.getVehiclesByVin({ vin: VALUE }, late),
    // Reasons of signals and exceptions of a credentials function stay the cause: they are the
    // caller's.
    () => fleet.getVehiclesByVin({ vin: VALUE }, { signal: AbortSignal.abort() }),
    () => fleet.getVehicleById({ [VALUE]: VALUE } as never),
    () =>
      fleet.getVehicleById({
        id: VALUE,
        extra: {
          toJSON: () => {
            throw new Error(VALUE);
          },
        },
      } as never),
    () => fleet.getVehicleById({ id: VALUE }, { [VALUE]: VALUE } as never),
    () => fleet.request('query q($vin: String!) { getVehiclesByVin(vin: $vin) { id } }', { vin: VALUE }),
    () => fleet.request(`{ getVehiclesByVin(vin: "${VALUE}") { nothing } }`),
    () => fleet.request(`{ "${VALUE}`),
    () => fleet.streamSnapshots(period).next(),
    async () => fleet.streamSnapshots({ ...period, from: VALUE }).next(),
    () => fleet.forUser({ fleetName: VALUE }).getLabels(),
    () => fleet.forUser({ userId: VALUE }).getLabels(),
    () => fleet.session(),
  ];
}

async function run(fleet: FleetClient, atMost = Number.POSITIVE_INFINITY): Promise<void> {
  for (const call of callsOf(fleet).slice(0, atMost)) {
    try {
      await call();
    } catch (error) {
      expect(error).toBeInstanceOf(FleetError);
      show(error);
    }
  }
  show(fleet, true);
}

const faults: readonly (FaultRule | null)[] = [
  null,
  ...[400, 401, 403, 404, 429, 500, 503].map((status) => ({ kind: 'status', status, message: SAID }) as const),
  { kind: 'html', status: 200 },
  { kind: 'html', status: 502 },
  { kind: 'reset' },
  { kind: 'truncate' },
  { kind: 'malformed' },
  { kind: 'graphqlError', message: SAID },
];
const paths = ['/graphql', '/login/token', '/login/refresh', '/login/userinfo'];
/** Limits the calls where the login fails, because then they are all alike. */
const callsAt = (path: string) => (path === '/graphql' ? undefined : 4);

describe('the SDK says nothing of what was planted', () => {
  let service: MockService;
  let server: Listening;
  beforeAll(async () => {
    service = makeWorld();
    server = await service.listen();
  });
  afterAll(async () => {
    await server.close();
    const hooks = ['onCall', 'onSession', 'onRequest', 'onResponse', 'onRetry', 'onWarning'];
    expect([...outputSources].sort()).toEqual([...hooks, ...events.map(({ name }) => String(name))].sort());
  });

  test.each(faults)('%j', async (fault) => {
    for (const path of paths) {
      if (fault?.kind === 'graphqlError' && path !== '/graphql') continue;
      const fleet = makeClient(service, server.url);
      if (path === '/login/refresh') {
        await fleet.login();
        service.clock.advance(301_000);
      }
      if (fault) service.faults.add({ ...fault, path, times: 8 });
      await run(fleet, fault ? callsAt(path) : undefined);
      await fleet.close();
      service.faults.clear();
    }
    expect(tokens.size).toBeGreaterThan(1);
    expectNothingShown();
  });

  describe('a service that is silent', () => {
    const timers = passingTimers();
    test.each(paths)('%s', async (path) => {
      const fleet = makeClient(service, server.url);
      if (path === '/login/refresh') {
        await fleet.login();
        service.clock.advance(301_000);
      }
      const codes = new Set<string>();
      // The first call rejects before it is sent.
      for (const call of callsOf(fleet).slice(1, callsAt(path))) {
        service.faults.add({ ...held, path });
        let isOver = false;
        const end = (async () => {
          try {
            await call();
          } catch (error) {
            codes.add(FleetError.is(error) ? error.code : '');
            show(error);
          }
          isOver = true;
        })();
        await until(() => isOver || service.faults.list().length === 0);
        timers().passLimits(30_000);
        await end;
        service.faults.clear();
      }
      await fleet.close();
      expect(codes).toContain('TIMEOUT');
      expectNothingShown();
    });
  });

  test('nobody listens', async () => {
    const gone = await service.listen();
    await gone.close();
    await run(makeClient(service, gone.url, { user: { fleetName: VALUE } }));
    expectNothingShown();
  });

  const quoted = (what: unknown) =>
    new Error(`${VALUE} ${PASSWORD}: ${JSON.stringify(what)}`, { cause: new Error(VALUE) });
  /** The exception of a program's function becomes the cause, without the client's arguments. */
  const quotedGiven = (what: unknown) => new Error(JSON.stringify(what), { cause: new Error(JSON.stringify(what)) });
  const parts: Record<string, () => Partial<FleetClientOptions>> = {
    'a wrong password': () => ({ credentials: { username: 'demo', password: WRONG } }),
    'a fetch that quotes what it was given': () => ({
      fetch: async (url, init) => {
        if (url.endsWith('/graphql')) throw Object.assign(quotedGiven([url, init]), { request: init });
        return service.fetch(url, init);
      },
    }),
    'an answer that repeats what was asked': () => ({
      fetch: async (url, init) =>
        url.endsWith('/graphql')
          ? Response.json({ data: { [VALUE]: null }, errors: [{ message: `${SAID} ${init.body}`, path: [VALUE] }] })
          : service.fetch(url, init),
    }),
    'a token no header can hold': () => ({
      fetch: async () => Response.json({ access_token: `${VALUE}\n`, refresh_token: VALUE }),
    }),
    'a login with a fetch that quotes what it was given': () => ({
      fetch: async (url, init) => {
        if (/token|refresh|userinfo/.test(url)) throw Object.assign(quotedGiven([url, init]), { request: init });
        return service.fetch(url, init);
      },
    }),
    'credentials that are none': () => ({
      credentials: async () => ({ username: VALUE, password: 4711, key: PASSWORD }) as never,
    }),
    'a token store that fails': () => {
      const fail = async (...args: unknown[]) => {
        throw quoted(args);
      };
      return { tokenStore: { load: fail, save: fail, clear: fail, withLock: (_key, task) => task() } };
    },
    'a gate that fails': () => ({
      gate: {
        hold: () => {
          throw new Error('gate');
        },
      },
    }),
    'files in place of memory': () => {
      const { folder } = shell(service.fetch);
      const tokenStore = fileTokenStore({ directory: folder });
      const gate = fileGate({ directory: folder });
      show([tokenStore, gate]);
      return { tokenStore: Object.assign(tokenStore, watched(tokenStore)), gate };
    },
    'hooks that fail': () => ({
      hooks: {
        onRequest: (event) => {
          throw quoted(event);
        },
      },
    }),
  };
  test.each(Object.entries(parts))('%s', async (_name, options) => {
    const fleet = makeClient(service, server.url, options());
    await run(fleet);
    await fleet.close();
    expectNothingShown();
  });

  test('options that cannot be used', () => {
    for (const options of [
      { baseUrl: `https://demo:${PASSWORD}@service.test` },
      { baseUrl: `${VALUE}` },
      { baseUrl: 'https://service.test', credentials: PASSWORD },
      { baseUrl: 'https://service.test', credentials: { username: 'demo', password: { PASSWORD } } },
      { baseUrl: 'https://service.test', user: VALUE },
      { baseUrl: 'https://service.test', sessionKey: { VALUE } },
      PASSWORD,
    ]) {
      try {
        new FleetClient(options as never);
        expect.fail('it was taken');
      } catch (error) {
        show(error);
      }
    }
    expectNothingShown();
  });
});

describe('the command line says nothing of what was planted', () => {
  // Pauses take no time, limits and deadlines never fire.
  beforeEach(() => {
    vi.spyOn(realTimers, 'after').mockImplementation((ms, run) => {
      const pause = ms < LOGIN_ATTEMPT_TIMEOUT_MS ? setImmediate(run) : undefined;
      return () => clearImmediate(pause);
    });
  });

  /** All of stderr is searched; stdout only for passwords and tokens, because it prints data. */
  function note({ stdout, stderr }: Outcome): void {
    dumps.add(stderr.replaceAll(SAID, ''));
    dumps.add(stdout.replaceAll(VALUE, '').replaceAll(SAID, ''));
  }

  const env = { FLEET_BASE_URL: baseUrl, FLEET_USERNAME: 'demo', FLEET_PASSWORD: PASSWORD };
  const vin = 'query q($vin: String!) { getVehiclesByVin(vin: $vin) { id vin } }';
  const change = 'mutation m($input: CreateGroupInput!) { createGroup(createGroupInput: $input) { id name } }';

  function recordTokens(service: MockService): Fetch {
    return async (url, init) => {
      const response = await service.fetch(url, init);
      if (!/\/login\/(token|refresh)$/.test(url)) return response;
      for (const [, token = ''] of (
        await response
          .clone()
          .text()
          .catch(() => '')
      ).matchAll(/_token":"([^"]+)"/g))
        tokens.add(token);
      return response;
    };
  }

  type Command = readonly [words: readonly string[], place?: Place];
  const logins: readonly Command[] = [
    [['login', '--username', 'demo', '--password-stdin'], { input: `${WRONG}\n`, env: { FLEET_PASSWORD: '' } }],
    [['login', '--username', 'demo', '--password-stdin'], { input: PASSWORD, env: { FLEET_PASSWORD: '' } }],
    [['login', '--username', 'demo'], { answers: [['Password: ', WRONG]], env: { FLEET_PASSWORD: '' } }],
    [['users', 'list'], { env: { FLEET_PASSWORD: WRONG } }],
    [['status']],
    [['users', 'list']],
  ];
  const requests: readonly Command[] = [
    [['vehicles', 'list']],
    [['api', vin, '-v', `vin=${VALUE}`]],
    [['api', vin, '-v', 'vin=@file']],
    [['api', change, '-v', `input={"name":"${VALUE}"}`]],
    [['api', change, '-v', `input={"nothing":"${VALUE}"}`]],
    [['api', change, '-v', `input={"name":"${VALUE}"`]],
    [['api', 'query q($n: Int!) { getVehicleById(id: $n) { id } }', '-v', `n=${VALUE}`]],
    [['api', `{ getVehiclesByVin(vin: "x") { nothing } }`, '-v', `vin=${VALUE}`]],
    [['api', vin, '-v', `vin:=${VALUE}`]],
    [['api', vin, '-v', VALUE]],
    [['api', vin, '-v', `vin:=["x", ${VALUE}]`]],
    [['logout']],
  ];

  test.each(faults)('%j', async (fault) => {
    const service = makeWorld();
    const rounds: readonly [path: string, commands: readonly Command[], ...words: string[]][] = [
      ['/graphql', requests],
      ['/graphql', requests, '-o', 'json'],
      ['/login/token', logins, '-o', 'json'],
      ['/login/userinfo', logins],
    ];
    for (const [path, commands, ...more] of rounds) {
      if (fault?.kind === 'graphqlError' && path !== '/graphql') continue;
      const fleet = shell(recordTokens(service), env);
      writeFileSync(join(fleet.folder, 'file'), VALUE);
      for (const [words, place] of commands) {
        service.faults.clear();
        if (fault) service.faults.add({ ...fault, path, times: fault.kind === 'status' ? 2 : 1 });
        const at = words.map((word) => word.replace('@file', `@${join(fleet.folder, 'file')}`));
        note(await fleet([...at, '--verbose', ...more], place));
      }
    }
    if (fault === null) expect(tokens.size).toBeGreaterThan(1);
    expectNothingShown();
  });

  test('a fetch that fails with all it was given', async () => {
    const service = makeWorld();
    const quoting: Fetch = (url, init) =>
      url.endsWith('/graphql')
        ? Promise.reject(new Error(`${url} ${JSON.stringify(init)}`))
        : recordTokens(service)(url, init);
    const fleet = shell(quoting, env);
    for (const [words, place] of [...logins, ...requests]) note(await fleet([...words, '--verbose'], place));
    expectNothingShown();
  });
});

test('an error in JSON says what may be known', async () => {
  const error = await makeClient(makeService(), 'http://service.test')
    .getVehicleById({} as never)
    .catch((thrown: unknown) => thrown);
  expect(JSON.parse(JSON.stringify(error))).toEqual({
    name: 'InvalidInputError',
    message: expect.stringContaining('id (UUID!)'),
    code: 'INVALID_INPUT',
    operation: 'getVehicleById',
    attempts: 0,
    retryable: false,
    requestId: null,
    responseId: null,
  });
});
