// @ts-check
// A month of snapshots of one vehicle, and a million: time and peak memory in fresh processes.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ratioOf, shownRatio } from '../lib/measure.mjs';
import { documentOf } from '../lib/product.mjs';
import { startServer } from '../lib/server-process.mjs';
import { byTurns, median, shownBytes, shownCount, shownMs } from '../lib/stats.mjs';
import { snapshotDocument, snapshotFields } from '../lib/vehicle-queries.mjs';

/** @typedef {import('../stream-client.mjs').Job} Job */
/**
 * @typedef {{
 *   ms: number, cpuMs: number, peakBytes: number, rows: number, fastest: number
 * }} Reading
 */

export const title = '259,200 and 1,000,000 snapshots';

const program = fileURLToPath(new URL('../stream-client.mjs', import.meta.url));
const runFile = promisify(execFile);
const to = Date.UTC(2026, 2, 4, 12);
const month = 259_200;
const million = 1_000_000;
const slowest = 0.6;
/** Target for a dozen fields of a month; README.md explains the stream's extra work. */
const honest = 0.8;
const largest = 150 * 1024 ** 2;

/** Table names of the readers in stream-client.mjs. */
const names = /** @type {const} */ ({
  undici: 'undici.request by hand',
  stream: 'fleet-telematics, streamSnapshots',
  'graphql-request': 'graphql-request',
});

/**
 * @typedef {{
 *   name: string, query: string, select: typeof snapshotFields | undefined,
 *   counts: readonly (readonly [rows: number, rounds: number])[]
 * }} Comparison
 */

/** @type {import('../lib/scenario.mjs').Scenario['run']} */
export async function run(report) {
  /** @type {readonly Comparison[]} */
  const comparisons = [
    { name: 'every field', query: await documentOf('getSnapshots'), select: undefined, counts: [[month, 5]] },
    {
      name: 'a dozen fields',
      query: snapshotDocument,
      select: snapshotFields,
      counts: [
        [month, 5],
        [million, 3],
      ],
    },
  ];
  report.text(
    'Rows of every field as the SDK asks for them when nothing is selected, and of a dozen. The server has them ready as',
  );
  report.text('bytes; every row is looked at. Each reading is a process of its own; memory is the most of any round.');
  /** @type {Line[]} */
  const lines = [];
  for (const one of comparisons) lines.push(...(await compare(one)));
  report.table(
    ['client', 'fields', 'rows', 'time', 'CPU of the client', 'ratio', 'ratio of CPU', 'peak memory'],
    lines.map(({ name, fields, rows, ms, cpuMs, ratio, cpuRatio, peak }) => [
      name,
      fields,
      shownCount(rows),
      shownMs(ms),
      shownMs(cpuMs),
      shownRatio(ratio),
      shownRatio(cpuRatio),
      shownBytes(peak),
    ]),
  );
  return comparisons.flatMap(({ name, counts }) =>
    counts.flatMap(([count]) => bars(lines.filter(({ fields, rows }) => fields === name && rows === count))),
  );
}

/** @param {Comparison} asked @returns {Promise<Line[]>} */
async function compare({ name, query, select, counts }) {
  const rows = Math.max(...counts.map(([count]) => count));
  const server = await startServer({ kind: 'prepared', wanted: { query, to, rows } });
  try {
    const { vehicleId, since } = server.about;
    /** @type {Line[]} */
    const lines = [];
    for (const [count, rounds] of counts) {
      const period = { vehicleId, from: since[count] ?? '', to: new Date(to).toISOString() };
      /** @param {Job['way']} reader @returns {Promise<Reading>} */
      const read = async (reader) => {
        /** @type {Job} */
        const job = { way: reader, url: server.url, query, select, period };
        const { stdout } = await runFile(process.execPath, [program, JSON.stringify(job)]);
        return JSON.parse(stdout);
      };
      const readings = await byTurns(rounds, {
        undici: () => read('undici'),
        stream: () => read('stream'),
        'graphql-request': () => read('graphql-request'),
      });
      lines.push(...summary(name, count, readings));
    }
    return lines;
  } finally {
    await server.stop();
  }
}

/**
 * @typedef {{
 *   name: string, fields: string, rows: number, ms: number, cpuMs: number, ratio: number,
 *   cpuRatio: number, peak: number
 * }} Line
 */

/**
 * @param {string} fields
 * @param {number} count
 * @param {Readonly<Record<keyof typeof names, readonly Reading[]>>} readings
 * @returns {Line[]}
 */
function summary(fields, count, readings) {
  const base = readings.undici;
  const fastest = readings.undici[0]?.fastest;
  return Object.entries(names).map(([reader, name]) => {
    // Object.entries loses the types of the keys.
    const some = readings[/** @type {keyof typeof names} */ (reader)];
    const wrong = some.find((reading) => reading.rows !== count || reading.fastest !== fastest);
    if (wrong) throw new Error(`${name} gave ${wrong.rows} rows, not ${count}, or others`);
    return {
      name,
      fields,
      rows: count,
      ms: median(some.map(({ ms }) => ms)),
      cpuMs: median(some.map(({ cpuMs }) => cpuMs)),
      ratio: ratioOf(
        some.map(({ ms }) => ms),
        base.map(({ ms }) => ms),
      ),
      cpuRatio: ratioOf(
        some.map(({ cpuMs }) => cpuMs),
        base.map(({ cpuMs }) => cpuMs),
      ),
      peak: Math.max(...some.map(({ peakBytes }) => peakBytes)),
    };
  });
}

/** @param {readonly Line[]} lines @returns {import('../lib/scenario.mjs').Bar[]} */
function bars(lines) {
  const by = (/** @type {string} */ name) => lines.find((line) => line.name === name);
  const [hand, stream, plain] = [by(names.undici), by(names.stream), by(names['graphql-request'])];
  if (!hand || !stream || !plain) return [];
  const isShort = stream.rows === month && stream.fields !== 'every field';
  const what = `${shownCount(stream.rows)} snapshots of ${stream.fields}`;
  return [
    {
      what: `${what}: time`,
      bar: `${slowest}x undici by hand or less${isShort ? ` (honest target ${honest}x)` : ''}`,
      reached: shownRatio(stream.ratio),
      met: stream.ratio <= slowest,
      others: `CPU ${shownRatio(stream.cpuRatio)}; graphql-request ${shownRatio(plain.ratio)}`,
    },
    {
      what: `${what}: peak memory`,
      bar: 'under 150 MiB',
      reached: shownBytes(stream.peak),
      met: stream.peak < largest,
      others: `undici by hand ${shownBytes(hand.peak)}, graphql-request ${shownBytes(plain.peak)}`,
    },
  ];
}
