// Streams of many vehicles over hours and days equal single streams, in few requests.
import { expect, test } from 'vitest';
import type { Fetch } from '../../src/index.js';
import { countRuns, makeClient, makeService, START } from '../request/setup.js';
import { byVehicle, HOUR, hashOf, inAnyOrder, period, read, snapshotsAlone, tripsAlone } from './stream-setup.js';

const vehiclesOf = async (service: ReturnType<typeof makeService>) =>
  (await makeClient(service).getVehicles()).flatMap(({ id }) => id ?? []);

test('the snapshots of ten hours are those of each vehicle alone, in order, in few requests', async () => {
  const service = makeService({ vehicles: 5 });
  const vehicleIds = await vehiclesOf(service);
  const expected = await snapshotsAlone(makeClient(service), vehicleIds, 10 * HOUR);
  service.clearRequests();
  const rows = await read(makeClient(service).streamSnapshots({ vehicleIds, ...period(10 * HOUR) }));
  const found = byVehicle(rows);
  expect(new Set(found.keys())).toEqual(new Set(expected.keys()));
  for (const [vehicleId, own] of found) expect(hashOf(own)).toBe(hashOf(expected.get(vehicleId)));
  expect(countRuns(service, 'getSnapshots')).toBeLessThanOrEqual(5);
});

test('the trips of a day and a half are those of each vehicle alone, in few requests', async () => {
  const service = makeService({ vehicles: 5 });
  const vehicleIds = await vehiclesOf(service);
  const expected = await tripsAlone(makeClient(service), vehicleIds, period(36 * HOUR));
  const single = countRuns(service, 'getSnapshots');
  service.clearRequests();
  const trips = await read(makeClient(service).streamTrips({ vehicleIds, ...period(36 * HOUR) }));
  expect(inAnyOrder(trips)).toEqual(inAnyOrder(expected));
  expect(countRuns(service, 'getSnapshots')).toBeLessThan(single);
});

test('the trips of vehicles that were parked or under way at midnight are those of each alone, in few requests', async () => {
  const service = makeService({ vehicles: 14 });
  const vehicleIds = await vehiclesOf(service);
  const midnight = Math.floor(START / (24 * HOUR)) * 24 * HOUR;
  const hours = { from: new Date(midnight), to: new Date(midnight + 3 * HOUR) };
  const expected = await tripsAlone(makeClient(service), vehicleIds, hours);
  service.clearRequests();
  const trips = await read(makeClient(service).streamTrips({ vehicleIds, ...hours }));
  expect(expected.length).toBeGreaterThan(2);
  expect(inAnyOrder(trips)).toEqual(inAnyOrder(expected));
  expect(countRuns(service, 'getSnapshots')).toBeLessThanOrEqual(8);
});

test('the tracks of trips are those of each vehicle alone', async () => {
  const service = makeService({ vehicles: 5 });
  const vehicleIds = await vehiclesOf(service);
  const documents: string[] = [];
  const fetch: Fetch = (url, init) => {
    if (init.body?.includes('getSnapshots')) documents.push(init.body);
    return service.fetch(url, init);
  };
  const fleet = makeClient(service, { fetch });
  const hours = period(4 * HOUR);
  const trips = await read(fleet.streamTrips({ vehicleIds, ...hours }, { withTrack: true }));
  expect(trips.length).toBeGreaterThan(2);
  expect(trips.every(({ track = [] }) => track.length > 10)).toBe(true);
  expect(inAnyOrder(trips)).toEqual(inAnyOrder(await tripsAlone(fleet, vehicleIds, hours, { withTrack: true })));
  // Both request the validity of positions.
  expect(documents.filter((document) => !/gps *\{[^}]*\bstate\b/.test(document))).toEqual([]);
  const plain = trips.map(({ track: _, ...trip }) => trip);
  expect(inAnyOrder(plain)).toEqual(inAnyOrder(await tripsAlone(fleet, vehicleIds, hours)));
});
