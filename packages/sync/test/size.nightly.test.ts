// Tests the size of a copy, its months in PostgreSQL, and the statistics of its tables.
import { statSync } from 'node:fs';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import type { MockService, ScriptedRow } from '../../../src/mock/service.js';
import { makeClient, makeService, START } from '../../../test/request/setup.js';
import { postgresTarget, type SyncOptions, sqliteTarget, syncFleet } from '../src/index.js';
import { query, tempFile } from './copies.js';
import { anyPostgres, dropDatabase, inDatabase, newDatabase, skipped } from './server.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** In bytes: a third of a snapshot with all columns in an early version. */
const LIMIT = 1405 / 3;
/** In bytes, with all columns and `rest`, and the token of the driver once. */
const ALL_LIMIT = 1000;
const server = await anyPostgres();
afterAll(() => server?.stop());

describe('bytes per snapshot', () => {
  const options = (columns: string): SyncOptions => ({
    ...{ parts: ['snapshots'], since: new Date(START - 6 * HOUR), columns: [columns] },
  });
  const profiles = [
    ['positions', LIMIT],
    ['all', ALL_LIMIT],
  ] as const;

  test.each(profiles)('in SQLite with %s', async (columns, limit) => {
    const file = tempFile();
    await syncFleet(makeClient(makeService({ vehicles: 25 })), sqliteTarget(file), options(columns));
    const [[rows] = []] = await query(file, 'SELECT count(*) FROM snapshots');
    expect(Number(rows)).toBeGreaterThan(20_000);
    expect(statSync(file).size / Number(rows)).toBeLessThan(limit);
  });

  test.skipIf(server === null && skipped('the size of copies in PostgreSQL')).each(profiles)(
    'in PostgreSQL with %s',
    async (columns, limit) => {
      const url = await database();
      await syncFleet(makeClient(makeService({ vehicles: 25 })), postgresTarget(url), options(columns));
      const [[rows, bytes] = []] = await inDatabase(
        url,
        `SELECT (SELECT count(*) FROM snapshots), sum(pg_total_relation_size(inhrelid)) FROM pg_inherits
         WHERE inhparent = 'snapshots'::regclass`,
      );
      expect(Number(rows)).toBeGreaterThan(20_000);
      expect(Number(bytes) / Number(rows)).toBeLessThan(limit);
    },
  );
});

async function database(): Promise<string> {
  const url = await newDatabase(server?.port ?? 0);
  onTestFinished(() => dropDatabase(url));
  return url;
}

/** Scripts a vehicle that sends a row every six hours for 100 days: from 21 November to 1 March. */
async function slowService(now: { time: number }): Promise<{ readonly service: MockService; readonly id: string }> {
  const service = makeService({ vehicles: 1, clock: { now: () => now.time } });
  const [vehicle] = await makeClient(service).getVehicles({}, { select: { id: true } });
  const id = String(vehicle?.id);
  const rows = Array.from({ length: 4 * 140 }, (_, at): ScriptedRow => {
    const time = new Date(START - 100 * DAY + at * 6 * HOUR).toISOString();
    return { at: time, gps: { state: true, latitude: 59, longitude: 24, speed: 0 }, ignition: false };
  });
  service.telemetry.script(id, rows);
  return { service, id };
}

