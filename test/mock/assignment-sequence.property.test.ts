// No sequence of assignments, unassignments and deletions through GraphQL makes assignments
// overlap. The test compares all pairs that getDriverAssignments returns.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../runs.js';
import { type Caller, caller, frozenService, hour, iso, noon } from './caller.js';

const place = fc.integer({ min: 0, max: 2 });
const at = fc.integer({ min: -200, max: 200 });
const command = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('assign' as const),
      vehicle: place,
      driver: place,
      start: fc.option(at),
      length: fc.option(fc.integer({ min: -2, max: 90 })),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('unassign' as const),
      vehicle: place,
      driver: fc.option(place),
      at: fc.option(at),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('advance' as const), ms: fc.integer({ min: 1, max: 5000 }) }) },
);

interface Row {
  readonly id: string;
  readonly vehicleId: string;
  readonly driverId: string;
  readonly startedAt: string;
  readonly endedAt: string | null;
}

async function everyRow(demo: Caller, vehicles: readonly string[]): Promise<Row[]> {
  const query = (id: string) =>
    demo.data(`{ getDriverAssignments(input: { vehicleId: "${id}" }) { id vehicleId driverId startedAt endedAt } }`);
  const rows: Row[] = [];
  for (const id of vehicles) rows.push(...(await query(id)).getDriverAssignments);
  return rows;
}

function overlapping(rows: readonly Row[]): readonly [Row, Row] | null {
  const end = (row: Row) => (row.endedAt === null ? Number.POSITIVE_INFINITY : Date.parse(row.endedAt));
  for (const [n, a] of rows.entries()) {
    if (Date.parse(a.startedAt) >= end(a)) return [a, a];
    for (const b of rows.slice(n + 1)) {
      if (a.vehicleId !== b.vehicleId && a.driverId !== b.driverId) continue;
      if (Date.parse(a.startedAt) < end(b) && Date.parse(b.startedAt) < end(a)) return [a, b];
    }
  }
  return null;
}

test('no sequence of changes leaves a vehicle or a driver with two assignments at one time', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 25 }), async (commands) => {
      const service = frozenService({ vehicles: 4 });
      const demo = await caller(service.fetch);
      const { getVehicles, getPeople } = await demo.data('{ getVehicles { id } getPeople { id isDriver } }');
      const vehicles: string[] = getVehicles.map(({ id }: { id: string }) => id);
      const drivers: string[] = getPeople
        .filter((person: { isDriver: boolean }) => person.isDriver)
        .map(({ id }: { id: string }) => id);
      const time = (hours: number) => iso(noon + hours * hour);
      for (const step of commands) {
        if (step.kind === 'advance') {
          // Milliseconds, so that the caller's token stays valid.
          service.clock.advance(step.ms);
          continue;
        }
        if (step.kind === 'assign') {
          const input = {
            vehicleId: vehicles[step.vehicle],
            driverId: drivers[step.driver],
            ...(step.start === null ? {} : { startTimestamp: time(step.start) }),
            ...(step.length === null ? {} : { endTimestamp: time((step.start ?? 0) + step.length) }),
          };
          await demo('mutation ($i: AssignDriverInput!) { assignDriver(assignDriverInput: $i) }', { i: input });
        } else {
          const input = {
            vehicleId: vehicles[step.vehicle],
            ...(step.driver === null ? {} : { driverId: drivers[step.driver] }),
            ...(step.at === null ? {} : { timestamp: time(step.at) }),
          };
          await demo('mutation ($i: UnassignDriverInput!) { unassignDriver(unassignDriverInput: $i) }', { i: input });
        }
        expect(overlapping(await everyRow(demo, vehicles))).toBeNull();
      }
    }),
    { numRuns: runs(40) },
  );
});
