// All work for a call runs in the async context of its caller: hooks, the tracing channel and the
// request. Loggers and tracers see the value of AsyncLocalStorage that these tests check.
import { AsyncLocalStorage } from 'node:async_hooks';
import { tracingChannel } from 'node:diagnostics_channel';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Fetch, FleetClient, type FleetClientOptions, localGate, type RequestTrace } from '../../src/index.js';
import type { Listening } from '../../src/mock/service.js';
import { createDeferred, makeService, rejection } from './setup.js';

const service = makeService();
let listening: Listening;
beforeAll(async () => {
  listening = await service.listen();
});
afterAll(() => listening.close());
beforeEach(() => {
  service.faults.clear();
  service.reset();
});

const caller = new AsyncLocalStorage<string>();

function connect(options: Partial<FleetClientOptions> = {}) {
  const events: { readonly what: string; readonly operation: string; readonly by: string | undefined }[] = [];
  const note =
    (what: string) =>
    ({ operations }: { readonly operations: readonly string[] }) => {
      events.push({ what, operation: operations.join(' '), by: caller.getStore() });
    };
  const fleet = new FleetClient({
    baseUrl: listening.url,
    credentials: { username: 'demo', password: 'demo' },
    clock: service.clock,
    retry: { baseDelayMs: 1, maxDelayMs: 2 },
    hooks: { onRequest: note('request'), onResponse: note('response'), onRetry: note('retry') },
    ...options,
  });
  return { fleet, events };
}

/** Makes a call that names its caller: every group has the name of its creator. */
const createGroup = (fleet: FleetClient, name: string) =>
  caller.run(name, () => fleet.createGroup({ createGroupInput: { name } }));

describe('100 calls that overlap', () => {
  const names = Array.from({ length: 100 }, (_, index) => `caller ${index}`);

  test('each has hooks and channel in its own context, not in that of the call before it', async () => {
    const { fleet, events } = connect();
    await using _ = fleet;
    const channel = tracingChannel<string, RequestTrace>('fleet-telematics:request');
    const traced: (string | undefined)[] = [];
    const note = () => void traced.push(caller.getStore());
    const listeners = { start: note, end: note, asyncStart: note, asyncEnd: note, error: note };
    channel.subscribe(listeners);
    await Promise.all(names.map((name) => createGroup(fleet, name)));
    channel.unsubscribe(listeners);
    for (const what of ['request', 'response']) {
      const own = events.filter((event) => event.what === what && event.operation === 'createGroup');
      expect(own.map(({ by }) => by)).toEqual(names);
    }
    expect(traced.slice(-400)).toEqual(names.flatMap((name) => [name, name, name, name]));
    // The first call that needed a token logged in.
    expect(events.filter(({ operation }) => operation === 'login').map(({ by }) => by)).toEqual([names[0], names[0]]);
  });

  test('over a fetch of the program, it is called in the context of the caller', async () => {
    const called: (string | undefined)[] = [];
    const fetch: Fetch = (url, init) => {
      if (url.endsWith('/graphql')) called.push(caller.getStore());
      return globalThis.fetch(url, init);
    };
    const { fleet } = connect({ fetch });
    await using _ = fleet;
    await Promise.all(names.map((name) => createGroup(fleet, name)));
    expect(called).toEqual(names);
  });

  test('queries that are not merged keep their callers too', async () => {
    const { fleet, events } = connect({ merge: false });
    await using _ = fleet;
    await Promise.all(names.map((name) => caller.run(name, () => fleet.getLabels())));
    const own = events.filter(({ what, operation }) => what === 'request' && operation === 'getLabels');
    expect(own.map(({ by }) => by)).toEqual(names);
  });
});

