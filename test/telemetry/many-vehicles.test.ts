// Streams of many vehicles equal single streams, in few requests, whatever fails for some vehicles.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ProtocolError } from '../../src/core/errors.js';
import { notifierFor } from '../../src/core/hooks.js';
import { turnOfEventLoop } from '../../src/core/real-time.js';
import {
  type Fetch,
  FleetError,
  IncompleteStreamError,
  type VehicleFailure,
  type VehiclesStreamEvent,
} from '../../src/index.js';
import { BatchedRows } from '../../src/rows/list-rows.js';
import { readPeriod } from '../../src/telemetry/period.js';
import { AnswerTarget, RateCache, VehicleRates } from '../../src/telemetry/streams/answer-sizes.js';
import { despiteFailures } from '../../src/telemetry/streams/despite-failures.js';
import { SnapshotReader } from '../../src/telemetry/streams/snapshot-reader.js';
import { VehicleProgress } from '../../src/telemetry/streams/vehicle-progress.js';
import { countRuns, makeClient, makeService, rejection, START } from '../request/setup.js';
import { byVehicle, HOUR, hashOf, inAnyOrder, period, read, snapshotsAlone, tripsAlone } from './stream-setup.js';

const service = makeService({ vehicles: 5 });
let vehicleIds: string[];

beforeAll(async () => {
  vehicleIds = (await makeClient(service).getVehicles()).flatMap(({ id }) => id ?? []);
});
beforeEach(() => {
  service.faults.clear();
  service.clearRequests();
});

/** Less than an hour of all vehicles, so that there are several answers. */
const answerBytes = 64 * 1024;
let readAlone: Promise<Map<unknown, unknown[]>> | undefined;

/** Returns an hour of snapshots of each vehicle, from separate streams. */
async function alone(): Promise<Map<unknown, unknown[]>> {
  readAlone ??= snapshotsAlone(makeClient(service), vehicleIds, HOUR);
  return new Map(await readAlone);
}

