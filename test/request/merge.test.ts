// Merging as callers see it: the number of requests, and each caller's outcome as if it were alone.
import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Fetch, FleetClientOptions, WarningEvent } from '../../src/index.js';
import type { MockService } from '../../src/mock/service.js';
import { held, untilHeld } from '../held.js';
import { countRuns, makeClient, makeService, rejection, statusesOf } from './setup.js';

const group = { createGroupInput: { name: 'new' } };

/** Returns a client with a session and a user, and the ids of all vehicles. */
async function ready(service: MockService, options: Partial<FleetClientOptions> = {}) {
  const warnings: WarningEvent['code'][] = [];
  const fleet = makeClient(service, { ...options, hooks: { onWarning: ({ code }) => warnings.push(code) } });
  const ids = (await fleet.getVehicles()).map(({ id }) => id ?? '');
  service.clearRequests();
  return { fleet, ids, warnings };
}

function sent(service: MockService): string[] {
  return service.requests.map(({ operations }) => operations.join(' '));
}

async function outcome(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => 'fine',
    (error) => error.code,
  );
}

describe('what does not leave together', () => {
  test('calls with other limits: each has its own, and those with equal ones are one request', async () => {
    const service = makeService();
    const { fleet } = await ready(service);
    const limits = { retry: { attempts: 1 }, attemptTimeoutMs: 5_000 };
    const calls = [fleet.getLabels(), fleet.getRoles(), fleet.getGroups({}, limits), fleet.getPeople({}, limits)];
    await Promise.all([
      ...calls,
      fleet.getRules({}, { retry: { attempts: 1 } }),
      fleet.getMetaSensors({}, { attemptTimeoutMs: 5_000 }),
    ]);
    expect(sent(service)).toEqual(['getLabels getRoles', 'getGroups getPeople', 'getRules', 'getMetaSensors']);
  });

  test('calls of several async contexts where a function gives the headers: each has those of its own', async () => {
    const service = makeService();
    const storage = new AsyncLocalStorage<string>();
    const users: (string | undefined)[] = [];
    const fetch: Fetch = (url, init) => {
      if (url.endsWith('/graphql'))
        users.push(Object.entries(init.headers).find(([name]) => name === 'x-end-user')?.[1]);
      return service.fetch(url, init);
    };
    const headers = () => ({ 'x-end-user': storage.getStore() ?? 'nobody' });
    const { fleet } = await ready(service, { fetch, headers });
    users.length = 0;
    const twoCalls = () => Promise.all([fleet.getLabels(), fleet.getRoles()]);
    await Promise.all([storage.run('alice', twoCalls), storage.run('bob', twoCalls), twoCalls()]);
    expect(sent(service)).toEqual(Array(3).fill('getLabels getRoles'));
    expect(users).toEqual(['alice', 'bob', 'nobody']);
    // If no function depends on the context, the calls are merged.
    const { fleet: plain } = await ready(service);
    await Promise.all([storage.run('alice', () => plain.getLabels()), storage.run('bob', () => plain.getRoles())]);
    expect(sent(service)).toEqual(['getLabels getRoles']);
  });

  test('what is too large together: it is asked for again by halves', async () => {
    const service = makeService({ vehicles: 50 });
    const { fleet, ids } = await ready(service, { maxResponseBytes: 200_000 });
    const lookUp = (maxResponseBytes: number) => {
      const small = makeClient(service, { maxResponseBytes });
      return Promise.allSettled(ids.map((id) => small.getVehicleById({ id }, { select: { id: true, vin: true } })));
    };
    const alone = JSON.stringify({
      data: { q0: await fleet.getVehicleById({ id: ids[0] ?? '' }, { select: { id: true, vin: true } }) },
    });
    const found = await lookUp(alone.length * 5);
    expect(found.map(({ status }) => status)).toEqual(ids.map(() => 'fulfilled'));
    const refused = await lookUp(alone.length - 10);
    expect(refused.map((outcome) => 'reason' in outcome && outcome.reason.code)).toEqual(
      ids.map(() => 'RESPONSE_TOO_LARGE'),
    );
  });
});

