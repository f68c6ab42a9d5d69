// Tests the catalog of PostgreSQL: comments, references that tools can follow, and rights of roles.
import { describe, expect, onTestFinished, test } from 'vitest';
import { shellOf, service as shellService } from '../../../test/cli/harness.js';
import { makeClient, makeService, rejection, START } from '../../../test/request/setup.js';
import { newTables } from '../src/ddl.js';
import { type SyncTargetError, syncFleet, syncParts } from '../src/index.js';
import { type PostgresParts, postgresTargetOf } from '../src/postgres/postgres-target.js';
import type { Upgrade } from '../src/schema-version.js';
import { ownTables, syncTables } from '../src/tables.js';
import { views } from '../src/views.js';
import { anyPostgres, databaseOfFile, inDatabase, skipped } from './server.js';

const server = await anyPostgres();

describe.skipIf(server === null && skipped('the catalog of PostgreSQL'))('PostgreSQL', () => {
  let url = '';
  databaseOfFile(server, (own) => {
    url = own;
  });
  let schemas = 0;
  const newSchema = async (name = `copy_${++schemas}`) => {
    await inDatabase(url, `CREATE SCHEMA "${name}"`);
    return `${url}?search_path=${encodeURIComponent(`"${name}"`)}`;
  };
  const newRole = async (prefix = 'analyst') => {
    const role = `${prefix}_${schemas}_${new URL(url).pathname.slice(-8)}`;
    await inDatabase(url, `CREATE ROLE "${role}"`);
    onTestFinished(async () => void (await inDatabase(url, `DROP OWNED BY "${role}"; DROP ROLE "${role}"`)));
    return role;
  };
  const open = async (copy: string, options: PostgresParts = {}) =>
    (await postgresTargetOf(copy, options).open()).close();
  /** An upgrade to an invented version 2, with a new table. */
  const upgrades: readonly Upgrade[] = [
    () => ['DROP TABLE labels_history', ...newTables('postgres').filter((sql) => sql.includes(' labels_history '))],
  ];

  describe('comments', () => {
    const commentsIn = async (copy: string) =>
      new Map(
        (
          await inDatabase(
            copy,
            `SELECT relname || coalesce('.' || attname, ''), description FROM pg_description
             JOIN pg_class ON pg_class.oid = objoid LEFT JOIN pg_attribute ON attrelid = objoid AND attnum = objsubid AND attnum > 0
             WHERE classoid = 'pg_class'::regclass AND relnamespace = current_schema()::regnamespace`,
          )
        ).map(([name, text]) => [name, text]),
      );

    test('are on every table, column and view', async () => {
      const copy = await newSchema();
      await open(copy);
      const found = await commentsIn(copy);
      const expectedNames = [
        ...[...ownTables, ...syncTables].flatMap(({ name, columns }) => [
          name,
          ...columns.map((column) => `${name}.${column.name}`),
        ]),
        ...views.map(({ name }) => name),
      ];
      expect(expectedNames.filter((name) => !found.has(name))).toEqual([]);
      expect(found.get('trips.distance_km')).toBe('distance, km');
      expect(found.get('trips.driver_id')).toBe('the first identified driver; id in people');
    });

    test('that are the user’s stay, and a newer version adds those that are missing', async () => {
      const copy = await newSchema();
      await open(copy);
      await inDatabase(
        copy,
        "COMMENT ON TABLE vehicles IS 'ours since 2019'; COMMENT ON COLUMN trips.distance_km IS 'as billed'",
      );
      await open(copy, { upgrades });
      const found = await commentsIn(copy);
      expect([found.get('vehicles'), found.get('trips.distance_km')]).toEqual(['ours since 2019', 'as billed']);
      expect(found.get('trips.fuel_used')).toContain('litres');
      expect(found.get('labels_history')).toContain('Versions of labels');
      expect(found.get('labels_history.is_current')).toBe('whether it is so');
    });
  });

  describe('references', () => {
    test('lead from the parts of trips to trips and geofences', async () => {
      const service = makeService({ vehicles: 3 });
      const copy = await newSchema();
      await syncFleet(makeClient(service), postgresTargetOf(copy), {
        parts: syncParts,
        since: new Date(START - 3_600_000),
      });
      const found = await inDatabase(
        copy,
        `SELECT conrelid::regclass || '.' || attname, confrelid::regclass::text FROM pg_constraint
         JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
         WHERE contype = 'f' AND connamespace = current_schema()::regnamespace AND attname IN ('trip_id', 'geofence_id') ORDER BY 1`,
      );
      expect(found).toEqual([
        ['trip_events.trip_id', 'trips'],
        ['trip_segments.trip_id', 'trips'],
        ['trip_speeding.trip_id', 'trips'],
        ['trip_visits.geofence_id', 'geofences'],
        ['trip_visits.trip_id', 'trips'],
      ]);
      const error = await rejection(
        inDatabase(
          copy,
          "INSERT INTO trip_events (trip_id, ordinal, vehicle_id) SELECT 'none', 0, id FROM vehicles LIMIT 1",
        ),
      );
      expect(error).toMatchObject({ code: '23503' });
      // A trip whose begin moves is a new one: it and its parts are replaced in one batch.
      service.clock.advance(600_000);
      const { failures } = await syncFleet(makeClient(service), postgresTargetOf(copy), {
        parts: syncParts,
        since: new Date(START - 7_200_000),
      });
      expect(failures).toEqual([]);
    });
  });

  describe('roles', () => {
    const readable = (copy: string, role: string) =>
      inDatabase(
        copy,
        `SELECT has_schema_privilege('${role}', current_schema(), 'USAGE'),
           count(*) FILTER (WHERE NOT has_table_privilege('${role}', oid, 'SELECT')),
           count(*) FILTER (WHERE has_table_privilege('${role}', oid, 'INSERT, UPDATE, DELETE, TRUNCATE'))
         FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'v')`,
      );

    test('may read all tables and views, nothing else, and those of a newer version', async () => {
      const copy = await newSchema();
      const role = await newRole();
      await open(copy);
      await open(copy, { grants: [role] });
      expect(await readable(copy, role)).toEqual([[true, '0', '0']]);
      await open(copy, { grants: [role], upgrades });
      expect(await readable(copy, role)).toEqual([[true, '0', '0']]);
      // Users grant their own tables.
      await inDatabase(copy, 'CREATE TABLE mine (id text)');
      await open(copy, { grants: [role], upgrades });
      expect(await readable(copy, role)).toEqual([[true, '1', '0']]);
    });

    test('are given what they lack once; the next sync changes no catalog', async () => {
      const copy = await newSchema();
      const role = await newRole();
      await open(copy, { grants: [role] });
      const written = () =>
        inDatabase(
          copy,
          'SELECT relname, xmin::text FROM pg_class WHERE relnamespace = current_schema()::regnamespace ORDER BY 1',
        );
      const before = await written();
      await open(copy, { grants: [role] });
      expect(await written()).toEqual(before);
    });

    test('and schemas of any name are names, not SQL', async () => {
      const name = 'odd "schema; DROP TABLE x';
      await inDatabase(url, `CREATE SCHEMA "${name.replaceAll('"', '""')}"`);
      const copy = `${url}?search_path=${encodeURIComponent(`"${name.replaceAll('"', '""')}"`)}`;
      const role = `O'Brien, "x"\\ ${new URL(url).pathname.slice(-8)}`;
      const quoted = `"${role.replaceAll('"', '""')}"`;
      await inDatabase(url, `CREATE ROLE ${quoted}`);
      onTestFinished(async () => void (await inDatabase(url, `DROP OWNED BY ${quoted}; DROP ROLE ${quoted}`)));
      await open(copy, { grants: [role] });
      const [[count] = []] = await inDatabase(
        copy,
        `SELECT count(*) FROM pg_roles, pg_class WHERE rolname LIKE 'O''Brien%${role.slice(-8)}' AND relname = 'trips'
         AND relnamespace = quote_ident(current_schema())::regnamespace AND has_table_privilege(rolname, pg_class.oid, 'SELECT')`,
      );
      expect(count).toBe('1');
    });

    test('that are unknown are named before anything is read or made', async () => {
      const copy = await newSchema();
      const service = makeService();
      const target = postgresTargetOf(copy, { grants: ['nobody_here'] });
      const error = (await rejection(syncFleet(makeClient(service), target))) as SyncTargetError;
      expect(error).toMatchObject({ reason: 'INVALID', message: expect.stringContaining('"nobody_here"') });
      expect(service.requests).toEqual([]);
      expect(
        await inDatabase(copy, 'SELECT count(*) FROM pg_class WHERE relnamespace = current_schema()::regnamespace'),
      ).toEqual([['0']]);
    });

    test('of a user who may not give rights on the schema: says who can', async () => {
      const copy = await newSchema();
      const [role, owner] = [await newRole(), await newRole('writer')];
      await inDatabase(
        copy,
        `ALTER ROLE "${owner}" LOGIN; GRANT CREATE, USAGE ON SCHEMA copy_${schemas} TO "${owner}"`,
      );
      const asOwner = copy.replace('postgres@', `${owner}@`);
      const error = (await rejection(open(asOwner, { grants: [role] }))) as SyncTargetError;
      expect(error).toMatchObject({ reason: 'REFUSED', hint: expect.stringContaining('GRANT USAGE ON SCHEMA') });
      await inDatabase(copy, `GRANT USAGE ON SCHEMA copy_${schemas} TO "${role}"`);
      await open(asOwner, { grants: [role] });
      expect(await readable(copy, role)).toEqual([[true, '0', '0']]);
    });

    test('over the command line', async () => {
      const copy = await newSchema();
      const [one, other] = [await newRole(), await newRole('dashboard')];
      const fleet = shellOf('demo', shellService().fetch);
      const { code } = await fleet(['sync', copy, '--only', 'labels', '--grants', one, '--grants', other]);
      expect(code).toBe(0);
      for (const role of [one, other]) expect(await readable(copy, role)).toEqual([[true, '0', '0']]);
      const unknown = await fleet(['sync', copy, '--only', 'labels', '--grants', 'nobody_here']);
      expect([unknown.code, unknown.stderr]).toEqual([3, expect.stringContaining('nobody_here')]);
    });
  });
});
