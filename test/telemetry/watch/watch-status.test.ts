// watchStatus against the reference service: events, requests and failures, with controlled time.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Fetch } from '../../../src/core/ports.js';
import {
  AbortError,
  AuthenticationError,
  ClosedError,
  type FleetClient,
  type FleetClientOptions,
  GraphQLResponseError,
  InvalidInputError,
  type LiveStatus,
  type StatusEvent,
  toDate,
  type WarningEvent,
  type WatchedVehicle,
} from '../../../src/index.js';
import type { MockService } from '../../../src/mock/service.js';
import { recordsOf } from '../../records-of.js';
import { createDeferred, makeClient, makeService, statusesOf } from '../../request/setup.js';
import { follow, pass, settled, useStoppedTimers } from './following.js';

const MINUTE = 60_000;
const EVERY = 30_000;

useStoppedTimers();
let service: MockService;
let fleet: FleetClient;
/** Closed after each test: a surviving watch would use the timers of a later test. */
const clients = new Set<FleetClient>();
const client = (options: Partial<FleetClientOptions> = {}) => {
  const made = makeClient(service, { retry: false, ...options });
  clients.add(made);
  return made;
};

beforeEach(() => {
  service = makeService();
  fleet = client();
});
afterEach(async () => {
  await Promise.all([...clients].map((made) => made.close()));
  clients.clear();
});

/** A board updated by events alone, as in a program. */
class EventBoard {
  readonly vehicles = new Map<string, WatchedVehicle>();

  apply(events: readonly StatusEvent[]): this {
    for (const event of events) {
      if (event.type === 'snapshot')
        for (const vehicle of event.vehicles) this.vehicles.set(vehicle.vehicleId, vehicle);
      else if (event.type === 'gone') this.vehicles.delete(event.vehicle.vehicleId);
      else if ('vehicle' in event) this.vehicles.set(event.vehicle.vehicleId, event.vehicle);
    }
    return this;
  }
}

const board = async (from: FleetClient): Promise<Map<string, WatchedVehicle>> => {
  const first = await from.watchStatus({ snapshot: true }).next();
  if (first.done || first.value.type !== 'snapshot') throw new Error('no board');
  return new Map(first.value.vehicles.map((vehicle) => [vehicle.vehicleId, vehicle]));
};

