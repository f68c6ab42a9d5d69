// @ts-check
// Reads the snapshots of a period with one of several clients; prints time and peak memory.
// scenarios/snapshots.mjs starts a fresh process for each, because peak memory is per process.
import { loadProduct } from './lib/product.mjs';
import { logIn } from './lib/wire.mjs';

/**
 * @typedef {object} Job
 * @property {'undici' | 'stream' | 'graphql-request'} way
 * @property {string} url
 * @property {string} query the document of clients other than the SDK
 * @property {object | undefined} [select] the SDK's selection; default if missing
 * @property {{ vehicleId: string, from: string, to: string }} period
 */

/** @type {Job} */
const job = JSON.parse(process.argv[2] ?? '{}');
const { url, query, period } = job;
/** A first query, so that connecting and compiling are not measured. */
const warm = '{ getVehicleTypes { id } }';
let rows = 0;
let fastest = 0;

/** @param {{ gps?: { speed?: number | null } | null }} row */
const look = (row) => {
  rows += 1;
  const speed = row.gps?.speed ?? 0;
  if (speed > fastest) fastest = speed;
};

/**
 * Each logs in and loads its modules; the returned function is measured.
 * @type {Record<Job['way'], () => Promise<() => Promise<void>>>}
 */
const readers = {
  async undici() {
    const { request } = await import('undici');
    const { headers } = await logIn(url);
    const small = await request(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query: warm }) });
    await small.body.text();
    return async () => {
      const body = JSON.stringify({ query, variables: period });
      const answer = await request(`${url}/graphql`, { method: 'POST', headers, body });
      for (const row of JSON.parse(await answer.body.text()).data.getSnapshots) look(row);
    };
  },
  async 'graphql-request'() {
    const { GraphQLClient } = await import('graphql-request');
    const { headers } = await logIn(url);
    const client = new GraphQLClient(`${url}/graphql`, { headers });
    await client.request(warm);
    return async () => {
      const data = await client.request(query, period);
      for (const row of data.getSnapshots) look(row);
    };
  },
  async stream() {
    const { FleetClient } = await loadProduct();
    const fleet = new FleetClient({ baseUrl: url, credentials: { username: 'demo', password: 'demo' } });
    await fleet.getVehicleTypes();
    // The starting program knows the selection's type.
    const options = /** @type {{}} */ (job.select ? { select: job.select } : {});
    return async () => {
      for await (const row of fleet.streamSnapshots(period, options)) look(row);
      await fleet.close();
    };
  },
};

const run = await readers[job.way]();
const cpuBefore = process.cpuUsage();
const begun = performance.now();
await run();
const ms = performance.now() - begun;
const { user, system } = process.cpuUsage(cpuBefore);
const peakBytes = process.resourceUsage().maxRSS * 1024;
process.stdout.write(JSON.stringify({ ms, cpuMs: (user + system) / 1000, peakBytes, rows, fastest }));
process.exit();