describe('snapshots', () => {
  test('of an hour are those of each vehicle alone, in order, in few requests', async () => {
    const expected = await alone();
    service.clearRequests();
    const rows = await read(makeClient(service).streamSnapshots({ vehicleIds, ...period(HOUR) }));
    const found = byVehicle(rows);
    expect(new Set(found.keys())).toEqual(new Set(expected.keys()));
    for (const [vehicleId, own] of found) expect(hashOf(own)).toBe(hashOf(expected.get(vehicleId)));
    expect(countRuns(service, 'getSnapshots')).toBeLessThanOrEqual(3);
  });

  test('in many small answers are the same, in order', async () => {
    const expected = await alone();
    service.clearRequests();
    const rows = await read(makeClient(service).streamSnapshots({ vehicleIds, ...period(HOUR) }, { answerBytes }));
    for (const [vehicleId, own] of byVehicle(rows)) expect(hashOf(own)).toBe(hashOf(expected.get(vehicleId)));
    expect(inAnyOrder(rows)).toEqual(inAnyOrder([...expected.values()].flat()));
    expect(countRuns(service, 'getSnapshots')).toBeGreaterThan(2);
  });

  test('a selection has the vehicle too, and no timestamp that was not asked for', async () => {
    const select = { gps: { speed: true } } as const;
    const rows = await read(makeClient(service).streamSnapshots({ vehicleIds, ...period(HOUR) }, { select }));
    expect(Object.keys(rows[0] ?? {}).sort()).toEqual(['gps', 'ordinal', 'vehicleId']);
  });

  test('a service that refuses merged documents gives the same rows, with one warning', async () => {
    const warnings: string[] = [];
    const fetch: Fetch = async (url, init) => {
      const isMerged = (init.body ?? '').includes('q1:');
      if (!isMerged) return service.fetch(url, init);
      return Response.json({ errors: [{ message: 'One field only.' }] });
    };
    const fleet = makeClient(service, { fetch, hooks: { onWarning: ({ code }) => warnings.push(code) } });
    const rows = await read(fleet.streamSnapshots({ vehicleIds, ...period(HOUR) }));
    expect(inAnyOrder(rows)).toEqual(inAnyOrder([...(await alone()).values()].flat()));
    expect(warnings).toEqual(['MERGING_STOPPED']);
  });

  test('a service that answers only short documents is asked for less', async () => {
    let largest = 0;
    const fetch: Fetch = async (url, init) => {
      const parts = (init.body ?? '').match(/q\d+:/g)?.length ?? 0;
      if (parts > 3) return new Response('Gateway Time-out', { status: 504 });
      largest = Math.max(largest, parts);
      return service.fetch(url, init);
    };
    const fleet = makeClient(service, { fetch, retry: false });
    const rows = await read(fleet.streamSnapshots({ vehicleIds, ...period(HOUR) }));
    expect(inAnyOrder(rows)).toEqual(inAnyOrder([...(await alone()).values()].flat()));
    expect(largest).toBeGreaterThan(0);
  });

  test('two streams of the same vehicles at once get all rows each', async () => {
    const fleet = makeClient(service);
    const both = [1, 2].map(() => read(fleet.streamSnapshots({ vehicleIds, ...period(HOUR) })));
    const expected = inAnyOrder([...(await alone()).values()].flat());
    for (const rows of await Promise.all(both)) expect(inAnyOrder(rows)).toEqual(expected);
  });

  test('null rows are left out, with a warning', async () => {
    const warnings: string[] = [];
    const fetch: Fetch = async (url, init) => {
      const response = await service.fetch(url, init);
      if (!(init.body ?? '').includes('q1:')) return response;
      return new Response((await response.text()).replace('"q1":[', '"q1":[null,'));
    };
    const fleet = makeClient(service, { fetch, hooks: { onWarning: ({ code }) => warnings.push(code) } });
    const rows = await read(fleet.streamSnapshots({ vehicleIds, ...period(HOUR) }));
    expect(inAnyOrder(rows)).toEqual(inAnyOrder([...(await alone()).values()].flat()));
    expect(warnings).toEqual(['NULL_ROWS']);
  });

  test('leaving the loop ends it', async () => {
    const fleet = makeClient(service);
    for await (const _ of fleet.streamSnapshots({ vehicleIds, ...period(HOUR) }, { answerBytes })) break;
    const before = service.requests.length;
    await fleet.getLabels();
    expect(service.requests.length - before).toBeLessThanOrEqual(2);
  });

  test('an abort ends it with AbortError', async () => {
    const controller = new AbortController();
    const rows = makeClient(service).streamSnapshots(
      { vehicleIds, ...period(HOUR) },
      { answerBytes, signal: controller.signal },
    );
    await rows.next();
    controller.abort();
    expect(await rejection(rows.next())).toMatchObject({ code: 'ABORTED' });
  });

  test.each([
    ['no vehicles', []],
    ['an invalid id', ['Truck 7']],
  ])('reports %s before anything is sent', (_, ids) => {
    const fleet = makeClient(service);
    expect(() => fleet.streamSnapshots({ vehicleIds: ids, ...period(HOUR) })).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT' }),
    );
    expect(service.requests).toEqual([]);
  });
});