describe('reports', () => {
  test('nothing for the first answer, or the whole board with the option snapshot', async () => {
    const silent = await follow(fleet.watchStatus());
    expect(silent.take()).toEqual([]);
    const followed = await follow(client().watchStatus({ snapshot: true }));
    const [first, ...others] = followed.take();
    expect(others).toEqual([]);
    if (first?.type !== 'snapshot') throw new Error('no board');
    expect(first.at).toBe('2026-03-01T12:00:00.000Z');
    const vehicles = await fleet.getVehicles();
    expect(first.vehicles.map(({ vehicleId, name, licensePlate }) => [vehicleId, name, licensePlate])).toEqual(
      vehicles.map(({ id, name, licensePlate }) => [id, name, licensePlate]),
    );
    const last = vehicles[0]?.lastData;
    expect(first.vehicles[0]).toMatchObject({
      timestamp: last?.timestamp,
      position: { latitude: last?.gps?.latitude, longitude: last?.gps?.longitude },
      speedKmh: last?.gps?.speed,
      engineOn: last?.ignition?.engineStatus,
    });
  });

  test('the watch of geofences holds a position that no vehicle can reach; the next one confirms it', async () => {
    const [van] = await fleet.getVehicles();
    const start = service.clock.now();
    const row = (minutes: number, latitude: number) => ({
      at: start + minutes * MINUTE,
      gps: { state: true, latitude, longitude: 10, speed: 50 },
    });
    // One jump to the yard and back, then a transport by ferry: two positions agree.
    service.telemetry.script(van?.id ?? '', [
      ...[row(-1, 50), row(1, 50.01), row(2, 53), row(3, 50.02), row(4, 50.03)],
      ...[row(5, 53), row(6, 53.001)],
    ]);
    service.answer('getGeofences', [
      {
        id: '00000000-0000-4000-8000-0000000000a1',
        name: 'Yard',
        geojson: { type: 'Point', coordinates: [10, 53], radius: 500 },
      },
    ]);
    const options = { vehicleIds: [van?.id ?? ''], intervalMs: EVERY };
    const statuses = await follow(fleet.watchStatus(options));
    const crossings = await follow(fleet.watchGeofences(options));
    const emitted: (readonly [minute: number, latitude: number | undefined, visits: readonly string[]])[] = [];
    for (let minute = 1; minute <= 6; minute++) {
      await pass(service, MINUTE);
      const latest = statuses.take().at(-1);
      const latitude = latest !== undefined && 'vehicle' in latest ? latest.vehicle.position?.latitude : undefined;
      emitted.push([minute, latitude, crossings.take().map(({ type }) => type)]);
    }
    expect(emitted).toEqual([
      [1, 50.01, []],
      [2, 53, []],
      [3, 50.02, []],
      [4, 50.03, []],
      [5, 53, []],
      [6, 53.001, ['entered']],
    ]);
  });

  test('events that keep a board up to date for six hours, each of them once', async () => {
    const followed = await follow(fleet.watchStatus({ snapshot: true, intervalMs: 10 * MINUTE }));
    const eventBoard = new EventBoard().apply(followed.take());
    const types = new Set<string>();
    const statuses = new Set<LiveStatus>();
    for (let polls = 0; polls < 6 * 6; polls++) {
      await pass(service, 10 * MINUTE);
      const events = followed.take();
      eventBoard.apply(events);
      for (const { type } of events) types.add(type);
      for (const { status } of eventBoard.vehicles.values()) statuses.add(status);
      for (const type of ['moved', 'statusChanged', 'updated']) {
        const emitted = events.flatMap((event) =>
          'vehicle' in event && event.type === type ? event.vehicle.vehicleId : [],
        );
        expect(new Set(emitted).size).toBe(emitted.length);
      }
    }
    expect(eventBoard.vehicles).toEqual(await board(client()));
    expect([...types].sort()).toEqual(['moved', 'statusChanged', 'updated']);
    expect([...statuses]).toEqual(expect.arrayContaining(['moving', 'stopped']));
    expect(followed.end).toBeUndefined();
  });

  test('a vehicle that is gone, and one that appears', async () => {
    const limited = client({ credentials: { username: 'limited', password: 'limited' } });
    const [first] = await limited.getVehicles();
    const record = recordsOf(service).vehicles.find(({ id }) => id === first?.id);
    if (!record) throw new Error('no vehicle');
    const { id: vehicleId, name } = record;
    const groupIds = [...record.groupIds];
    const followed = await follow(limited.watchStatus());
    await fleet.changeVehicleGroups({ vehicleId, changeVehicleGroupsInput: { removeGroupIds: groupIds } });
    await pass(service, EVERY);
    const gone = followed.take().filter(({ type }) => type === 'gone' || type === 'appeared');
    expect(gone).toMatchObject([{ type: 'gone', vehicle: { vehicleId, name } }]);
    await pass(service, EVERY);
    expect(followed.take().filter(({ type }) => type === 'gone')).toEqual([]);
    await fleet.changeVehicleGroups({ vehicleId, changeVehicleGroupsInput: { addGroupIds: groupIds } });
    await pass(service, EVERY);
    const appeared = followed.take().filter(({ type }) => type === 'gone' || type === 'appeared');
    expect(appeared).toMatchObject([{ type: 'appeared', vehicle: { vehicleId } }]);
  });

  test('compares the first answer with the vehicles that the program knew before', async () => {
    const previousVehicles = [...(await board(client())).values()];
    service.clock.advance(60 * MINUTE);
    const [first, ...others] = previousVehicles;
    if (!first) throw new Error('no vehicle');
    const stranger = { ...first, vehicleId: '00000000-0000-4000-8000-000000000000' };
    const followed = await follow(fleet.watchStatus({ previous: [stranger, ...others] }));
    const events = followed.take();
    expect(events.map(({ type }) => type)).toEqual(expect.arrayContaining(['gone', 'appeared', 'moved']));
    const eventBoard = new EventBoard();
    for (const vehicle of [stranger, ...others]) eventBoard.vehicles.set(vehicle.vehicleId, vehicle);
    expect(eventBoard.apply(events).vehicles).toEqual(await board(client()));
  });

  test('keeps a vehicle that an incomplete answer lacks, and the snapshot that one resolver fails to give', async () => {
    const state = { spoil: false };
    const warnings: WarningEvent[] = [];
    const fetch: Fetch = async (url, init) => {
      const response = await service.fetch(url, init);
      if (!state.spoil || !url.endsWith('/graphql')) return response;
      const body: { data: { getVehicles: { lastData: unknown }[] } } = JSON.parse(await response.text());
      const [first, , ...others] = body.data.getVehicles;
      const errors = [
        { message: 'a', path: ['getVehicles', 0, 'lastData'] },
        { message: 'b', path: ['getVehicles', 1] },
      ];
      return Response.json({ data: { getVehicles: [{ ...first, lastData: null }, null, ...others] }, errors });
    };
    fleet = client({ fetch, hooks: { onWarning: (event) => void warnings.push(event) } });
    const followed = await follow(fleet.watchStatus({ snapshot: true, intervalMs: EVERY }));
    const [first] = followed.take();
    if (first?.type !== 'snapshot') throw new Error('no board');
    state.spoil = true;
    for (let polls = 0; polls < 3; polls++) await pass(service, EVERY);
    const spoilt = first.vehicles.slice(0, 2).map(({ vehicleId }) => vehicleId);
    expect(followed.take().filter((event) => 'vehicle' in event && spoilt.includes(event.vehicle.vehicleId))).toEqual(
      [],
    );
    // A warning is not repeated with every poll.
    expect(warnings.map(({ code }) => code).sort()).toEqual(['NULL_ROWS', 'PARTIAL_DATA']);
  });

  test('no vehicle as gone where the ids of rows are null, and an outage where the list is', async () => {
    let spoil: (rows: { id: unknown }[]) => unknown = (rows) => rows;
    const warnings: WarningEvent[] = [];
    const fetch: Fetch = async (url, init) => {
      const response = await service.fetch(url, init);
      if (!url.endsWith('/graphql')) return response;
      const { data } = JSON.parse(await response.text());
      return Response.json({ data: { getVehicles: spoil(data.getVehicles) } });
    };
    fleet = client({ fetch, hooks: { onWarning: (event) => void warnings.push(event) } });
    const followed = await follow(fleet.watchStatus({ intervalMs: EVERY }));
    spoil = (rows) => rows.map((row) => ({ ...row, id: null }));
    await pass(service, EVERY);
    expect(followed.take()).toEqual([]);
    expect(warnings.map(({ message }) => message)).toEqual([
      'getVehicles answered 5 rows without id among 5; they are left out.',
    ]);
    spoil = () => null;
    await pass(service, EVERY);
    expect(followed.take()).toMatchObject([{ type: 'outage', error: { code: 'PROTOCOL' } }]);
  });
});

