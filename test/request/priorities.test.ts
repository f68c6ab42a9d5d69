// Priorities of calls: their order, the precedence of mutations, and the fair share of lower ones.
import { describe, expect, test } from 'vitest';
import { CallDeadline } from '../../src/core/deadline.js';
import { operations } from '../../src/generated/operation-table.js';
import type { CallOptions, Fetch, FleetClient, Priority } from '../../src/index.js';
import type { Call } from '../../src/request/call.js';
import { FailedRequest } from '../../src/request/failure-error.js';
import { Merging } from '../../src/request/merging.js';
import { TurnOrder, type Waiting } from '../../src/request/turn-order.js';
import { HandTimers } from './hand-timers.js';
import { makeQueue } from './inner.js';
import { createDeferred, makeClient, makeService, rejection } from './setup.js';

/** Returns a queue with an active request; `order` returns the later requests. */
function busyQueue(max = 0, refusesMerged = false) {
  const timers = new HandTimers();
  const sent: string[] = [];
  const opened = createDeferred();
  const queue = makeQueue(
    async (batch) => {
      const ids = Object.values(batch.payload().variables).join('+');
      if (ids === 'first') await opened.promise;
      else sent.push(ids);
      if (refusesMerged && ids.includes('+')) throw new FailedRequest(REFUSED, 1, false, 0);
      const names = ids.split('+').map((_, at, { length }) => (length === 1 ? 'getVehicleById' : `q${at}`));
      return { data: Object.fromEntries(names.map((name) => [name, null])), errors: [] };
    },
    timers,
    new Merging(max, timers, () => undefined),
  );
  const calls: Promise<unknown>[] = [];
  const ask = (
    id: string,
    priority: Priority,
    {
      caller = {},
      change = false,
      onUrgentCall,
    }: { caller?: object; change?: boolean; onUrgentCall?: () => void } = {},
  ) => {
    const field = operations.getVehicleById;
    const own = { name: field.name, document: field.document, variables: { id }, idempotent: false };
    const onWaitingCalls = (isUrgent: boolean) => isUrgent && onUrgentCall?.();
    const list = onUrgentCall && { expectedBytes: 0, maxBytes: 0, onWaitingCalls };
    const whose = { priority, caller, list };
    const call: Call = change ? { ...own, ...whose, kind: 'mutation' } : { ...own, ...whose, kind: 'query', field };
    calls.push(queue.run(call, new CallDeadline(1e9, undefined, timers)));
  };
  const order = async () => {
    opened.resolve();
    await Promise.all(calls);
    return sent;
  };
  const begin = async (onUrgentCall?: () => void) => {
    ask('first', 'normal', onUrgentCall ? { onUrgentCall } : {});
    await timers.pass(0);
  };
  return { ask, order, begin };
}

const REFUSED = { kind: 'status', status: 400, retryAfter: null, errors: [] } as const;