describe('sizes of answers', () => {
  test('a silent vehicle in front does not make the others be asked for all at once', () => {
    const day = 24 * HOUR;
    const rates = new VehicleRates('snapshots');
    const before = rates.of('truck');
    rates.addSample('silent', 0, 7 * day);
    expect(rates.of('truck')).toBeGreaterThan(before / 3);
    // It may drive in the rest of the period, so a smaller answer must request less.
    expect(rates.of('silent')).toBeGreaterThan(0);
  });

  const MIB = 1024 * 1024;

  test('follow the busiest time of a vehicle, which fades while it rests', () => {
    const rates = new VehicleRates('snapshots');
    rates.addSample('truck', 8 * MIB, HOUR);
    const busy = rates.of('truck');
    rates.addSample('truck', 0, HOUR);
    expect(rates.of('truck')).toBe(0.75 * busy);
    rates.addSample('truck', 0, HOUR);
    expect(rates.of('truck')).toBe(0.75 * 0.75 * busy);
    rates.addSample('truck', 9 * MIB, HOUR);
    expect(rates.of('truck')).toBeCloseTo((9 / 8) * busy);
  });

  test('a part that was read without a limit does not take the limit from the next one', () => {
    const vehicle = new VehicleProgress({
      vehicleId: 'truck',
      period: readPeriod('streamSnapshots', new Date(START - HOUR), new Date(START)),
    });
    const shortest = vehicle.request(1_000);
    const { maxBytes } = shortest;
    expect(vehicle.requestLess(shortest)).toBe(true);
    const part = vehicle.request(1_000);
    expect(part.maxBytes).toBe(Number.POSITIVE_INFINITY);
    vehicle.endPart(part.window, START);
    expect(vehicle.request(60_000).maxBytes).toBe(maxBytes);
  });

  test('what is known of vehicles and selections is forgotten before it fills the memory', () => {
    const rates = new VehicleRates('snapshots');
    rates.addSample('truck', 8 * MIB, HOUR);
    for (let number = 1; number < 100_000; number++) rates.addSample(`other ${number}`, 0, 1);
    const rate = rates.of('truck');
    rates.addSample('one more', 0, 1);
    expect(rates.of('truck')).toBeLessThan(rate);
    const selections = new RateCache();
    const first = selections.of('{ a }', 'trips');
    expect(selections.of('{ a }', 'trips')).toBe(first);
    for (let number = 1; number <= 20; number++) selections.of(`{ a${number} }`, 'trips');
    expect(selections.of('{ a }', 'trips')).not.toBe(first);
  });

  test('grow while answers are quick, and not beyond half of one that failed', () => {
    const target = new AnswerTarget(undefined);
    const quick = () => target.answered(1_000, false);
    for (let at = 0; at < 9; at++) quick();
    expect(target.bytes).toBe(64 * MIB);
    target.shrink();
    expect(target.bytes).toBe(16 * MIB);
    for (let at = 0; at < 9; at++) quick();
    expect(target.bytes).toBe(32 * MIB);
    target.answered(20_000, false);
    expect(target.bytes).toBe(32 * MIB);
  });

  test('shrink to what takes a second while more urgent calls wait, but not below the first size', () => {
    const target = new AnswerTarget(undefined);
    for (let at = 0; at < 9; at++) target.answered(1_000, false);
    target.answered(4_000, true);
    expect(target.bytes).toBe(16 * MIB);
    target.answered(900, true);
    expect(target.bytes).toBe(16 * MIB);
    target.answered(30_000, true);
    expect(target.bytes).toBe(4 * MIB);
    target.answered(100, true);
    expect(target.bytes).toBe(8 * MIB);
  });

  test.each([
    ['alone: most of a fleet is in an answer', false, 50],
    ['while more urgent calls wait: few vehicles are', true, 4],
  ])('%s', async (_, isUrgent, most) => {
    const day = 24 * HOUR;
    let time = 0;
    let inAnswer = 0;
    const sizes: number[] = [];
    const row = Buffer.from(JSON.stringify({ timestamp: new Date(START - HOUR).toISOString(), text: 'x'.repeat(MIB) }));
    const all = readPeriod('streamSnapshots', new Date(START - day), new Date(START));
    const many = new SnapshotReader(
      Array.from({ length: 150 }, (__, at) => ({ vehicleId: `vehicle ${at}`, period: all })),
      {
        async requestPart({ list }) {
          if (inAnswer++ === 0) {
            queueMicrotask(() => {
              sizes.push(inAnswer);
              inAnswer = 0;
              time += 2_000;
            });
          }
          if (isUrgent) list.onWaitingCalls?.(true);
          await null;
          return new BatchedRows([[row]]);
        },
        isVehicleError: (error) => error instanceof FleetError,
        namesVehicles: true,
        signal: undefined,
        rates: new VehicleRates('trips'),
        maxBytes: undefined,
        windowLimit: { ms: Number.POSITIVE_INFINITY },
        now: () => time,
        serviceTime: { localNow: () => START, at: (local) => local },
        notifier: notifierFor({}),
      },
    );
    for await (const { rows } of many.read()) expect(rows.length).toBeLessThan(2);
    expect(Math.max(...sizes)).toBe(most);
  });
});

