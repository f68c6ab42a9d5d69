// Tests that newer tables in PostgreSQL keep what users have added, or name it and change nothing.
import { describe, expect, onTestFinished, test } from 'vitest';
import { service as cliService, shellOf } from '../../../test/cli/harness.js';
import { makeClient, makeService, rejection, START } from '../../../test/request/setup.js';
import { postgresTarget, type SyncTargetError, syncFleet, syncParts } from '../src/index.js';
import { postgresTargetOf } from '../src/postgres/postgres-target.js';
import { rowOf } from '../src/rows.js';
import { type Upgrade, upgrades } from '../src/schema-version.js';
import { contentOf } from './copies.js';
import { anyPostgres, databaseOfFile, inDatabase, skipped } from './server.js';

const server = await anyPostgres();

/** An upgrade to an invented version 2. */
const upgrade = (...statements: readonly string[]): readonly Upgrade[] => [() => statements];
/** Keeps the views as they are. */
const addsColumn = upgrade('ALTER TABLE vehicles ADD COLUMN nickname text');
/** Needs new views. */
const changesType = upgrade('ALTER TABLE trips ALTER COLUMN distance_km TYPE numeric');

describe.skipIf(server === null && skipped('the upgrades of PostgreSQL'))('PostgreSQL', () => {
  const service = makeService({ vehicles: 3 });
  const options = { since: new Date(START - 3_600_000), parts: syncParts };
  let url = '';
  databaseOfFile(server, (own) => {
    url = own;
  });
  let schemas = 0;
  const newSchema = async () => {
    const schema = `copy_${++schemas}`;
    await inDatabase(url, `CREATE SCHEMA ${schema}`);
    return `${url}?search_path=${schema}`;
  };
  const newCopy = async () => {
    const copy = await newSchema();
    await syncFleet(makeClient(service), postgresTarget(copy), options);
    return copy;
  };
  const newRole = async () => {
    const role = `analyst_${schemas}_${new URL(url).pathname.slice(-8)}`;
    await inDatabase(url, `CREATE ROLE ${role}`);
    onTestFinished(async () => void (await inDatabase(url, `DROP OWNED BY ${role}; DROP ROLE ${role}`)));
    return role;
  };
  const open = async (copy: string, upgradeSteps: readonly Upgrade[]) => {
    await (await postgresTargetOf(copy, { upgrades: upgradeSteps }).open()).close();
  };
  const versionIn = async (copy: string) =>
    Number((await inDatabase(copy, "SELECT value FROM sync_state WHERE name = 'schema_version'"))[0]?.[0]);
  const rightsOf = (copy: string, role: string) =>
    inDatabase(
      copy,
      `SELECT has_table_privilege('${role}', 'vehicle_now', 'SELECT'), has_table_privilege('${role}', 'trips', 'SELECT'),
         has_table_privilege('${role}', 'trips_daily', 'SELECT WITH GRANT OPTION'),
         has_column_privilege('${role}', 'driver_today', 'trips', 'SELECT'),
         has_column_privilege('${role}', 'driver_today', 'last_name', 'SELECT')`,
    );
  const grants = (role: string) => `GRANT SELECT ON vehicle_now, trips TO ${role};
    GRANT SELECT ON trips_daily TO ${role} WITH GRANT OPTION; GRANT SELECT (trips) ON driver_today TO ${role}`;

  test('keeps views on ours, rights, columns, generated columns and tables that refer to ours', async () => {
    const copy = await newCopy();
    const role = await newRole();
    await inDatabase(
      copy,
      `${grants(role)};
       ALTER TABLE vehicles ADD COLUMN cost_centre text;
       UPDATE vehicles SET cost_centre = 'mine';
       ALTER TABLE trips ADD COLUMN distance_miles double precision GENERATED ALWAYS AS (distance_km / 1.609344) STORED;
       CREATE VIEW my_daily AS SELECT * FROM trips_daily;
       CREATE TABLE notes (trip_id text REFERENCES trips (id), vehicle_id text REFERENCES vehicles (id))`,
    );
    expect(await versionIn(copy)).toBe(1);
    const looked = await postgresTargetOf(copy, { upgrades: addsColumn }).look();
    expect(await looked?.cursors()).not.toEqual([]);
    await looked?.close();
    await open(copy, addsColumn);
    expect(await versionIn(copy)).toBe(2);
    expect(await rejection(postgresTarget(copy).open())).toMatchObject({
      reason: 'NEWER',
      message: expect.stringContaining('version 2, this one knows 1. Nothing was changed.'),
    });
    expect(await rightsOf(copy, role)).toEqual([[true, true, true, true, false]]);
    expect(await inDatabase(copy, 'SELECT DISTINCT cost_centre, nickname FROM vehicles')).toEqual([['mine', null]]);
    expect(await inDatabase(copy, 'SELECT * FROM my_daily')).toEqual(
      await inDatabase(copy, 'SELECT * FROM trips_daily'),
    );
    await syncFleet(makeClient(service), postgresTargetOf(copy, { upgrades: addsColumn }), options);
  });

  test('gives the rights on views again when the views are made anew, and no others', async () => {
    const copy = await newCopy();
    const role = await newRole();
    await inDatabase(
      copy,
      `${grants(role)};
       ALTER DEFAULT PRIVILEGES IN SCHEMA copy_${schemas} GRANT SELECT ON TABLES TO ${role}`,
    );
    await open(copy, changesType);
    expect(await rightsOf(copy, role)).toEqual([[true, true, true, true, false]]);
    expect(await versionIn(copy)).toBe(2);
  });

  test.each([
    ['a view on a view', 'CREATE VIEW mine AS SELECT * FROM trips_daily', changesType, 'view mine'],
    ['a view on a table', 'CREATE VIEW mine AS SELECT distance_km FROM trips', changesType, 'view mine'],
    ['a materialized view', 'CREATE MATERIALIZED VIEW mine AS SELECT * FROM trips_daily', changesType, 'view mine'],
    [
      'a generated column',
      'ALTER TABLE trips ADD COLUMN mine double precision GENERATED ALWAYS AS (distance_km * 1000) STORED',
      changesType,
      '"mine"',
    ],
    ['a column of the same name', 'ALTER TABLE vehicles ADD COLUMN nickname text', addsColumn, '"nickname"'],
    ['a table of the same name', 'CREATE TABLE tyres (id text)', upgrade('CREATE TABLE tyres (id text)'), '"tyres"'],
  ])('%s that stands in the way is named, and nothing is changed', async (_what, statement, upgradeSteps, named) => {
    const copy = await newCopy();
    const role = await newRole();
    await inDatabase(copy, `${grants(role)}; ${statement}`);
    const before = await contentOf(postgresTarget(copy));
    const error = (await rejection(open(copy, upgradeSteps))) as SyncTargetError;
    expect(error).toMatchObject({ reason: 'INVALID', message: expect.stringContaining(named) });
    expect(error.message).toContain('Nothing was changed');
    expect(error.hint).toContain('drop or rename');
    expect(await contentOf(postgresTarget(copy))).toEqual(before);
    expect(await rightsOf(copy, role)).toEqual([[true, true, true, true, false]]);
  });

  test.each([
    ['by an error', 'no SQL', 'FAILED'],
    ['killed', 'SELECT pg_terminate_backend(pg_backend_pid())', 'UNREACHABLE'],
  ])('an upgrade that ends in the middle, %s, leaves the copy as it was', async (_how, statement, reason) => {
    const copy = await newCopy();
    const role = await newRole();
    await inDatabase(copy, `${grants(role)}; CREATE VIEW mine AS SELECT name FROM vehicles`);
    const before = await contentOf(postgresTarget(copy));
    const half = ['ALTER TABLE vehicles ADD COLUMN nickname text', 'DELETE FROM trips', 'DROP VIEW mine'];
    expect(await rejection(open(copy, upgrade(...half, statement)))).toMatchObject({ reason });
    expect(await contentOf(postgresTarget(copy))).toEqual(before);
    expect(await versionIn(copy)).toBe(1);
    expect(await inDatabase(copy, 'SELECT count(*) FROM mine')).toEqual([['3']]);
    expect(await rightsOf(copy, role)).toEqual([[true, true, true, true, false]]);
    await open(copy, addsColumn);
    expect(await inDatabase(copy, 'SELECT DISTINCT nickname FROM vehicles')).toEqual([[null]]);
  });

  test('a view of another program with the name of one of ours is left alone', async () => {
    const copy = await newSchema();
    await inDatabase(copy, 'CREATE VIEW vehicle_now AS SELECT 1 AS mine');
    expect(await rejection(postgresTarget(copy).open())).toMatchObject({
      reason: 'INVALID',
      message: expect.stringContaining('view vehicle_now'),
    });
    expect(await inDatabase(copy, 'SELECT mine FROM vehicle_now')).toEqual([[1]]);
  });

  test('a table that keeps a trip which is gone is named, and ON DELETE decides what becomes of its rows', async () => {
    const copy = await newSchema();
    const [vehicleId, startedAt] = ['v', '2026-03-01T10:00:00.000Z'];
    const trip = rowOf('trips', { id: 't', vehicleId, startedAt, endedAt: startedAt });
    const target = await postgresTarget(copy).open();
    onTestFinished(() => target.close());
    await target.apply({
      steps: [
        { kind: 'upsert', table: 'vehicles', rows: [rowOf('vehicles', { id: vehicleId })] },
        { kind: 'upsert', table: 'trips', rows: [trip] },
      ],
      cursors: [],
    });
    await inDatabase(copy, "CREATE TABLE notes (trip_id text REFERENCES trips (id)); INSERT INTO notes VALUES ('t')");
    const gone = {
      steps: [
        { kind: 'replace', table: 'trips', rows: [], periods: [{ vehicleId, from: startedAt, until: startedAt }] },
      ],
      cursors: [],
    } as const;
    const error = (await rejection(target.apply(gone))) as SyncTargetError;
    expect(error).toMatchObject({ reason: 'FAILED', cause: { code: '23503' } });
    expect(error.message).toContain('"notes_trip_id_fkey" on table "notes"');
    expect(error.hint).toContain('ON DELETE');
    await inDatabase(
      copy,
      `ALTER TABLE notes DROP CONSTRAINT notes_trip_id_fkey,
         ADD FOREIGN KEY (trip_id) REFERENCES trips (id) ON DELETE SET NULL`,
    );
    await target.apply(gone);
    expect(await inDatabase(copy, 'SELECT trip_id FROM notes')).toEqual([[null]]);
  });

  test('over the command line: a column, a generated column, a view and a right outlive a sync and an upgrade', async () => {
    const copy = await newSchema();
    const role = await newRole();
    const fleet = shellOf('demo', cliService({ vehicles: 3 }).fetch);
    const words = ['sync', copy, '--since', '-1h'];
    expect(await fleet(words)).toMatchObject({ code: 0 });
    await inDatabase(
      copy,
      `${grants(role)};
       ALTER TABLE vehicles ADD COLUMN cost_centre text;
       UPDATE vehicles SET cost_centre = 'mine', record = '{}';
       ALTER TABLE trips ADD COLUMN distance_miles double precision GENERATED ALWAYS AS (distance_km / 1.609344) STORED;
       CREATE VIEW mine AS SELECT vehicle_id, day, distance_km FROM trips_daily`,
    );
    const intact = async () => {
      expect(await inDatabase(copy, 'SELECT cost_centre FROM vehicles')).toEqual([['mine'], ['mine'], ['mine']]);
      const miles = 'SELECT count(*) > 0, count(*) = count(distance_miles) FROM trips WHERE distance_km IS NOT NULL';
      expect(await inDatabase(copy, miles)).toEqual([[true, true]]);
      const daily = (view: string) =>
        inDatabase(copy, `SELECT vehicle_id, day, distance_km FROM ${view} ORDER BY 1, 2`);
      expect(await daily('mine')).toEqual(await daily('trips_daily'));
      expect(await rightsOf(copy, role)).toEqual([[true, true, true, true, false]]);
    };
    expect(await fleet(words)).toMatchObject({ code: 0 });
    await intact();
    // The list of the command, which a newer version of the package extends.
    const upgradeSteps = upgrades as Upgrade[];
    upgradeSteps.push(...addsColumn);
    onTestFinished(() => void upgradeSteps.pop());
    expect(await fleet(words)).toMatchObject({ code: 0 });
    expect(await versionIn(copy)).toBe(2);
    await intact();
  });
});
