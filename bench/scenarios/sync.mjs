// @ts-check
// A copy in SQLite: the snapshots of 50 vehicles, and the trips of 1,000. Beside each the same rows read and thrown away, which is what the
// service can give.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startServer } from '../lib/server-process.mjs';
import { shownBytes, shownCount, shownMs } from '../lib/stats.mjs';

/** @typedef {import('../programs/sync-once.mjs').Job} Job */
/** @typedef {import('../programs/sync-once.mjs').Reading} Reading */

export const title = 'A copy in SQLite';

const program = fileURLToPath(new URL('../programs/sync-once.mjs', import.meta.url));
const runFile = promisify(execFile);
const to = Date.UTC(2026, 2, 4, 12);
const day = 86_400_000;
/** SYNC_DAYS=30 is the month of the target; it takes ten minutes. */
const days = Number(process.env.SYNC_DAYS ?? 1);
const largest = 250 * 1024 ** 2;

/** @type {import('../lib/scenario.mjs').Scenario['run']} */
export async function run(report) {
  const snapshots = await measure(50, days, ['snapshots']);
  const trips = await measure(1_000, 1, ['trips']);
  report.text(`Read by a process of its own from the reference service in another, and written to a file by SQLite as`);
  report.text(`WebAssembly (Node ${process.versions.node}). Reading alone shows what the service gives.`);
  report.table(
    ['what', 'rows', 'requests', 'time', 'rows/s', 'CPU of the client', 'peak memory'],
    [...lines(`snapshots of 50 vehicles, ${days} d`, snapshots), ...lines('trips of 1,000 vehicles, 1 d', trips)],
  );
  const share = snapshots.read.ms / snapshots.sync.ms;
  return [
    {
      what: 'snapshots of 50 vehicles into SQLite: peak memory',
      bar: 'under 250 MiB',
      reached: shownBytes(snapshots.sync.peakBytes),
      met: snapshots.sync.peakBytes < largest,
      others: `reading alone ${shownBytes(snapshots.read.peakBytes)}; ${Math.round(share * 100)} % of the speed of reading alone`,
    },
  ];
}

/** @param {string} what @param {{ read: Reading, sync: Reading }} readings @returns {string[][]} */
function lines(what, { read, sync }) {
  return [
    [`${what}: read only`, read],
    [`${what}: sync`, sync],
  ].map(([name, reading]) => {
    // The pairs above are a text and a reading.
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

/**
 * @param {number} vehicles
 * @param {number} period in days
 * @param {Job['parts']} parts
 * @returns {Promise<{ read: Reading, sync: Reading }>}
 */
async function measure(vehicles, period, parts) {
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
      const { stdout } = await runFile(process.execPath, [program, JSON.stringify(job)]);
      return JSON.parse(stdout);
    };
    const read = await once(null);
    const sync = await once(join(folder, 'fleet.db'));
    if (read.rows !== sync.rows) throw new Error(`the sync wrote ${sync.rows} rows of ${read.rows}`);
    return { read, sync };
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
