// One active request per user, under the service's real 429 rule.
import { describe, expect, test } from 'vitest';
import { CallDeadline, DeadlineExceeded } from '../../src/core/deadline.js';
import type { Fetch } from '../../src/index.js';
import type { Call, CallAnswer } from '../../src/request/call.js';
import { held, untilHeld } from '../held.js';
import { HandTimers } from './hand-timers.js';
import { makeQueue } from './inner.js';
import { countRuns, createDeferred, makeClient, makeService, rejection, statusesOf } from './setup.js';

describe('the lane of a user', () => {
  test('100 calls at once meet no 429, and run in order', async () => {
    const service = makeService();
    const fleet = makeClient(service);
    const calls = Array.from({ length: 100 }, (_, index) =>
      index % 10 === 9 ? fleet.createGroup({ createGroupInput: { name: `group ${index}` } }) : fleet.getVehicleTypes(),
    );
    await Promise.all(calls);
    expect(new Set(statusesOf(service, '/graphql'))).toEqual(new Set([200]));
    const order = service.requests.flatMap(({ operations }) => operations);
    expect(order.filter((name) => name === 'createGroup')).toHaveLength(10);
    expect(order[9]).toBe('createGroup');
  });

  test('is shared by siblings and by other clients of the process that use the same fetch', async () => {
    const service = makeService({ latencyMs: 2 });
    const fleet = makeClient(service, { merge: false });
    const [user] = await fleet.listLoginUsers();
    const sibling = fleet.forUser({ userId: user?.userId ?? '' });
    const stranger = makeClient(service, { merge: false });
    await Promise.all([fleet, sibling, stranger, fleet, stranger].map((client) => client.getVehicleTypes()));
    expect(statusesOf(service, '/graphql')).toEqual([200, 200, 200, 200, 200]);
  });

  test('two users of a login are active at the same time', async () => {
    const service = makeService();
    const both = createDeferred();
    let active = 0;
    const fetch: Fetch = async (url, init) => {
      if (url.endsWith('/graphql')) {
        if (++active === 2) both.resolve();
        await both.promise;
      }
      return service.fetch(url, init);
    };
    const fleet = makeClient(service, { fetch, credentials: { username: 'multi', password: 'multi' } });
    const [north, south] = await fleet.listLoginUsers();
    const clients = [north, south].map((user) => fleet.forUser({ userId: user?.userId ?? '' }));
    const lists = await Promise.all(clients.map((client) => client.getVehicles()));
    expect(lists.every((list) => list.length > 0)).toBe(true);
    expect(statusesOf(service, '/graphql')).toEqual([200, 200]);
  });

  test('a fleet id shares the lane of its user', async () => {
    const service = makeService({ latencyMs: 2 });
    const fleet = makeClient(service);
    const [user] = await fleet.listLoginUsers();
    const byFleet = fleet.forUser({ fleetId: user?.fleetId ?? '' });
    const byUser = fleet.forUser({ userId: user?.userId ?? '' });
    const [one, other] = await Promise.all([byFleet.getVehicleTypes(), byUser.getVehicleTypes()]);
    expect(one).toEqual(other);
    expect(statusesOf(service, '/graphql')).toEqual([200, 200]);
  });

  test('a 429 of one call makes those behind it wait, not fail', async () => {
    const service = makeService();
    const warnings: string[] = [];
    const fleet = makeClient(service, { merge: false, hooks: { onWarning: ({ code }) => warnings.push(code) } });
    await fleet.login();
    service.faults.add({ kind: 'status', status: 429, path: '/graphql', times: 3 });
    await Promise.all(Array.from({ length: 5 }, () => fleet.getVehicleTypes()));
    // Only the first call got it; one warning reports the shared login.
    expect(statusesOf(service, '/graphql')).toEqual([429, 429, 429, 200, 200, 200, 200, 200]);
    expect(warnings).toEqual(['SHARED_LOGIN']);
  });

  test('a call that left its place is never sent', async () => {
    const service = makeService();
    service.faults.add({ ...held, path: '/graphql' });
    const fleet = makeClient(service);
    const controller = new AbortController();
    const first = fleet.getVehicleTypes();
    await untilHeld(service);
    const second = rejection(fleet.createGroup({ createGroupInput: { name: 'x' } }, { signal: controller.signal }));
    controller.abort();
    service.faults.clear();
    await Promise.all([first, second]);
    await fleet.getVehicleTypes();
    expect(countRuns(service, 'createGroup')).toBe(0);
  });
});

describe('the lane itself, in time moved by hand', () => {
  const call: Call = { name: 'x', kind: 'query', document: '{ x }', variables: {}, idempotent: false };
  const answer: CallAnswer = { data: {}, errors: [], attempts: 1 };

  test('one turn at a time, in order', async () => {
    const timers = new HandTimers();
    const turns: { name: string; end: () => void }[] = [];
    const lane = makeQueue(
      ({ call: { name } }) => new Promise((resolve) => turns.push({ name, end: () => resolve(answer) })),
      timers,
    );
    const names = ['a', 'b', 'c'];
    const calls = names.map((name) => lane.run({ ...call, name }, new CallDeadline(1000, undefined, timers)));
    for (const [index, each] of calls.entries()) {
      await timers.pass(0);
      expect(turns.map(({ name }) => name)).toEqual(names.slice(0, index + 1));
      turns[index]?.end();
      await each;
    }
  });

  test("a 429's pause outlasts the call that met it", async () => {
    const timers = new HandTimers();
    const started: string[] = [];
    const lane = makeQueue(async ({ call: { name }, user, deadline: patience }) => {
      started.push(name);
      if (name === 'first') {
        user.pausedUntil = timers.now() + 1000;
        await patience.wait(1000);
      }
      return answer;
    }, timers);
    const leaving = new AbortController();
    const first = rejection(lane.run({ ...call, name: 'first' }, new CallDeadline(60_000, leaving.signal, timers)));
    const second = lane.run({ ...call, name: 'second' }, new CallDeadline(60_000, undefined, timers));
    await timers.pass(0);
    await timers.pass(400);
    leaving.abort();
    expect(await first).toMatchObject({ code: 'ABORTED' });
    await timers.pass(599);
    expect(started).toEqual(['first']);
    await timers.pass(1);
    expect(await second).toMatchObject({ data: answer.data, errors: [] });
    expect(started).toEqual(['first', 'second']);
  });

  test('a request whose caller is gone gets 5 s more, and is then given up', async () => {
    const timers = new HandTimers();
    const giveUps: boolean[] = [];
    const lane = makeQueue(
      ({ call: { name }, giveUp, progress }) =>
        new Promise((resolve, reject) => {
          if (name === 'second') return resolve(answer);
          progress.isOnWire = true;
          giveUp.addEventListener('abort', () => {
            giveUps.push(true);
            reject(new DeadlineExceeded({ kind: 'timeout' }));
          });
        }),
      timers,
    );
    const first = rejection(lane.run(call, new CallDeadline(1000, undefined, timers)));
    const second = lane.run({ ...call, name: 'second' }, new CallDeadline(60_000, undefined, timers));
    await timers.pass(0);
    await timers.pass(1000);
    expect(await first).toMatchObject({ code: 'TIMEOUT' });
    await timers.pass(4999);
    expect(giveUps).toEqual([]);
    await timers.pass(1);
    expect(giveUps).toEqual([true]);
    expect(await second).toMatchObject({ data: answer.data, errors: [] });
  });
});