describe('what leaves together', () => {
  test('50 lookups in one Promise.all are one request, and each gets its own', async () => {
    const service = makeService({ vehicles: 50 });
    const { fleet, ids } = await ready(service);
    const found = await Promise.all(ids.map((id) => fleet.getVehicleById({ id })));
    expect(found.map((vehicle) => vehicle?.id)).toEqual(ids);
    expect(found[7]).toEqual(await fleet.getVehicleById({ id: ids[7] ?? '' }));
    expect(statusesOf(service, '/graphql')).toEqual([200, 200]);
  });

  test('200 lookups at once are four requests, and no 429', async () => {
    const service = makeService({ vehicles: 200, latencyMs: 5 });
    const { fleet, ids } = await ready(service);
    await Promise.all(ids.map((id) => fleet.getVehicleById({ id })));
    expect(statusesOf(service, '/graphql')).toEqual([200, 200, 200, 200]);
  });

  test('so also before it is known for which user', async () => {
    const service = makeService();
    const fleet = makeClient(service);
    await Promise.all([fleet.getLabels(), fleet.getRoles(), fleet.createGroup(group), fleet.getGroups()]);
    expect(sent(service).filter((operations) => operations !== '')).toEqual([
      'getLabels getRoles',
      'createGroup',
      'getGroups',
    ]);
  });

  test('queries that come while a request is on the wire leave as one when it is over', async () => {
    const service = makeService();
    const { fleet, ids } = await ready(service);
    service.faults.add(held);
    const first = fleet.getLabels();
    await untilHeld(service);
    const behind = ids.map(async (id) => {
      await new Promise((resolve) => setImmediate(resolve));
      return fleet.getVehicleById({ id });
    });
    await new Promise((resolve) => setImmediate(resolve));
    service.faults.clear();
    await Promise.all([first, ...behind]);
    expect(sent(service)).toEqual(['getLabels', 'getVehicleById']);
  });

  test('operations with and without variables, with shared fragments, with leaves and lists of values', async () => {
    const service = makeService();
    const { fleet, ids } = await ready(service);
    const alone = makeClient(service, { merge: false });
    const calls = (client: typeof fleet) => [
      client.getVehicles(),
      client.getActiveVehicles(),
      client.getVehicleById({ id: ids[0] ?? '' }),
      client.getLatestSnapshots({ vehicleIds: ids }),
      client.getDriverAssignments({ input: { vehicleId: ids[0] ?? '' } }),
      client.getUserInfo(),
    ];
    const merged = await Promise.all(calls(fleet));
    expect(sent(service)).toHaveLength(1);
    expect(merged).toEqual(await Promise.all(calls(alone)));
  });

  test('selections travel with the default ones, and are not taken for the same', async () => {
    const service = makeService();
    const { fleet, ids } = await ready(service);
    const id = ids[0] ?? '';
    const [slim, whole, same] = await Promise.all([
      fleet.getVehicleById({ id }, { select: { id: true } }),
      fleet.getVehicleById({ id }),
      fleet.getVehicleById({ id }, { select: { id: true } }),
    ]);
    expect(slim).toEqual({ id });
    expect(same).toEqual({ id });
    expect(whole).toHaveProperty('vin');
    expect(sent(service)).toEqual(['getVehicleById']);
  });

  test('a mutation is a fence', async () => {
    const service = makeService();
    const { fleet } = await ready(service);
    const [before, , , after] = await Promise.all([
      fleet.getGroups(),
      fleet.getLabels(),
      fleet.createGroup(group),
      fleet.getGroups(),
      fleet.getRoles(),
    ]);
    expect(sent(service)).toEqual(['getGroups getLabels', 'createGroup', 'getGroups getRoles']);
    expect(after).toHaveLength(before.length + 1);
  });

  test('large answers and own documents travel alone, and only neighbours together', async () => {
    const service = makeService();
    const { fleet, ids } = await ready(service);
    const period = { vehicleId: ids[0] ?? '', from: '2026-03-01T10:00:00Z', to: '2026-03-01T10:01:00Z' };
    await Promise.all([
      fleet.getLabels(),
      fleet.getSnapshots(period),
      fleet.getRoles(),
      fleet.request('{ getGroups { id } }'),
      fleet.getMetaSensors(),
    ]);
    expect(sent(service)).toEqual(['getLabels', 'getSnapshots', 'getRoles', 'getGroups', 'getMetaSensors']);
  });

  test('identical queries share one field, and each caller has a copy of its own', async () => {
    const service = makeService();
    const { fleet, ids } = await ready(service);
    const id = ids[0] ?? '';
    const [one, other] = await Promise.all([
      fleet.getVehicleById({ id }),
      fleet.getVehicleById({ id }),
      fleet.getLabels(),
    ]);
    expect(one).toEqual(other);
    expect(one).not.toBe(other);
    const [list, same] = await Promise.all([fleet.getVehicles(), fleet.getVehicles()]);
    expect(list[0]).not.toBe(same[0]);
    expect(sent(service)).toEqual(['getVehicleById getLabels', 'getVehicles']);
  });

  test.each([
    [{ max: 2 }, 3],
    [{ max: 1 }, 5],
    [false as const, 5],
  ])('merge: %j', async (merge, requests) => {
    const service = makeService();
    const { fleet, ids } = await ready(service, { merge });
    await Promise.all(ids.map((id) => fleet.getVehicleById({ id })));
    expect(statusesOf(service, '/graphql')).toHaveLength(requests);
  });
});

