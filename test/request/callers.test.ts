// A call waits for mutations of its own client object, incoming HTTP request, or fork.
import { AsyncResource } from 'node:async_hooks';
import { get } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Fetch, type FleetApi, FleetClient } from '../../src/index.js';
import { type Served, serve } from './http-server.js';
import { makeClient, makeService } from './setup.js';

const service = makeService();
beforeEach(() => service.reset());

/** Returns a client whose requests to /graphql are held until `openAll`. */
function heldClient() {
  const held: (() => void)[] = [];
  let isHeld = false;
  let before = 0;
  let arrived = () => {};
  const fetch: Fetch = async (url, init) => {
    if (isHeld && url.endsWith('/graphql')) {
      const turn = new Promise<void>((open) => held.push(open));
      arrived();
      await turn;
    }
    return service.fetch(url, init);
  };
  const fleet = makeClient(service, { fetch });
  const hold = async () => {
    await fleet.getVehicleTypes();
    before = service.requests.length;
    isHeld = true;
  };
  const next = async () => {
    if (held.length === 0) await new Promise<void>((resolve) => (arrived = resolve));
  };
  /** Releases all requests in turn, and returns their operations. */
  const openAll = async (calls: readonly Promise<unknown>[]) => {
    isHeld = false;
    for (const turn of held.splice(0)) turn();
    await Promise.all(calls);
    return service.requests.slice(before).map(({ operations }) => operations.join('+'));
  };
  return { fleet, hold, next, openAll };
}

const change = (fleet: FleetApi, name: string) => fleet.createGroup({ createGroupInput: { name } });
/** Code without its async context, such as pools and event listeners. */
const outside = AsyncResource.bind(<Result>(call: () => Result): Result => call());

describe('a program that serves HTTP with one client', () => {
  let server: Served;
  let handler: (path: string) => Promise<unknown> | undefined;
  const handled: Promise<unknown>[] = [];
  beforeEach(async () => {
    server = await serve((request, response) => {
      const work = handler(request.url ?? '');
      if (work) handled.push(work);
      response.end();
    });
  });
  afterEach(() => server.close());
  const ask = (path: string) =>
    new Promise<void>((resolve, reject) => {
      get(server.url + path, (response) => response.resume().on('end', resolve)).on('error', reject);
    });

  async function serving(handlers: Readonly<Record<string, (fleet: FleetClient) => Promise<unknown>>>) {
    const held = heldClient();
    handled.length = 0;
    handler = (path) => handlers[path.slice(1)]?.(held.fleet);
    await held.hold();
    // Incoming requests are distinguished from the first mutation on.
    const first = change(held.fleet, 'first');
    await held.next();
    return { ...held, openAll: () => held.openAll([first, ...handled]) };
  }

  test('an urgent read does not wait for changes that other requests make', async () => {
    const { openAll } = await serving({
      changes: (fleet) => Promise.all(['a', 'b', 'c'].map((name) => change(fleet, name))),
      live: (fleet) => fleet.getRoles({}, { priority: 'high' }),
    });
    await ask('/changes');
    await ask('/live');
    expect(await openAll()).toEqual(['createGroup', 'getRoles', 'createGroup', 'createGroup', 'createGroup']);
  });

  test('reads of other requests join those that wait before a change', async () => {
    const { openAll } = await serving({
      roles: (fleet) => fleet.getRoles(),
      labels: (fleet) => fleet.getLabels(),
      change: (fleet) => change(fleet, 'a'),
    });
    for (const path of ['/roles', '/change', '/labels', '/change']) await ask(path);
    expect(await openAll()).toEqual(['createGroup', 'getRoles+getLabels', 'createGroup', 'createGroup']);
  });

  test('a read waits for a change of its own request that nobody awaited, also in a function that it called', async () => {
    const { openAll } = await serving({
      page: async (fleet) => {
        const save = async () => {
          await new Promise((resolve) => setImmediate(resolve));
          return { changed: change(fleet, 'a') };
        };
        const { changed } = await save();
        await Promise.all([changed, fleet.getRoles({}, { priority: 'high' })]);
      },
      labels: (fleet) => fleet.getLabels(),
    });
    await ask('/labels');
    await ask('/page');
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    const sent = await openAll();
    expect(sent.indexOf('getRoles')).toBe(sent.lastIndexOf('createGroup') + 1);
  });

  test('a read waits for a change that its own code makes outside of the context of the request', async () => {
    const { openAll } = await serving({
      page: (fleet) => Promise.all([outside(() => change(fleet, 'a')), fleet.getRoles({}, { priority: 'high' })]),
    });
    await ask('/page');
    expect(await openAll()).toEqual(['createGroup', 'createGroup', 'getRoles']);
  });

  test('a read outside of the context of a request waits for the changes of requests', async () => {
    const { openAll } = await serving({
      page: (fleet) => Promise.all([change(fleet, 'a'), outside(() => fleet.getRoles({}, { priority: 'high' }))]),
    });
    await ask('/page');
    expect(await openAll()).toEqual(['createGroup', 'createGroup', 'getRoles']);
  });

  test('a change waits for the reads before it, in and outside of requests', async () => {
    const { openAll } = await serving({
      page: (fleet) => Promise.all([outside(() => fleet.getRoles()), change(fleet, 'a'), fleet.getLabels()]),
      job: (fleet) => Promise.all([fleet.getRoles(), outside(() => change(fleet, 'b'))]),
    });
    await ask('/page');
    await ask('/job');
    expect(await openAll()).toEqual(['createGroup', 'getRoles', 'createGroup', 'getLabels+getRoles', 'createGroup']);
  });

  test('a change that was made while the program started holds back no request', async () => {
    const { openAll } = await serving({ live: (fleet) => fleet.getRoles({}, { priority: 'high' }) });
    await ask('/live');
    expect(await openAll()).toEqual(['createGroup', 'getRoles']);
  });
});

