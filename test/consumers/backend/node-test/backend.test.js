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
  world.service.faults.add({ kind: 'status', status: 403, times: 2, operation: 'getVehicles' });
  assert.deepEqual(await world.get('/north/vehicles'), { status: 502, body: { problem: 'HTTP', retry: false } });
  assert.equal((await world.get('/north/vehicles')).status, 200);
});

test('a browser that changes a vehicle sees its change, and nobody else waits for it', async () => {
  const [{ id }, { id: other }] = (await world.get('/north/vehicles')).body;
  const begun = world.service.requests.length;
  const answers = await Promise.all([
    world.put(`/north/vehicles/${id}?plate=NEW-1`),
    world.put(`/north/vehicles/${id}?plate=NEW-2`),
    world.get(`/north/vehicles/${other}`),
  ]);
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200],
  );
  const [first, second] = answers.map(({ body }) => body.licensePlate);
  assert.ok(['NEW-1', 'NEW-2'].includes(first) && ['NEW-1', 'NEW-2'].includes(second));
  // Two changes, and three reads, merged or not, depending on their arrival.
  assert.ok(world.service.requests.length - begun <= 5);
});