describe('requests', () => {
  const documents: string[] = [];
  beforeEach(() => {
    documents.length = 0;
    const fetch: Fetch = (url, init) => {
      if (url.endsWith('/graphql')) documents.push(String(JSON.parse(init.body ?? '{}').query));
      return service.fetch(url, init);
    };
    fleet = client({ fetch });
  });

  test('the fields that the events need, and no others', async () => {
    await follow(fleet.watchStatus());
    const selection =
      'timestamp gps { state latitude longitude direction speed } ignition { engineStatus } driver { driverId } canBus { canSpeed canWheelSpeed }';
    const words = (text: string | undefined) => text?.match(/\w+|[{}]/g)?.sort();
    expect(documents).toHaveLength(1);
    expect(words(documents[0])).toEqual(
      words(`query getVehicles { getVehicles { id name licensePlate lastData { ${selection} } } }`),
    );
  });

  test('only the latest snapshots for given vehicles, and only active vehicles with the option active', async () => {
    const [one, two] = await fleet.getVehicles();
    documents.length = 0;
    const followed = await follow(fleet.watchStatus({ vehicleIds: [one?.id ?? '', two?.id ?? ''], snapshot: true }));
    expect(documents).toHaveLength(1);
    expect(documents[0]).toMatch(/^query getLatestSnapshots/);
    const [first] = followed.take();
    expect(first).toMatchObject({
      vehicles: [
        { vehicleId: one?.id, name: one?.name, licensePlate: one?.licensePlate, timestamp: one?.lastData?.timestamp },
        { vehicleId: two?.id, name: two?.name, licensePlate: two?.licensePlate, timestamp: two?.lastData?.timestamp },
      ],
    });
    await follow(fleet.watchStatus({ active: true }));
    expect(documents[1]).toMatch(/^query getActiveVehicles/);
  });

  test('one request per interval, also for two watches of one client that began at different times', async () => {
    const one = await follow(fleet.watchStatus({ intervalMs: EVERY }));
    await pass(service, 20_000);
    const other = await follow(fleet.watchStatus({ intervalMs: EVERY }));
    documents.length = 0;
    for (let polls = 0; polls < 10; polls++) await pass(service, EVERY);
    expect(documents.length).toBeLessThanOrEqual(11);
    expect(one.take().length).toBeGreaterThan(0);
    expect(other.take().length).toBeGreaterThan(0);
  });

  test('the next answer without a longer pause after a slow reader', async () => {
    const events = fleet.watchStatus({ intervalMs: EVERY, snapshot: true });
    await events.next();
    await pass(service, 25_000);
    const pending = events.next();
    await settled();
    expect(documents).toHaveLength(1);
    await pass(service, 5_000);
    expect(documents).toHaveLength(2);
    await events.return?.();
    await pending;
  });

  test.each<[string, object, RegExp]>([
    ['an unknown option', { every: 3 }, /watchStatus has no option every/],
    ['an interval of 0', { intervalMs: 0 }, /intervalMs must be a positive number/],
    ['no vehicles', { vehicleIds: [] }, /vehicleIds must be a non-empty list of ids/],
    ['active with vehicles', { active: true, vehicleIds: ['a'] }, /active has no effect on vehicleIds/],
    ['vehicles of another kind', { previous: [{ id: 'a' }] }, /previous must be a list of objects with vehicleId/],
  ])('refuses %s before anything is sent', (_, options, message) => {
    expect(() => fleet.watchStatus(options)).toThrow(InvalidInputError);
    expect(() => fleet.watchStatus(options)).toThrow(message);
    expect(service.requests).toEqual([]);
  });
});