describe('a vehicle that fails', () => {
  /** Returns a service that fails for one vehicle, with a separate error. */
  function failingFor(vehicleId: string): Fetch {
    return async (url, init) => {
      const response = await service.fetch(url, init);
      const { variables } = Object(JSON.parse(url.endsWith('/graphql') ? (init.body ?? '{}') : '{}'));
      const names = Object.entries(Object(variables)).flatMap(([name, value]) => (value === vehicleId ? [name] : []));
      if (names.length === 0) return response;
      const { data } = Object(await response.json());
      const fields = names.map((name) => (name === 'vehicleId' ? 'getSnapshots' : name.replace('vehicleId_', 'q')));
      return Response.json({
        data: { ...data, ...Object.fromEntries(fields.map((field) => [field, null])) },
        errors: fields.map((field) => ({ message: 'broken', path: [field] })),
      });
    };
  }

  test('does not end the others, and is listed at the end with where to go on', async () => {
    const [, broken = ''] = vehicleIds;
    const fleet = makeClient(service, { fetch: failingFor(broken) });
    const rows: unknown[] = [];
    const error = await rejection(
      (async () => {
        for await (const row of fleet.streamSnapshots({ vehicleIds, ...period(HOUR) })) rows.push(row);
      })(),
    );
    const expected = await alone();
    expected.delete(broken);
    expect(inAnyOrder(rows)).toEqual(inAnyOrder([...expected.values()].flat()));
    expect(error).toBeInstanceOf(IncompleteStreamError);
    expect(error).toMatchObject({
      vehicles: [{ vehicleId: broken, rowsGiven: 0, resumeFrom: new Date(START - HOUR).toISOString() }],
    });
    expect(Object(error).vehicles[0].error).toBeInstanceOf(FleetError);
  });

  test.each([{}, { partial: true }])('is an event at once, and an error at the end, with %j', async (options) => {
    const [, broken = ''] = vehicleIds;
    const fleet = makeClient(service, { fetch: failingFor(broken) });
    const errors: VehicleFailure[] = [];
    const complete: string[] = [];
    const expectedError = {
      ...options,
      onEvent(event: VehiclesStreamEvent) {
        if (event.type === 'error') errors.push(event);
        if (event.type === 'complete') complete.push(event.vehicleId);
      },
    };
    const others = vehicleIds.filter((vehicleId) => vehicleId !== broken).sort();
    const resumeFrom = new Date(START - HOUR).toISOString();
    const streams = [
      () => read(fleet.streamSnapshots({ vehicleIds, ...period(HOUR) }, expectedError)),
      () => read(fleet.streamTrips({ vehicleIds, ...period(HOUR) }, expectedError)),
    ];
    for (const readStream of streams) {
      const failed = await rejection(readStream());
      expect(failed).toMatchObject({ code: 'INCOMPLETE_STREAM', vehicles: [{ vehicleId: broken, resumeFrom }] });
      expect(errors).toMatchObject([
        { type: 'error', vehicleId: broken, error: { code: 'GRAPHQL' }, rowsGiven: 0, resumeFrom },
      ]);
      expect(complete.sort()).toEqual(others);
      errors.length = 0;
      complete.length = 0;
    }
  });

  test('has rows that are not JSON: is reported once with the time to go on from, and the others have all of their rows', async () => {
    // The vehicle with the most rows needs many answers.
    const expected = await snapshotsAlone(makeClient(service), vehicleIds, 3 * HOUR);
    const [[broken] = []] = [...expected].sort(([, a], [, b]) => b.length - a.length);
    expected.delete(broken);
    let spoiled = 0;
    const fetch: Fetch = async (url, init) => {
      const response = await service.fetch(url, init);
      const { variables } = Object(JSON.parse(url.endsWith('/graphql') ? (init.body ?? '{}') : '{}'));
      const name = Object.keys(Object(variables)).find((key) => Object(variables)[key] === broken);
      if (name === undefined) return response;
      const field = name === 'vehicleId' ? 'getSnapshots' : name.replace('vehicleId_', 'q');
      spoiled++;
      return new Response((await response.text()).replace(`"${field}":[{`, `"${field}":[{x`));
    };
    const errors: VehiclesStreamEvent[] = [];
    const fleet = makeClient(service, { fetch });
    const onEvent = (event: VehiclesStreamEvent) => event.type === 'error' && errors.push(event);
    const stream = fleet.streamSnapshots({ vehicleIds, ...period(3 * HOUR) }, { answerBytes, onEvent });
    const rows = await read(despiteFailures(stream));
    expect(inAnyOrder(rows)).toEqual(inAnyOrder([...expected.values()].flat()));
    expect(errors).toMatchObject([
      { vehicleId: broken, rowsGiven: 0, resumeFrom: period(3 * HOUR).from.toISOString(), error: { code: 'PROTOCOL' } },
    ]);
    // The part in progress when the first one was read, and none after it.
    expect(spoiled).toBeLessThanOrEqual(2);
  });

  test('fails again in the part that was on its way: it has been told already', async () => {
    const error = new ProtocolError('no answer', { operation: 'getSnapshots' });
    const answers = [new BatchedRows([[Buffer.from('{"timestamp":x}')]])];
    const many = new SnapshotReader(
      [
        {
          vehicleId: 'vehicle',
          period: readPeriod('streamSnapshots', new Date(START - HOUR), new Date(START)),
        },
      ],
      {
        async requestPart() {
          const answer = answers.shift();
          if (answer) return answer;
          throw error;
        },
        isVehicleError: (error) => error instanceof FleetError,
        namesVehicles: true,
        signal: undefined,
        rates: new VehicleRates('snapshots'),
        maxBytes: 64 * 1024,
        windowLimit: { ms: HOUR / 2 },
        now: () => 0,
        serviceTime: { localNow: () => START, at: (local) => local },
        notifier: notifierFor({}),
      },
    );
    const ends = [];
    for await (const { end } of many.read()) ends.push(end);
    expect(ends).toMatchObject([{ vehicleId: 'vehicle', error: { code: 'PROTOCOL' } }]);
  });

  test('an error of the login ends the stream', async () => {
    const fleet = makeClient(service, { credentials: { username: 'demo', password: 'wrong' } });
    expect(await rejection(read(fleet.streamSnapshots({ vehicleIds, ...period(HOUR) })))).toMatchObject({
      code: 'AUTHENTICATION',
    });
  });
});

