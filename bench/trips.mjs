// @ts-check
// Measures trips and writes the figures to TRIPS.md: time and peak memory of reading trips from a million snapshots of one vehicle, compared
// with streaming the same rows. `--quick` measures less and writes nothing. The exit code is 1 if a target is missed.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { buildProduct, productFile } from './lib/product.mjs';
import { machine, Report } from './lib/report.mjs';
import { startServer } from './lib/server-process.mjs';
import { byTurns, median, shownBytes, shownCount, shownMs } from './lib/stats.mjs';

/** @typedef {import('./trips-client.mjs').Job} Job */
/** @typedef {{ ms: number, cpuMs: number, peakBytes: number, rows: number, count: number }} Reading */

const quick = process.argv.includes('--quick');
const rounds = quick ? 3 : 7;
const million = 1_000_000;
const to = Date.UTC(2026, 2, 4, 12);

buildProduct();
/** @type {typeof import('../src/telemetry/trips/stream-trips.js')} */
const { tripSelection } = await import(productFile('dist/telemetry/trips/stream-trips.js'));

/** @param {object} select @returns {string} */
const fieldsOf = (select) =>
  Object.entries(select)
    .map(([name, below]) => (below === true ? name : `${name} { ${fieldsOf(below)} }`))
    .join(' ');
const query = `query getSnapshots($vehicleId: UUID!, $from: DateTime!, $to: DateTime!) {
  getSnapshots(vehicleId: $vehicleId, from: $from, to: $to) { ${fieldsOf(tripSelection)} }
}`;

const server = await startServer({ kind: 'prepared', wanted: { query, to, rows: million } });
const { vehicleId, since, bytes } = server.about;
const period = { vehicleId, from: since[million] ?? '', to: new Date(to).toISOString() };

/** @param {Job['way']} way @returns {Promise<Reading>} */
async function read(way) {
  const program = fileURLToPath(new URL('trips-client.mjs', import.meta.url));
  const job = JSON.stringify({ way, url: server.url, select: tripSelection, period });
  return JSON.parse(execFileSync(process.execPath, [program, job], { encoding: 'utf8' }));
}

const readings = await byTurns(rounds, {
  rows: () => read('rows'),
  streamTrips: () => read('streamTrips'),
  tripsFrom: () => read('tripsFrom'),
});
await server.stop();

const report = new Report();
report.text('# Trips in figures');
report.text('');
report.text(
  `${machine()}. Medians of ${rounds} rounds that take turns; ratios are to the stream of the same rows in the same round, memory`,
);
report.text('is the most of any round. `node trips.mjs` in this folder measures again.');
report.text('');
report.text(
  `The server has ${shownCount(million)} snapshots ready as bytes, ${Math.round(bytes / million)} each, of the fields that trips need.`,
);
const lines = [];
const met = [];
for (const [way, some] of Object.entries(readings)) {
  const wrong = some.find(({ rows, count }) => rows !== some[0]?.rows || count !== some[0]?.count);
  if (wrong) throw new Error(`${way} gave ${wrong.count} trips of ${wrong.rows} rows, and before ${some[0]?.count}`);
  /** @param {'ms' | 'cpuMs'} time */
  const ratio = (time) => median(some.map((one, round) => one[time] / (readings.rows[round]?.[time] ?? Number.NaN)));
  const peak = Math.max(...some.map(({ peakBytes }) => peakBytes));
  lines.push([
    way === 'rows' ? 'the rows, by streamSnapshots' : `trips, by ${way}`,
    way === 'rows' ? '' : shownCount(some[0]?.count ?? 0),
    shownMs(median(some.map(({ ms }) => ms))),
    shownMs(median(some.map(({ cpuMs }) => cpuMs))),
    ratio('ms').toFixed(2),
    ratio('cpuMs').toFixed(2),
    shownBytes(peak),
  ]);
  if (way === 'rows') continue;
  met.push(report.target(`${way}: 1.2 of the time of its rows or less`, ratio('ms') <= 1.2));
  met.push(report.target(`${way}: under 150 MiB`, peak < 150 * 1024 ** 2));
}
report.table(['what', 'trips', 'time', 'CPU of the client', 'ratio', 'ratio of CPU', 'peak memory'], lines);
for (const line of met) report.text(line);
if (!quick) report.write(new URL('TRIPS.md', import.meta.url));
process.exit(report.missed.length > 0 ? 1 : 0);
