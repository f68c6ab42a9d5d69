// @ts-check
// Runs one sync of the built package, or only reads its rows: time, CPU, rows, bytes, peak memory.
import { loadProduct, loadSync } from '../lib/product.mjs';

/**
 * `target`: a SQLite file, a folder with a final `/` for Parquet, or a PostgreSQL URL; null only
 * reads.
 * @typedef {{
 *   url: string, target: string | null, from: string, to: string,
 *   parts: import('../../packages/sync/dist/esm/sdk/index.js').SyncPart[],
 *   options?: import('../../packages/sync/dist/esm/sdk/index.js').SyncOptions
 * }} Job
 */
/**
 * @typedef {{
 *   ms: number, cpuMs: number, peakBytes: number, rows: number, requests: number, bytes: number
 * }} Reading
 */

/** @type {Job} */
const { url, target, parts, from, to, options = {} } = JSON.parse(process.argv[2] ?? '{}');
const { FleetClient } = await loadProduct();
const { syncFleet, sqliteTarget, postgresTarget, parquetTarget } = await loadSync();
const traffic = { requests: 0, bytes: 0 };
const fleet = new FleetClient({
  baseUrl: url,
  credentials: { username: 'demo', password: 'demo' },
  hooks: {
    onRequest() {
      traffic.requests++;
    },
    onResponse({ bytes }) {
      traffic.bytes += bytes ?? 0;
    },
  },
});
const vehicleIds = (await fleet.getVehicles({}, { select: { id: true } })).flatMap(({ id }) => id ?? []);
Object.assign(traffic, { requests: 0, bytes: 0 });
const begun = performance.now();
let rows = 0;
if (target === null) {
  const period = { vehicleIds, from, to };
  if (parts.includes('snapshots')) for await (const _ of fleet.streamSnapshots(period)) rows++;
  if (parts.includes('trips')) for await (const _ of fleet.streamTrips(period)) rows++;
} else {
  const { tables, failures } = await syncFleet(fleet, targetOf(target), { parts, since: from, until: to, ...options });
  if (failures.length > 0) throw new Error(`${failures.length} parts could not be read`);
  // Every part that refers to vehicles reads their list.
  for (const { table, read } of tables) if (table !== 'vehicles' || parts.includes('vehicles')) rows += read;
}
const ms = performance.now() - begun;
const { user, system } = process.cpuUsage();
const peakBytes = process.resourceUsage().maxRSS * 1024;
process.stdout.write(JSON.stringify({ ms, cpuMs: (user + system) / 1000, peakBytes, rows, ...traffic }));
await fleet.close();

/** @param {string} to */
function targetOf(to) {
  if (to.startsWith('postgres:')) return postgresTarget(to);
  return to.endsWith('/') ? parquetTarget(to) : sqliteTarget(to);
}
