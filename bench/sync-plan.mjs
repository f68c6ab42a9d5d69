// @ts-check
// Measures the copy of a large fleet by part: requests, bytes, rows, time, and disk size. Targets:
// SQLite, Parquet and, with PLAN_POSTGRES, PostgreSQL. Prints a table for docs/sync.md.
// PLAN_COLUMNS lists columns of snapshots, separated by commas.
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import postgres from 'postgres';
import { loadSync } from './lib/product.mjs';
import { Report } from './lib/report.mjs';
import { startServer } from './lib/server-process.mjs';
import { shownBytes, shownCount, shownMs } from './lib/stats.mjs';

/** @typedef {import('./programs/sync-once.mjs').Job} Job */
/** @typedef {import('./programs/sync-once.mjs').Reading} Reading */

const vehicles = Number(process.argv[2] ?? 1_000);
const address = process.env.PLAN_POSTGRES;
const columns = process.env.PLAN_COLUMNS?.split(',');
const program = fileURLToPath(new URL('programs/sync-once.mjs', import.meta.url));
const runFile = promisify(execFile);
const to = Date.UTC(2026, 2, 4, 12);
const hour = 3_600_000;
const { syncParts } = await loadSync();

/**
 * In dependency order.
 * @type {{ what: string, parts: Job['parts'], hours: number }[]}
 */
const steps = [
  {
    what: 'records',
    parts: syncParts.slice(0, syncParts.indexOf('mapped-sensors')),
    hours: 24,
  },
  { what: 'assignments', parts: ['assignments'], hours: 24 },
  { what: 'latest', parts: ['latest'], hours: 24 },
  { what: 'trips, 1 d', parts: ['trips'], hours: 24 },
  { what: 'snapshots, 1 h', parts: ['snapshots'], hours: 1 },
];

const server = await startServer({ kind: 'service', options: { vehicles, seed: 1 }, frozenAt: to });
const folder = mkdtempSync(join(tmpdir(), 'fleet-plan-'));
const report = new Report();
try {
  report.text(`${shownCount(vehicles)} vehicles, Node ${process.versions.node}`);
  await measure('SQLite', join(folder, 'fleet.db'), async (path) => bytesOf(path));
  await measure('Parquet', join(folder, 'copy/'), async (path) => bytesOf(path));
  if (address !== undefined) await inPostgres(address);
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

/**
 * @param {string} name
 * @param {string} target
 * @param {(target: string) => Promise<number>} sizeOf
 */
async function measure(name, target, sizeOf) {
  /** @type {string[][]} */
  const lines = [];
  let before = 0;
  for (const { what, parts, hours } of steps) {
    const from = new Date(to - hours * hour).toISOString();
    const options = columns && parts.includes('snapshots') ? { columns } : {};
    /** @type {Job} */
    const job = { url: server.url, target, parts, from, to: new Date(to).toISOString(), options };
    const { stdout } = await runFile(process.execPath, [program, JSON.stringify(job)]);
    /** @type {Reading} */
    const { rows, requests, bytes, ms, cpuMs, peakBytes } = JSON.parse(stdout);
    const size = await sizeOf(target);
    const grown = size - before;
    before = size;
    const perRow = rows === 0 ? '' : shownCount(Math.round(grown / rows));
    lines.push([
      ...[what, shownCount(requests), shownBytes(bytes), shownCount(rows), shownBytes(grown), perRow],
      ...[shownMs(ms), shownMs(cpuMs), shownBytes(peakBytes)],
    ]);
  }
  report.text('');
  report.text(name);
  report.table(['part', 'requests', 'answers', 'rows', 'disk', 'bytes/row', 'time', 'CPU', 'peak memory'], lines);
}

/**
 * Returns the size of a file or a folder.
 * @param {string} path
 * @returns {number}
 */
function bytesOf(path) {
  const found = statSync(path);
  if (!found.isDirectory()) return found.size;
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(path, name)))
    .reduce((sum, one) => sum + (one.isFile() ? one.size : 0), 0);
}

/**
 * Measures in its own schema.
 * @param {string} url
 */
async function inPostgres(url) {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  const schema = 'fleet_sync_plan';
  try {
    await sql.unsafe(`DROP SCHEMA IF EXISTS ${schema} CASCADE; CREATE SCHEMA ${schema}`);
    const target = new URL(url);
    target.searchParams.set('search_path', schema);
    await measure('PostgreSQL', target.href, async () => {
      const [row] = await sql`
        SELECT sum(pg_total_relation_size(c.oid))::float8 AS bytes FROM pg_class c
        WHERE c.relnamespace = ${schema}::regnamespace AND c.relkind IN ('r', 'm')`;
      return Number(row?.bytes);
    });
  } finally {
    await sql.unsafe(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
    await sql.end();
  }
}
