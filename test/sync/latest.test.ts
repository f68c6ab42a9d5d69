// The newest snapshot of each vehicle in a copy: vehicles that have never reported.
import { expect, test } from 'vitest';
import { type SyncOptions, type SyncTarget, sync } from '../../src/sync/index.js';
import { makeClient, makeService, START } from '../request/setup.js';
import { type Alter, altered } from './altered.js';
import { inSqlite } from './databases.js';

const MINUTE = 60_000;
const at = (minutes: number) => new Date(START + minutes * MINUTE).toISOString();

async function copied() {
  const service = makeService({ vehicles: 3 });
  const { target, run: rows } = await inSqlite();
  const run = (alter: Alter, options: SyncOptions = {}, to: SyncTarget = target) =>
    sync(makeClient(service, { merge: false, fetch: altered(service, alter) }), to, { parts: ['latest'], ...options });
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