describe('what goes next', () => {
  test('high before normal before low, each in the order asked for', async () => {
    const { ask, order, begin } = busyQueue();
    await begin();
    ask('low 1', 'low');
    ask('normal 1', 'normal');
    ask('high 1', 'high');
    ask('low 2', 'low');
    ask('normal 2', 'normal');
    ask('high 2', 'high');
    expect(await order()).toEqual(['high 1', 'high 2', 'normal 1', 'normal 2', 'low 1', 'low 2']);
  });

  test('notifies the holder of a turn when a more urgent call waits for it, and only then', async () => {
    let notifications = 0;
    const { ask, begin, order } = busyQueue();
    await begin(() => notifications++);
    ask('low', 'low');
    ask('normal', 'normal');
    expect(notifications).toBe(0);
    ask('high', 'high');
    expect(notifications).toBe(1);
    await order();
  });

  test('notifies a call at once that gets its turn before more urgent ones', async () => {
    let notifications = 0;
    const { ask, begin, order } = busyQueue();
    await begin();
    ask('low', 'low', { onUrgentCall: () => notifications++ });
    for (let at = 1; at <= 12; at++) ask(`high ${at}`, 'high');
    expect(notifications).toBe(0);
    await order();
    expect(notifications).toBe(1);
  });

  test('calls made at the same moment too: nothing was sent before', async () => {
    const { ask, order } = busyQueue();
    ask('low', 'low');
    ask('high', 'high');
    expect(await order()).toEqual(['high', 'low']);
  });

  test('a low call waits for seven others at most, and so does a normal one', async () => {
    const { ask, order, begin } = busyQueue();
    await begin();
    ask('low', 'low');
    ask('normal', 'normal');
    for (let at = 1; at <= 12; at++) ask(`high ${at}`, 'high');
    const sent = await order();
    expect(sent.slice(0, 8)).toEqual([...Array.from({ length: 6 }, (_, at) => `high ${at + 1}`), 'normal', 'low']);
  });

  test('again and again: of any eight turns one is for low calls', async () => {
    const { ask, order, begin } = busyQueue();
    await begin();
    for (let at = 0; at < 5; at++) ask(`low ${at}`, 'low');
    for (let at = 0; at < 50; at++) ask(`high ${at}`, 'high');
    const places = (await order()).flatMap((id, at) => (id.startsWith('low') ? [at] : []));
    expect(places).toEqual([7, 15, 23, 31, 39]);
  });
});

describe('a change', () => {
  const [mine, other] = [{ name: 'mine' }, { name: 'other' }];

  test('goes before what its own caller asked for after it, however urgent that is', async () => {
    const { ask, order, begin } = busyQueue();
    await begin();
    ask('other read', 'normal', { caller: other });
    ask('change', 'low', { caller: mine, change: true });
    ask('read', 'high', { caller: mine });
    expect(await order()).toEqual(['change', 'read', 'other read']);
  });

  test('does not hold back what others ask for', async () => {
    const { ask, order, begin } = busyQueue();
    await begin();
    for (let at = 1; at <= 3; at++) ask(`change ${at}`, 'normal', { caller: mine, change: true });
    ask('other read', 'high', { caller: other });
    expect(await order()).toEqual(['other read', 'change 1', 'change 2', 'change 3']);
  });

  test('is not seen by what its caller asked for before it with the same priority, and overtakes what is less urgent', async () => {
    const { ask, order, begin } = busyQueue();
    await begin();
    ask('low read', 'low', { caller: mine });
    ask('read', 'normal', { caller: mine });
    ask('change', 'normal', { caller: mine, change: true });
    ask('urgent', 'high', { caller: mine });
    expect(await order()).toEqual(['read', 'change', 'urgent', 'low read']);
  });

  test('keeps apart what was asked for before and after it, in a merged request too', async () => {
    const { ask, order, begin } = busyQueue(50);
    await begin();
    ask('before', 'normal', { caller: mine });
    ask('change', 'low', { caller: mine, change: true });
    ask('after', 'normal', { caller: mine });
    ask('other', 'normal', { caller: other });
    expect(await order()).toEqual(['before', 'change', 'after+other']);
  });

  test('makes nobody else wait: a read that has to wait for it does not join theirs', async () => {
    const { ask, order, begin } = busyQueue(50);
    await begin();
    ask('change', 'low', { caller: mine, change: true });
    ask('other', 'normal', { caller: other });
    ask('after', 'normal', { caller: mine });
    expect(await order()).toEqual(['other', 'change', 'after']);
  });

  test('is not overtaken by joining a request that has its turn already', () => {
    const order = new TurnOrder<Waiting>();
    const item = (priority: Priority, caller: object, isFence = false): Waiting => ({
      ...{ priority, isFence, isAbandoned: false, place: 0 },
      callers: () => [caller],
    });
    const request = item('normal', other);
    for (let at = 0; at < 6; at++) order.add(item('high', other));
    order.add(item('high', mine, true));
    order.add(request);
    for (let at = 0; at < 6; at++) order.take();
    expect(order.mayJoin(request, mine)).toBe(true);
    // It has waited for all its turns, and goes before the mutation.
    expect(order.take()).toBe(request);
    expect(order.mayJoin(request, mine)).toBe(false);
    expect(order.mayJoin(request, other)).toBe(true);
  });

  test('whose caller has left holds nothing back', async () => {
    const service = makeService();
    const sent: string[] = [];
    const fetch: Fetch = (url, init) => {
      if (url.endsWith('/graphql'))
        sent.push(/\w+/.exec(String(JSON.parse(init.body ?? '').query).slice(6))?.[0] ?? '');
      return service.fetch(url, init);
    };
    const fleet = makeClient(service, { fetch });
    await fleet.getLabels();
    sent.length = 0;
    const leaving = new AbortController();
    const under = fleet.createGroup({ createGroupInput: { name: 'x' } });
    const left = rejection(
      fleet.createPerson({ createPersonInput: {} } as never, { signal: leaving.signal, priority: 'low' }),
    );
    const read = fleet.getRoles({}, { priority: 'high' });
    leaving.abort();
    await Promise.allSettled([under, left, read]);
    expect(sent.some((name) => name.includes('createPerson'))).toBe(false);
  });
});

