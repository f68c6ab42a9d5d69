// Many changes with the outcome of each.
import { afterEach, describe, expect, expectTypeOf, test, vi } from 'vitest';
import { type EachOutcomes, type Fetch, type FleetClient, FleetError, type Group } from '../../src/index.js';
import { countRuns, createDeferred, makeClient, makeService, rejection } from './setup.js';

const names = (count: number) => Array.from({ length: count }, (_, place) => `Group ${place}`);
const create = (name: string) => ({ createGroupInput: { name } });

test('one after the other: each item has its outcome and its error, in order', async () => {
  const service = makeService();
  const fleet = makeClient(service);
  await fleet.connect();
  service.faults.add({ kind: 'graphqlError', operation: 'createGroup' });
  const outcomes = await fleet.each(['a', 'b', 'c', 'd'], async (name, index) => {
    if (name === 'b') throw new Error('no name');
    if (name === 'c') service.faults.add({ kind: 'reset', operation: 'createGroup' });
    expect(index).toBe('abcd'.indexOf(name));
    return fleet.createGroup(create(name));
  });
  expectTypeOf(outcomes).toEqualTypeOf<EachOutcomes<string, Group | null>>();
  expect(outcomes).toEqual({
    done: [{ item: 'd', index: 3, result: expect.objectContaining({ name: 'd' }) }],
    failed: [
      { item: 'a', index: 0, error: expect.objectContaining({ code: 'GRAPHQL' }) },
      { item: 'b', index: 1, error: expect.objectContaining({ message: 'no name' }) },
    ],
    unknown: [{ item: 'c', index: 2, error: expect.objectContaining({ code: 'AMBIGUOUS_MUTATION' }) }],
    notSent: [],
  });
});

describe('an item whose last call was not sent', () => {
  const aborted = { signal: AbortSignal.abort() };

  test.each<[string, (fleet: FleetClient) => Promise<unknown>]>([
    ['after a change of its own', (fleet) => fleet.createGroup(create('a'))],
    ['after changes of an each inside', (fleet) => fleet.each(['a'], (name) => fleet.createGroup(create(name)))],
    ['after a change that may have been made', (fleet) => rejection(fleet.createGroup(create('a')))],
  ])('failed %s', async (name, before) => {
    const service = makeService();
    const fleet = makeClient(service);
    await fleet.connect();
    if (name.includes('may')) service.faults.add({ kind: 'reset', operation: 'createGroup' });
    const { failed, notSent } = await fleet.each([1], async () => {
      await before(fleet);
      return fleet.createGroup(create('b'), aborted);
    });
    expect(failed).toMatchObject([{ item: 1, error: { code: 'ABORTED' } }]);
    expect(notSent).toEqual([]);
  });

  test('is not sent after queries, and where the service could not be reached or refused to the end', async () => {
    const service = makeService();
    const fleet = makeClient(service, { retry: { attempts: 1 } });
    await fleet.connect();
    const unreachable: Fetch = () => Promise.reject(Object.assign(new Error('x'), { code: 'ECONNREFUSED' }));
    const lost = makeClient(service, { fetch: unreachable });
    service.faults.add({ kind: 'status', status: 429, times: 99, operation: 'createGroup' });
    const { notSent } = await fleet.each([0, 1, 2], async (place) => {
      await fleet.getRoles();
      if (place === 0) return fleet.createGroup(create('a'), aborted);
      return (place === 1 ? lost : fleet).createGroup(create('a'), { timeoutMs: 300 });
    });
    expect(notSent.map(({ error }) => error?.code)).toEqual(['ABORTED', 'NETWORK', 'RATE_LIMIT']);
  });

  test('failed where its calls were made outside of its async context', async () => {
    const fleet = makeClient(makeService());
    const begin = createDeferred();
    const made = begin.promise.then(() => fleet.createGroup(create('a')));
    const { failed } = await fleet.each([1], async () => {
      begin.resolve();
      await made;
      throw await rejection(made.then(() => fleet.fork().request('x', {}, aborted)));
    });
    expect(failed).toMatchObject([{ item: 1 }]);
  });
});