describe.skipIf(server === null && skipped('the months of PostgreSQL'))('months in PostgreSQL', () => {
  const months = async (url: string) =>
    (
      await inDatabase(
        url,
        "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'snapshots'::regclass ORDER BY 1",
      )
    ).flat();
  const first: SyncOptions = { parts: ['snapshots'], since: new Date(START - 100 * DAY) };
  const keep: SyncOptions = { parts: ['snapshots'], keepMs: 50 * DAY };
  const counts = (url: string) => inDatabase(url, 'SELECT count(*)::int, min(recorded_at) FROM snapshots');
  /** 50 days before START, at midnight. */
  const begin = new Date('2026-01-10T00:00:00Z');
  const all = ['snapshots_2025_11', 'snapshots_2025_12', 'snapshots_2026_01', 'snapshots_2026_02', 'snapshots_2026_03'];

  async function synced(prepare: (url: string) => Promise<unknown> = async () => undefined) {
    const now = { time: START };
    const { service, id } = await slowService(now);
    const url = await database();
    await prepare(url);
    const run = (options: SyncOptions) => syncFleet(makeClient(service), postgresTarget(url), options);
    await run(first);
    return { url, run, now, id };
  }

  test('are made as rows come, and go as a whole; the rest is deleted by rows', async () => {
    const { url, run } = await synced();
    expect(await months(url)).toEqual(all);
    const [[before] = []] = await counts(url);
    const { deleted } = await run(keep);
    const [[left, least] = []] = await counts(url);
    expect(deleted).toMatchObject({ snapshots: Number(before) - Number(left) });
    expect(least).toEqual(begin);
    expect(await months(url)).toEqual(all.slice(2));
  });

  test("a user's columns, views, rights and references hold for months that are new", async () => {
    const { url, run, now, id } = await synced();
    const role = `analyst_${new URL(url).pathname.slice(-12)}`;
    await inDatabase(url, `CREATE ROLE ${role}`);
    onTestFinished(async () => void (await inDatabase(`${new URL('/postgres', url)}`, `DROP ROLE ${role}`)));
    await inDatabase(
      url,
      `ALTER TABLE snapshots ADD COLUMN speed_mph double precision GENERATED ALWAYS AS (speed_kmh / 1.609344) STORED;
       CREATE VIEW fast AS SELECT vehicle_id, recorded_at FROM snapshots WHERE speed_mph > 50;
       GRANT SELECT ON snapshots, fast TO ${role};
       CREATE TABLE notes (vehicle_id text, recorded_at timestamptz, ordinal bigint,
         FOREIGN KEY (vehicle_id, recorded_at, ordinal) REFERENCES snapshots ON DELETE CASCADE);
       INSERT INTO notes SELECT vehicle_id, recorded_at, ordinal FROM snapshots`,
    );
    now.time += 31 * DAY;
    await run({ parts: ['snapshots'] });
    expect((await months(url)).at(-1)).toBe('snapshots_2026_04');
    const ofApril = "SELECT count(speed_mph) > 0 FROM snapshots WHERE recorded_at >= '2026-04-01'";
    expect((await inDatabase(url, `SET ROLE ${role}; ${ofApril}`)).at(-1)).toEqual([[true]]);
    now.time -= 31 * DAY;
    await run({ ...keep, until: new Date(START) });
    // References need each row, so no month is dropped as a whole.
    expect(await months(url)).toContain('snapshots_2025_12');
    const [[notes] = []] = await inDatabase(url, `SELECT min(recorded_at) FROM notes WHERE vehicle_id = '${id}'`);
    expect(notes).toEqual(begin);
    await inDatabase(url, `DROP OWNED BY ${role}`);
  });

  test('a trigger sees each row that is deleted, and a view on a month keeps the month', async () => {
    const { url, run } = await synced();
    await inDatabase(url, 'CREATE VIEW december AS SELECT * FROM snapshots_2025_12');
    await run(keep);
    expect(await months(url)).toEqual(['snapshots_2025_12', ...all.slice(2)]);
    expect(await inDatabase(url, 'SELECT count(*)::int FROM december')).toEqual([[0]]);

    const other = await synced();
    await inDatabase(
      other.url,
      `CREATE TABLE gone (recorded_at timestamptz);
       CREATE FUNCTION note_gone() RETURNS trigger LANGUAGE plpgsql AS
         'BEGIN INSERT INTO gone VALUES (OLD.recorded_at); RETURN NULL; END';
       CREATE TRIGGER gone AFTER DELETE ON snapshots FOR EACH ROW EXECUTE FUNCTION note_gone()`,
    );
    const { deleted } = await other.run(keep);
    expect(await inDatabase(other.url, 'SELECT count(*)::int FROM gone')).toEqual([[deleted?.snapshots]]);
  });
});

describe('after a large load, and only then, the database looks at the tables again', () => {
  test('SQLite', async () => {
    const now = { time: START };
    const service = makeService({ vehicles: 3, clock: { now: () => now.time } });
    const file = tempFile();
    const run = (hours: number) =>
      syncFleet(makeClient(service), sqliteTarget(file), {
        parts: ['snapshots'],
        since: new Date(START - hours * HOUR),
      });
    await run(4);
    const readStatistics = () => query(file, 'SELECT tbl, idx, stat FROM sqlite_stat1 ORDER BY tbl, idx');
    const stats = await readStatistics();
    expect(stats.map(([table]) => table)).toEqual(['snapshots', 'snapshots']);
    now.time += 60_000;
    await run(4);
    expect(await readStatistics()).toEqual(stats);
    await run(12);
    expect(await readStatistics()).not.toEqual(stats);
  });

  test.skipIf(server === null && skipped('what PostgreSQL knows of tables'))('PostgreSQL', async () => {
    const now = { time: START };
    const service = makeService({ vehicles: 3, clock: { now: () => now.time } });
    const url = await database();
    const run = (hours: number) =>
      syncFleet(makeClient(service), postgresTarget(url), {
        parts: ['snapshots'],
        since: new Date(START - hours * HOUR),
      });
    const readStatistics = async () => {
      const [[rows] = []] = await inDatabase(url, "SELECT reltuples FROM pg_class WHERE relname = 'snapshots'");
      return Number(rows);
    };
    const count = async () => Number((await inDatabase(url, 'SELECT count(*) FROM snapshots'))[0]?.[0]);
    await run(4);
    const rows = await count();
    expect(await readStatistics()).toBe(rows);
    now.time += 60_000;
    await run(4);
    expect(await count()).toBeGreaterThan(rows);
    expect(await readStatistics()).toBe(rows);
    await run(12);
    expect(await readStatistics()).toBe(await count());
  });
});