describe('survives', () => {
  test('an outage: reports it once, retries with growing pauses, and reports when it is over', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(1);
    const followed = await follow(fleet.watchStatus({ intervalMs: EVERY }));
    followed.take();
    service.clearRequests();
    service.faults.add({ kind: 'status', status: 503, times: 6, path: '/graphql' });
    await pass(service, EVERY);
    const [outage, ...others] = followed.take();
    expect(others).toEqual([]);
    expect(outage).toMatchObject({ type: 'outage', since: '2026-03-01T12:00:00.000Z', at: '2026-03-01T12:00:30.000Z' });
    expect(outage?.type === 'outage' && outage.error.code).toBe('HTTP');
    for (const [pauses, seconds] of [1, 2, 4, 8, 16].entries()) {
      await pass(service, seconds * 1_000 - 1);
      expect(statusesOf(service, '/graphql')).toHaveLength(pauses + 1);
      await pass(service, 1);
      expect(statusesOf(service, '/graphql')).toHaveLength(pauses + 2);
      expect(followed.take()).toEqual([]);
    }
    await pass(service, 32_000);
    expect(followed.take()[0]).toMatchObject({ type: 'recovered', since: '2026-03-01T12:00:00.000Z' });
    await pass(service, EVERY);
    expect(statusesOf(service, '/graphql')).toEqual([...Array(6).fill(503), 200, 200]);
    vi.restoreAllMocks();
  });

  describe('with the retries of a client', () => {
    const down = { status: 503, kind: 'status', times: 1000, path: '/graphql' } as const;
    const watches = {
      watchStatus: () => follow(fleet.watchStatus({ intervalMs: EVERY })),
      watchGeofences: () => follow(fleet.watchGeofences({ intervalMs: EVERY, refreshMs: EVERY })),
    };

    test.each([
      ['watchStatus', down, 'HTTP'],
      ['watchGeofences', down, 'HTTP'],
      ['watchStatus', { ...down, kind: 'reset', status: undefined }, 'NETWORK'],
      ['watchStatus', { ...down, status: 500 }, 'HTTP'],
    ] as const)('%s tells an outage with its first request, %j', async (watch, fault, code) => {
      fleet = client({ retry: undefined });
      const followed = await watches[watch]();
      followed.take();
      service.clearRequests();
      service.faults.add(fault);
      await pass(service, EVERY);
      expect(followed.take()).toMatchObject([{ type: 'outage', at: '2026-03-01T12:00:30.000Z', error: { code } }]);
      expect(service.requests.filter(({ path }) => path.endsWith('/graphql'))).toHaveLength(1);
    });

    test.each([
      [1_000, 10_000],
      [20_000, 20_000],
      [300_000, 30_000],
    ])('reports a service that hangs: with an interval of %i ms after %i ms', async (intervalMs, limitMs) => {
      // The silence of a connection is measured too.
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
      let isHanging = false;
      const released = createDeferred();
      const fetch: Fetch = async (url, init) => {
        if (isHanging) await released.promise;
        return service.fetch(url, init);
      };
      fleet = client({ retry: undefined, fetch });
      const followed = await follow(fleet.watchStatus({ intervalMs }));
      followed.take();
      isHanging = true;
      for (let left = intervalMs; left > 0; left -= MINUTE) await pass(service, Math.min(left, MINUTE));
      await pass(service, limitMs - 1);
      expect(followed.take()).toEqual([]);
      await pass(service, 1);
      expect(followed.take()).toMatchObject([{ type: 'outage', error: { code: 'TIMEOUT' } }]);
      released.resolve();
    });

    test('timeoutMs of the client or of the watch makes that shorter, and that of the watch longer', async () => {
      const hanging: Fetch = (url, init) =>
        url.endsWith('/graphql') ? new Promise(() => undefined) : service.fetch(url, init);
      for (const [ofClient, ofWatch, limitMs] of [
        [2_000, undefined, 2_000],
        [undefined, 3_000, 3_000],
        [undefined, 50_000, 50_000],
      ]) {
        const watching = client({ retry: undefined, fetch: hanging, timeoutMs: ofClient });
        const followed = await follow(watching.watchStatus({ intervalMs: EVERY, timeoutMs: ofWatch }));
        await pass(service, Number(limitMs) - 1);
        expect(followed.take()).toEqual([]);
        await pass(service, 1);
        expect(followed.take()).toMatchObject([{ type: 'outage', error: { code: 'TIMEOUT' } }]);
        await watching.close();
      }
    });

    test('a 429 is the turn of another program and no outage, unless it lasts', async () => {
      fleet = client({ retry: undefined });
      const followed = await follow(fleet.watchStatus({ intervalMs: EVERY, snapshot: true }));
      followed.take();
      service.clearRequests();
      service.faults.add({ kind: 'status', status: 429, times: 3, path: '/graphql' });
      await pass(service, EVERY + 5_000);
      expect(followed.take().map(({ type }) => type)).not.toContain('outage');
      expect(statusesOf(service, '/graphql')).toEqual([429, 429, 429, 200]);
      service.faults.add({ kind: 'status', status: 429, times: 10_000, path: '/graphql' });
      await pass(service, 2 * EVERY);
      const emitted = followed.take().filter(({ type }) => type === 'outage');
      expect(emitted).toMatchObject([{ type: 'outage', error: { code: 'RATE_LIMIT' } }]);
    });
  });

  test('an unreachable service at the beginning, but not a wrong answer', async () => {
    service.faults.add({ kind: 'reset', times: 1 });
    const followed = await follow(fleet.watchStatus({ snapshot: true }));
    expect(followed.take().map(({ type }) => type)).toEqual(['outage']);
    await pass(service, 1_000);
    expect(followed.take().map(({ type }) => type)).toEqual(['recovered', 'snapshot']);
    service.faults.add({ kind: 'graphqlError', times: 1 });
    await pass(service, EVERY);
    expect(followed.take().map(({ type }) => type)).toEqual(['outage']);

    service.faults.clear();
    service.faults.add({ kind: 'graphqlError', times: 1 });
    const wrong = await follow(client().watchStatus());
    expect(wrong.end?.error).toBeInstanceOf(GraphQLResponseError);
  });

  test('a restart of the service, which forgets all tokens, and the end of the token', async () => {
    const followed = await follow(fleet.watchStatus({ intervalMs: 10 * MINUTE }));
    service.restore(service.snapshot());
    for (let polls = 0; polls < 3; polls++) await pass(service, 10 * MINUTE);
    const types = followed.take().map(({ type }) => type);
    expect(types).toContain('moved');
    expect(types).not.toContain('outage');
    expect(followed.end).toBeUndefined();
  });

  test('the sleep of the machine, whose timers stand still meanwhile', async () => {
    const followed = await follow(fleet.watchStatus({ intervalMs: 60 * MINUTE }));
    service.clearRequests();
    // The machine sleeps: the wall clock advances, the timers do not.
    service.clock.advance(8 * 60 * MINUTE);
    await vi.advanceTimersByTimeAsync(5_000);
    await settled();
    expect(statusesOf(service, '/graphql')).toEqual([200]);
    expect(followed.take().length).toBeGreaterThan(0);
  });

  test('but not a refused login', async () => {
    const followed = await follow(client({ credentials: { username: 'demo', password: 'no' } }).watchStatus());
    expect(followed.end?.error).toBeInstanceOf(AuthenticationError);
  });
});