describe('each caller has its own outcome', () => {
  test('an error is its field’s, as if it had been alone', async () => {
    const service = makeService();
    const { fleet, warnings } = await ready(service);
    service.faults.add({ kind: 'graphqlError', operation: 'getLabels', message: 'broken', times: 2 });
    const [labels, roles] = await Promise.all([rejection(fleet.getLabels()), fleet.getRoles()]);
    expect(sent(service)).toEqual(['getLabels getRoles']);
    expect(roles).not.toHaveLength(0);
    const alone = await rejection(fleet.getLabels());
    expect(labels).toEqual(alone);
    expect(labels).toMatchObject({ code: 'GRAPHQL', operation: 'getLabels', attempts: 1 });
    expect(labels).toHaveProperty('serviceErrors', [
      expect.objectContaining({ message: 'broken', path: ['getLabels'] }),
    ]);
    expect(warnings).toEqual([]);
  });

  test.each([
    ['429', { kind: 'status', status: 429 }],
    ['502', { kind: 'status', status: 502 }],
    ['503', { kind: 'status', status: 503 }],
    ['504', { kind: 'status', status: 504 }],
    ['reset', { kind: 'reset' }],
    ['truncate', { kind: 'truncate' }],
    ['401', { kind: 'status', status: 401 }],
  ] as const)('%s: the merged document is sent again', async (_name, fault) => {
    const service = makeService();
    const { fleet } = await ready(service);
    service.faults.add({ ...fault, path: '/graphql' });
    await Promise.all([fleet.getLabels(), fleet.getRoles()]);
    expect(service.requests.filter(({ path }) => path.endsWith('/graphql'))).toHaveLength(2);
    expect(countRuns(service, 'getLabels')).toBe(2);
  });

  test('what is repeated in vain is an error for each, under its own name', async () => {
    const service = makeService();
    const { fleet } = await ready(service);
    service.faults.add({ kind: 'status', status: 503, path: '/graphql', times: 99 });
    const errors = await Promise.all([rejection(fleet.getLabels()), rejection(fleet.getRoles())]);
    expect(errors).toMatchObject([
      { code: 'HTTP', status: 503, operation: 'getLabels', attempts: 5 },
      { code: 'HTTP', status: 503, operation: 'getRoles', attempts: 5 },
    ]);
    expect(errors[0]).not.toBe(errors[1]);
  });

  /** Answers merged documents with `answer`, and everything else as the service does. */
  function refusing(service: MockService, answer: () => Response): Fetch {
    return async (url, init) => (/q1: /.test(init.body ?? '') ? answer() : service.fetch(url, init));
  }

  test.each<[string, () => Response]>([
    ['a validation error', () => Response.json({ errors: [{ message: 'too complex' }] })],
    ['data: null', () => Response.json({ data: null, errors: [{ message: 'x', path: ['q0'] }] })],
    ['an error without a path', () => Response.json({ data: { q0: [], q1: [] }, errors: [{ message: 'x' }] })],
    ['a field left out', () => Response.json({ data: { q0: [] } })],
    ['400', () => new Response('', { status: 400 })],
    ['413', () => new Response('', { status: 413 })],
  ])('%s: one by one, and when all succeed alone nothing is merged any more', async (_name, answer) => {
    const service = makeService();
    const warnings: string[] = [];
    const fleet = makeClient(service, {
      fetch: refusing(service, answer),
      hooks: { onWarning: ({ code }) => warnings.push(code) },
    });
    const [labels, roles] = await Promise.all([fleet.getLabels(), fleet.getRoles()]);
    expect([labels, roles]).not.toContainEqual([]);
    expect(warnings).toEqual(['MERGING_STOPPED']);
    await Promise.all([fleet.getLabels(), fleet.getRoles(), fleet.getGroups()]);
    expect(sent(service).filter((operations) => operations !== '')).toEqual([
      'getLabels',
      'getRoles',
      'getLabels',
      'getRoles',
      'getGroups',
    ]);
    expect(warnings).toEqual(['MERGING_STOPPED']);
  });

  test('when one of them fails alone too, it was not the merging', async () => {
    const service = makeService();
    const { fleet, warnings } = await ready(service);
    service.faults.add({ kind: 'status', status: 400, operation: 'getLabels', times: 3 });
    const calls = [fleet.getLabels(), fleet.getRoles(), fleet.getGroups()];
    expect(await Promise.all(calls.map(outcome))).toEqual(['GRAPHQL', 'fine', 'fine']);
    expect(sent(service)).toEqual([
      'getLabels getRoles getGroups',
      'getLabels getRoles',
      'getGroups',
      'getLabels',
      'getRoles',
    ]);
    await Promise.all([fleet.getLabels(), fleet.getRoles()]);
    expect(sent(service).at(-1)).toBe('getLabels getRoles');
    expect(warnings).toEqual([]);
  });

  test('a field refused as UNAUTHORIZED ends as alone: another token, then an AuthenticationError', async () => {
    const service = makeService();
    const unauthorized = { message: 'no', path: ['getLabels'], extensions: { classification: 'UNAUTHORIZED' } };
    const fetch: Fetch = async (url, init) => {
      if (!/getLabels/.test(init.body ?? '')) return service.fetch(url, init);
      const alias = /(q\d): getLabels/.exec(init.body ?? '')?.[1];
      const data = alias ? { q0: [{ id: '1' }], q1: [{ id: '1' }], [alias]: null } : { getLabels: null };
      return Response.json({ data, errors: [{ ...unauthorized, path: [alias ?? 'getLabels'] }] });
    };
    const fleet = makeClient(service, { fetch });
    const [roles, labels] = await Promise.all([outcome(fleet.getRoles()), outcome(fleet.getLabels())]);
    expect([roles, labels]).toEqual(['fine', 'AUTHENTICATION']);
  });
});

