// Variants of rows: order, arrival, value formats, maximum period.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MockVariant } from '../../../src/mock/service.js';
import { runs } from '../../runs.js';
import { type Caller, caller, day, frozenService, hour, iso, noon } from '../caller.js';

interface Row {
  readonly timestamp: string;
  readonly gps: { readonly state: unknown; readonly latitude: unknown; readonly speed: unknown } | null;
  readonly ignition: { readonly engineStatus: unknown } | null;
}

async function start(variant: MockVariant) {
  const service = frozenService({ vehicles: 6, variant });
  const demo = await caller(service.fetch);
  const { getActiveVehicles } = await demo.data('{ getActiveVehicles { id } }');
  return { service, demo, vehicleId: String(getActiveVehicles[0].id) };
}

const query = `query ($id: UUID!, $from: DateTime!, $to: DateTime!) {
  getSnapshots(vehicleId: $id, from: $from, to: $to) {
    timestamp gps { state latitude speed } ignition { engineStatus } } }`;
const rowsOf = async (demo: Caller, id: string, from = noon - day, to = noon): Promise<Row[]> =>
  (await demo.data(query, { id, from: iso(from), to: iso(to) })).getSnapshots;
const times = (rows: readonly Row[]) => rows.map(({ timestamp }) => Date.parse(timestamp));
const byTime = (rows: readonly Row[]) => [...rows].sort((a, b) => Date.parse(a.timestamp) - Date.parse(b.timestamp));
const tidy = await start({});
const tidyRows = await rowsOf(tidy.demo, tidy.vehicleId);

describe('order', () => {
  test('descending: the same rows, newest first', async () => {
    const { demo, vehicleId } = await start({ rows: 'descending' });
    const rows = await rowsOf(demo, vehicleId);
    expect(times(rows)).toEqual(times(rows).sort((a, b) => b - a));
    expect(times(byTime(rows))).toEqual(times(byTime(tidyRows)));
    expect(rows.length).toBeGreaterThan(100);
  });

  test('shuffled: the same rows in no order, and the same order again', async () => {
    const { demo, vehicleId } = await start({ rows: 'shuffled' });
    const rows = await rowsOf(demo, vehicleId);
    expect(times(byTime(rows))).toEqual(times(byTime(tidyRows)));
    const answered = times(rows);
    const rising = answered.filter((time, i) => i > 0 && time > (answered[i - 1] ?? 0)).length;
    expect(rising / rows.length).toBeGreaterThan(0.3);
    expect(rising / rows.length).toBeLessThan(0.7);
    expect(await rowsOf(demo, vehicleId)).toEqual(rows);
  });

  test('any period has the rows of the tidy service', async () => {
    const { service, demo, vehicleId } = await start({});
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom<MockVariant['rows']>('descending', 'shuffled'),
        fc.integer({ min: 0, max: 3 * day }),
        fc.integer({ min: 0, max: 2 * day }),
        async (rows, ago, length) => {
          const from = noon - ago;
          service.setVariant({});
          const expected = times(byTime(await rowsOf(demo, vehicleId, from, from + length)));
          service.setVariant({ rows });
          expect(times(byTime(await rowsOf(demo, vehicleId, from, from + length)))).toEqual(expected);
        },
      ),
      { numRuns: runs(10) },
    );
  });

  test('a period of thousands of years ends', async () => {
    const { demo, vehicleId } = await start({ rows: 'shuffled' });
    expect(await rowsOf(demo, vehicleId, Date.UTC(1000, 0, 1), Date.UTC(2024, 0, 1))).toEqual([]);
  });
});

describe('late rows', () => {
  test('a third of the rows is missing until it arrives, in lists and in the newest snapshot', async () => {
    const { service, demo, vehicleId } = await start({ lateRowsMs: 2 * day });
    const early = await rowsOf(demo, vehicleId);
    expect(early.length).toBeLessThan(tidyRows.length * 0.8);
    expect(early.length).toBeGreaterThan(tidyRows.length * 0.5);
    const newest = `{ getLatestSnapshots(vehicleIds: ["${vehicleId}"]) { timestamp } getVehicleById(id: "${vehicleId}") { lastData { timestamp } } }`;
    const latest = await demo.data(newest);
    const last = iso(Math.max(...times(early)));
    expect(latest.getLatestSnapshots).toEqual([{ timestamp: last }]);
    expect(latest.getVehicleById.lastData).toEqual({ timestamp: last });
    service.clock.advance(2 * day);
    const again = await caller(service.fetch);
    expect(times(await rowsOf(again, vehicleId)).sort()).toEqual(times(tidyRows).sort());
  });
});