describe('ends', () => {
  test('by break and return, also during a pause, without a timer left', async () => {
    const events = fleet.watchStatus({ snapshot: true });
    await events.next();
    const pending = events.next();
    await settled();
    expect(vi.getTimerCount()).toBeGreaterThan(0);
    await events.return?.();
    expect(await pending).toEqual({ done: true, value: undefined });
    expect(await events.next()).toEqual({ done: true, value: undefined });
    await settled();
    expect(vi.getTimerCount()).toBe(0);
  });

  test('by its signal, with an AbortError', async () => {
    const stop = new AbortController();
    const followed = await follow(fleet.watchStatus({ signal: stop.signal }));
    stop.abort();
    await settled();
    expect(followed.end?.error).toBeInstanceOf(AbortError);
    expect(followed.end?.error).toMatchObject({ message: 'watchStatus was aborted.' });
    expect(vi.getTimerCount()).toBe(0);
    const early = await follow(fleet.watchStatus({ signal: stop.signal }));
    expect(early.end?.error).toBeInstanceOf(AbortError);
  });

  test('also while it waits for the request of another watch', async () => {
    // The first answer waits for the test.
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const slowly: Fetch = async (url, init) => {
      if (url.endsWith('/graphql')) await held;
      return service.fetch(url, init);
    };
    fleet = client({ fetch: slowly });
    const first = await follow(fleet.watchStatus({ snapshot: true }));
    const stop = new AbortController();
    const aborted = await follow(fleet.watchStatus({ signal: stop.signal }));
    const left = fleet.watchStatus();
    const pending = left.next();
    await settled();
    stop.abort();
    await left.return?.();
    await settled();
    expect(aborted.end?.error).toMatchObject({ code: 'ABORTED', message: 'watchStatus was aborted.' });
    expect(await Promise.race([pending, settled()])).toEqual({ done: true, value: undefined });
    answer();
    await settled();
    expect(first.take()).toMatchObject([{ type: 'snapshot' }]);
  });

  test('with its client', async () => {
    const followed = await follow(fleet.watchStatus());
    await fleet.close();
    await settled();
    expect(followed.end?.error).toBeInstanceOf(ClosedError);
    expect(followed.end?.error).toMatchObject({ message: 'watchStatus has ended: the client was closed.' });
    expect(vi.getTimerCount()).toBe(0);
  });
});

test('over HTTP', async () => {
  vi.useRealTimers();
  const server = await service.listen();
  await using remote = client({ baseUrl: server.url, fetch: undefined });
  const seen = new EventBoard();
  for await (const event of remote.watchStatus({ snapshot: true, intervalMs: 1 })) {
    seen.apply([event]);
    if (event.type === 'snapshot') service.clock.advance(10 * MINUTE);
    if (event.type === 'moved') {
      expect(toDate(event.vehicle.timestamp)?.getTime()).toBeGreaterThan(
        toDate(event.previous.timestamp)?.getTime() ?? 0,
      );
      break;
    }
  }
  expect(seen.vehicles.size).toBe(5);
  await remote.close();
  await server.close();
});
