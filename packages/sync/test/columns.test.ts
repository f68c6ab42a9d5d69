// Tests the columns of snapshots, and the token of the driver, which comes in eight spellings.
import { describe, expect, test } from 'vitest';
import { makeClient, makeService, rejection, START } from '../../../test/request/setup.js';
import { type SyncOptions, type SyncTarget, sqliteTarget, syncFleet } from '../src/index.js';
import { rowOf } from '../src/rows.js';
import { tableOf } from '../src/tables.js';
import { altered, rowsWith } from './altered.js';
import { query, tempFile } from './copies.js';

const HOUR = 3_600_000;
const options: SyncOptions = { parts: ['snapshots'], since: new Date(START - HOUR) };
const names = tableOf('snapshots').columns.map(({ name }) => name);

/** Returns the columns that have a value in any row. */
async function filled(target: SyncTarget): Promise<readonly string[]> {
  const looked = await target.look();
  const rows = (await looked?.read('snapshots', names)) ?? [];
  await looked?.close();
  return names.filter((_, at) => rows.some((row) => row[at] !== null));
}

const ofPositions = [
  ...[
    'vehicle_id',
    'recorded_at',
    'ordinal',
    'has_fix',
    'latitude_deg',
    'longitude_deg',
    'direction_deg',
    'altitude_m',
  ],
  ...['speed_kmh', 'satellites', 'hdop', 'is_ignition_on', 'driver_id', 'synced_at'],
];

describe('a copy', () => {
  test('only those are asked for and filled, and the copy remembers them', async () => {
    let now = START;
    const service = makeService({ vehicles: 4, clock: { now: () => now } });
    const file = tempFile();
    const target = sqliteTarget(file);
    const run = (sql: string) => query(file, sql);
    const requestBodies: string[] = [];
    const syncOnce = (more: SyncOptions = {}) => {
      const fleet = makeClient(service, {
        fetch(url, init) {
          if (String(init?.body).includes('getSnapshots')) requestBodies.push(String(init?.body));
          return service.fetch(url, init);
        },
      });
      return syncFleet(fleet, target, { ...options, ...more });
    };
    await syncOnce({ columns: ['positions'] });
    expect(await filled(target)).toEqual(ofPositions);
    now += HOUR;
    await syncOnce();
    expect(await filled(target)).toEqual(ofPositions);
    for (const body of requestBodies) expect(body).not.toMatch(/canBus|iButton|temperatures/);
    const before = await run('SELECT count(*) FROM snapshots WHERE satellites IS NOT NULL');

    now += 3 * HOUR;
    const { warnings } = await syncOnce({ columns: ['power', 'positions', 'driver_token'] });
    const list =
      'has_fix,latitude_deg,longitude_deg,direction_deg,altitude_m,speed_kmh,satellites,hdop,is_ignition_on,driver_id';
    expect(warnings).toEqual([
      {
        code: 'COLUMNS_CHANGED',
        message: `Snapshots have these columns from now on: ${list},power,driver_token. Before, they had: ${list}. Rows that are in the copy stay as they are, but for the newest ones, which are read again.`,
      },
    ]);
    expect(await filled(target)).toEqual(
      [...ofPositions.slice(0, -1), 'power', 'driver_token', 'synced_at'].sort(byPlace),
    );
    expect(await run('SELECT count(*) FROM snapshots WHERE satellites IS NOT NULL')).not.toEqual(before);
    expect((await syncOnce()).warnings).toEqual([]);
    await syncOnce({ columns: ['all'] });
    now += HOUR;
    await syncOnce();
    expect(await filled(target)).toContain('rest');
  });
});

function byPlace(one: string, other: string): number {
  return names.indexOf(one) - names.indexOf(other);
}

test('what a chosen column cannot read stays in rest', async () => {
  const service = makeService({ vehicles: 1 });
  const file = tempFile();
  const unreadableAltitude = rowsWith('getSnapshots', (rows) =>
    rows.map((row, at) => (at > 0 ? row : { ...row, gps: { ...Object(row.gps), altitude: ['high'] } })),
  );
  const { warnings } = await syncFleet(
    makeClient(service, { merge: false, fetch: altered(service, unreadableAltitude) }),
    sqliteTarget(file),
    { ...options, columns: ['altitude_m', 'speed_kmh'] },
  );
  expect(warnings).toMatchObject([{ code: 'UNREADABLE_VALUES' }]);
  expect(await query(file, 'SELECT DISTINCT rest FROM snapshots WHERE rest IS NOT NULL')).toEqual([
    ['{"gps":{"altitude":["high"]}}'],
  ]);
});

