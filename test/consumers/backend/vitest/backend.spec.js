import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWorld } from '../src/world.js';

let world;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

test('each tenant sees its own vehicles', async () => {
  const [north, south] = [await world.get('/north/vehicles'), await world.get('/south/vehicles')];
  expect(north.status).toBe(200);
  const idsOf = ({ body }) => body.map(({ id }) => id);
  expect(idsOf(north).length).toBeGreaterThan(0);
  expect(idsOf(north).filter((id) => idsOf(south).includes(id))).toEqual([]);
  const { status } = await world.get(`/south/vehicles/${idsOf(north)[0]}`);
  expect(status).not.toBe(200);
});

test('an id that is none is refused before anything is sent', async () => {
  const before = world.service.requests.length;
  expect(await world.get('/north/vehicles/not-a-uuid')).toEqual({
    status: 400,
    body: { problem: 'INVALID_INPUT', retry: false },
  });
  expect(world.service.requests).toHaveLength(before);
});

test('a fault of the service becomes an answer', async () => {
  world.service.faults.add({ kind: 'status', status: 403, times: 2, operation: 'getVehicles' });
  expect(await world.get('/north/vehicles')).toEqual({ status: 502, body: { problem: 'HTTP', retry: false } });
  expect((await world.get('/north/vehicles')).status).toBe(200);
});
