// Control of the service in process and under /__mock/: clock, faults, journal, reset, snapshots.
import { beforeEach, describe, expect, test } from 'vitest';
import { createMockService, type MockService } from '../../src/mock/service.js';
import { held, untilHeld } from '../held.js';
import { recordsOf } from '../records-of.js';
import { answerOf, type Caller, caller, form, frozenService, hour, noon, tokens, users } from './caller.js';

let service: MockService;
let demo: Caller;
beforeEach(async () => {
  service = frozenService();
  demo = await caller(service.fetch);
});

const control = async (method: string, path: string, body?: unknown) => {
  const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
  const answer = await answerOf(await service.fetch(`http://mock.test/__mock/${path}`, init));
  return { status: answer.status, body: answer.text === '' ? null : JSON.parse(answer.text) };
};

const rename = (name: string) =>
  demo.data(
    'mutation ($g: UUID!, $n: String!) { updateGroup(groupId: $g, updateGroupInput: { name: $n }) { version } }',
    {
      g: groupId(),
      n: name,
    },
  );
const groupId = () => recordsOf(service).groups[0]?.id;
const groupName = async () => (await demo.data('{ getGroups { name } }')).getGroups[0].name;

describe('the clock', () => {
  test('runs from where it was set, stands when frozen, and moves', async () => {
    let source = 1000;
    const { clock } = createMockService({ clock: { now: () => source } });
    expect(clock.now()).toBe(1000);
    clock.set('2026-01-01T00:00:00Z');
    source += 5;
    expect(clock.now()).toBe(Date.UTC(2026, 0, 1) + 5);
    clock.freeze(true);
    source += 100;
    clock.advance(1000);
    expect(clock.now()).toBe(Date.UTC(2026, 0, 1) + 1005);
    clock.freeze(false);
    source += 1;
    expect(clock.now()).toBe(Date.UTC(2026, 0, 1) + 1006);
    expect(() => clock.set('tomorrow')).toThrow(RangeError);
  });

  test('over HTTP, and an unknown key is 400', async () => {
    expect(await control('GET', 'health')).toEqual({
      status: 200,
      body: { status: 'ok', now: '2026-03-04T12:00:00.000Z' },
    });
    expect((await control('POST', 'clock', { advance: hour })).body).toEqual({ now: '2026-03-04T13:00:00.000Z' });
    expect((await control('POST', 'clock', { set: '2026-05-01T00:00:00Z' })).body).toEqual({
      now: '2026-05-01T00:00:00.000Z',
    });
    expect((await control('POST', 'clock', { freeze: true })).status).toBe(200);
    for (const wrong of [
      {},
      { jump: 1 },
      { advance: 'soon' },
      { set: 'noon' },
      { freeze: 1 },
      { advance: 1, freeze: true },
      [],
    ]) {
      expect((await control('POST', 'clock', wrong)).status).toBe(400);
    }
    expect((await control('GET', 'health')).body.now).toBe('2026-05-01T00:00:00.000Z');
  });
});

describe('faults', () => {
  const query = '{ getRoles { id } }';
  const status = async () => (await demo(query)).status;

  test('are counted, in order, and only hit what they name', async () => {
    service.faults.add({ kind: 'status', status: 502, operation: 'getRoles', times: 2 });
    service.faults.add({ kind: 'status', status: 504, path: '/login/refresh' });
    expect((await demo('{ getLabels { id } }')).status).toBe(200);
    expect([await status(), await status(), await status()]).toEqual([502, 502, 200]);
    expect(service.faults.list()).toHaveLength(1);
    service.faults.clear();
    expect(service.faults.list()).toEqual([]);
  });

  test('spare requests that are refused anyway', async () => {
    service.faults.add({ kind: 'status', path: '/graphql' });
    const answer = await service.fetch('http://mock.test/graphql', { method: 'POST', body: '{}' });
    expect(answer.status).toBe(401);
    expect(await status()).toBe(503);
  });

  test('a delayed request is active, and another fault applies to it too', async () => {
    service.faults.add(held);
    service.faults.add({ kind: 'status', status: 500 });
    const first = demo(query);
    await untilHeld(service);
    expect(await status()).toBe(429);
    service.faults.clear();
    expect((await first).status).toBe(500);
  });

  test('html and malformed: an error page instead of the service, a broken answer after it ran', async () => {
    service.faults.add({ kind: 'html' });
    const page = await demo(query);
    expect(page.status).toBe(502);
    expect(page.headers.get('content-type')).toContain('text/html');
    service.faults.add({ kind: 'malformed' });
    const broken = await rename('Broken').catch((error: Error) => error.message);
    expect(broken).toContain('answered 200');
    expect(await groupName()).toBe('Broken');
  });

  test('reset and truncate in process: the rejection of a broken connection, a body that ends in an error', async () => {
    service.faults.add({ kind: 'reset' });
    const reset = await rename('Reset').catch((error: Error) => error);
    expect(reset).toBeInstanceOf(TypeError);
    expect(reset).toMatchObject({ message: 'fetch failed', cause: { code: 'ECONNRESET' } });
    expect(await groupName()).toBe('Reset');
    service.faults.add({ kind: 'truncate' });
    await expect(demo(query)).rejects.toThrow('terminated');
    expect(await status()).toBe(200);
  });

  test('graphqlError: the named field is null with an error that has its path, the rest arrives, and it did not run', async () => {
    service.faults.add({ kind: 'graphqlError', operation: 'deleteGroup', message: 'php-exception' });
    const created = await demo.data('mutation { createGroup(createGroupInput: { name: "Kept" }) { id } }');
    const answer = await demo(
      'mutation ($g: UUID!) { gone: deleteGroup(groupId: $g) createGroup(createGroupInput: { name: "New" }) { name } }',
      { g: created.createGroup.id },
    );
    expect(answer.data).toEqual({ gone: null, createGroup: { name: 'New' } });
    expect(answer.errors).toMatchObject([
      { message: 'php-exception', path: ['gone'], extensions: { classification: 'DataFetchingException' } },
    ]);
    const { getGroups } = await demo.data('{ getGroups { name } }');
    expect(getGroups.some(({ name }: { name: string }) => name === 'Kept')).toBe(true);
  });

  test('refuses an invalid rule, in process and over HTTP', async () => {
    expect((await control('POST', 'faults', { kind: 'status', status: 503, times: 2 })).status).toBe(201);
    expect((await control('GET', 'faults')).body.faults).toMatchObject([{ kind: 'status', times: 2 }]);
    for (const wrong of [
      {},
      { kind: 'fire' },
      { kind: 'status', odds: 1 },
      { kind: 'status', times: 0 },
      { kind: 'delay' },
      { kind: 'reset', path: 'graphql' },
    ]) {
      expect((await control('POST', 'faults', wrong)).status, JSON.stringify(wrong)).toBe(400);
    }
    // @ts-expect-error: not a kind
    expect(() => service.faults.add({ kind: 'fire' })).toThrow(TypeError);
    expect((await control('DELETE', 'faults')).status).toBe(204);
    expect(service.faults.list()).toEqual([]);
  });
});

