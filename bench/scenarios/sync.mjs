// @ts-check
// Syncs into SQLite and PostgreSQL: the snapshots of 50 vehicles, and the trips of 1,000. The
// baseline only reads the rows, which is the service's limit.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import postgres from 'postgres';
import { nodeOf } from '../../scripts/node-binaries.mjs';
import { startServer } from '../lib/server-process.mjs';
import { shownBytes, shownCount, shownMs } from '../lib/stats.mjs';

/** @typedef {import('../programs/sync-once.mjs').Job} Job */
/** @typedef {import('../programs/sync-once.mjs').Reading} Reading */

export const title = 'A copy in SQLite and PostgreSQL';

const program = fileURLToPath(new URL('../programs/sync-once.mjs', import.meta.url));
const runFile = promisify(execFile);
const to = Date.UTC(2026, 2, 4, 12);
const day = 86_400_000;
/** The target is a month, SYNC_DAYS=30, which takes ten minutes. */
const days = Number(process.env.SYNC_DAYS ?? 1);
const largest = 250 * 1024 ** 2;

/** Minimum speed of a sync as a share of reading alone. */
const shares = { wasm: 0.45, node: 0.6, postgres: 0.6 };

/** @type {import('../lib/scenario.mjs').Scenario['run']} */
export async function run(report) {
  const own = process.execPath;
  const snapshots = await measure(50, days, ['snapshots'], { binary: own, target: inFile });
  const trips = await measure(1_000, 1, ['trips'], { binary: own, target: inFile });
  const newer = nodeOf('24');
  const withNode =
    'binary' in newer && (await measure(50, days, ['snapshots'], { binary: newer.binary, target: inFile }));
  const address = process.env.SYNC_POSTGRES;
  const withPostgres =
    address && (await measure(50, days, ['snapshots'], { binary: own, target: () => inPostgres(address) }));
  const what = `snapshots of 50 vehicles, ${days} d`;
  report.text(`Read by a process of its own from the reference service in another, and written to a file by SQLite as`);
  report.text(
    `WebAssembly (Node ${process.versions.node}), by the SQLite of Node 24, and to PostgreSQL where \`SYNC_POSTGRES\` has`,
  );
  report.text('an address. Reading alone shows what the service gives.');
  report.table(
    ['what', 'rows', 'requests', 'time', 'rows/s', 'CPU of the client', 'peak memory'],
    [
      ...lines(what, snapshots),
      ...(withNode ? lines(`${what}, Node 24`, withNode) : []),
      ...(withPostgres ? lines(`${what}, PostgreSQL`, withPostgres) : []),
      ...lines('trips of 1,000 vehicles, 1 d', trips),
    ],
  );
  return [
    {
      what: 'snapshots of 50 vehicles into SQLite: peak memory',
      bar: 'under 250 MiB',
      reached: shownBytes(snapshots.sync.peakBytes),
      met: snapshots.sync.peakBytes < largest,
      others: `reading alone ${shownBytes(snapshots.read.peakBytes)}`,
    },
    speed('SQLite as WebAssembly', snapshots, shares.wasm),
    ...(withNode ? [speed('the SQLite of Node 24', withNode, shares.node)] : []),
    ...(withPostgres ? [speed('PostgreSQL', withPostgres, shares.postgres)] : []),
  ];
}

/** @param {string} where @param {{ read: Reading, sync: Reading }} readings @param {number} bar */
function speed(where, { read, sync }, bar) {
  const share = read.ms / sync.ms;
  return {
    what: `the same into ${where}: speed`,
    bar: `${bar * 100} % of reading alone or more`,
    reached: `${Math.round(share * 100)} %`,
    met: share >= bar,
  };
}

/** @param {string} what @param {{ read: Reading, sync: Reading }} readings @returns {string[][]} */
function lines(what, { read, sync }) {
  return [
    [`${what}: read only`, read],
    [`${what}: sync`, sync],
  ].map(([name, reading]) => {
    // Array literals lose the pair types.
    const { rows, requests, ms, cpuMs, peakBytes } = /** @type {Reading} */ (reading);
    const rate = shownCount(Math.round(rows / (ms / 1000)));
    return [
      String(name),
      shownCount(rows),
      shownCount(requests),
      shownMs(ms),
      rate,
      shownMs(cpuMs),
      shownBytes(peakBytes),
    ];
  });
}

/** @param {string} folder */
async function inFile(folder) {
  return { address: join(folder, 'fleet.db'), drop: async () => undefined };
}

/** In a schema of its own. @param {string} address */
async function inPostgres(address) {
  const schema = 'fleet_bench';
  const sql = postgres(address, { max: 1, onnotice: () => undefined });
  await sql.unsafe(`DROP SCHEMA IF EXISTS ${schema} CASCADE; CREATE SCHEMA ${schema}`);
  const target = new URL(address);
  target.searchParams.set('search_path', schema);
  return {
    address: target.href,
    async drop() {
      await sql.unsafe(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
      await sql.end();
    },
  };
}

/**
 * @param {number} vehicles
 * @param {number} period in days
 * @param {Job['parts']} parts
 * @param {{ binary: string, target: (folder: string) =>
 * Promise<{ address: string, drop: () => Promise<void> }> }} how
 * @returns {Promise<{ read: Reading, sync: Reading }>}
 */
async function measure(vehicles, period, parts, { binary, target: makeTarget }) {
  const server = await startServer({ kind: 'service', options: { vehicles, seed: 1 }, frozenAt: to });
  const folder = mkdtempSync(join(tmpdir(), 'fleet-bench-'));
  try {
    /** @param {string | null} target @returns {Promise<Reading>} */
    const once = async (target) => {
      /** @type {Job} */
      const job = {
        url: server.url,
        target,
        parts,
        from: new Date(to - period * day).toISOString(),
        to: new Date(to).toISOString(),
      };
      const { stdout } = await runFile(binary, [program, JSON.stringify(job)]);
      return JSON.parse(stdout);
    };
    const read = await once(null);
    const { address, drop } = await makeTarget(folder);
    const sync = await once(address).finally(drop);
    if (read.rows !== sync.rows) throw new Error(`the sync wrote ${sync.rows} rows of ${read.rows}`);
    return { read, sync };
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
