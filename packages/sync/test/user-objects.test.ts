// Tests that objects of users in a SQLite copy survive syncs and upgrades, with both engines.
// PostgreSQL has postgres-upgrade.heavy.test.ts.
import { describe, expect, test } from 'vitest';
import { makeClient, makeService, START } from '../../../test/request/setup.js';
import { syncFleet } from '../src/index.js';
import type { Upgrade } from '../src/schema-version.js';
import { loadSqlite } from '../src/sqlite/database.js';
import { sqliteTargetOf } from '../src/sqlite/sqlite-target.js';
import { altered, rowsWith } from './altered.js';
import { query, tempFile } from './copies.js';

/** One object of each kind, on our tables and on our views. */
const objects = `
  ALTER TABLE vehicles ADD COLUMN cost_centre TEXT DEFAULT 'none';
  UPDATE vehicles SET cost_centre = 'mine';
  ALTER TABLE vehicles ADD COLUMN shout TEXT GENERATED ALWAYS AS (upper(name)) VIRTUAL;
  CREATE INDEX my_index ON trips (distance_km);
  CREATE TABLE notes (vehicle_id TEXT REFERENCES vehicles (id), said TEXT);
  INSERT INTO notes SELECT id, name FROM vehicles;
  CREATE TABLE renamed (id TEXT, was TEXT, is_now TEXT);
  CREATE TRIGGER my_trigger AFTER UPDATE OF name ON vehicles WHEN old.name IS NOT new.name
    BEGIN INSERT INTO renamed VALUES (new.id, old.name, new.name); END;
  CREATE VIEW my_cars AS SELECT id, name, cost_centre FROM vehicles;
  CREATE VIEW my_days AS SELECT vehicle_id, distance_km FROM trips_daily;
`;
const own =
  "SELECT type, name FROM sqlite_master WHERE name LIKE 'my@_%' ESCAPE '@' OR name IN ('notes', 'renamed') ORDER BY 2";

describe('what users make', () => {
  const parts = ['vehicles', 'trips'] as const;
  const options = { parts, since: new Date(START - 3_600_000) };
  /** An upgrade to an invented version 2. */
  const upgrades: readonly Upgrade[] = [
    () => ['ALTER TABLE vehicles ADD COLUMN nickname TEXT', 'CREATE TABLE tyres (id TEXT)'],
  ];

  test('in a copy outlives syncs and an upgrade', async () => {
    const service = makeService({ vehicles: 3 });
    const file = tempFile();
    await syncFleet(makeClient(service), sqliteTargetOf(file), options);
    const database = (await loadSqlite()).open(file, { readOnly: false });
    database.exec(objects);
    database.close();
    const made = await query(file, own);
    expect(made).toHaveLength(6);
    const renames = rowsWith('getVehicles', ([first, ...others]) => [{ ...first, name: 'Renamed' }, ...others]);
    await syncFleet(makeClient(service), sqliteTargetOf(file, { upgrades }), options);
    await syncFleet(
      makeClient(service, { fetch: altered(service, renames) }),
      sqliteTargetOf(file, { upgrades }),
      options,
    );
    expect(await query(file, 'SELECT DISTINCT nickname FROM vehicles')).toEqual([[null]]);
    expect(await query(file, own)).toEqual(made);
    expect(await query(file, 'SELECT DISTINCT cost_centre FROM my_cars')).toEqual([['mine']]);
    expect(await query(file, "SELECT shout FROM vehicles WHERE name = 'Renamed'")).toEqual([['RENAMED']]);
    expect(await query(file, 'SELECT is_now FROM renamed')).toEqual([['Renamed']]);
    expect(await query(file, 'SELECT count(*) FROM notes')).toEqual([[3]]);
    expect(await query(file, 'SELECT count(*) FROM my_days')).toEqual(
      await query(file, 'SELECT count(*) FROM trips_daily'),
    );
    expect(await query(file, 'PRAGMA integrity_check')).toEqual([['ok']]);
  });
});