describe('trips', () => {
  test('of two hours are those of each vehicle alone, in few requests', async () => {
    const expected = await tripsAlone(makeClient(service), vehicleIds, period(2 * HOUR));
    const single = countRuns(service, 'getSnapshots');
    service.clearRequests();
    const trips = await read(makeClient(service).streamTrips({ vehicleIds, ...period(2 * HOUR) }));
    expect(inAnyOrder(trips)).toEqual(inAnyOrder(expected));
    expect(countRuns(service, 'getSnapshots')).toBeLessThan(single);
  });
});

describe('onEvent', () => {
  const streams = {
    snapshots: (onEvent: () => unknown) =>
      read(makeClient(service).streamSnapshots({ vehicleIds, ...period(HOUR) }, { onEvent })),
    trips: (onEvent: () => unknown) =>
      read(makeClient(service).streamTrips({ vehicleIds, ...period(HOUR) }, { onEvent })),
  };

  test.each(['snapshots', 'trips'] as const)(
    'is waited for by a stream of %s, one vehicle after the other',
    async (name) => {
      let open = 0;
      let most = 0;
      let saved = 0;
      await streams[name](async () => {
        most = Math.max(most, ++open);
        await turnOfEventLoop();
        open--;
        saved++;
      });
      expect({ most, saved }).toEqual({ most: 1, saved: vehicleIds.length });
    },
  );

  test.each(['snapshots', 'trips'] as const)('that rejects ends a stream of %s with its error', async (name) => {
    const failed = new Error('the database is full');
    expect(await rejection(streams[name](() => Promise.reject(failed)))).toBe(failed);
  });
});