test('the journal shows who requested what, and holds no secret', async () => {
  service.clearRequests();
  await demo('query ($p: String!) { getVehiclesByVin(vin: $p) { id } getRoles { id } }', { p: 'sesame' });
  await service.fetch('http://mock.test/login/token', {
    method: 'POST',
    body: form({ username: 'sesame', password: 'sesame' }),
  });
  await demo('{ sesame }');
  expect(service.requests).toMatchObject([
    {
      at: '2026-03-04T12:00:00.000Z',
      user: 'demo',
      path: '/graphql',
      operations: ['getVehiclesByVin', 'getRoles'],
      status: 200,
    },
    { user: null, path: '/login/token', operations: [], status: 401 },
    { user: 'demo', path: '/graphql', operations: [], status: 200 },
  ]);
  const { body } = await control('GET', 'requests');
  expect(body.requests).toEqual(service.requests);
  expect(JSON.stringify(body)).not.toContain('sesame');
  expect(JSON.stringify(body)).not.toContain(demo.headers.authorization?.slice(7));
  await control('DELETE', 'requests');
  expect(service.requests).toEqual([]);
});

test('snapshot and restore: the records come back, in process and over HTTP', async () => {
  const name = await groupName();
  const saved = service.snapshot();
  await rename('Changed');
  const changed = (await control('GET', 'snapshot')).body;
  service.restore(saved);
  expect(await groupName()).toBe(name);
  expect((await control('PUT', 'snapshot', changed)).status).toBe(204);
  expect(await groupName()).toBe('Changed');
  for (const wrong of [{}, { ...changed, extra: 1 }, { ...changed, seed: 2 }, { ...changed, fleets: { x: {} } }]) {
    expect((await control('PUT', 'snapshot', wrong)).status).toBe(400);
  }
  expect(await groupName()).toBe('Changed');
});

test('new records after a restore do not take ids that are in use', async () => {
  const create = async () =>
    (await demo.data('mutation { createGroup(createGroupInput: { name: "x" }) { id } }')).createGroup.id;
  await create();
  const saved = service.snapshot();
  const second = await create();
  service.restore(saved);
  expect(await create()).toBe(second);
  expect(new Set([await create(), await create(), second]).size).toBe(3);
});

test('reset: everything as it was made, tokens and clock too', async () => {
  const name = await groupName();
  await rename('Changed');
  service.clock.advance(hour);
  service.faults.add({ kind: 'reset' });
  expect((await control('POST', 'reset')).status).toBe(204);
  expect((await demo('{ getRoles { id } }')).status).toBe(401);
  expect(service.faults.list()).toEqual([]);
  expect(service.clock.now()).toBe(noon);
  demo = await caller(service.fetch);
  expect(await groupName()).toBe(name);
  expect((await control('POST', 'reset', { hard: true })).status).toBe(400);
});

test('what is not under /__mock/ is 404 there, a wrong method 405', async () => {
  expect((await control('GET', 'nothing')).status).toBe(404);
  expect((await control('GET', 'toString')).status).toBe(404);
  expect((await control('PATCH', 'faults')).status).toBe(405);
});

test('instances are independent, and the same seed is the same world', async () => {
  const twin = frozenService();
  const stranger = frozenService({ seed: 2 });
  const list =
    '{ getVehicles { id name vin lastData { timestamp gps { latitude longitude } } } getPeople { id firstName } }';
  const [own, same, other] = await Promise.all(
    [service, twin, stranger].map(async ({ fetch }) => (await caller(fetch)).data(list)),
  );
  expect(same).toEqual(own);
  expect(other.getVehicles[0].id).not.toBe(own.getVehicles[0].id);
  await rename('Only here');
  expect(await (await caller(twin.fetch)).data('{ getGroups { name } }')).not.toMatchObject({
    getGroups: [{ name: 'Only here' }],
  });
  await expect(users(twin.fetch, (await tokens(service.fetch)).access_token)).rejects.toThrow('401');
  expect(noon).toBe(twin.clock.now());
});
