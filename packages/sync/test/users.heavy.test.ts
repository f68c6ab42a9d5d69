// Tests several users of a login who read trips and snapshots in parallel.
import { expect, test } from 'vitest';
import type { MockServiceOptions } from '../../../src/mock/service.js';
import { makeClient, makeService, rejection, START, statusesOf } from '../../../test/request/setup.js';
import { type SyncOptions, sqliteTarget, syncFleet } from '../src/index.js';
import { contentOf, tempFile } from './copies.js';

const fleet = 'Demo Fleet';
/** Two users with the whole fleet, and one with a group of it. */
const users: MockServiceOptions['users'] = [
  {
    username: 'demo',
    password: 'demo',
    entries: [
      { fleet, userName: 'first' },
      { fleet, userName: 'second' },
      { fleet, userName: 'of a group', group: 'Deliveries' },
    ],
  },
];
const options: SyncOptions = { since: new Date(START - 3_600_000), parts: ['trips', 'snapshots'] };

/** Returns a service, its user ids by name, and the requested vehicles of each user. */
async function serviceOfThree() {
  const service = makeService({ vehicles: 12, users });
  const login = makeClient(service);
  const ids = new Map((await login.listLoginUsers()).map(({ userName, userId }) => [userName, userId]));
  const userId = (name: string) => ids.get(name) ?? '';
  const vehiclesOf = new Map<string, Set<string>>();
  const watching =
    (before: (user: string) => Promise<void> = async () => undefined): typeof fetch =>
    async (input, init) => {
      const user = new Headers(init?.headers).get('userId') ?? '';
      const body = String(init?.body);
      if (body.includes('getSnapshots')) {
        const own = vehiclesOf.get(user) ?? new Set();
        vehiclesOf.set(user, own);
        for (const id of body.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? []) own.add(id);
        await before(user);
      }
      return service.fetch(input, init);
    };
  return { service, userId, vehiclesOf, watching };
}

test('who sees a vehicle reads it, side by side, and the copy is that of one user', async () => {
  const { service, userId, vehiclesOf, watching } = await serviceOfThree();
  const first = { userId: userId('first') };
  const alone = sqliteTarget(tempFile());
  await syncFleet(makeClient(service, { user: first }), alone, options);
  /** The first request of each user is answered when those of the others have come. */
  let waiting = 3;
  let release = () => {};
  const all = new Promise<void>((resolve) => {
    release = resolve;
  });
  const seen = new Set<string>();
  const sideBySide = watching(async (user) => {
    if (!seen.has(user) && --waiting === 0) release();
    seen.add(user);
    await all;
  });
  const together = sqliteTarget(tempFile());
  const others = ['second', 'of a group'].map((name) => ({ userId: userId(name) }));
  const report = await syncFleet(makeClient(service, { user: first, fetch: sideBySide }), together, {
    ...options,
    users: others,
  });
  expect(report.failures).toEqual([]);
  expect(await contentOf(together)).toEqual(await contentOf(alone));
  expect(statusesOf(service, '/graphql')).not.toContain(429);
  const ofGroup = await makeClient(service, { user: { userId: userId('of a group') } }).getVehicles();
  const groupVehicleIds = new Set(ofGroup.map(({ id }) => id));
  expect(groupVehicleIds.size).toBeLessThan(12);
  const read = [...(vehiclesOf.get(userId('of a group')) ?? [])];
  expect(read.length).toBeGreaterThan(0);
  expect(read.filter((id) => !groupVehicleIds.has(id))).toEqual([]);
  const counts = [...vehiclesOf.values()].map((own) => own.size);
  expect(counts.length).toBe(3);
  expect(Math.max(...counts)).toBeLessThanOrEqual(5);
});

test('writes nothing when one of them is not a user of the login', async () => {
  const { service } = await serviceOfThree();
  const target = sqliteTarget(tempFile());
  const client = makeClient(service, { user: { fleetName: fleet } });
  expect(await rejection(syncFleet(client, target, { ...options, users: [{ userId: '' }] }))).toMatchObject({
    code: 'INVALID_INPUT',
  });
  expect(statusesOf(service, '/graphql')).toEqual([]);
});

test('can be ended at any moment, and one user goes on', async () => {
  const { service, userId, watching } = await serviceOfThree();
  const stop = new AbortController();
  const aborting = watching(async (user) => {
    if (user === userId('second')) stop.abort();
  });
  const client = makeClient(service, { user: { userId: userId('first') }, fetch: aborting });
  const target = sqliteTarget(tempFile());
  const running = syncFleet(client, target, { ...options, users: [{ userId: userId('second') }], signal: stop.signal });
  expect(await rejection(running)).toMatchObject({ code: 'ABORTED' });
  const report = await syncFleet(makeClient(service, { user: { userId: userId('first') } }), target, options);
  expect(report.failures).toEqual([]);
  const alone = sqliteTarget(tempFile());
  await syncFleet(makeClient(service, { user: { userId: userId('first') } }), alone, options);
  expect(await contentOf(target)).toEqual(await contentOf(alone));
});
