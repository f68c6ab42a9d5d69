// Passwords, tokens and variable values that a log would recognise are planted, everything that can go wrong is made to, and
// whatever a user might log is searched for them.
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { type Fetch, FleetClient, FleetError, memoryTokenStore } from '../src/index.js';
import type { FaultRule } from '../src/mock/service.js';
import { makeClient, makeService } from './request/setup.js';

const PASSWORD = 'planted-password-4711';
const ACCESS = 'planted-access-4711';
const REFRESH = 'planted-refresh-4711';
const VALUE = 'planted-value-4711';

/** Everything that logging could show of a value, whatever it holds. */
function shown(value: unknown): string {
  const parts = [String(value), inspect(value, { depth: 10 }), JSON.stringify(value) ?? ''];
  if (value instanceof Error) parts.push(value.message, value.stack ?? '', shown(value.cause ?? ''));
  return parts.join('\n');
}

describe('nothing planted is shown', () => {
  const service = makeService({
    users: [{ username: 'demo', password: PASSWORD, entries: [{ fleet: 'Demo Fleet' }] }],
  });
  const tokens = new Map<string, string>();
  // The service's own tokens are random; the client is shown ones that can be searched for.
  const fetch: Fetch = async (url, init) => {
    const headers = { ...init.headers };
    for (const [planted, real] of tokens) {
      if (headers.authorization === `Bearer ${planted}`) headers.authorization = `Bearer ${real}`;
    }
    const body = init.body?.replace(REFRESH, tokens.get(REFRESH) ?? REFRESH);
    const response = await service.fetch(url, { ...init, headers, ...(body === undefined ? {} : { body }) });
    if (!/\/login\/(token|refresh)$/.test(url) || !response.ok) return response;
    const answer: { access_token: string; refresh_token?: string } = JSON.parse(await response.text());
    tokens.set(ACCESS, answer.access_token);
    if (answer.refresh_token) tokens.set(REFRESH, answer.refresh_token);
    return Response.json({
      ...answer,
      access_token: ACCESS,
      ...(answer.refresh_token ? { refresh_token: REFRESH } : {}),
    });
  };

  test.each<[string, FaultRule | null]>([
    ['nothing wrong', null],
    ['401', { kind: 'status', status: 401, times: 9, message: VALUE }],
    ['400', { kind: 'status', status: 400, times: 9, message: VALUE }],
    ['403', { kind: 'status', status: 403, times: 9, message: VALUE }],
    ['429', { kind: 'status', status: 429, times: 999, message: VALUE }],
    ['500', { kind: 'status', status: 500, times: 9, message: VALUE }],
    ['503', { kind: 'status', status: 503, times: 9, message: VALUE }],
    ['reset', { kind: 'reset', times: 9 }],
    ['truncate', { kind: 'truncate', times: 9 }],
    ['malformed', { kind: 'malformed', times: 9 }],
    ['html', { kind: 'html', status: 200, times: 9 }],
    ['graphqlError', { kind: 'graphqlError', times: 9, message: VALUE }],
    ['too slow', { kind: 'delay', ms: 60, times: 9 }],
  ])('%s', async (name, fault) => {
    const found: unknown[] = [];
    const note = (event: unknown) => {
      found.push(event);
    };
    const fleet = makeClient(service, {
      fetch,
      credentials: { username: 'demo', password: PASSWORD },
      timeoutMs: name === '429' ? 100 : 30_000,
      hooks: { onRequest: note, onResponse: note, onRetry: note, onRefresh: note, onWarning: note },
    });
    for (const path of ['/graphql', '/login/token', '/login/refresh', '/login/userinfo']) {
      service.faults.clear();
      if (path !== '/login/token') await fleet.login();
      if (path === '/login/refresh') service.clock.advance(301_000);
      if (fault && (path === '/graphql' || fault.kind !== 'graphqlError')) service.faults.add({ ...fault, path });
      const options = name === 'too slow' ? { timeoutMs: 20 } : {};
      const calls = [
        () => fleet.getVehiclesByVin({ vin: VALUE }, options),
        () => fleet.updateVehicle({ vehicleId: VALUE, vehicleInput: { name: VALUE } }, options),
        () => fleet.request(`query q($vin: String!) { getVehiclesByVin(vin: $vin) { id } }`, { vin: VALUE }, options),
        () => fleet.request(`{ getVehiclesByVin(vin: "${VALUE}") { nothing } }`, {}, options),
        () => fleet.getVehicleById({ id: VALUE }, options),
        () => fleet.getVehicleById({ [VALUE]: VALUE } as never, options),
        () => fleet.listUsers(),
        () => fleet.session(),
      ];
      for (const call of calls) {
        const outcome = await call().catch((error: unknown) => error);
        if (outcome instanceof Error) expect(outcome).toBeInstanceOf(FleetError);
        if (outcome instanceof Error || call === calls.at(-1)) found.push(outcome);
      }
    }
    found.push(fleet);
    expect(found.length).toBeGreaterThan(10);
    for (const value of found) expect(shown(value)).not.toMatch(/planted-/);
  });

  test('a fetch whose own errors quote what was sent', async () => {
    const quoting: Fetch = (url, init) => {
      if (url.endsWith('/login/token')) return fetch(url, init);
      return Promise.reject(
        new Error(`could not send ${JSON.stringify(init)}`, { cause: new Error(`${url} ${VALUE}`) }),
      );
    };
    const fleet = makeClient(service, {
      fetch: quoting,
      credentials: { username: 'demo', password: PASSWORD },
      user: { userId: 'u' },
    });
    for (const call of [
      fleet.getVehiclesByVin({ vin: VALUE }),
      fleet.updateVehicle({ vehicleId: VALUE, vehicleInput: {} }),
    ]) {
      const error = await call.catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(FleetError);
      expect(shown(error)).not.toMatch(/planted-/);
    }
  });

  test('a wrong password, and options that are logged', async () => {
    const fleet = makeClient(service, { credentials: { username: 'demo', password: `${PASSWORD}-wrong` } });
    const error = await fleet.getLabels().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'AUTHENTICATION' });
    expect(shown(error)).not.toMatch(/planted-/);
    expect(() => new FleetClient({ baseUrl: `https://demo:${PASSWORD}@service.test` })).toThrow(/credentials/);
    expect(shown(memoryTokenStore())).not.toMatch(/planted-/);
  });
});

test('an error in JSON says what may be known', async () => {
  const error = await makeClient(makeService())
    .getVehicleById({} as never)
    .catch((thrown: unknown) => thrown);
  expect(JSON.parse(JSON.stringify(error))).toEqual({
    name: 'InvalidInputError',
    message: expect.stringContaining('id (UUID!)'),
    code: 'INVALID_INPUT',
    operation: 'getVehicleById',
    attempts: 0,
    retryable: false,
  });
});
