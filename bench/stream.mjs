// @ts-check
// Figures of streamSnapshots, printed and written to STREAM.md: time and peak memory of reading many snapshots of one vehicle, each way
// in a fresh process, against undici.request + JSON.parse by hand and plain graphql-request.
// `--quick` measures less and writes nothing; either way it exits 1 when a target is missed.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { buildProduct, documentOf } from './lib/product.mjs';
import { machine, Report } from './lib/report.mjs';
import { startServer } from './lib/server-process.mjs';
import { byTurns, median, shownBytes, shownCount, shownMs } from './lib/stats.mjs';

/** @typedef {import('./stream-client.mjs').Job} Job */
/** @typedef {{ ms: number, cpuMs: number, peakBytes: number, rows: number, fastest: number }} Reading */

const quick = process.argv.includes('--quick');
const rounds = quick ? 3 : 5;
const to = Date.UTC(2026, 2, 4, 12);
const month = 259_200;
const million = 1_000_000;
const report = new Report();

const members = {
  timestamp: true,
  gps: { latitude: true, longitude: true, direction: true, altitude: true, speed: true, satellites: true },
  ignition: { engineStatus: true },
  canBus: { canrpm: true, canDistance: true, canFuel: true, canEngineCoolantTemperature: true },
  driver: { driverId: true },
  driverBehaviour: { driverBehaviourType: true, driverBehaviourValue: true },
};

/** @param {object} select @returns {string} */
const fieldsOf = (select) =>
  Object.entries(select)
    .map(([name, below]) => (below === true ? name : `${name} { ${fieldsOf(below)} }`))
    .join(' ');

const short = {
  name: 'a dozen fields',
  select: members,
  query: `query getSnapshots($vehicleId: UUID!, $from: DateTime!, $to: DateTime!) {
    getSnapshots(vehicleId: $vehicleId, from: $from, to: $to) { ${fieldsOf(members)} }
  }`,
};

/** @param {Omit<Job, 'way'>} job @param {Job['way']} way @returns {Promise<Reading>} */
async function read(job, way) {
  const program = fileURLToPath(new URL('stream-client.mjs', import.meta.url));
  return JSON.parse(execFileSync(process.execPath, [program, JSON.stringify({ ...job, way })], { encoding: 'utf8' }));
}

/**
 * @param {string} what @param {Omit<Job, 'way'>} job @param {number} rows @param {number} times
 * @returns {Promise<{ ratio: number, peak: number, rows: string[][] }>}
 */
async function compare(what, job, rows, times) {
  const readings = await byTurns(times, {
    undici: () => read(job, 'undici'),
    stream: () => read(job, 'stream'),
    'graphql-request': () => read(job, 'graphql-request'),
  });
  const { undici } = readings;
  const fastest = undici[0]?.fastest;
  /** @param {readonly Reading[]} some */
  const ratioOf = (some) => median(some.map(({ ms }, round) => ms / (undici[round]?.ms ?? Number.NaN)));
  const lines = [];
  for (const [way, some] of Object.entries(readings)) {
    const wrong = some.find((reading) => reading.rows !== (undici[0]?.rows ?? rows) || reading.fastest !== fastest);
    if (wrong) throw new Error(`${way} gave ${wrong.rows} rows, not ${undici[0]?.rows}`);
    lines.push([
      `${what}: ${way}`,
      shownCount(some[0]?.rows ?? 0),
      shownMs(median(some.map(({ ms }) => ms))),
      shownMs(median(some.map(({ cpuMs }) => cpuMs))),
      ratioOf(some).toFixed(2),
      shownBytes(Math.max(...some.map(({ peakBytes }) => peakBytes))),
    ]);
  }
  const peak = Math.max(...readings.stream.map(({ peakBytes }) => peakBytes));
  return { ratio: ratioOf(readings.stream), peak, rows: lines };
}

buildProduct();
const all = { name: 'all fields', select: undefined, query: await documentOf('getSnapshots') };
report.text('# Streaming snapshots in figures');
report.text('');
report.text(`${machine()}. Medians of ${rounds} rounds that take turns; the ratio is to undici.request + JSON.parse`);
report.text(
  'by hand in the same round, memory is the most of any round. `node stream.mjs` in this folder measures again.',
);
report.text('');

const head = ['what', 'rows', 'time', 'CPU of the client', 'ratio', 'peak memory'];
const lines = [];
const met = [];
for (const { name, select, query } of [short, all]) {
  const server = await startServer({ kind: 'prepared', wanted: { query, to, rows: select ? million : month } });
  const { vehicleId, since, bytes } = server.about;
  /** @param {number} count */
  const job = (count) => ({
    url: server.url,
    query,
    ...(select ? { select } : {}),
    period: { vehicleId, from: since[count] ?? '', to: new Date(to).toISOString() },
  });
  report.text(`A row with ${name} is ${Math.round(bytes / (select ? million : month))} bytes of JSON on average.`);
  const some = await compare(`prepared, ${name}`, job(month), month, rounds);
  lines.push(...some.rows);
  met.push(report.target(`${shownCount(month)} rows, ${name}: 0.6 of the time or less`, some.ratio <= 0.6));
  met.push(report.target(`${shownCount(month)} rows, ${name}: under 150 MiB`, some.peak < 150 * 1024 ** 2));
  if (select) {
    const bare = await read(job(month), 'nothing');
    lines.push(['no stream at all, the client logged in', '', '', '', '', shownBytes(bare.peakBytes)]);
    const many = await compare(`prepared, ${name}`, job(million), million, quick ? 1 : rounds);
    lines.push(...many.rows);
    met.push(report.target(`${shownCount(million)} rows, ${name}: 0.6 of the time or less`, many.ratio <= 0.6));
    met.push(report.target(`${shownCount(million)} rows, ${name}: under 150 MiB`, many.peak < 150 * 1024 ** 2));
  }
  await server.stop();
  // The same period of the reference service, which makes its rows while it answers.
  const service = await startServer({ kind: 'service', options: { vehicles: 25 }, frozenAt: to });
  const live = await compare(`reference service, ${name}`, { ...job(month), url: service.url }, month, rounds);
  lines.push(...live.rows);
  await service.stop();
}
report.table(head, lines);
for (const line of met) report.text(line);
report.text('');
report.text(
  'The prepared server has all rows ready as bytes, and compresses an answer only for a client that asks for it;',
);
report.text('the reference service makes them while it answers, and that time is the same for everybody.');
if (!quick) report.write(new URL('STREAM.md', import.meta.url));
process.exit(report.missed.length > 0 ? 1 : 0);
