// Strict TypeScript with library checks: valid code compiles and runs, invalid code does not.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AssignDriverInput, FleetClient, FleetError, type Snapshot, toDate, type Vehicle } from 'fleet-telematics';
import { createMockService } from 'fleet-telematics/mock';
import { postgresTarget, type SyncTarget, SyncTargetError, sqliteTarget, syncFleet } from 'fleet-telematics-sync';

const service = createMockService({ vehicles: 3, clock: { now: () => Date.UTC(2026, 2, 2, 9, 30) } });
await using fleet = new FleetClient({
  baseUrl: 'http://fleet.example',
  credentials: { username: 'demo', password: 'demo' },
  fetch: service.fetch,
});

const vehicles: Vehicle[] = await fleet.getVehicles();
const [first] = vehicles;
const name: string | null | undefined = first?.name;
assert.equal(vehicles.length, 3);
assert.equal(typeof name, 'string');

const snapshots: Snapshot[] = await fleet.getLatestSnapshots({ vehicleIds: [String(first?.id)] });
const speed: number | null | undefined = snapshots[0]?.gps?.speed;
const created: Date | null = toDate(first?.createdAt);
assert.equal(typeof speed, 'number');
assert.ok(created instanceof Date);

const slim = await fleet.getVehicles({}, { select: { name: true, lastData: { gps: { speed: true } } } });
const slimSpeed: number | null | undefined = slim[0]?.lastData?.gps?.speed;
assert.deepEqual(Object.keys(slim[0] ?? {}), ['name', 'lastData']);
void slimSpeed;
// @ts-expect-error the selection does not hold it
void slim[0]?.vin;

const nobody = '00000000-0000-4000-8000-000000000000';
const input: AssignDriverInput = { vehicleId: nobody, driverId: nobody };
await assert.rejects(fleet.assignDriver({ assignDriverInput: input }), (error) => {
  assert.ok(error instanceof FleetError);
  assert.equal(error.code, 'GRAPHQL');
  return true;
});

// @ts-expect-error a required variable is missing
void (() => fleet.getVehicleById({}));
// @ts-expect-error no such field in the default selection
void first?.latestData;
// Members of assumed inputs are a guess, so other keys are accepted.
void (() => fleet.createGroup({ createGroupInput: { name: 'x', somethingTheServiceWants: 1 } }));

// A copy in Node's SQLite, or in SQLite as WebAssembly.
const folder = mkdtempSync(join(tmpdir(), 'fleet-consumer-'));
try {
  const target: SyncTarget = sqliteTarget(join(folder, 'fleet.db'));
  const { tables, failures } = await syncFleet(fleet, target, { parts: ['vehicles', 'latest'] });
  assert.deepEqual(
    [tables.map(({ table, written }) => [table, written]), failures],
    [
      [
        ['vehicles', 3],
        ['latest_snapshots', 3],
      ],
      [],
    ],
  );
  assert.throws(() => postgresTarget('mysql://localhost/fleet'), SyncTargetError);
  // @ts-expect-error no such part
  void (() => syncFleet(fleet, target, { parts: ['trucks'] }));
} finally {
  rmSync(folder, { recursive: true });
}