test.each([
  [{ columns: ['altitude'] }, 'Did you mean "altitude_m"?'],
  [{ columns: ['rest'] }, 'There are all, positions, has_fix, latitude_deg,'],
  [{ columns: [] }, 'columns is an empty list'],
  [{ columns: ['positions'], parts: ['trips'] }, 'this sync reads none: add snapshots to parts, or --snapshots'],
] satisfies [SyncOptions, string][])('refuses %j before anything is sent', async (invalidOptions, message) => {
  const service = makeService({ vehicles: 1 });
  const error = await rejection(
    syncFleet(makeClient(service), sqliteTarget(tempFile()), { ...options, ...invalidOptions }),
  );
  expect(error).toMatchObject({ code: 'INVALID_INPUT', message: expect.stringContaining(message) });
  expect(service.requests).toEqual([]);
});

test('a list that somebody else has written into the copy is named', async () => {
  const service = makeService({ vehicles: 1 });
  const file = tempFile();
  await syncFleet(makeClient(service), sqliteTarget(file), { ...options, columns: ['speed_kmh'] });
  const open = await sqliteTarget(file).open();
  await open.apply({
    steps: [{ kind: 'upsert', table: 'sync_state', rows: [['snapshot_columns', 'speed']] }],
    cursors: [],
  });
  await open.close();
  const error = await rejection(syncFleet(makeClient(service), sqliteTarget(file), options));
  expect(error).toMatchObject({ reason: 'FAILED', message: expect.stringContaining('is no list of columns') });
});

describe('the token of a driver', () => {
  /** Written by hand from the descriptions of the contract. */
  const driver = {
    ...{ driverId: 'd', iButton: 'C0BEAC280AD438BF', oneWire: 'BF38D40A28ACBEC0', rfidIButton: '13888727588837537983' },
    ...{ rfidIButtonHex: 'C0BEAC280AD438BF', rfidIButtonReversed: '13778996200037203648' },
    ...{ rfidIButtonReversedHex: 'BF38D40A28ACBEC0', rfid: '181680319', rfidHex: '0AD438BF' },
  };
  const cells = (of: object) => {
    const row = rowOf('snapshots', { vehicleId: 'v', timestamp: '2026-03-01T10:00:00Z', driver: of });
    return [row[names.indexOf('driver_token')], JSON.parse(String(row[names.indexOf('rest')] ?? null))];
  };

  test('is there once, where the other spellings follow from it', () => {
    expect(cells(driver)).toEqual(['C0BEAC280AD438BF', null]);
  });

  test('a member that is new stays', () => {
    expect(cells({ ...driver, color: 'red' })).toEqual([driver.iButton, { driver: { color: 'red' } }]);
  });

  const { driverId: _driver, iButton: _token, ...spellings } = driver;
  test.each(Object.keys(spellings))('all spellings stay when %s does not follow', (name) => {
    const other = { ...driver, [name]: '0' };
    const { driverId: _id, iButton, ...rest } = other;
    expect(cells(other)).toEqual([iButton, { driver: rest }]);
    const { [name as 'rfid']: _missing, ...missing } = other;
    const { driverId: _, iButton: __, ...without } = missing;
    expect(cells(missing)).toEqual([iButton, { driver: without }]);
  });

  test.each(['', 'C0B', 'card 7', '0x10'])('spellings of a token that is not hexadecimal stay: "%s"', (iButton) => {
    expect(cells({ ...driver, iButton })).toEqual([iButton, { driver: spellings }]);
  });

  test('the reference service sends spellings that follow', async () => {
    const service = makeService({ vehicles: 3 });
    const file = tempFile();
    await syncFleet(makeClient(service), sqliteTarget(file), options);
    const [[tokens, inRest] = []] = await query(
      file,
      "SELECT count(driver_token), sum(rest LIKE '%iButton%') FROM snapshots",
    );
    expect([Number(tokens) > 100, inRest]).toEqual([true, 0]);
  });
});
