// @ts-check
// One sync of the built package, or the same rows read and thrown away: time, CPU, rows, and the most memory of this process.
import { loadProduct, loadSync } from '../lib/product.mjs';

/** @typedef {{ url: string, target: string | null, parts: import('../../dist/sync/index.js').SyncPart[], from: string, to: string }} Job */
/** @typedef {{ ms: number, cpuMs: number, peakBytes: number, rows: number, requests: number }} Reading */

/** @type {Job} */
const { url, target, parts, from, to } = JSON.parse(process.argv[2] ?? '{}');
const { FleetClient } = await loadProduct();
const { sync, sqliteTarget } = await loadSync();
let requests = 0;
const fleet = new FleetClient({
  baseUrl: url,
  credentials: { username: 'demo', password: 'demo' },
  hooks: { onRequest: () => void requests++ },
});
const vehicleIds = (await fleet.getVehicles({}, { select: { id: true } })).flatMap(({ id }) => id ?? []);
const begun = performance.now();
let rows = 0;
if (target === null) {
  const period = { vehicleIds, from, to };
  if (parts.includes('snapshots')) for await (const _ of fleet.streamSnapshots(period)) rows++;
  if (parts.includes('trips')) for await (const _ of fleet.streamTrips(period)) rows++;
} else {
  const { tables, failures } = await sync(fleet, sqliteTarget(target), { parts, since: from, until: to });
  if (failures.length > 0) throw new Error(`${failures.length} parts could not be read`);
  for (const { table, read } of tables) if (table === 'snapshots' || table === 'trips') rows += read;
}
const ms = performance.now() - begun;
const { user, system } = process.cpuUsage();
const peakBytes = process.resourceUsage().maxRSS * 1024;
process.stdout.write(JSON.stringify({ ms, cpuMs: (user + system) / 1000, peakBytes, rows, requests }));
await fleet.close();
