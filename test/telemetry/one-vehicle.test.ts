// Streams of one vehicle take as few requests as streams of many, and share documents.
import { expect, test } from 'vitest';
import type { Fetch, FleetClient } from '../../src/index.js';
import { countRuns, makeClient, makeService } from '../request/setup.js';
import { HOUR, inAnyOrder, period, read, snapshotsAlone, tripsAlone } from './stream-setup.js';

const service = makeService({ vehicles: 6 });
const vehicles = async () => (await makeClient(service).getVehicles()).flatMap(({ id }) => id ?? []);

/** Returns the requests of a stream on a new client without cached rates. */
async function requestsOf(stream: (fleet: FleetClient) => AsyncIterable<unknown>): Promise<number> {
  const fleet = makeClient(service);
  service.clearRequests();
  await read(stream(fleet));
  return countRuns(service, 'getSnapshots');
}

test('the trips of a day of one vehicle cost one request in either form, unless more says where they begin', async () => {
  const day = period(24 * HOUR);
  const costs: number[] = [];
  for (const vehicleId of await vehicles()) {
    const cost = await requestsOf((fleet) => fleet.streamTrips({ vehicleId, ...day }));
    expect(cost).toBe(await requestsOf((fleet) => fleet.streamTrips({ vehicleIds: [vehicleId], ...day })));
    costs.push(cost);
  }
  expect(costs).toContain(1);
});

test.each([
  [
    'snapshots of an hour',
    async (ids: readonly string[]) => [...(await snapshotsAlone(makeClient(service), ids, HOUR)).values()].flat(),
    (fleet: FleetClient, vehicleId: string) => read(fleet.streamSnapshots({ vehicleId, ...period(HOUR) })),
    1,
  ],
  [
    'trips of three hours',
    (ids: readonly string[]) => tripsAlone(makeClient(service), ids, period(3 * HOUR)),
    (fleet: FleetClient, vehicleId: string) => read(fleet.streamTrips({ vehicleId, ...period(3 * HOUR) })),
    6,
  ],
])('parallel streams of one vehicle each travel together: %s', async (_, alone, stream, most) => {
  const ids = await vehicles();
  const expected = await alone(ids);
  const single = countRuns(service, 'getSnapshots');
  const fleet = makeClient(service);
  service.clearRequests();
  const rows = (await Promise.all(ids.map((vehicleId) => stream(fleet, vehicleId)))).flat();
  expect(inAnyOrder(rows)).toBe(inAnyOrder(expected));
  expect(countRuns(service, 'getSnapshots')).toBeLessThanOrEqual(most);
  expect(countRuns(service, 'getSnapshots')).toBeLessThan(single);
});

test('a gateway that gives up on their document does not fail them: each is asked for alone', async () => {
  const ids = await vehicles();
  const fetch: Fetch = async (url, init) =>
    (init.body ?? '').includes('q1:') ? new Response('Gateway Time-out', { status: 504 }) : service.fetch(url, init);
  const fleet = makeClient(service, { fetch, retry: false });
  const rows = await Promise.all(ids.map((vehicleId) => read(fleet.streamSnapshots({ vehicleId, ...period(HOUR) }))));
  expect(inAnyOrder(rows.flat())).toBe(
    inAnyOrder([...(await snapshotsAlone(makeClient(service), ids, HOUR)).values()].flat()),
  );
});

test('what would be more than 64 MiB together travels in several requests', async () => {
  const parts: number[] = [];
  const fetch: Fetch = async (url, init) => {
    const names = (init.body ?? '').match(/q\d+:/g)?.map((name) => name.slice(0, -1));
    if (names === undefined) return service.fetch(url, init);
    parts.push(names.length);
    return Response.json({ data: Object.fromEntries(names.map((name) => [name, []])) });
  };
  const fleet = makeClient(service, { fetch });
  await fleet.getLabels();
  // Four days of an unknown vehicle count as 4 MiB in the fields of trips.
  const ids = Array.from({ length: 20 }, () => crypto.randomUUID());
  await Promise.all(ids.map((vehicleId) => read(fleet.streamTrips({ vehicleId, ...period(30 * 24 * HOUR) }))));
  expect(parts.slice(0, 2)).toEqual([16, 4]);
});
