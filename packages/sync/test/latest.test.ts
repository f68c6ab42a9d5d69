// Tests the newest snapshots of a copy: vehicles without reports, and device clocks that are ahead.
import { describe, expect, test } from 'vitest';
import { makeClient, makeService, START } from '../../../test/request/setup.js';
import { type SyncOptions, type SyncTarget, syncFleet } from '../src/index.js';
import { rowOf } from '../src/rows.js';
import { type Alter, altered } from './altered.js';
import { inSqlite } from './databases.js';

const MINUTE = 60_000;
const at = (minutes: number) => new Date(START + minutes * MINUTE).toISOString();

async function copied() {
  const service = makeService({ vehicles: 3 });
  const { target, run: rows } = await inSqlite();
  const run = (alter: Alter, options: SyncOptions = {}, to: SyncTarget = target) =>
    syncFleet(makeClient(service, { merge: false, fetch: altered(service, alter) }), to, {
      parts: ['latest'],
      ...options,
    });
  const [first = '', ...others] = (await makeClient(service).getVehicles()).map(({ id }) => String(id));
  const silence = () => rows('SELECT vehicle_id, as_of, silent_h FROM vehicle_silence ORDER BY vehicle_id');
  const newest = async (vehicleId = first) =>
    (await rows(`SELECT recorded_at FROM latest_snapshots WHERE vehicle_id = '${vehicleId}'`))[0]?.[0];
  return { service, target, rows, run, first, others, silence, newest };
}

/** Changes the newest snapshot of a vehicle. */
const latestOf =
  (vehicleId: string, change: (row: Record<string, unknown>) => unknown): Alter =>
  (name, value) =>
    name === 'getLatestSnapshots' && Array.isArray(value)
      ? value.map((row) => (row?.vehicleId === vehicleId ? change(row) : row))
      : value;

test('null in place of the newest snapshot is a vehicle that has never reported', async () => {
  const { run, first, silence } = await copied();
  const { failures, warnings } = await run(latestOf(first, () => null));
  expect([failures, warnings]).toEqual([[], []]);
  const rows = await silence();
  expect(rows.map(([, asOf]) => asOf)).toEqual([at(0), at(0), at(0)]);
  expect(rows.filter(([, , hours]) => hours === null).map(([id]) => id)).toEqual([first]);
});

describe('a newest snapshot that is ahead of the clock of the service', () => {
  const ahead = (vehicleId: string, minutes = 5 * 365 * 1440) =>
    latestOf(vehicleId, (row) => ({ ...row, timestamp: at(minutes), gps: { speed: 99 } }));

  test('is not the newest of its vehicle: the one before it is, and the sync says so once', async () => {
    const { run, first, service, silence, newest } = await copied();
    await run((_name, value) => value);
    const real = await newest();
    const fresh = await copied();
    for (const copy of [{ run, newest, silence }, fresh]) {
      const { failures, warnings } = await copy.run(ahead(first));
      expect(failures).toEqual([]);
      expect(warnings).toMatchObject([{ code: 'DEVICE_CLOCK_AHEAD', message: expect.stringContaining(first) }]);
      expect(warnings[0]?.message).toContain(at(0));
      expect(await copy.newest()).toBe(real);
      for (const [, , hours] of await copy.silence()) expect(Number(hours)).toBeGreaterThanOrEqual(0);
    }
    service.clock.advance(10 * MINUTE);
    await run(ahead(first));
    const later = await newest();
    expect(String(later) > String(real) && String(later) <= at(10)).toBe(true);
  });

  test('is it when it is less than five minutes ahead', async () => {
    const { run, first, newest } = await copied();
    expect((await run(ahead(first, 5))).warnings).toEqual([]);
    expect(await newest()).toBe(at(5));
    expect((await run(ahead(first, 5.1))).warnings).toHaveLength(1);
    expect(String(await newest()) <= at(5)).toBe(true);
  });

  test('gives way when a clock that was ahead has let it in, also where nothing plausible is known', async () => {
    const { run, first, target, newest, silence } = await copied();
    await run((_name, value) => value);
    const real = await newest();
    const future = rowOf('latest_snapshots', { vehicleId: first, timestamp: at(1e6) });
    const write = async () => {
      const open = await target.open();
      await open.apply({ steps: [{ kind: 'upsert', table: 'latest_snapshots', rows: [future] }], cursors: [] });
      await open.close();
    };
    await write();
    await run(ahead(first));
    expect(await newest()).toBe(real);
    await write();
    await run((name, value) => (name === 'getSnapshots' ? [] : ahead(first)(name, value, {})));
    expect(await newest()).toBeUndefined();
    expect((await silence()).find(([id]) => id === first)?.[2]).toBeNull();
  });
});