test('a retry, and what is sent after it, is in the context of the caller', async () => {
  const { fleet, events } = connect({ merge: false });
  await using _ = fleet;
  await fleet.listLoginUsers();
  service.faults.add({ kind: 'status', status: 503, path: '/graphql', times: 2 });
  await Promise.all(['a', 'b'].map((name) => caller.run(name, () => fleet.getLabels())));
  const own = events.filter(({ operation }) => operation === 'getLabels');
  expect(own.map(({ what, by }) => `${what} ${by}`)).toEqual([
    ...['request a', 'response a', 'retry a', 'request a', 'response a', 'retry a', 'request a', 'response a'],
    ...['request b', 'response b'],
  ]);
});

describe('a merged request', () => {
  test('belongs to the first of its callers', async () => {
    const { fleet, events } = connect();
    await using _ = fleet;
    await fleet.listLoginUsers();
    const first = createGroup(fleet, 'a');
    const others = ['b', 'c', 'd'].map((name, at) =>
      caller.run(name, (): Promise<unknown> => (at === 1 ? fleet.getRoles() : fleet.getLabels())),
    );
    await Promise.all([first, ...others]);
    const own = events.filter(({ what, operation }) => what === 'request' && operation.startsWith('getLabels'));
    expect(own).toEqual([{ what: 'request', operation: 'getLabels getRoles', by: 'b' }]);
  });

  test('belongs to the next one when the first has left before it was sent', async () => {
    const { fleet, events } = connect();
    await using _ = fleet;
    await fleet.listLoginUsers();
    const leaving = new AbortController();
    const first = createGroup(fleet, 'a');
    const left = rejection(caller.run('b', () => fleet.getLabels({}, { signal: leaving.signal })));
    const other = caller.run('c', () => fleet.getRoles());
    leaving.abort();
    await Promise.all([first, left, other]);
    expect(events.findLast(({ what }) => what === 'request')).toEqual({
      what: 'request',
      operation: 'getRoles',
      by: 'c',
    });
  });
});

test('a gate that lets calls in from elsewhere changes nothing', async () => {
  const own = localGate();
  const opened = createDeferred();
  const { fleet, events } = connect({
    merge: false,
    gate: {
      // Runs the task in the context that opened the gate.
      hold: (key, task, options) =>
        own.hold(
          key,
          () => new Promise((resolve, reject) => waiting.push(() => task().then(resolve, reject))),
          options,
        ),
    },
  });
  await using _ = fleet;
  const waiting: (() => Promise<void>)[] = [];
  await fleet.listLoginUsers();
  const calls = ['a', 'b'].map((name) => caller.run(name, () => fleet.getLabels()));
  let served = 0;
  const serveAll = async () => {
    while (served < 2) {
      const next = waiting.shift();
      if (next) {
        served++;
        await next();
      } else await new Promise((resolve) => setImmediate(resolve));
    }
    opened.resolve();
  };
  await caller.run('gatekeeper', serveAll);
  await Promise.all([...calls, opened.promise]);
  expect(events.filter(({ operation }) => operation === 'getLabels').map(({ by }) => by)).toEqual(['a', 'a', 'b', 'b']);
});

test('streams that run side by side ask for each part in the context of their reader', async () => {
  const { fleet, events } = connect({ merge: false });
  await using _ = fleet;
  const vehicles = await fleet.getActiveVehicles();
  events.length = 0;
  const from = new Date(service.clock.now() - 5 * 3_600_000);
  const to = new Date(service.clock.now());
  const readers = vehicles.slice(0, 3).map(({ id }, at) =>
    caller.run(`reader ${at}`, async () => {
      let rows = 0;
      for await (const _row of fleet.streamSnapshots({ vehicleId: id ?? '', from, to })) rows++;
      return rows;
    }),
  );
  await Promise.all(readers);
  const requesters = events.filter(({ what }) => what === 'request').map(({ by }) => by);
  expect(new Set(requesters)).toEqual(new Set(['reader 0', 'reader 1', 'reader 2']));
  expect(requesters.slice(0, 3)).toEqual(['reader 0', 'reader 1', 'reader 2']);
});
