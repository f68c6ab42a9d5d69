// Tests that a copy refuses another service or user, which would mark all of it as deleted.
import { expect, test } from 'vitest';
import { makeClient, makeService, rejection } from '../../../test/request/setup.js';
import { previewSync, type SyncOptions, sqliteTarget, syncFleet } from '../src/index.js';
import { contentOf, query, tempFile } from './copies.js';

const parts: SyncOptions = { parts: ['vehicles', 'labels'] };
const multi = { username: 'multi', password: 'multi' };
const live = 'SELECT count(*) FROM vehicles WHERE deleted_at IS NULL';

/** Copies a fleet of two vehicles. */
async function copied() {
  const service = makeService({ vehicles: 2 });
  const file = tempFile();
  const fleet = makeClient(service);
  await syncFleet(fleet, sqliteTarget(file), parts);
  return { service, fleet, file, target: sqliteTarget(file) };
}

test('the same user of the same service goes on, however the user was selected', async () => {
  const { service, fleet, target } = await copied();
  const { baseUrl, user } = await fleet.identity();
  expect(baseUrl).toBe('http://service.test/api');
  await syncFleet(makeClient(service, { baseUrl: `${baseUrl}/`, user: { userId: user } }), target, parts);
});

test('a user of another service is refused, and nothing is changed', async () => {
  const { file, target } = await copied();
  const before = await contentOf(target);
  const other = makeClient(makeService({ vehicles: 3, seed: 2 }), { baseUrl: 'http://other.test' });
  const refusal = { reason: 'OTHER_ORIGIN', message: expect.stringContaining('another service') };
  expect(await rejection(syncFleet(other, target, parts))).toMatchObject(refusal);
  expect(await rejection(previewSync(other, target, parts))).toMatchObject(refusal);
  expect(await contentOf(target)).toEqual(before);
  expect(await query(file, live)).toEqual([[2]]);
});

test('another user of the service is refused', async () => {
  const { service, target } = await copied();
  const login = makeClient(service, { credentials: multi });
  const [, second] = await login.listLoginUsers();
  const error = await rejection(syncFleet(login.forUser({ userId: second?.userId ?? '' }), target, parts));
  expect(error).toMatchObject({
    reason: 'OTHER_ORIGIN',
    message: expect.stringContaining('another user of this service'),
  });
});

test('adopt goes on with the copy, which is the copy of the new fleet from then on', async () => {
  const { fleet, file, target } = await copied();
  const other = makeClient(makeService({ vehicles: 3, seed: 2 }), { baseUrl: 'http://other.test' });
  await syncFleet(other, target, { ...parts, adopt: true });
  expect(await query(file, live)).toEqual([[3]]);
  await syncFleet(other, target, parts);
  expect(await rejection(syncFleet(fleet, target, parts))).toMatchObject({ reason: 'OTHER_ORIGIN' });
});

test('the copy holds neither the address nor the user', async () => {
  const { fleet, file } = await copied();
  const { user } = await fleet.identity();
  const state = JSON.stringify(await query(file, 'SELECT * FROM sync_state'));
  expect(state).toMatch(/origin.{3}[0-9a-f]{16} [0-9a-f]{16}"/);
  expect([state.includes('service.test'), state.includes(user)]).toEqual([false, false]);
});
