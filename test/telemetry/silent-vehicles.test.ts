// Empty periods take few requests, also with little memory, as in a sync of snapshots.
import { describe, expect, test } from 'vitest';
import type { Fetch } from '../../src/index.js';
import { makeClient, makeService, START } from '../request/setup.js';
import { inAnyOrder, period, read } from './stream-setup.js';

const DAY = 24 * 3_600_000;
const DRIVEN_MS = 2 * DAY;

/** Returns a service with rows of the last hours or none, and its count of row requests. */
async function silentUntil(time: number) {
  const service = makeService({ vehicles: 3 });
  let requestCount = 0;
  const fetch: Fetch = (url, init) => {
    const body = init.body ?? '';
    if (!body.includes('getSnapshots(')) return service.fetch(url, init);
    requestCount++;
    const { query, variables } = JSON.parse(body);
    if (Date.parse(variables.to) < time) return Promise.resolve(Response.json({ data: { getSnapshots: [] } }));
    const from = new Date(Math.max(time, Date.parse(variables.from))).toISOString();
    return service.fetch(url, { ...init, body: JSON.stringify({ query, variables: { ...variables, from } }) });
  };
  const fleet = makeClient(service, { fetch, merge: false });
  const [vehicle] = await fleet.getVehicles({}, { select: { id: true } });
  return { service, fleet, vehicleIds: [String(vehicle?.id)], asked: () => requestCount };
}

describe.each([{ answerBytes: 1024 * 1024 }, {}])('with %j', (options) => {
  test('36 days without a row', async () => {
    const { fleet, vehicleIds, asked: requestCount } = await silentUntil(START + DAY);
    const rows = await read(fleet.streamSnapshots({ vehicleIds, ...period(36 * DAY) }, options));
    expect(rows).toEqual([]);
    expect(requestCount()).toBeLessThan(25);
  });

  test('a vehicle that drives after a silence loses no row', async () => {
    const { service, fleet, vehicleIds, asked: requestCount } = await silentUntil(START - DRIVEN_MS);
    const rows = await read(fleet.streamSnapshots({ vehicleIds, ...period(36 * DAY) }, options));
    const expected = await read(makeClient(service).streamSnapshots({ vehicleIds, ...period(DRIVEN_MS) }));
    expect(rows.length).toBeGreaterThan(500);
    expect(inAnyOrder(rows)).toBe(inAnyOrder(expected));
    expect(requestCount()).toBeLessThan(35);
  });
});
