// Parquet files read by DuckDB: every cell equals that of SQLite, and the documented queries run.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { FleetClient } from 'fleet-telematics';
import { createMockService } from 'fleet-telematics/mock';
import { parquetTarget, sqliteTarget, syncFleet, syncParts, syncTables } from 'fleet-telematics-sync';

// 01:30: trips and snapshots of two days.
const now = Date.parse('2026-03-01T01:30:00Z');
const service = createMockService({ vehicles: 3, clock: { now: () => now } });
const fleet = new FleetClient({
  baseUrl: 'http://service.test/api',
  credentials: { username: 'demo', password: 'demo' },
  fetch: service.fetch,
  clock: service.clock,
});
const folder = mkdtempSync(join(tmpdir(), 'fleet-duckdb-'));
process.chdir(folder);

const cellSql = {
  time: (name) => `epoch_ms(${name})::DOUBLE`,
  integer: (name) => `${name}::DOUBLE`,
  day: (name) => `strftime(${name}, '%Y-%m-%d')`,
  local: (name) => `strftime(${name}, '%Y-%m-%d %H:%M:%S')`,
  json: (name) => `${name}::VARCHAR`,
  text: (name) => name,
  real: (name) => name,
  boolean: (name) => name,
};

try {
  const options = { parts: syncParts, since: new Date(now - 3 * 3_600_000) };
  await syncFleet(fleet, parquetTarget('copy'), options);
  await syncFleet(fleet, sqliteTarget('fleet.db'), options);
  const copy = await sqliteTarget('fleet.db').look();
  const duckdb = await (await DuckDBInstance.create(':memory:')).connect();
  const rowsOf = async (sql) => (await duckdb.runAndReadAll(sql)).getRowsJS();

  let cells = 0;
  for (const { name, columns, key, period } of syncTables) {
    const files = period === undefined ? `copy/${name}.parquet` : `copy/${name}/**/*.parquet`;
    const selected = columns.map((column) => cellSql[column.type](`"${column.name}"`)).join(', ');
    const names = columns.map((column) => column.name);
    const stored = await copy.read(name, names);
    // A table by days has no file without rows.
    if (stored.length === 0 && period !== undefined) continue;
    const found = await rowsOf(`SELECT ${selected} FROM read_parquet('${files}') ORDER BY ${key.join(', ')}`);
    const expected = stored.map((row) =>
      row.map((cell, at) => (columns[at].type === 'time' && cell !== null ? Date.parse(cell) : cell)),
    );
    assert.deepEqual({ name, rows: found }, { name, rows: expected });
    cells += found.length * names.length;
  }
  assert.ok(cells > 20_000, `only ${cells} cells were compared`);
  await copy.close();

  const types = await rowsOf("SELECT column_name, column_type FROM (DESCRIBE FROM 'copy/snapshots/**/*.parquet')");
  assert.equal(new Map(types).get('recorded_at'), 'TIMESTAMP WITH TIME ZONE');
  assert.equal(new Map(types).get('rest'), 'JSON');
  const ofTrips = new Map(
    await rowsOf("SELECT column_name, column_type FROM (DESCRIBE FROM 'copy/trips/**/*.parquet')"),
  );
  assert.deepEqual([ofTrips.get('local_day'), ofTrips.get('local_started_at')], ['DATE', 'TIMESTAMP']);

  const text = readFileSync(join(process.env.FLEET_DOCS, 'sync.md'), 'utf8');
  const blocks = [...text.matchAll(/```sql\n([\s\S]*?)\n```/g)]
    .map(([, sql]) => sql)
    .filter((sql) => sql.includes('.parquet'));
  const statements = blocks.flatMap((sql) => sql.split(/;(?:\n|$)/)).filter((sql) => sql.trim() !== '');
  assert.ok(statements.length >= 5, `docs/sync.md has only ${statements.length} statements for DuckDB`);
  // The documented days are those of the service.
  for (const sql of statements) {
    const rows = await rowsOf(sql);
    if (sql.trim().startsWith('SELECT')) assert.notEqual(rows.length, 0, sql);
  }
} finally {
  await fleet.close();
  rmSync(folder, { recursive: true, force: true });
}