describe('waiting for the turn', () => {
  afterEach(() => vi.useRealTimers());

  async function held() {
    const service = makeService();
    const begun = createDeferred();
    const free = createDeferred();
    let isHeld = false;
    const fetch: Fetch = async (url, init) => {
      if (isHeld) {
        begun.resolve();
        await free.promise;
      }
      return service.fetch(url, init);
    };
    const fleet = makeClient(service, { fetch });
    await fleet.getUserInfo();
    isHeld = true;
    return { service, fleet, begun: begun.promise, letGo: free.resolve };
  }

  test('does not use up the time of an item, however many are under way', async () => {
    const { service, fleet, letGo, begun } = await held();
    vi.useFakeTimers();
    const timeoutMs = 200;
    const made = fleet.each(names(5), (name) => fleet.createGroup(create(name), { timeoutMs }), { concurrency: 5 });
    const alone = rejection(fleet.createGroup(create('alone'), { timeoutMs }));
    await begun;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await alone).toMatchObject({ code: 'TIMEOUT', attempts: 0 });
    letGo();
    const { done, unknown, failed, notSent } = await made;
    // The first item had the turn all the time: only its outcome is unknown.
    expect(unknown).toMatchObject([{ index: 0, error: { code: 'AMBIGUOUS_MUTATION' } }]);
    expect(done.map(({ index }) => index)).toEqual([1, 2, 3, 4]);
    expect([failed, notSent]).toEqual([[], []]);
    expect(countRuns(service, 'createGroup')).toBe(5);
  });

  test('and closed meanwhile: marks the requests that were not sent', async () => {
    const { fleet, letGo, begun } = await held();
    const made = fleet.each(names(4), (name) => fleet.createGroup(create(name)), { concurrency: 3 });
    await begun;
    void fleet.close();
    const { unknown, notSent, done, failed } = await made;
    letGo();
    expect(unknown.map(({ index }) => index)).toEqual([0]);
    expect(notSent.map(({ index, error }) => [index, error?.code ?? null])).toEqual([
      [1, 'CLOSED'],
      [2, 'CLOSED'],
      [3, 'CLOSED'],
    ]);
    expect([done, failed]).toEqual([[], []]);
  });
});

describe('stops', () => {
  test('after so many failures in a row; the rest is not sent', async () => {
    const service = makeService();
    const fleet = makeClient(service);
    await fleet.connect();
    const change = async (name: string, index: number) => {
      if (index !== 1) service.faults.add({ kind: 'graphqlError', operation: 'createGroup' });
      return fleet.createGroup(create(name));
    };
    const { done, failed, notSent } = await fleet.each(names(6), change, { stopAfter: 2 });
    expect([done, failed, notSent].map((some) => some.map(({ index }) => index))).toEqual([[1], [0, 2, 3], [4, 5]]);
    expect(notSent[0]).toEqual({ item: 'Group 4', index: 4, error: null });
  });

  test('at once where every item would fail', async () => {
    const service = makeService();
    const fleet = makeClient(service, { credentials: { username: 'demo', password: 'wrong' } });
    const { failed, notSent } = await fleet.each(names(3), (name) => fleet.createGroup(create(name)));
    expect(failed).toEqual([]);
    expect(notSent.map(({ error }) => error?.code ?? null)).toEqual(['AUTHENTICATION', null, null]);
    expect(service.requests).toHaveLength(1);
  });

  test('when its signal fires: those under way end by themselves', async () => {
    const service = makeService();
    const fleet = makeClient(service);
    const ending = new AbortController();
    const change = (name: string, index: number) => {
      if (index === 2) ending.abort();
      return fleet.createGroup(create(name));
    };
    const { done, notSent } = await fleet.each(names(5), change, { signal: ending.signal });
    expect([done.length, notSent.length]).toEqual([3, 2]);
  });
});

test('500 people with a fault in each fiftieth are exact after one repetition', async () => {
  const service = makeService();
  const fleet = makeClient(service);
  const before = (await fleet.getPeople()).length;
  const people = Array.from({ length: 500 }, (_, place) => `person-${place}@example.com`);
  const kinds = ['reset', 'status', 'graphqlError', 'truncate'] as const;
  let faults = 0;
  const make = async (email: string, place: number) => {
    const kind = kinds[faults % kinds.length] ?? 'reset';
    if (place % 50 === 49 && faults < 10) {
      faults++;
      service.faults.add({ kind, operation: 'createPerson', ...(kind === 'status' ? { status: 520 } : {}) });
    }
    return fleet.createPerson({ personInput: { email, firstName: 'P', lastName: email } });
  };
  const first = await fleet.each(people, make, { concurrency: 20 });
  expect(first.done.length + first.unknown.length + first.failed.length).toBe(500);
  expect(first.unknown.length + first.failed.length).toBe(10);
  expect(first.notSent).toEqual([]);
  for (const { error } of first.unknown) expect(error).toBeInstanceOf(FleetError);
  const emailsOf = async () => (await fleet.getPeople()).flatMap(({ email }) => email ?? []);
  const storedEmails = new Set(await emailsOf());
  const missing = people.filter((email) => !storedEmails.has(email));
  const second = await fleet.each(missing, (email) => make(email, 0));
  expect(second.done).toHaveLength(missing.length);
  const emails = (await emailsOf()).filter((email) => email.startsWith('person-'));
  expect(emails.sort()).toEqual([...people].sort());
  expect(await fleet.getPeople()).toHaveLength(before + 500);
});

test.each<[string, unknown[], RegExp]>([
  ['items', [{}, async () => 1], /each takes a list of items/],
  ['a change', [[], 'x'], /each takes a function that changes one item/],
  ['an option', [[], async () => 1, { concurrency: 0 }], /concurrency must be a whole number above 0/],
  ['an unknown option', [[], async () => 1, { retries: 1 }], /each has no option retries/],
])('refuses %s', async (_, eachArguments, message) => {
  const fleet = makeClient(makeService());
  const error = await rejection(Reflect.apply(fleet.each, fleet, eachArguments));
  expect(error).toMatchObject({ code: 'INVALID_INPUT', message: expect.stringMatching(message) });
});
