// A fetch, gate or headers function that breaks its contract: the error names it, or the call
// succeeds. Nothing ends the process.
import { describe, expect, test } from 'vitest';
import { AmbiguousMutationError, type Fetch, type FleetClientOptions, type Gate, GateError } from '../../src/index.js';
import type { MockService } from '../../src/mock/service.js';
import { countRuns, makeClient, makeService, rejection, statusesOf } from './setup.js';

const group = { createGroupInput: { name: 'x' } };
const broken = (): never => {
  throw new Error('said by the program');
};
const revoked = () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};

describe('a fetch whose responses have headers that', () => {
  const withHeaders = (service: MockService, headers: unknown): Fetch => {
    return async (url, init) => {
      const response = await service.fetch(url, init);
      // Not what the type asks for.
      return { ok: response.ok, status: response.status, text: () => response.text(), headers } as never;
    };
  };
  const kinds: Readonly<Record<string, unknown>> = {
    'are missing': undefined,
    'are null': null,
    'are a plain object': { 'x-request-id': 'abc' },
    'have a get that is none': { get: 'x-request-id' },
    'throw when they are read': { get: broken },
    'give objects': { get: () => ({ toString: broken }) },
    'cannot be looked at': revoked(),
  };

  test.each(Object.keys(kinds))('%s: calls succeed, and fail by what the service says', async (kind) => {
    const service = makeService();
    const fleet = makeClient(service, { fetch: withHeaders(service, kinds[kind]), retry: false });
    expect(await fleet.getRoles()).not.toHaveLength(0);
    expect(await fleet.stream('getVehicles').next()).toMatchObject({ done: false });
    for (const status of [404, 503, 429]) {
      service.faults.add({ kind: 'status', status, path: '/graphql' });
      const code = status === 429 ? 'RATE_LIMIT' : 'HTTP';
      expect(await rejection(fleet.getRoles())).toMatchObject({ code, responseId: null });
    }
    service.faults.add({ kind: 'status', status: 503, path: '/login/token' });
    expect(await rejection(fleet.login())).toMatchObject({ code: 'HTTP', status: 503, responseId: null });
  });

  test('are numbers: they count as text', async () => {
    const service = makeService();
    const get = (name: string) => ({ 'x-request-id': 4711, 'retry-after': 7 })[name] ?? null;
    const fleet = makeClient(service, { fetch: withHeaders(service, { get }), retry: false });
    await fleet.getLabels();
    service.faults.add({ kind: 'status', status: 429, path: '/graphql' });
    expect(await rejection(fleet.getRoles())).toMatchObject({ responseId: '4711', retryAfterMs: 7_000 });
  });
});

// It blocked the process for half a minute.
test('a name of a million letters is refused at once', { timeout: 10_000 }, async () => {
  const fleet = makeClient(makeService());
  const name = 'x'.repeat(1_000_000);
  const refused = { code: 'INVALID_INPUT', message: expect.not.stringContaining('xx') };
  // Not what the types allow.
  expect(await rejection(fleet.call(name as never))).toMatchObject(refused);
  expect(() => fleet.stream(name as never)).toThrow(expect.objectContaining(refused));
  expect(await rejection(fleet.getVehicles({}, { select: { [name]: true } as never }))).toMatchObject(refused);
});

test.each<[string, () => unknown]>([
  ['a proxy that was revoked', revoked],
  ['an error that cannot be read', () => Object.defineProperty(new Error('x'), 'name', { get: broken })],
])('a fetch that throws %s is at fault', async (_name, thrown) => {
  const service = makeService();
  let fails = true;
  const fetch: Fetch = (url, init) => {
    if (fails) throw thrown();
    return service.fetch(url, init);
  };
  const fleet = makeClient(service, { fetch, retry: false });
  expect(await rejection(fleet.getRoles())).toMatchObject({ code: 'TRANSPORT', operation: 'login' });
  fails = false;
  await fleet.getLabels();
  fails = true;
  expect(await rejection(fleet.getRoles())).toMatchObject({ code: 'TRANSPORT', operation: 'getRoles' });
  expect(await rejection(fleet.createGroup(group))).toMatchObject({ code: 'AMBIGUOUS_MUTATION' });
});

