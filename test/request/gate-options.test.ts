// The gate's inputs besides the key: the pause after a 429, for all senders of the user, and the
// priority of a call. Also the preparation of a call before it takes a turn.
import { describe, expect, test } from 'vitest';
import { type Gate, localGate } from '../../src/index.js';
import { customFetchTransport } from '../../src/transport/custom-fetch.js';
import type { HttpTransport } from '../../src/transport/http-transport.js';
import { ClientOver, createDeferred, makeClient, makeService, rejection, statusesOf } from './setup.js';

test('reports a 429 to a gate that can pause, with the held key and the pause', async () => {
  const service = makeService();
  const inner = localGate();
  const held: string[] = [];
  const paused: { key: string; ms: number }[] = [];
  const gate: Gate = {
    hold(key, task, options) {
      held.push(key);
      return inner.hold(key, task, options);
    },
    async pause(key, ms) {
      paused.push({ key, ms });
      throw new Error('a failure of the gate is not a failure of the call');
    },
  };
  const waits: number[] = [];
  const hooks = { onRetry: ({ waitMs }: { waitMs: number }) => waits.push(waitMs) };
  await using fleet = makeClient(service, { gate, hooks });
  await fleet.getVehicleTypes();
  expect(paused).toEqual([]);
  service.faults.add({ kind: 'status', status: 429, path: '/graphql' });
  await fleet.getVehicleTypes();
  expect(paused).toEqual([{ key: held[0], ms: waits[0] }]);
  expect(waits).toHaveLength(1);
});

test('passes the priority of a call and its signal to the gate', async () => {
  const inner = localGate();
  const gatePriorities: unknown[] = [];
  const gate: Gate = {
    hold(key, task, options) {
      gatePriorities.push(options?.priority ?? 'normal');
      expect(options?.signal).toBeInstanceOf(AbortSignal);
      return inner.hold(key, task, options);
    },
  };
  await using fleet = makeClient(makeService(), { gate });
  await fleet.getVehicleTypes();
  await fleet.getVehicleTypes({}, { priority: 'high' });
  await fleet.getVehicleTypes({}, { priority: 'low' });
  expect(gatePriorities).toEqual(['normal', 'high', 'low']);
});

describe('before a call takes its turn', () => {
  /** Returns a gate that records the state at each request for a turn. */
  const noting = (note: () => unknown): { gate: Gate; noted: unknown[] } => {
    const inner = localGate();
    const noted: unknown[] = [];
    const gate: Gate = {
      hold(key, task, options) {
        noted.push(note());
        return inner.hold(key, task, options);
      },
    };
    return { gate, noted };
  };

  test('it has a token: nobody waits for a login', async () => {
    const service = makeService();
    const { gate, noted } = noting(() => statusesOf(service, '/login/token'));
    await using fleet = makeClient(service, { gate });
    await fleet.getVehicleTypes();
    expect(noted).toEqual([[200]]);
  });

  test('the transport is loaded: nobody waits for modules', async () => {
    const service = makeService();
    const loading = createDeferred();
    let isLoaded = false;
    let prepared = 0;
    const transport: HttpTransport = {
      ...customFetchTransport(service.fetch),
      prepare: () => {
        prepared++;
        return isLoaded ? null : loading.promise;
      },
    };
    const { gate, noted } = noting(() => isLoaded);
    await using fleet = new ClientOver(() => transport, {
      baseUrl: 'http://service.test/api',
      credentials: { username: 'demo', password: 'demo' },
      clock: service.clock,
      gate,
    });
    const called = fleet.getVehicleTypes();
    while (prepared === 0 || statusesOf(service, '/login/userinfo').length === 0)
      await new Promise((r) => setImmediate(r));
    expect(noted).toEqual([]);
    isLoaded = true;
    loading.resolve();
    await called;
    await fleet.getVehicleTypes();
    expect(noted).toEqual([true, true]);
    expect(prepared).toBe(2);
  });

  /** Returns a client whose gate is opened by hand, and its requests to open a connection. */
  function waiting() {
    const service = makeService();
    const turn = createDeferred();
    const openRequests: string[] = [];
    const transport: HttpTransport = {
      ...customFetchTransport(service.fetch),
      open: (url) => openRequests.push(url),
    };
    const fleet = new ClientOver(() => transport, {
      baseUrl: 'http://service.test/api',
      credentials: { username: 'demo', password: 'demo' },
      clock: service.clock,
      gate: { hold: (_key, task) => turn.promise.then(task) },
    });
    return { service, turn, asked: openRequests, fleet };
  }

  test('a call that waits for its turn has its connection opened meanwhile', async () => {
    const { service, turn, asked: opened, fleet } = waiting();
    await using _ = fleet;
    const called = fleet.getVehicleTypes();
    while (opened.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(opened).toEqual(['http://service.test/api/graphql']);
    expect(statusesOf(service, '/graphql')).toEqual([]);
    turn.resolve();
    await called;
    const before = opened.length;
    await fleet.getVehicleTypes();
    await new Promise((resolve) => setImmediate(resolve));
    expect(opened).toHaveLength(before);
  });

  test('connect() opens the connection', async () => {
    const { asked: opened, fleet } = waiting();
    await using _ = fleet;
    await fleet.connect();
    expect(opened).toEqual(['http://service.test/api/graphql']);
  });

  test('connect() loads the transport; the call reports a failure of that in its own words', async () => {
    const service = makeService();
    let prepared = 0;
    const transport: HttpTransport = {
      ...customFetchTransport(service.fetch),
      prepare: async () => {
        prepared++;
        throw new Error('cannot be loaded');
      },
    };
    await using fleet = new ClientOver(() => transport, {
      baseUrl: 'http://service.test/api',
      credentials: { username: 'demo', password: 'demo' },
      clock: service.clock,
    });
    await fleet.connect();
    expect(prepared).toBe(1);
    expect((await fleet.getVehicleTypes()).length).toBeGreaterThan(0);
  });

  test('a caller that leaves while it gets ready is rejected, and takes no turn', async () => {
    const { gate, noted } = noting(() => 'turn');
    const service = makeService();
    let isStuck = true;
    const never = new Promise<void>(() => undefined);
    const transport: HttpTransport = {
      ...customFetchTransport(service.fetch),
      prepare: () => (isStuck ? never : null),
    };
    await using fleet = new ClientOver(() => transport, {
      baseUrl: 'http://service.test/api',
      credentials: { username: 'demo', password: 'demo' },
      user: { userId: '7c9e6679-7425-40de-944b-e07fc1f90ae7' },
      clock: service.clock,
      gate,
    });
    const leaving = new AbortController();
    const called = rejection(fleet.getVehicleTypes({}, { signal: leaving.signal }));
    while (statusesOf(service, '/login/token').length === 0) await new Promise((r) => setImmediate(r));
    leaving.abort();
    expect(await called).toMatchObject({ code: 'ABORTED' });
    expect(noted).toEqual([]);
    isStuck = false;
    const next = rejection(fleet.getVehicleTypes());
    // The service does not know this user; only the sending matters.
    expect(await next).toMatchObject({ attempts: 1 });
    expect(noted).toEqual(['turn']);
  });
});
