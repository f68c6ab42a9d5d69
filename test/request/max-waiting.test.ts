// maxWaiting: a full queue of a user refuses calls at once.
import { describe, expect, test } from 'vitest';
import { type CallEvent, type Fetch, type FleetClient, type FleetClientOptions, withIds } from '../../src/index.js';
import type { MockService } from '../../src/mock/service.js';
import { until } from '../until.js';
import { createDeferred, makeClient, makeService, rejection, START } from './setup.js';

/** Returns a client with an active request, and the number of requests sent since. */
async function busy(maxWaiting: number, options: Partial<FleetClientOptions> = {}) {
  const service = makeService();
  const opened = createDeferred();
  const arrived = createDeferred();
  let isHeld = false;
  const fetch: Fetch = async (url, init) => {
    if (url.endsWith('/graphql') && isHeld) {
      arrived.resolve();
      await opened.promise;
    }
    return service.fetch(url, init);
  };
  const fleet = makeClient(service, { fetch, maxWaiting, ...options });
  await fleet.getLabels();
  service.clearRequests();
  isHeld = true;
  const first = fleet.getLabels();
  await arrived.promise;
  return { fleet, service, open: opened.resolve, first };
}

test('a call too many fails at once, may be made again, and sends nothing; those that wait are answered', async () => {
  const events: CallEvent[] = [];
  const { fleet, service, open, first } = await busy(2, { hooks: { onCall: (event) => events.push(event) } });
  const waiting = [fleet.getRoles(), fleet.getVehicleTypes()];
  const error = await rejection(fleet.getVehicles());
  expect(error).toMatchObject({
    name: 'QueueFullError',
    code: 'QUEUE_FULL',
    operation: 'getVehicles',
    attempts: 0,
    retryable: true,
    waiting: 2,
    maxWaiting: 2,
  });
  expect(events.at(-1)).toMatchObject({ operation: 'getVehicles', outcome: 'QUEUE_FULL', requestIds: [] });
  open();
  await Promise.all([first, ...waiting]);
  expect(service.requests.flatMap(({ operations }) => operations)).toEqual([
    'getLabels',
    'getRoles',
    'getVehicleTypes',
  ]);
  expect(await fleet.getVehicles()).toHaveLength(5);
});

test('each call counts, also one that shares its field with others; one whose caller has left does not', async () => {
  const { fleet, open, first } = await busy(3);
  const leaving = new AbortController();
  const left = rejection(fleet.getRoles({}, { signal: leaving.signal }));
  const waiting = [fleet.getRoles(), fleet.getRoles()];
  expect(await rejection(fleet.getRoles())).toMatchObject({ code: 'QUEUE_FULL' });
  leaving.abort();
  waiting.push(fleet.getRoles());
  expect(await rejection(fleet.getRoles())).toMatchObject({ code: 'QUEUE_FULL', waiting: 3 });
  open();
  await Promise.all([first, left, ...waiting]);
});

test('changes and urgent calls are refused too', async () => {
  const { fleet, open, first } = await busy(1);
  const waiting = fleet.createGroup({ createGroupInput: { name: 'x' } });
  expect(await rejection(fleet.createGroup({ createGroupInput: { name: 'y' } }))).toMatchObject({
    code: 'QUEUE_FULL',
    message:
      'createGroup was refused at once: 1 call of the client waits already, and maxWaiting is 1. Nothing was sent. Make the call again later, or make fewer calls at once.',
  });
  expect(await rejection(fleet.getRoles({}, { priority: 'high' }))).toMatchObject({ code: 'QUEUE_FULL' });
  open();
  await Promise.all([first, waiting]);
});

test('0: nobody waits', async () => {
  const { fleet, open, first } = await busy(0);
  expect(await rejection(fleet.getRoles())).toMatchObject({ code: 'QUEUE_FULL', waiting: 0, maxWaiting: 0 });
  open();
  await first;
});

test('while nothing is under way, the first of the calls made at once does not wait', async () => {
  const fleet = makeClient(makeService(), { maxWaiting: 1, merge: false });
  await fleet.identity();
  const calls = [fleet.getRoles(), fleet.getLabels()];
  expect(await rejection(fleet.getVehicleTypes())).toMatchObject({ code: 'QUEUE_FULL', waiting: 1 });
  await Promise.all(calls);
});

test('0: of calls made at once only one is taken', async () => {
  const fleet = makeClient(makeService(), { maxWaiting: 0, merge: false });
  await fleet.identity();
  const call = fleet.getRoles();
  expect(await rejection(fleet.getLabels())).toMatchObject({ code: 'QUEUE_FULL', waiting: 0 });
  await call;
});