describe('a fork', () => {
  test('does not wait for changes of the client it was made from, nor that one for its changes', async () => {
    const { fleet, hold, next, openAll } = heldClient();
    await hold();
    const calls = [change(fleet, 'first')];
    await next();
    const fork = fleet.fork();
    calls.push(change(fleet, 'a'), change(fork, 'b'), fork.fork().getRoles({}, { priority: 'high' }) as never);
    expect(await openAll(calls)).toEqual(['createGroup', 'getRoles', 'createGroup', 'createGroup']);
  });

  test('waits for its own changes', async () => {
    const { fleet, hold, next, openAll } = heldClient();
    await hold();
    const calls: Promise<unknown>[] = [change(fleet, 'first')];
    await next();
    const fork = fleet.fork();
    calls.push(change(fork, 'a'), fork.getRoles({}, { priority: 'high' }));
    expect(await openAll(calls)).toEqual(['createGroup', 'createGroup', 'getRoles']);
  });

  test('watches for itself: its reading waits for its own changes, not for those of the client', async () => {
    const { fleet, hold, next, openAll } = heldClient();
    const other = fleet.watchStatus({ snapshot: true });
    await other.next();
    await hold();
    const calls: Promise<unknown>[] = [change(fleet, 'first')];
    await next();
    const fork = fleet.fork();
    const watch = fork.watchStatus({ snapshot: true });
    calls.push(fleet.createPerson({ personInput: { firstName: 'b', lastName: 'c' } }, { priority: 'low' }));
    calls.push(fork.createGroup({ createGroupInput: { name: 'a' } }, { priority: 'low' }), watch.next());
    expect(await openAll(calls)).toEqual(['createGroup', 'createGroup', 'getVehicles', 'createPerson']);
    await Promise.all([watch.return?.(), other.return?.()]);
  });

  test('has the user, the session and the queue of the client it was made from', async () => {
    const several = makeService();
    const fleet = makeClient(several);
    const fork = fleet.fork();
    expect(fork).toBeInstanceOf(FleetClient);
    const [one, other] = await Promise.all([fleet.identity(), fork.identity()]);
    expect(other).toEqual(one);
    await Promise.all([fleet.getRoles(), fork.getLabels()]);
    expect(several.requests.filter(({ path }) => path.endsWith('/graphql'))).toHaveLength(1);
    expect(several.requests.filter(({ path }) => path.includes('/login'))).toHaveLength(2);
    expect(fork.stats()).toEqual(fleet.stats());
  });
});