describe('a caller that leaves', () => {
  test('before it was sent takes its field out; the others never notice', async () => {
    const service = makeService();
    const { fleet } = await ready(service);
    service.faults.add(held);
    const leaving = new AbortController();
    const first = fleet.getGroups();
    await untilHeld(service);
    const calls = [fleet.getLabels({}, { signal: leaving.signal }), fleet.getRoles(), fleet.getMetaSensors()];
    const outcomes = Promise.all(calls.map(outcome));
    leaving.abort();
    service.faults.clear();
    await first;
    expect(await outcomes).toEqual(['ABORTED', 'fine', 'fine']);
    expect(sent(service)).toEqual(['getGroups', 'getRoles getMetaSensors']);
  });

  test('after it was sent is rejected at once, and the others get their answers', async () => {
    const service = makeService();
    const { fleet } = await ready(service);
    service.faults.add({ ...held, path: '/graphql' });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const leaving = new AbortController();
    const gone = rejection(fleet.getLabels({}, { signal: leaving.signal }));
    const late = rejection(fleet.getMetaSensors({}, { timeoutMs: 1_000 }));
    const roles = fleet.getRoles();
    await untilHeld(service);
    leaving.abort();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await gone).toMatchObject({ code: 'ABORTED', attempts: 1 });
    expect(await late).toMatchObject({ code: 'TIMEOUT', attempts: 1 });
    expect(sent(service)).toEqual([]);
    service.faults.clear();
    expect(await roles).not.toHaveLength(0);
    expect(sent(service)).toEqual(['getLabels getMetaSensors getRoles']);
  });

  test('of two that share a field, the other still gets it', async () => {
    const service = makeService();
    const { fleet } = await ready(service);
    const leaving = new AbortController();
    const gone = rejection(fleet.getLabels({}, { signal: leaving.signal }));
    const stays = fleet.getLabels();
    leaving.abort();
    expect(await gone).toMatchObject({ code: 'ABORTED', attempts: 0 });
    expect(await stays).not.toHaveLength(0);
    expect(sent(service)).toEqual(['getLabels']);
  });
});
