// Streams with a separate start per vehicle equal single streams, in as few requests as with one
// start. Resuming from the emitted cursors gives every row and trip, each under one key.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type FleetClient, IncompleteStreamError, type Trip, type VehiclesStreamEvent } from '../../src/index.js';
import { createMockService } from '../../src/mock/service.js';
import { countRuns, makeClient, makeService, rejection, START, statusesOf } from '../request/setup.js';
import { runs } from '../runs.js';
import { byVehicle, HOUR, hashOf, inAnyOrder, read } from './stream-setup.js';

const to = new Date(START);
/** Less than the hours of all vehicles, so that there are several answers. */
const answerBytes = 64 * 1024;

async function started(vehicles: number) {
  const service = makeService({ vehicles });
  const fleet = makeClient(service);
  const vehicleIds = (await fleet.getVehicles({}, { select: { id: true } })).flatMap(({ id }) => id ?? []);
  return { service, fleet, vehicleIds };
}

interface Row {
  readonly vehicleId: string;
  readonly timestamp: string | number | null;
  readonly ordinal: number;
}

const select = { timestamp: true, gps: { speed: true, latitude: true }, canBus: { canDistance: true } } as const;
const keyOf = ({ vehicleId, timestamp, ordinal }: Row) => `${vehicleId} ${timestamp} ${ordinal}`;

/** Stores rows by key; fails when a stored row comes back changed. */
function store(table: Map<string, string>, row: Row): void {
  const text = JSON.stringify(row);
  expect(table.get(keyOf(row)) ?? text).toBe(text);
  table.set(keyOf(row), text);
}

const sorted = (table: ReadonlyMap<string, string>) => [...table].sort(([a], [b]) => (a < b ? -1 : 1));

describe('each vehicle from a time of its own', () => {
  const world = started(4);
  const starts = fc.array(fc.integer({ min: 0, max: 5 * HOUR }), { minLength: 1, maxLength: 4 });

  test('snapshots: those of each vehicle alone, in order and with the same numbers, in no more requests', async () => {
    const { service, vehicleIds } = await world;
    await fc.assert(
      fc.asyncProperty(starts, fc.boolean(), async (ages, isSmall) => {
        const vehicles = ages.map((age, at) => ({ vehicleId: vehicleIds[at] ?? '', from: new Date(START - age) }));
        service.clearRequests();
        const expected = new Map<unknown, unknown[]>();
        for (const vehicle of vehicles) {
          const rows = await read(makeClient(service).streamSnapshots({ ...vehicle, to }));
          if (rows.length > 0) expected.set(vehicle.vehicleId, rows);
        }
        const requests = countRuns(service, 'getSnapshots');
        service.clearRequests();
        const fleet = makeClient(service);
        const rows = await read(fleet.streamSnapshots({ vehicles, to }, isSmall ? { answerBytes } : {}));
        const found = byVehicle(rows);
        expect(new Set(found.keys())).toEqual(new Set(expected.keys()));
        for (const [vehicleId, own] of found) expect(hashOf(own)).toBe(hashOf(expected.get(vehicleId)));
        if (!isSmall) expect(countRuns(service, 'getSnapshots')).toBeLessThanOrEqual(requests);
      }),
      { numRuns: runs(20) },
    );
  });

  test.each([false, true])('trips: those of each vehicle alone, in no more requests; clip %s', async (clip) => {
    const { service, vehicleIds } = await world;
    await fc.assert(
      fc.asyncProperty(starts, fc.integer({ min: 0, max: 5 * HOUR }), async (ages, end) => {
        const until = new Date(START - end);
        const vehicles = ages.map((age, at) => ({
          vehicleId: vehicleIds[at] ?? '',
          from: new Date(until.getTime() - age),
        }));
        service.clearRequests();
        const expected: Trip[] = [];
        for (const vehicle of vehicles) {
          expected.push(...(await read(makeClient(service).streamTrips({ ...vehicle, to: until }, { clip }))));
        }
        const requests = countRuns(service, 'getSnapshots');
        service.clearRequests();
        const trips = await read(makeClient(service).streamTrips({ vehicles, to: until }, { clip }));
        expect(inAnyOrder(trips)).toBe(inAnyOrder(expected));
        expect(countRuns(service, 'getSnapshots')).toBeLessThanOrEqual(requests);
      }),
      { numRuns: runs(20) },
    );
  });

  test('25 vehicles with 25 cursors in the last hour cost the requests of 25 with one', async () => {
    const { service, vehicleIds } = await started(25);
    const vehicles = vehicleIds.map((vehicleId, at) => ({ vehicleId, from: new Date(START - HOUR + at * 137_001) }));
    const requestsOf = async (reading: (fleet: FleetClient) => AsyncIterable<unknown>) => {
      service.clearRequests();
      await read(reading(makeClient(service)));
      expect(new Set(statusesOf(service, '/graphql'))).toEqual(new Set([200]));
      return countRuns(service, 'getSnapshots');
    };
    const same = { vehicleIds, from: new Date(START - HOUR), to };
    const own = { vehicles, to };
    const one = await requestsOf((fleet) => fleet.streamSnapshots(same));
    expect(one).toBeLessThan(10);
    expect(await requestsOf((fleet) => fleet.streamSnapshots(own))).toBeLessThanOrEqual(one);
    const oneOfTrips = await requestsOf((fleet) => fleet.streamTrips(same));
    expect(await requestsOf((fleet) => fleet.streamTrips(own))).toBeLessThanOrEqual(oneOfTrips + 1);
  });

  test('reports for each failed vehicle the time from which to read it again', async () => {
    const { service, fleet, vehicleIds } = await world;
    const vehicles = vehicleIds.map((vehicleId, at) => ({ vehicleId, from: new Date(START - (at + 1) * HOUR) }));
    service.faults.add({ kind: 'graphqlError', operation: 'getSnapshots', times: 100 });
    const failed = await rejection(read(fleet.streamSnapshots({ vehicles, to })));
    const failures = failed instanceof IncompleteStreamError ? failed.vehicles : [];
    service.faults.clear();
    const resumed = failures.map(({ vehicleId, resumeFrom: from }) => ({ vehicleId, from: new Date(from) }));
    expect(inAnyOrder(resumed)).toBe(inAnyOrder(vehicles));
  });
});

