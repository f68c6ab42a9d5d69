// The first document of a process loads graphql. No call made meanwhile overtakes it or is lost.
import { beforeEach, expect, test, vi } from 'vitest';
import type * as Setup from './setup.js';

let setup: typeof Setup;

beforeEach(async () => {
  vi.resetModules();
  setup = await import('./setup.js');
});

const change = 'mutation { createGroup(createGroupInput: { name: "North" }) { id } }';

test('a call that is made after it is sent after it', async () => {
  const service = setup.makeService();
  const fleet = setup.makeClient(service);
  const [, groups] = await Promise.all([fleet.request(change), fleet.getGroups({}, { select: { name: true } })]);
  expect(groups).toContainEqual({ name: 'North' });
});

test('close() with a time to drain waits for it', async () => {
  const service = setup.makeService();
  const fleet = setup.makeClient(service);
  const changed = fleet.request(change);
  await fleet.close({ drainMs: 10_000 });
  await expect(changed).resolves.toHaveProperty('createGroup');
});

test('nothing is sent when it is not valid, and the next one is read', async () => {
  const service = setup.makeService();
  const fleet = setup.makeClient(service);
  expect(await setup.rejection(fleet.request('{ getGroups { id '))).toMatchObject({ code: 'INVALID_INPUT' });
  expect(service.requests).toEqual([]);
  expect(await fleet.request('{ getGroups { id } }')).toHaveProperty('getGroups');
});
