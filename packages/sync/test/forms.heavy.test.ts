// Tests values in other forms: the copy equals that of a tidy service, and unreadable values stay.
import { describe, expect, test } from 'vitest';
import { namedVariants, type VariantName } from '../../../src/mock/variants/names.js';
import { shellOf, service as shellService } from '../../../test/cli/harness.js';
import { makeClient, makeService, START } from '../../../test/request/setup.js';
import { type SyncOptions, type SyncTarget, sqliteTarget, syncFleet } from '../src/index.js';
import { type Alter, altered } from './altered.js';
import { contentOf, query, tempFile } from './copies.js';

const options: SyncOptions = { since: new Date(START - 3_600_000), parts: ['latest', 'trips', 'snapshots'] };

async function copyOf(alter: Alter): Promise<{ file: string; report: Awaited<ReturnType<typeof syncFleet>> }> {
  const file = tempFile();
  const service = makeService({ vehicles: 3 });
  const fleet = makeClient(service, { merge: false, fetch: altered(service, alter) });
  return { file, report: await syncFleet(fleet, sqliteTarget(file), options) };
}

async function rowsOf(target: SyncTarget): Promise<unknown> {
  const { snapshots, latest_snapshots, trips } = await contentOf(target);
  return { snapshots, latest_snapshots, trips };
}

describe('the copy is the one of a tidy service', () => {
  test.each([
    'flags-upper',
    'flags-lower',
    'flags-words',
    'flags-number',
    'gps-text',
    'times-offset',
    'times-epoch',
    'rows-descending',
  ] satisfies VariantName[])('with %s', async (name) => {
    const [tidy, other] = [tempFile(), tempFile()];
    await syncFleet(makeClient(makeService({ vehicles: 3 })), sqliteTarget(tidy), options);
    const { variant } = namedVariants[name];
    const report = await syncFleet(makeClient(makeService({ vehicles: 3, variant })), sqliteTarget(other), options);
    expect(report).toMatchObject({ failures: [], warnings: [] });
    expect(await rowsOf(sqliteTarget(other))).toEqual(await rowsOf(sqliteTarget(tidy)));
  });

  test('with records whose numbers, flags and ids have other types', async () => {
    const { file } = await copyOf((name, value) =>
      name === 'getVehicles' && Array.isArray(value)
        ? value.map((vehicle) => ({ ...vehicle, year: '2020', lastOdometer: ' 12.5 ', deactivated: 'No', version: 7 }))
        : value,
    );
    expect(await query(file, 'SELECT DISTINCT year, is_deactivated, version FROM vehicles')).toEqual([[2020, 0, '7']]);
    expect(await query(file, 'SELECT DISTINCT odometer FROM vehicle_counters')).toEqual([[12.5]]);
  });

  test('with a counter that cannot be read: it stays in the record', async () => {
    const { file, report } = await copyOf((name, value) =>
      name === 'getVehicles' && Array.isArray(value)
        ? value.map((vehicle) => ({ ...vehicle, lastOdometer: 'far' }))
        : value,
    );
    const [[storedValue] = []] = await query(file, "SELECT DISTINCT record ->> '$.lastOdometer' FROM vehicles");
    expect(storedValue).toBe('far');
    expect(report.warnings.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/lastOdometer for odometer .* is in `record` of vehicles/),
    );
  });
});

/** Sets an unknown ignition in the rows of snapshots. */
const keyOn: Alter = (name, value) =>
  (name === 'getSnapshots' || name === 'getLatestSnapshots') && Array.isArray(value)
    ? value.map((row) => (row.ignition ? { ...row, ignition: { ...row.ignition, engineStatus: 'KEY_ON' } } : row))
    : value;

describe('a value that cannot be read', () => {
  test('stays in rest, and is counted', async () => {
    const { file, report } = await copyOf(keyOn);
    const [[rows] = []] = await query(
      file,
      `SELECT count(*) FROM snapshots WHERE is_ignition_on IS NULL AND rest ->> '$.ignition.engineStatus' = 'KEY_ON'`,
    );
    expect(rows).toBeGreaterThan(100);
    expect(report.warnings).toContainEqual({
      code: 'UNREADABLE_VALUES',
      message: expect.stringContaining(
        `Cannot read ignition.engineStatus for is_ignition_on of ${rows} rows of snapshots`,
      ),
    });
    expect(report.warnings.map(({ message }) => message).join()).toContain('latest_snapshots');
  });

  test('of a record stays in the record, and is told by every sync', async () => {
    const service = makeService({ vehicles: 3 });
    const fetch = altered(service, (name, value) =>
      name === 'getVehicles' && Array.isArray(value) ? value.map((row) => ({ ...row, year: 'new', vin: null })) : value,
    );
    const file = tempFile();
    for (const _ of [1, 2]) {
      const fleet = makeClient(service, { merge: false, fetch });
      const { warnings, failures } = await syncFleet(fleet, sqliteTarget(file), { parts: ['vehicles'] });
      expect(warnings).toEqual([
        { code: 'UNREADABLE_VALUES', message: expect.stringContaining('year for year of 3 rows of vehicles') },
      ]);
      expect(failures).toEqual([]);
    }
    expect(await query(file, `SELECT DISTINCT year, record ->> '$.year' FROM vehicles`)).toEqual([[null, 'new']]);
  });

  test('is told by the command line, which ends with 0: nothing is missing', async () => {
    const mock = shellService({ vehicles: 2 });
    const fleet = shellOf('demo', altered(mock, keyOn));
    const file = tempFile();
    const { code, stderr } = await fleet(['sync', file, '--only', 'latest']);
    expect([code, stderr]).toEqual([0, expect.stringContaining('Cannot read ignition.engineStatus')]);
  });
});