describe('values', () => {
  const cases: readonly (readonly [MockVariant, unknown, unknown, unknown, unknown])[] = [
    [{ flags: 'ON/OFF' }, 'ON', 'OFF', 'ON', 'OFF'],
    [{ flags: 'on/off' }, 'on', 'off', 'on', 'off'],
    [{ flags: 'running/stopped' }, 'running', 'stopped', true, false],
    [{ flags: '1/0' }, 1, 0, 1, 0],
  ];
  test.each(cases)('%j, streamed and not', async (variant, on, off, fix, noFix) => {
    const { demo, vehicleId } = await start(variant);
    const rows = await rowsOf(demo, vehicleId);
    expect(rows.map(({ ignition }) => ignition?.engineStatus ?? null)).toEqual(
      tidyRows.map(({ ignition }) => (ignition === null ? null : ignition.engineStatus === true ? on : off)),
    );
    expect(rows.map(({ gps }) => gps?.state ?? null)).toEqual(
      tidyRows.map(({ gps }) => (gps === null ? null : gps.state === true ? fix : noFix)),
    );
    const { getVehicles } = await demo.data('{ getVehicles { lastData { ignition { engineStatus } } } }');
    const shown = getVehicles.map((vehicle: { lastData: Row | null }) => vehicle.lastData?.ignition?.engineStatus);
    expect(new Set(shown.filter((value: unknown) => value !== undefined))).toEqual(new Set([on, off]));
    const { __type } = await demo.data('{ __type(name: "Ignition") { fields { type { name } } } }');
    expect(__type.fields[0].type.name).toBe(typeof on === 'number' ? 'Int' : 'String');
  });

  test('gps numbers as text', async () => {
    const { demo, vehicleId } = await start({ gpsNumbers: 'text' });
    const rows = await rowsOf(demo, vehicleId);
    expect(rows.map(({ gps }) => gps && [gps.state, gps.latitude, gps.speed])).toEqual(
      tidyRows.map(({ gps }) => gps && [gps.state, String(gps.latitude), String(gps.speed)]),
    );
  });

  test('times with an offset, and as numbers, in rows and records', async () => {
    const record = '{ getRoles { createdAt } }';
    const created = Date.parse((await tidy.demo.data(record)).getRoles[0].createdAt);
    const offset = await start({ times: 'offset' });
    expect((await rowsOf(offset.demo, offset.vehicleId))[0]?.timestamp).toMatch(/\+05:30$/);
    expect(times(await rowsOf(offset.demo, offset.vehicleId))).toEqual(times(tidyRows));
    expect(Date.parse((await offset.demo.data(record)).getRoles[0].createdAt)).toBe(created);
    const epoch = await start({ times: 'epoch' });
    expect((await rowsOf(epoch.demo, epoch.vehicleId)).map(({ timestamp }) => timestamp)).toEqual(times(tidyRows));
    expect((await epoch.demo.data(record)).getRoles[0].createdAt).toBe(created);
  });
});

describe('the longest period', () => {
  test('as an error of the field, as long as it is not shorter', async () => {
    const { demo, vehicleId } = await start({ longestPeriod: { days: 7, refusedAs: 'error' } });
    expect(await rowsOf(demo, vehicleId, noon - 7 * day)).not.toEqual([]);
    const refused = await demo(query, { id: vehicleId, from: iso(noon - 7 * day - 1), to: iso(noon) });
    expect([refused.status, refused.errors[0]?.message]).toEqual([200, 'The period must not be longer than 7 days.']);
  });

  test('as status 400', async () => {
    const { demo, vehicleId } = await start({ longestPeriod: { days: 1, refusedAs: 'status' } });
    expect(await rowsOf(demo, vehicleId, noon - 24 * hour)).not.toEqual([]);
    const refused = await demo(query, { id: vehicleId, from: iso(noon - 25 * hour), to: iso(noon) });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('longer than 1 days')]);
  });
});