describe('a gate that', () => {
  const over = (hold: (task: () => Promise<unknown>) => unknown, more: Partial<FleetClientOptions> = {}) => {
    const service = makeService();
    // Not what the type asks for.
    const gate = { hold: (_key: string, task: () => Promise<unknown>) => hold(task) } as unknown as Gate;
    return { service, fleet: makeClient(service, { gate, ...more }) };
  };

  test.each<[string, (task: () => Promise<unknown>) => unknown]>([
    ['fails when the task has ended', (task) => task().then(broken)],
    [
      'throws when the task has begun',
      (task) => {
        task();
        return broken();
      },
    ],
  ])('%s: the answer of the service counts', async (_name, hold) => {
    const { service, fleet } = over(hold);
    expect(await fleet.getRoles()).not.toHaveLength(0);
    expect(await fleet.createGroup(group)).toMatchObject({ name: 'x' });
    expect(countRuns(service, 'createGroup')).toBe(1);
    service.faults.add({ kind: 'status', status: 404, path: '/graphql' });
    expect(await rejection(fleet.getRoles())).toMatchObject({ code: 'HTTP', status: 404 });
  });

  test.each<[string, (task: () => Promise<unknown>) => unknown]>([
    ['does not wait for the task', (task) => void task()],
    ['gives back something else', (task) => task().then(() => ({ data: {}, errors: [] }))],
    ['runs the task again', async (task) => [await task(), await task()]],
  ])('%s: it is to blame, and a change is made once', async (_name, hold) => {
    const { service, fleet } = over(hold);
    const blamed = { message: 'The function hold of the gate must return what its task returns.' };
    expect(await rejection(fleet.getRoles())).toMatchObject({ code: 'GATE', attempts: 1, cause: blamed });
    expect(await rejection(fleet.createGroup(group))).toMatchObject({ code: 'AMBIGUOUS_MUTATION', cause: blamed });
    expect(countRuns(service, 'createGroup')).toBe(1);
    service.faults.add({ kind: 'status', status: 404, path: '/graphql' });
    expect(await rejection(fleet.getRoles())).toMatchObject({ code: 'HTTP', status: 404 });
  });

  test.each<[string, () => unknown]>([
    ['resolves', async () => undefined],
    ['gives back an answer of its own', async () => ({ data: {}, errors: [] })],
    ['gives back nothing', () => undefined],
  ])('never runs the task and %s: nothing was sent', async (_name, hold) => {
    const { service, fleet } = over(hold);
    const errors = [await rejection(fleet.getRoles()), await rejection(fleet.createGroup(group))];
    expect(errors[0]).toMatchObject({ code: 'GATE', operation: 'getRoles', attempts: 0, retryable: true });
    expect(errors[1]).toMatchObject({ code: 'GATE', operation: 'createGroup', attempts: 0 });
    expect(errors[0]).toMatchObject({ cause: { message: expect.stringContaining('never ran the task') } });
    expect(statusesOf(service, '/graphql')).toEqual([]);
  });

  test('throws what cannot be looked at: the call ends, and so does the next one', async () => {
    const { fleet } = over(() => Promise.reject(revoked()));
    expect(await rejection(fleet.getRoles())).toBeInstanceOf(GateError);
    expect(await rejection(fleet.createGroup(group))).toBeInstanceOf(GateError);
  });

  test.each<[string, () => unknown]>([
    ['throws', broken],
    ['gives back nothing', () => undefined],
  ])('%s when it is asked to pause: the call goes on', async (_name, pause) => {
    const service = makeService();
    // as above
    const gate = { hold: (_key: string, task: () => Promise<unknown>) => task(), pause } as unknown as Gate;
    const fleet = makeClient(service, { gate });
    await fleet.getLabels();
    service.faults.add({ kind: 'status', status: 429, path: '/graphql', times: 1 });
    expect(await fleet.getRoles()).not.toHaveLength(0);
    service.faults.add({ kind: 'reset', operation: 'createGroup', times: 1 });
    expect(await rejection(fleet.createGroup(group))).toBeInstanceOf(AmbiguousMutationError);
  });
});
