import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openWorld } from '../src/world.js';

let world;
before(async () => {
  world = await openWorld();
});
after(() => world.close());

test('each tenant sees its own vehicles', async () => {
  const [north, south] = [await world.get('/north/vehicles'), await world.get('/south/vehicles')];
  assert.equal(north.status, 200);
  const idsOf = ({ body }) => body.map(({ id }) => id);
  assert.ok(idsOf(north).length > 0);
  assert.deepEqual(
    idsOf(north).filter((id) => idsOf(south).includes(id)),
    [],
  );
  const { status } = await world.get(`/south/vehicles/${idsOf(north)[0]}`);
  assert.notEqual(status, 200);
});

test('an id that is none is refused before anything is sent', async () => {
  const before = world.service.requests.length;
  assert.deepEqual(await world.get('/north/vehicles/not-a-uuid'), {
    status: 400,
    body: { problem: 'INVALID_INPUT', retry: false },
  });
  assert.equal(world.service.requests.length, before);
});

test('a fault of the service becomes an answer', async () => {
  world.service.faults.add({ kind: 'status', status: 403, times: 1, operation: 'getVehicles' });
  assert.deepEqual(await world.get('/north/vehicles'), { status: 502, body: { problem: 'HTTP', retry: false } });
  assert.equal((await world.get('/north/vehicles')).status, 200);
});
