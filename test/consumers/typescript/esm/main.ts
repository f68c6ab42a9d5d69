// The oldest supported TypeScript, with library checks.
import assert from 'node:assert/strict';
import { FleetClient, type Selection, type Vehicle, withIds } from 'fleet-telematics';
import { createMockService } from 'fleet-telematics/mock';

const service = createMockService({ vehicles: 3, clock: { now: () => Date.UTC(2026, 2, 2, 9, 30) } });
const fleet = new FleetClient({
  baseUrl: 'http://fleet.example',
  credentials: { username: 'demo', password: 'demo' },
  fetch: service.fetch,
});

const vehicles: Vehicle[] = await fleet.getVehicles();
const ids: string[] = withIds(vehicles).map(({ id }) => id);
assert.equal(ids.length, 3);

const read = <const S extends Selection<'getVehicles'>>(select: S) => fleet.getVehicles({}, { select });
const [slim] = await read({ id: true, lastData: { gps: { speed: true } } });
const speed: number | null | undefined = slim?.lastData?.gps?.speed;
assert.deepEqual(Object.keys(slim ?? {}), ['id', 'lastData']);
void speed;

for await (const row of fleet.streamSnapshots({
  vehicleId: ids[0] ?? '',
  from: '2026-03-02T08:00:00Z',
  to: '2026-03-02T09:00:00Z',
})) {
  const time: string | null = row.timestamp;
  assert.equal(typeof time, 'string');
}

// @ts-expect-error no such field
void (() => fleet.getVehicles({}, { select: { id: true, nope: true } }));
// @ts-expect-error a vehicle or a driver is required
void (() => fleet.getDriverAssignments({ input: {} }));
await fleet.close();
