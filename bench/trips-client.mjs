// @ts-check
// Reads the trips of a period, or only the rows that trips are made from, and prints the time and the peak memory. trips.mjs starts a fresh
// process for each, because peak memory is measured per process.
import { loadProduct } from './lib/product.mjs';

/**
 * @typedef {object} Job
 * @property {'rows' | 'streamTrips' | 'tripsFrom'} way
 * @property {string} url
 * @property {{}} select what of a snapshot trips need
 * @property {{ vehicleId: string, from: string, to: string }} period
 */

/** @type {Job} */
const { way, url, select, period } = JSON.parse(process.argv[2] ?? '{}');
const { FleetClient, tripsFrom } = await loadProduct();
const fleet = new FleetClient({ baseUrl: url, credentials: { username: 'demo', password: 'demo' } });
// Connecting and logging in are not measured.
await fleet.getVehicleTypes();
let count = 0;
let rows = 0;

const ways = {
  async rows() {
    for await (const _ of fleet.streamSnapshots(period, { select })) rows += 1;
  },
  async streamTrips() {
    await countAll(fleet.streamTrips(period));
  },
  async tripsFrom() {
    await countAll(tripsFrom(fleet.streamSnapshots(period, { select })));
  },
};

/** @param {AsyncIterable<{ snapshots: number }>} trips */
async function countAll(trips) {
  for await (const trip of trips) {
    count += 1;
    rows += trip.snapshots;
  }
}

const cpuBefore = process.cpuUsage();
const begun = performance.now();
await ways[way]();
await fleet.close();
const ms = performance.now() - begun;
const { user, system } = process.cpuUsage(cpuBefore);
const peakBytes = process.resourceUsage().maxRSS * 1024;
process.stdout.write(JSON.stringify({ ms, cpuMs: (user + system) / 1000, peakBytes, rows, count }));
process.exit();
