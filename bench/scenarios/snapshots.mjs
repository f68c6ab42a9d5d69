// @ts-check
// A month of snapshots of one vehicle, and a million of them: time and peak memory, each way in a fresh process. stream.mjs measures
// the same with more rounds, more fields, and against the reference service.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ratioOf, shownRatio } from '../lib/measure.mjs';
import { startServer } from '../lib/server-process.mjs';
import { byTurns, median, shownBytes, shownCount, shownMs } from '../lib/stats.mjs';
import { snapshotDocument, snapshotFields } from '../lib/vehicle-queries.mjs';

/** @typedef {import('../stream-client.mjs').Job} Job */
/** @typedef {{ ms: number, cpuMs: number, peakBytes: number, rows: number, fastest: number }} Reading */

export const title = '259,200 and 1,000,000 snapshots';

const program = fileURLToPath(new URL('../stream-client.mjs', import.meta.url));
const runFile = promisify(execFile);
const to = Date.UTC(2026, 2, 4, 12);
const month = 259_200;
const million = 1_000_000;
const slowest = 0.6;
const largest = 150 * 1024 ** 2;

/** What the tables call each way of stream-client.mjs. */
const names = /** @type {const} */ ({
  undici: 'undici.request by hand',
  stream: 'fleet-telematics, streamSnapshots',
  'graphql-request': 'graphql-request',
});

/** @type {import('../lib/scenario.mjs').Scenario['run']} */
export async function run(report) {
  const server = await startServer({ kind: 'prepared', wanted: { query: snapshotDocument, to, rows: million } });
  try {
    const { vehicleId, since, bytes } = server.about;
    report.text(
      `Rows of a dozen fields, ${Math.round(bytes / million)} bytes of JSON each, which the server has ready as bytes; every row is looked at.`,
    );
    report.text('Each reading is a process of its own; memory is the most of any round.');
    /** @param {number} count @param {number} rounds */
    const compare = async (count, rounds) => {
      const period = { vehicleId, from: since[count] ?? '', to: new Date(to).toISOString() };
      /** @param {Job['way']} way @returns {Promise<Reading>} */
      const read = async (way) => {
        /** @type {Job} */
        const job = { way, url: server.url, query: snapshotDocument, select: snapshotFields, period };
        const { stdout } = await runFile(process.execPath, [program, JSON.stringify(job)]);
        return JSON.parse(stdout);
      };
      const readings = await byTurns(rounds, {
        undici: () => read('undici'),
        stream: () => read('stream'),
        'graphql-request': () => read('graphql-request'),
      });
      return summary(count, readings);
    };
    const some = await compare(month, 5);
    const many = await compare(million, 3);
    report.table(
      ['client', 'rows', 'time', 'CPU of the client', 'ratio', 'peak memory'],
      [...some, ...many].map(({ name, rows, ms, cpuMs, ratio, peak }) => [
        name,
        shownCount(rows),
        shownMs(ms),
        shownMs(cpuMs),
        shownRatio(ratio),
        shownBytes(peak),
      ]),
    );
    return [some, many].flatMap(bars);
  } finally {
    await server.stop();
  }
}

/** @typedef {{ name: string, rows: number, ms: number, cpuMs: number, ratio: number, peak: number }} Line */

/**
 * @param {number} count
 * @param {Readonly<Record<keyof typeof names, readonly Reading[]>>} readings
 * @returns {Line[]}
 */
function summary(count, readings) {
  const base = readings.undici.map(({ ms }) => ms);
  const fastest = readings.undici[0]?.fastest;
  return Object.entries(names).map(([way, name]) => {
    // The keys of `names` are those of the readings.
    const some = readings[/** @type {keyof typeof names} */ (way)];
    const wrong = some.find((reading) => reading.rows !== count || reading.fastest !== fastest);
    if (wrong) throw new Error(`${name} gave ${wrong.rows} rows, not ${count}, or others`);
    return {
      name,
      rows: count,
      ms: median(some.map(({ ms }) => ms)),
      cpuMs: median(some.map(({ cpuMs }) => cpuMs)),
      ratio: ratioOf(
        some.map(({ ms }) => ms),
        base,
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
  const what = `${shownCount(stream.rows)} snapshots`;
  return [
    {
      what: `${what}: time`,
      bar: `${slowest}x undici by hand or less`,
      reached: shownRatio(stream.ratio),
      met: stream.ratio <= slowest,
      others: `graphql-request ${shownRatio(plain.ratio)}`,
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
