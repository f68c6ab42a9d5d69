// Counts the requests of the next sync.
import { expect, test } from 'vitest';
import { countRuns, makeClient, makeService, START } from '../../../test/request/setup.js';
import { sqliteTarget, syncFleet } from '../src/index.js';
import { altered, rowsWith } from './altered.js';
import { query, tempFile } from './copies.js';

const TEN_MINUTES = 600_000;

test('vehicles whose copies end at different times are read together', async () => {
  const service = makeService({ vehicles: 20 });
  const file = tempFile();
  const options = { since: new Date(START - 2 * TEN_MINUTES), lateMs: TEN_MINUTES, parts: ['trips'] } as const;
  await syncFleet(makeClient(service), sqliteTarget(file), options);
  service.clock.advance(TEN_MINUTES);
  service.clearRequests();
  await syncFleet(makeClient(service), sqliteTarget(file), options);
  // Six trips are open, each with another last row: separate reads would take eight.
  expect(countRuns(service, 'getSnapshots')).toBeLessThanOrEqual(6);
});

test('however different the times are', async () => {
  const service = makeService({ vehicles: 12 });
  const file = tempFile();
  const options = { since: new Date(START - TEN_MINUTES), lateMs: TEN_MINUTES, parts: ['snapshots', 'trips'] } as const;
  const vehicleIds = (await makeClient(service).getVehicles({}, { select: { id: true } })).flatMap(
    ({ id }) => id ?? [],
  );
  for (const vehicleId of vehicleIds) {
    await syncFleet(makeClient(service), sqliteTarget(file), { ...options, vehicleIds: [vehicleId] });
    service.clock.advance(3 * TEN_MINUTES);
  }
  service.clearRequests();
  const { failures } = await syncFleet(makeClient(service), sqliteTarget(file), options);
  expect(failures).toEqual([]);
  // A stream for each time took 61.
  expect(countRuns(service, 'getSnapshots')).toBeLessThanOrEqual(20);
});

test('a vehicle that the service lists again, with its id in upper case, is read once', async () => {
  const service = makeService({ vehicles: 2 });
  const file = tempFile();
  const again = ([first, ...others]: readonly object[]) => [
    ...[first, ...others],
    { ...first, id: String(Reflect.get(first ?? {}, 'id')).toUpperCase() },
  ];
  const fleet = makeClient(service, { fetch: altered(service, rowsWith('getVehicles', again)) });
  const since = new Date(START - 6 * TEN_MINUTES);
  const { failures } = await syncFleet(fleet, sqliteTarget(file), { since, parts: ['snapshots', 'trips'] });
  expect(failures).toEqual([]);
  const [[vehicles] = []] = await query(file, 'SELECT count(DISTINCT lower(vehicle_id)) FROM snapshots');
  expect(vehicles).toBeGreaterThan(0);
  expect(await query(file, 'SELECT count(DISTINCT vehicle_id) FROM snapshots')).toEqual([[vehicles]]);
});
