// The client over real HTTP: the built-in connection pool, socket faults, and close().
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { FleetClient } from '../src/index.js';
import type { Listening } from '../src/mock/service.js';
import { held, untilHeld } from './held.js';
import { answerFrom, serve, testAuthority } from './request/http-server.js';
import { countRuns, makeService, rejection, statusesOf } from './request/setup.js';

const service = makeService();
let listening: Listening;
beforeAll(async () => {
  listening = await service.listen();
});
afterAll(() => listening.close());
beforeEach(() => {
  service.faults.clear();
  service.clearRequests();
});

function connect(options: object = {}): FleetClient {
  return new FleetClient({
    baseUrl: listening.url,
    credentials: { username: 'demo', password: 'demo' },
    clock: service.clock,
    retry: { attempts: 5, baseDelayMs: 1, maxDelayMs: 2 },
    ...options,
  });
}

describe('over HTTP', () => {
  test('100 calls of one user at once meet no 429, not even one by one', async () => {
    await using fleet = connect({ merge: false });
    await Promise.all(Array.from({ length: 100 }, () => fleet.getVehicleTypes()));
    expect(statusesOf(service, '/graphql')).toEqual(Array.from({ length: 100 }, () => 200));
    expect(statusesOf(service, '/login/token')).toEqual([200]);
  });

  test('50 calls on an expired token: one refresh, no 401', async () => {
    await using fleet = connect();
    await fleet.getLabels();
    service.clock.advance(301_000);
    await Promise.all(Array.from({ length: 50 }, () => fleet.getLabels()));
    expect(statusesOf(service, '/login/refresh')).toEqual([200]);
    expect(service.requests.map(({ status }) => status)).not.toContain(401);
  });

  test('the same works over the global fetch', async () => {
    await using fleet = connect({ fetch: globalThis.fetch });
    await Promise.all(Array.from({ length: 20 }, () => fleet.getVehicleTypes()));
    expect(new Set(statusesOf(service, '/graphql'))).toEqual(new Set([200]));
  });

  test.each(['reset', 'truncate'] as const)('a %s: a query is sent again, a mutation is not', async (kind) => {
    await using fleet = connect();
    await fleet.listLoginUsers();
    service.faults.add({ kind, path: '/graphql' });
    expect(await fleet.getVehicleTypes()).not.toHaveLength(0);
    expect(countRuns(service, 'getVehicleTypes')).toBe(2);
    service.faults.add({ kind, path: '/graphql' });
    const error = await rejection(fleet.createGroup({ createGroupInput: { name: 'x' } }));
    expect(error).toMatchObject({ code: 'AMBIGUOUS_MUTATION', attempts: 1 });
    expect(countRuns(service, 'createGroup')).toBe(1);
  });

  test('nobody there: a NetworkError that says what to check, for a mutation too', async () => {
    await using fleet = new FleetClient({
      baseUrl: 'http://127.0.0.1:1',
      credentials: { username: 'demo', password: 'demo' },
      retry: { baseDelayMs: 1 },
    });
    const error = await rejection(fleet.deleteGroup({ groupId: '9b2d7c1e-0f3a-4c55-8a6b-d41e2f907c13' }));
    expect(error).toMatchObject({ code: 'NETWORK', attempts: 5, retryable: true, cause: { code: 'ECONNREFUSED' } });
    expect(String(error)).toMatch(/ECONNREFUSED.*base URL/);
  });

  test('an aborted request frees the turn: its socket is destroyed after the grace, or it ends by itself', async () => {
    await using fleet = connect({ merge: false });
    await fleet.listLoginUsers();
    service.faults.add({ ...held, path: '/graphql' });
    const controller = new AbortController();
    const first = rejection(fleet.getVehicleTypes({}, { signal: controller.signal }));
    const second = fleet.getVehicleTypes();
    await untilHeld(service);
    controller.abort();
    expect(await first).toMatchObject({ code: 'ABORTED' });
    service.faults.clear();
    expect(await second).not.toHaveLength(0);
    expect(statusesOf(service, '/graphql')).toEqual([200, 200]);
  });
});

describe('over https', () => {
  test('a service with an authority of its own is trusted when the client is told so, and not otherwise', async () => {
    const front = await serve((request, response) => answerFrom(service, request, response), { tls: true });
    {
      await using trusting = connect({ baseUrl: front.url, tls: { ca: testAuthority } });
      expect(await trusting.getVehicleTypes()).not.toHaveLength(0);
      service.clearRequests();
      await using careful = connect({ baseUrl: front.url });
      const error = await rejection(careful.getVehicleTypes());
      expect(error).toMatchObject({ code: 'NETWORK', attempts: 1, retryable: false });
      expect(String(error)).toMatch(/authority that signed .* is not trusted here .*NODE_EXTRA_CA_CERTS.*tls: { ca }/);
      expect(service.requests).toEqual([]);
    }
    await front.close();
  });
});

describe('close', () => {
  test('rejects what waits, gives up what is on the wire, and refuses what comes later', async () => {
    const fleet = connect();
    await fleet.getVehicleTypes();
    service.faults.add({ ...held, path: '/graphql' });
    const query = rejection(fleet.getVehicleTypes());
    const mutation = rejection(fleet.createGroup({ createGroupInput: { name: 'x' } }));
    await untilHeld(service);
    await fleet.close();
    expect(await query).toMatchObject({ code: 'CLOSED', attempts: 1 });
    expect(await mutation).toMatchObject({ code: 'CLOSED', attempts: 0 });
    expect(await rejection(fleet.getVehicleTypes())).toMatchObject({ code: 'CLOSED', retryable: false });
    await fleet.close();
    service.reset();
  });

  test('of a client of forUser() ends its own calls only; it is closed with the client that it came from', async () => {
    await using fleet = connect();
    const user = { fleetName: 'Demo Fleet' };
    const read = async () => {
      await using own = fleet.forUser(user);
      return (await own.getVehicleTypes()).length;
    };
    const [first, ...others] = await Promise.all([read(), read(), read()]);
    expect(others).toEqual([first, first]);
    const sibling = fleet.forUser(user);
    await fleet.getVehicleTypes();
    await fleet.close();
    expect(await rejection(sibling.getVehicleTypes())).toMatchObject({ code: 'CLOSED', retryable: false });
  });
});