describe('what is refused before anything is sent', () => {
  const id = '123e4567-e89b-42d3-a456-426614174000';
  const other = '223e4567-e89b-42d3-a456-426614174000';
  const from = '2026-03-01T10:00:00Z';
  const vehicle = { vehicleId: id, from };

  test.each<[name: string, variables: object, problem: string]>([
    ['no list', { vehicles: id }, 'vehicles of X must be a list of objects with vehicleId and from that is not empty.'],
    [
      'no vehicle',
      { vehicles: [] },
      'vehicles of X must be a list of objects with vehicleId and from that is not empty.',
    ],
    ['an id in place of an object', { vehicles: [vehicle, other] }, 'vehicles[1] of X must be an object'],
    ['an id that is none', { vehicles: [{ vehicleId: 'Truck 7', from }] }, 'vehicles[0].vehicleId of X must be a UUID'],
    ['no id', { vehicles: [{ from }] }, 'vehicles[0].vehicleId of X must be set'],
    ['no start', { vehicles: [vehicle, { vehicleId: other }] }, 'vehicles[1].from of X must be a Date or RFC 3339'],
    ['another member', { vehicles: [{ ...vehicle, to: from }] }, 'vehicles[0] of X has no member to.'],
    [
      'the same vehicle twice',
      { vehicles: [vehicle, { vehicleId: id.toUpperCase(), from: '2026-03-01T09:00:00Z' }] },
      'vehicles[1] of X is the same vehicle as vehicles[0].',
    ],
    [
      'a start after the end',
      { vehicles: [vehicle, { vehicleId: other, from: '2026-03-01T13:00:00Z' }] },
      'vehicles[1].from of X is after to.',
    ],
    ['vehicleIds too', { vehicles: [vehicle], vehicleIds: [id] }, 'X was given vehicles and vehicleIds.'],
    ['vehicleId too', { vehicles: [vehicle], vehicleId: id }, 'X was given vehicles and vehicleId.'],
    ['from too', { vehicles: [vehicle], from }, 'X was given vehicles and from.'],
    [
      'a gap before a vehicle',
      // biome-ignore lint/suspicious/noSparseArray: what is refused
      { vehicles: [, vehicle] },
      'vehicles[0] of X must be an object with vehicleId and from.',
    ],
    [
      'a gap after a vehicle',
      { vehicles: Object.assign([vehicle], { length: 2 }) },
      'vehicles[1] of X must be an object with vehicleId and from.',
    ],
    // biome-ignore lint/suspicious/noSparseArray: what is refused
    ['a gap among ids', { vehicleIds: [id, , other], from }, 'vehicleIds[1] of X must be set (UUID!).'],
    ['an id among ids that is none', { vehicleIds: [id, 'Truck 7'], from }, 'vehicleIds[1] of X must be a UUID'],
    [
      'a vehicle twice among ids, in another letter case',
      { vehicleIds: [other, id, id.toUpperCase()], from },
      'vehicleIds[2] of X is the same vehicle as vehicleIds[1], in another letter case.',
    ],
    ['a vehicle beside ids', { vehicleIds: [id], vehicleId: other, from }, 'X was given vehicleIds and vehicleId.'],
    ['something else beside ids', { vehicleIds: [id], from, limit: 5 }, 'X was given vehicleIds and limit.'],
    ['ids that are undefined', { vehicleIds: undefined, from }, 'vehicleIds of X must be a list of ids that is not'],
    ['no end', { vehicles: [vehicle], to: undefined }, 'to of X must be a Date or RFC 3339'],
  ])('%s', (_name, variables, problem) => {
    const service = createMockService();
    const fleet = makeClient(service);
    // As by a caller without types.
    const input = { to: '2026-03-01T12:00:00Z', ...variables } as never;
    const streams = {
      streamSnapshots: () => fleet.streamSnapshots(input),
      streamTrips: () => fleet.streamTrips(input),
    };
    for (const [name, stream] of Object.entries(streams)) {
      const message = expect.stringContaining(problem.replaceAll('X', name));
      expect(stream).toThrow(expect.objectContaining({ code: 'INVALID_INPUT', message }));
      expect(stream).not.toThrow(new RegExp(`${id}|10:00|13:00|Truck`, 'i'));
    }
    expect(service.requests).toEqual([]);
  });

  test.each<[name: string, variables: object]>([
    ['vehicles, of one vehicle', { vehicles: undefined, vehicleId: other, from }],
    ['vehicles and vehicleIds, of one vehicle', { vehicles: null, vehicleIds: null, vehicleId: other, from }],
    ['vehicles, of ids', { vehicles: undefined, vehicleIds: [other], vehicleId: undefined, from }],
    ['vehicleIds, of vehicles', { vehicles: [{ ...vehicle, to: undefined }], vehicleIds: undefined, from: null }],
    ['nothing, of an id that is there twice', { vehicleIds: [id, other, id], from }],
  ])('what is not given counts as left out: %s', async (_name, variables) => {
    const service = createMockService();
    const fleet = makeClient(service);
    // As by a caller without types.
    const input = { to: '2026-03-01T10:00:00Z', ...variables } as never;
    expect(await read(fleet.streamSnapshots(input))).toEqual([]);
    expect(await read(fleet.streamTrips(input))).toEqual([]);
    expect(countRuns(service, 'getSnapshots')).toBeGreaterThan(1);
  });

  test('by the compiler too', () => {
    const fleet = makeClient(createMockService());
    const compiled = () => {
      fleet.streamSnapshots({ vehicles: [vehicle], to: from });
      // @ts-expect-error each vehicle has a start of its own
      fleet.streamSnapshots({ vehicles: [vehicle], from, to: from });
      // @ts-expect-error either one or the other
      fleet.streamSnapshots({ vehicles: [vehicle], vehicleIds: [id], to: from });
      // @ts-expect-error no one vehicle beside
      fleet.streamTrips({ vehicles: [vehicle], vehicleId: id, to: from });
      // @ts-expect-error from when?
      fleet.streamTrips({ vehicles: [{ vehicleId: id }], to: from });
      // @ts-expect-error the same end for all
      fleet.streamTrips({ vehicles: [{ ...vehicle, to: from }], to: from });
    };
    expect(compiled).toBeTypeOf('function');
  });
});

