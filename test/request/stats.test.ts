// fleet.stats(): waiting calls, active requests, and the counts of each user.
import { expect, test } from 'vitest';
import type { ClientStats, Fetch } from '../../src/index.js';
import { createDeferred, makeClient, makeService, rejection } from './setup.js';

async function held(credentials = { username: 'demo', password: 'demo' }) {
  const service = makeService();
  const opened = createDeferred();
  let isHeld = false;
  const fetch: Fetch = async (url, init) => {
    if (url.endsWith('/graphql') && isHeld) await opened.promise;
    return service.fetch(url, init);
  };
  const fleet = makeClient(service, { fetch, credentials, label: 'north' });
  const users = await fleet.listLoginUsers();
  const hold = () => {
    isHeld = true;
  };
  const passed = () => new Promise((resolve) => setImmediate(resolve));
  return { service, fleet, users, hold, open: opened.resolve, passed };
}

function only({ users }: ClientStats) {
  expect(users).toHaveLength(1);
  return users[0];
}

test('nothing is known before the first call', async () => {
  const { fleet } = await held();
  expect(fleet.stats()).toEqual({ label: 'north', users: [] });
});

test('what waits and what is under way, by operation and priority', async () => {
  const { fleet, users, hold, open, passed } = await held();
  await fleet.getLabels();
  hold();
  const calls: Promise<unknown>[] = [fleet.createGroup({ createGroupInput: { name: 'x' } })];
  await passed();
  calls.push(fleet.getRoles(), fleet.getRoles(), fleet.getVehicleTypes({}, { priority: 'low' }));
  const leaving = new AbortController();
  const left = rejection(fleet.getPeople({}, { signal: leaving.signal, priority: 'high' }));
  leaving.abort();
  expect(only(fleet.stats())).toMatchObject({
    user: users[0]?.userId,
    waiting: [
      { operation: 'getRoles', priority: 'normal', calls: 2, forMs: expect.any(Number) },
      { operation: 'getVehicleTypes', priority: 'low', calls: 1, forMs: expect.any(Number) },
    ],
    active: { operations: ['createGroup'], calls: 1, attempts: 1, isOnWire: true, forMs: expect.any(Number) },
  });
  open();
  await Promise.all([...calls, left]);
  expect(only(fleet.stats())).toMatchObject({ waiting: [], active: null });
});

test('requests, merged calls, refusals and bytes add up; a login is not counted', async () => {
  const { service, fleet } = await held();
  service.clearRequests();
  await Promise.all([fleet.getRoles(), fleet.getLabels(), fleet.getLabels()]);
  await fleet.getLabels();
  expect(only(fleet.stats())).toMatchObject({ requests: 2, mergedCalls: 3, refusals: 0 });
  service.faults.add({ kind: 'status', status: 429, path: '/graphql' });
  const before = only(fleet.stats())?.bytes ?? 0;
  expect(before).toBeGreaterThan(100);
  await Promise.all([fleet.getRoles(), fleet.getLabels()]);
  expect(only(fleet.stats())).toMatchObject({ requests: 4, mergedCalls: 5, refusals: 1 });
  expect(only(fleet.stats())?.bytes).toBeGreaterThan(before);
});

test('a sibling shows the same, each user by itself', async () => {
  const { fleet, users } = await held({ username: 'multi', password: 'multi' });
  const siblings = users.map(({ userId }) => fleet.forUser({ userId }));
  for (const sibling of siblings) await sibling.getLabels();
  const { users: shown } = fleet.stats();
  expect(shown.map(({ user, requests }) => [user, requests])).toEqual(users.map(({ userId }) => [userId, 1]));
  expect(siblings[0]?.stats()).toEqual(fleet.stats());
});
