// @ts-check
// Fifty thousand vehicles as JSON lines in fresh processes: first line, last line, peak memory.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ratioOf, shownRatio } from '../lib/measure.mjs';
import { servePrepared } from '../lib/prepared-vehicles.mjs';
import { documentOf, productFile } from '../lib/product.mjs';
import { byTurns, median, shownBytes, shownCount, shownMs } from '../lib/stats.mjs';

/** @typedef {{ firstMs: number, ms: number, peakBytes: number, lines: number }} Reading */

export const title = '50,000 vehicles as lines of JSON';

const vehicles = 2_500;
const copies = 20;
const largest = 150 * 1024 ** 2;
const earliest = 0.5;
const rounds = 5;
const file = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));

/** @type {import('../lib/scenario.mjs').Scenario['run']} */
export async function run(report) {
  const document = await documentOf('getVehicles');
  const { bytes, target, stop } = await servePrepared(vehicles, document, copies);
  const folder = mkdtempSync(join(tmpdir(), 'fleet-bench-'));
  const env = {
    ...process.env,
    FLEET_BASE_URL: target.url,
    FLEET_USERNAME: target.credentials.username,
    FLEET_PASSWORD: target.credentials.password,
    FLEET_CONFIG_DIR: folder,
  };
  const fleet = [productFile('bin/fleet.js'), 'vehicles', 'list', '-o', 'ndjson'];
  const commands = {
    'fleet vehicles list -o ndjson': fleet,
    // All vehicles have one fleet: the order stays, but sorting reads all rows before printing.
    'the same, all rows read first': [...fleet, '--sort', 'fleetId'],
    'a script with graphql-request': [
      file('../programs/list-as-lines.mjs'),
      target.url,
      JSON.stringify(target.headers),
      document,
    ],
  };
  report.text(
    `getVehicles with the default fields, ${Math.round(bytes / 1_000_000)} MB that a plain server has ready; ${shownCount(vehicles)} vehicles, ${copies} times each.`,
  );
  report.text('Times count from the start of the process, so that start-up is in both of them.');
  try {
    const readings = await byTurns(
      rounds,
      mapValues(commands, (words) => () => read(words, env)),
    );
    return table(report, readings);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await stop();
  }
}

/**
 * @template {string} Name
 * @param {Readonly<Record<Name, readonly string[]>>} commands
 * @param {(words: readonly string[]) => () => Promise<Reading>} make
 */
function mapValues(commands, make) {
  // Object.entries and Object.fromEntries lose the types of the keys.
  const entries = /** @type {[Name, readonly string[]][]} */ (Object.entries(commands));
  return /** @type {Record<Name, () => Promise<Reading>>} */ (
    Object.fromEntries(entries.map(([name, words]) => [name, make(words)]))
  );
}

/**
 * @param {readonly string[]} words
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Reading>}
 */
function read(words, env) {
  return new Promise((resolve, reject) => {
    const begun = performance.now();
    const child = spawn(process.execPath, ['--require', file('../programs/report-memory.cjs'), ...words], {
      env,
      stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
    });
    const [, stdout, , memory] = child.stdio;
    if (!stdout || !memory) throw new Error('the pipes were asked for');
    let firstMs = 0;
    let lines = 0;
    let peak = '';
    stdout.on('data', (/** @type {Buffer} */ chunk) => {
      firstMs ||= performance.now() - begun;
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1;
    });
    memory.on('data', (chunk) => {
      peak += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) => {
      const expectedLines = vehicles * copies;
      if (code === 0 && lines === expectedLines) {
        resolve({ firstMs, ms: performance.now() - begun, peakBytes: Number(peak), lines });
      } else reject(new Error(`${words[1]} ended with ${code} after ${lines} lines of ${expectedLines}`));
    });
  });
}

/**
 * @param {import('../lib/report.mjs').Report} report
 * @param {Readonly<Record<string, readonly Reading[]>>} readings
 * @returns {import('../lib/scenario.mjs').Bar[]}
 */
function table(report, readings) {
  const base = Object.values(readings).at(-1) ?? [];
  const lines = Object.entries(readings).map(([name, some]) => ({
    name,
    firstMs: median(some.map(({ firstMs }) => firstMs)),
    ms: median(some.map(({ ms }) => ms)),
    share: median(some.map(({ firstMs, ms }) => firstMs / ms)),
    ratio: ratioOf(
      some.map(({ ms }) => ms),
      base.map(({ ms }) => ms),
    ),
    peak: Math.max(...some.map(({ peakBytes }) => peakBytes)),
  }));
  report.table(
    ['program', 'first row', 'last row', 'first of last', 'time against the script', 'peak memory'],
    lines.map(({ name, firstMs, ms, share, ratio, peak }) => [
      name,
      shownMs(firstMs),
      shownMs(ms),
      shownRatio(share),
      shownRatio(ratio),
      shownBytes(peak),
    ]),
  );
  const [streamed, buffered, script] = lines;
  if (!streamed || !buffered || !script) return [];
  return [
    {
      what: '50,000 vehicles as lines: the first row',
      bar: `before ${earliest} of the whole time`,
      reached: shownRatio(streamed.share),
      met: streamed.share < earliest,
      others: `all rows read first ${shownRatio(buffered.share)}, graphql-request ${shownRatio(script.share)}`,
    },
    {
      what: '50,000 vehicles as lines: peak memory',
      bar: 'under 150 MiB',
      reached: shownBytes(streamed.peak),
      met: streamed.peak < largest,
      others: `all rows read first ${shownBytes(buffered.peak)}, graphql-request ${shownBytes(script.peak)}`,
    },
  ];
}