describe('going on', () => {
  test('wherever a reading is left: from the last row of each vehicle on, every row comes under the key that it has', async () => {
    const { fleet, vehicleIds } = await started(4);
    const begin = new Date(START - 3 * HOUR);
    const whole = new Map<string, string>();
    const all = await read(fleet.streamSnapshots({ vehicleIds, from: begin, to }, { select }));
    for (const row of all) store(whole, row);
    expect(all.some(({ ordinal }) => ordinal > 0)).toBe(true);
    const lefts = fc.array(fc.integer({ min: 1, max: all.length }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(lefts, async (leaveAfter) => {
        const table = new Map<string, string>();
        const cursors = new Map<string, string | Date>(vehicleIds.map((vehicleId) => [vehicleId, begin]));
        for (const most of [...leaveAfter, Number.POSITIVE_INFINITY]) {
          const vehicles = [...cursors].map(([vehicleId, from]) => ({ vehicleId, from }));
          let received = 0;
          for await (const row of fleet.streamSnapshots({ vehicles, to }, { select, answerBytes })) {
            store(table, row);
            cursors.set(row.vehicleId, String(row.timestamp));
            if (++received >= most) break;
          }
        }
        expect(sorted(table)).toEqual(sorted(whole));
      }),
      { numRuns: runs(20) },
    );
  });

  test('in the middle of the rows of one millisecond', async () => {
    const { fleet, vehicleIds } = await started(4);
    const begin = new Date(START - 12 * HOUR);
    const all = await read(fleet.streamSnapshots({ vehicleIds, from: begin, to }, { select }));
    const shared = all.filter(({ ordinal }) => ordinal === 1);
    const ofMoment = (rows: readonly Row[], { vehicleId, timestamp }: Row) =>
      rows.filter((row) => row.vehicleId === vehicleId && row.timestamp === timestamp);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...shared), async (row) => {
        const vehicles = [{ vehicleId: row.vehicleId, from: String(row.timestamp) }];
        const again = await read(fleet.streamSnapshots({ vehicles, to }, { select }));
        expect(ofMoment(again, row)).toEqual(ofMoment(all, row));
        expect(ofMoment(again, row).length).toBeGreaterThan(1);
      }),
      { numRuns: runs(20) },
    );
  });

  /** A job with pauses, up to a time in the future; each run resumes the previous one. */
  const pauses = fc.array(fc.integer({ min: 1000, max: 5 * HOUR }), { minLength: 2, maxLength: 6 });
  const future = new Date(START + 400 * 24 * HOUR);

  async function running() {
    let now = START;
    const service = createMockService({ vehicles: 4, clock: { now: () => now } });
    const fleet = makeClient(service);
    const vehicleIds = (await fleet.getVehicles({}, { select: { id: true } })).flatMap(({ id }) => id ?? []);
    const cursors = new Map(vehicleIds.map((vehicleId) => [vehicleId, new Date(START - HOUR).toISOString()]));
    return {
      fleet,
      vehicleIds,
      pass: (ms: number) => {
        now += ms;
      },
      now: () => new Date(now),
      cursors: () => [...cursors].map(([vehicleId, from]) => ({ vehicleId, from })),
      onEvent(event: VehiclesStreamEvent) {
        if (event.type !== 'complete') return;
        expect(Date.parse(event.until)).toBeLessThanOrEqual(now);
        cursors.set(event.vehicleId, event.until);
      },
    };
  }

  test('run after run, from where the last one was complete: all snapshots, though their ends were in the future', async () => {
    await fc.assert(
      fc.asyncProperty(pauses, async (times) => {
        const { fleet, vehicleIds, pass, now, cursors, onEvent } = await running();
        const table = new Map<string, string>();
        for (const ms of times) {
          pass(ms);
          const rows = fleet.streamSnapshots({ vehicles: cursors(), to: future }, { select, onEvent });
          for await (const row of rows) store(table, row);
          expect(new Set(cursors().map(({ from }) => from))).toEqual(new Set([now().toISOString()]));
        }
        const whole = new Map<string, string>();
        const period = { vehicleIds, from: new Date(START - HOUR), to: now() };
        for await (const row of fleet.streamSnapshots(period, { select })) store(whole, row);
        expect(sorted(table)).toEqual(sorted(whole));
      }),
      { numRuns: runs(20) },
    );
  });

  test('run after run: all trips as they ended, none twice', async () => {
    await fc.assert(
      fc.asyncProperty(pauses, async (times) => {
        const { fleet, vehicleIds, pass, now, cursors, onEvent } = await running();
        const table = new Map<string, Trip>();
        for (const ms of times) {
          pass(ms);
          const trips = fleet.streamTrips({ vehicles: cursors(), to: future }, { onEvent });
          for await (const trip of trips) table.set(trip.id, trip);
        }
        const whole = await read(fleet.streamTrips({ vehicleIds, from: new Date(START - HOUR), to: now() }));
        expect(inAnyOrder([...table.values()])).toBe(inAnyOrder(whole));
      }),
      { numRuns: runs(20) },
    );
  });

  test('a vehicle under way is read again from the start of its trip; one that is parked from the end', async () => {
    const { fleet, vehicleIds } = await started(25);
    const open = new Map<string, string>();
    const completed = new Map<string, string>();
    const onEvent = (event: VehiclesStreamEvent) =>
      event.type === 'complete' && completed.set(event.vehicleId, event.until);
    const from = new Date(START - 2 * HOUR);
    for await (const trip of fleet.streamTrips({ vehicleIds, from, to }, { onEvent })) {
      if (trip.isOpen) open.set(trip.vehicleId, trip.startedAt);
    }
    expect(open.size).toBeGreaterThan(0);
    expect(completed.size).toBe(25);
    for (const [vehicleId, until] of completed) {
      const start = Date.parse(open.get(vehicleId) ?? to.toISOString());
      expect(until).toBe(new Date(Math.max(from.getTime(), start)).toISOString());
    }
  });
});