test('calls that wait for the login count', async () => {
  const service = makeService();
  const fleet = makeClient(service, { maxWaiting: 2 });
  const calls = [fleet.getRoles(), fleet.getLabels(), fleet.fork().getVehicleTypes()];
  expect(await rejection(fleet.getVehicles())).toMatchObject({ code: 'QUEUE_FULL', waiting: 2, maxWaiting: 2 });
  await Promise.all(calls);
  expect(service.requests.flatMap(({ operations }) => operations)).not.toContain('getVehicles');
  expect(await fleet.getVehicles()).toHaveLength(5);
});

test('forks share the limit of their user', async () => {
  const { fleet, open, first } = await busy(1);
  const waiting = fleet.fork().getRoles();
  expect(await rejection(fleet.fork().getVehicleTypes())).toMatchObject({ code: 'QUEUE_FULL' });
  open();
  await Promise.all([first, waiting]);
});

describe('a stream', () => {
  async function hoursOf(service: MockService) {
    const vehicles = withIds(await makeClient(service).getVehicles());
    return { vehicleIds: vehicles.map(({ id }) => id), from: new Date(START - 3 * 3_600_000), to: new Date(START) };
  }

  async function busyWithStreams(maxWaiting: number) {
    const { fleet, service, open, first } = await busy(maxWaiting);
    const hours = await hoursOf(service);
    const streams = {
      snapshots: () => count(fleet.streamSnapshots(hours)),
      trips: () => count(fleet.streamTrips(hours)),
    };
    return { fleet, open, first, streams };
  }

  function waits(fleet: FleetClient, name: string): boolean {
    return fleet.stats().users.some(({ waiting }) => waiting.some(({ operation }) => operation === name));
  }

  async function count(rows: AsyncIterable<unknown>): Promise<number> {
    let all = 0;
    for await (const _ of rows) all++;
    return all;
  }

  test.each(['snapshots', 'trips'] as const)(
    'of %s waits as one call, however many vehicles it reads',
    async (name) => {
      const { fleet, open, first, streams } = await busyWithStreams(2);
      const stream = streams[name]();
      await until(() => waits(fleet, 'getSnapshots'));
      const waiting = fleet.getRoles();
      expect(await rejection(fleet.getRoles())).toMatchObject({ code: 'QUEUE_FULL', waiting: 2 });
      open();
      expect(await stream).toBeGreaterThan(0);
      await Promise.all([first, waiting]);
    },
  );

  test('that finds too many calls waiting is refused as a whole, and nothing of it is sent', async () => {
    const { fleet, open, first, streams } = await busyWithStreams(1);
    const waiting = fleet.getRoles();
    expect(await rejection(streams.snapshots())).toMatchObject({ code: 'QUEUE_FULL', rowsGiven: 0 });
    expect(waits(fleet, 'getSnapshots')).toBe(false);
    open();
    await Promise.all([first, waiting]);
  });

  test('that has begun is not refused, also where nobody may wait', async () => {
    const service = makeService();
    const hours = await hoursOf(service);
    const fleet = makeClient(service, { maxWaiting: 0 });
    await fleet.identity();
    expect(await count(fleet.streamSnapshots(hours))).toBeGreaterThan(0);
  });

  test('that begins before the user is known counts once', async () => {
    const service = makeService();
    const hours = await hoursOf(service);
    const userinfoSent = createDeferred();
    const opened = createDeferred();
    const fetch: Fetch = async (url, init) => {
      userinfoSent.resolve();
      await opened.promise;
      return service.fetch(url, init);
    };
    const fleet = makeClient(service, { fetch, maxWaiting: 1 });
    const stream = count(fleet.streamSnapshots(hours));
    await userinfoSent.promise;
    const call = fleet.getRoles();
    expect(await rejection(fleet.getLabels())).toMatchObject({ code: 'QUEUE_FULL', waiting: 1 });
    opened.resolve();
    expect(await stream).toBeGreaterThan(0);
    await call;
  });
});

test('a watch does not take a full queue for an outage', async () => {
  const { fleet, open, first } = await busy(1);
  const waiting = fleet.getRoles();
  const events = fleet.watchStatus({ snapshot: true });
  const event = events.next();
  expect(await rejection(fleet.getRoles())).toMatchObject({ code: 'QUEUE_FULL', waiting: 1 });
  open();
  expect((await event).value).toMatchObject({ type: 'snapshot' });
  await events.return?.();
  await Promise.all([first, waiting]);
});

describe('the option', () => {
  test.each([-1, 1.5, '3', Number.NaN])('refuses %j', (maxWaiting) => {
    expect(() => makeClient(makeService(), { maxWaiting: maxWaiting as number })).toThrow(
      'maxWaiting must be a whole number, 0 or more, or Infinity.',
    );
  });
});