test('neighbours of different priority are not merged', async () => {
  const { ask, order, begin } = busyQueue(50);
  await begin();
  for (const id of ['1', '2', '3']) {
    ask(`low ${id}`, 'low');
    ask(`high ${id}`, 'high');
  }
  expect(await order()).toEqual(['high 1+high 2+high 3', 'low 1+low 2+low 3']);
});

test('the parts of a refused document go before what was asked for later with their priority', async () => {
  const { ask, order, begin } = busyQueue(2, true);
  await begin();
  for (const id of ['1', '2', '3']) ask(id, 'normal');
  ask('low', 'low');
  expect(await order()).toEqual(['1+2', '1', '2', '3', 'low']);
});

describe('a look-up while many streams run', () => {
  /** Returns a client whose requests to /graphql are held and released one by one. */
  async function streaming(count: number) {
    const service = makeService({ vehicles: 10 });
    const held: { readonly body: string; readonly open: () => void }[] = [];
    let isHeld = false;
    const fetch: Fetch = async (url, init) => {
      if (url.endsWith('/graphql') && isHeld) {
        await new Promise<void>((open) => held.push({ body: init.body ?? '', open }));
      }
      return service.fetch(url, init);
    };
    const fleet = makeClient(service, { fetch, timeoutMs: Number.POSITIVE_INFINITY });
    const vehicles = await fleet.getActiveVehicles();
    isHeld = true;
    const to = new Date(service.clock.now());
    const from = new Date(to.getTime() - 3_600_000);
    const streams = Array.from({ length: count }, (_, at) => {
      const stream = fleet.streamSnapshots({ vehicleId: vehicles[at % vehicles.length]?.id ?? '', from, to });
      return { stream, row: stream.next() };
    });
    await new Promise((resolve) => setImmediate(resolve));
    const letOneThrough = async () => {
      held.shift()?.open();
      while (held.length === 0) await new Promise((resolve) => setImmediate(resolve));
    };
    return { fleet, held, letOneThrough, streams };
  }

  type Options = Pick<CallOptions, 'priority'>;
  test.each<[string, Options, (fleet: FleetClient, options: Options) => Promise<unknown>]>([
    ['high', { priority: 'high' }, (fleet, options) => fleet.getLabels({}, options)],
    ['of no priority', {}, (fleet, options) => fleet.getLabels({}, options)],
    ['that is a change', {}, (fleet, options) => fleet.createGroup({ createGroupInput: { name: 'x' } }, options)],
  ])('%s: waits for one request at most', async (_, options, lookUp) => {
    const { fleet, held, letOneThrough, streams } = await streaming(300);
    expect(held.map(({ body }) => body.includes('getSnapshots'))).toEqual([true]);
    const answered = lookUp(fleet, options);
    await letOneThrough();
    expect(held.map(({ body }) => /getLabels|createGroup/.test(body))).toEqual([true]);
    await letOneThrough();
    await answered;
    for (const { stream, row } of streams) {
      row.catch(() => undefined);
      void stream.return?.();
    }
    await fleet.close();
  });
});
