// Vehicle, timestamp and ordinal are a key of streamed rows: different rows never share it. A row
// has an equal key in every period, after an interruption, and in any order of the service.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Fetch } from '../../src/core/ports.js';
import { createMockService } from '../../src/mock/service.js';
import { makeClient, START } from '../request/setup.js';
import { runs } from '../runs.js';
import { withoutOrdinal } from './answered-row.js';

const HOUR = 3_600_000;
const VEHICLES = 3;

interface NumberedRow {
  readonly vehicleId?: string | null;
  readonly timestamp: string | number | null;
  readonly ordinal: number;
}

async function started() {
  const service = createMockService({ vehicles: VEHICLES, clock: { now: () => START } });
  const fleet = makeClient(service);
  const vehicles = await fleet.getVehicles({}, { select: { id: true } });
  return { service, fleet, vehicleIds: vehicles.map(({ id }) => id ?? '') };
}

async function read<Row>(rows: AsyncIterable<Row>): Promise<Row[]> {
  const all: Row[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

const keyOf = ({ vehicleId, timestamp, ordinal }: NumberedRow) =>
  `${vehicleId} ${new Date(timestamp ?? Number.NaN).toISOString()} ${ordinal}`;

/** Returns the rows by key; fails when two different rows share one. */
function byKey(rows: readonly NumberedRow[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const row of rows) {
    const text = JSON.stringify(withoutOrdinal(row));
    expect(found.get(keyOf(row)) ?? text).toBe(text);
    found.set(keyOf(row), text);
  }
  return found;
}

const sorted = (rows: ReadonlyMap<string, string>) => [...rows].sort(([a], [b]) => (a < b ? -1 : 1));
const asOne = { from: new Date(START - 4 * HOUR), to: new Date(START) };

describe('the key of a row', () => {
  test('tells different rows of one moment apart', async () => {
    const { fleet, vehicleIds } = await started();
    const rows = await read(fleet.streamSnapshots({ vehicleIds, ...asOne }));
    expect(rows.some(({ ordinal }) => ordinal > 0)).toBe(true);
    expect(byKey(rows).size).toBe(new Set(rows.map((row) => JSON.stringify(withoutOrdinal(row)))).size);
  });

  test('is the same when the service sends its rows the other way round', async () => {
    const { service, fleet, vehicleIds } = await started();
    const period = { vehicleIds, ...asOne };
    const whole = byKey(await read(fleet.streamSnapshots(period)));
    const fetch: Fetch = async (url, init) => {
      const response = await service.fetch(url, init);
      if (!init.body?.includes('getSnapshots')) return response;
      // A document of several vehicles has a list for each.
      const { data } = (await response.json()) as { data: Record<string, unknown[]> };
      for (const rows of Object.values(data)) rows.reverse();
      return Response.json({ data });
    };
    const reversed = await read(makeClient(service, { fetch }).streamSnapshots(period));
    expect(sorted(byKey(reversed))).toEqual(sorted(whole));
  });

  test('is the same in every period, of one vehicle and of several', async () => {
    const { fleet, vehicleIds } = await started();
    const whole = byKey(await read(fleet.streamSnapshots({ vehicleIds, ...asOne })));
    const isInside = (key: string) => Date.parse(key.split(' ')[1] ?? '') >= asOne.from.getTime() + HOUR;
    const moments = [...whole.keys()].filter((key) => key.endsWith(' 1') && isInside(key));
    expect(moments.length).toBeGreaterThan(10);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...moments),
        fc.integer({ min: 0, max: HOUR }),
        fc.integer({ min: 0, max: HOUR }),
        fc.boolean(),
        async (moment, before, after, isAlone) => {
          const [vehicleId = '', time = ''] = moment.split(' ');
          const at = Date.parse(time);
          const period = { from: new Date(at - before), to: new Date(Math.min(START, at + after)) };
          const rows = isAlone
            ? await read(fleet.streamSnapshots({ vehicleId, ...period }))
            : await read(fleet.streamSnapshots({ vehicleIds, ...period }));
          const found = byKey(rows);
          expect(found.has(moment)).toBe(true);
          for (const [key, text] of found) expect(whole.get(key)).toBe(text);
        },
      ),
      { numRuns: runs(24) },
    );
  });

  test('numbers equal rows too, so that the key of each is its own', async () => {
    const { fleet, vehicleIds } = await started();
    const select = { vehicleId: true, timestamp: true } as const;
    const rows = await read(fleet.streamSnapshots({ vehicleIds, ...asOne }, { select }));
    expect(rows.length).toBeGreaterThan(new Set(rows.map(({ timestamp }) => timestamp)).size);
    expect(byKey(rows).size).toBe(rows.length);
  });

  const world = started();
  async function answering(rowsOf: (to: string) => readonly object[]) {
    const { service, vehicleIds } = await world;
    const fetch: Fetch = async (url, init) => {
      if (!init.body?.includes('getSnapshots')) return await service.fetch(url, init);
      const { variables } = JSON.parse(init.body) as { variables: { to: string } };
      return Response.json({ data: { getSnapshots: rowsOf(variables.to) } });
    };
    const fleet = makeClient(service, { fetch });
    const select = { timestamp: true, gps: { speed: true } } as const;
    return (to = START) => {
      const period = { vehicleId: vehicleIds[0] ?? '', from: new Date(START - HOUR), to: new Date(to) };
      return read(fleet.streamSnapshots(period, { select }));
    };
  }

  test('is the same in a period that ends within the millisecond', async () => {
    const first = { timestamp: '2026-03-01T11:59:57Z', gps: { speed: 9 } };
    const second = { timestamp: '2026-03-01T11:59:57.0004Z', gps: { speed: 1 } };
    const end = Date.parse(first.timestamp);
    const rows = await answering((to) => (Date.parse(to) > end ? [second, first] : [first]));
    expect(byKey(await rows()).size).toBe(2);
    const [whole] = (await rows()).filter(({ gps }) => gps?.speed === 9);
    expect(await rows(end)).toEqual([whole]);
  });

  test('tells rows apart that come out of order within a second whose fraction is left out', async () => {
    const times = ['2026-03-01T11:59:57Z', '2026-03-01T11:59:57.500Z', '2026-03-01T11:59:57Z'];
    const rows = await answering(() => times.map((timestamp, speed) => ({ timestamp, gps: { speed } })));
    expect(byKey(await rows()).size).toBe(3);
  });

  test.each([1, 2])('tells values of any kind apart, with %i other rows of the moment', async (others) => {
    const timestamp = '2026-03-01T11:59:57.000Z';
    const values = [{}, [], [{}], [[]], '', '0', 0, 10, 9, null, false, { a: 1 }, { a: 1, b: null }, { b: 1, a: 1 }];
    const sets = values.flatMap((one, at) =>
      values.slice(at + 1).flatMap((other, next) => {
        const more = others === 1 ? [] : [values[(at + next + 2) % values.length]];
        return [[one, other, ...more]];
      }),
    );
    for (const set of sets) {
      const ordered = await (await answering(() => set.map((speed) => ({ timestamp, gps: { speed } }))))();
      const reversed = await (
        await answering(() => [...set].reverse().map((speed) => ({ timestamp, gps: { speed } })))
      )();
      expect(byKey(ordered).size).toBe(set.length);
      expect(sorted(byKey(reversed))).toEqual(sorted(byKey(ordered)));
    }
  });

  test('counts within a millisecond, in whatever form the timestamps come', async () => {
    const times = [START - 3000, '2026-03-01T11:59:57.000Z', '2026-03-01T11:59:57.0004Z', '2026-03-01T13:59:57+02:00'];
    const rows = [...times, null].map((timestamp, speed) => ({ timestamp, gps: { speed } }));
    const numbered = await (await answering(() => rows))();
    const [timed, timeless] = [true, false].map((isTimed) =>
      numbered.filter(({ timestamp }) => (timestamp !== null) === isTimed).map(({ ordinal }) => ordinal),
    );
    expect(timed?.sort()).toEqual([0, 1, 2, 3]);
    expect(timeless).toEqual([0]);
  });
});
