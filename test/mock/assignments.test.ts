// Driver assignments through GraphQL: rules 1 to 7 of the contract and the service's own decisions.
import { beforeEach, describe, expect, test } from 'vitest';
import type { MockService } from '../../src/mock/service.js';
import { recordsOf } from '../records-of.js';
import { type Caller, caller, day, frozenService, hour, iso, nobody, noon } from './caller.js';

let service: MockService;
let demo: Caller;
let vehicles: string[];
let drivers: string[];

beforeEach(async () => {
  service = frozenService();
  demo = await caller(service.fetch);
  const { getVehicles, getPeople } = await demo.data('{ getVehicles { id } getPeople { id isDriver } }');
  vehicles = getVehicles.map(({ id }: { id: string }) => id);
  drivers = getPeople.filter((person: { isDriver: boolean }) => person.isDriver).map(({ id }: { id: string }) => id);
  // Removes all assignments.
  service.restore({ ...service.snapshot(), fleets: { 'Demo Fleet': { ...recordsOf(service), assignments: [] } } });
});

const assign = (vehicle: number, driver: number, start?: number, end?: number) =>
  demo('mutation ($i: AssignDriverInput!) { assignDriver(assignDriverInput: $i) }', {
    i: {
      vehicleId: vehicles[vehicle],
      driverId: drivers[driver],
      ...(start === undefined ? {} : { startTimestamp: iso(start) }),
      ...(end === undefined ? {} : { endTimestamp: iso(end) }),
    },
  });

const unassign = (vehicle: number, rest: object = {}) =>
  demo('mutation ($i: UnassignDriverInput!) { unassignDriver(unassignDriverInput: $i) }', {
    i: { vehicleId: vehicles[vehicle], ...rest },
  });

interface Row {
  readonly id: string;
  readonly version: number;
  readonly driverId: string;
  readonly startedAt: string;
  readonly endedAt: string | null;
}

async function rows(input: object): Promise<Row[]> {
  const query =
    'query ($i: GetDriverAssignmentsInput!) { getDriverAssignments(input: $i) { id version driverId vehicleId startedAt endedAt } }';
  return (await demo.data(query, { i: input })).getDriverAssignments;
}

/** Returns the driver index and the hours after noon of each assignment of a vehicle. */
async function of(vehicle: number) {
  const after = (time: string | null) => (time === null ? null : (Date.parse(time) - noon) / hour);
  return (await rows({ vehicleId: vehicles[vehicle] })).map((row) => [
    drivers.indexOf(row.driverId),
    after(row.startedAt),
    after(row.endedAt),
  ]);
}

test('rules 1 and 3: without times an assignment begins now and goes on; the answer is true', async () => {
  expect((await assign(0, 0)).data).toEqual({ assignDriver: true });
  expect(await of(0)).toEqual([[0, 0, null]]);
});

describe('rule 1: what is in the way is altered or deleted', () => {
  test('an earlier assignment of the vehicle is shortened', async () => {
    await assign(0, 0, noon - 2 * hour);
    await assign(0, 1);
    expect(await of(0)).toEqual([
      [0, -2, 0],
      [1, 0, null],
    ]);
  });

  test('an assignment around it is split in two', async () => {
    await assign(0, 0, noon - 2 * hour);
    await assign(0, 1, noon, noon + hour);
    expect(await of(0)).toEqual([
      [0, -2, 0],
      [1, 0, 1],
      [0, 1, null],
    ]);
  });

  test('an assignment within it is removed, one that begins within it begins later', async () => {
    await assign(0, 0, noon + hour, noon + 2 * hour);
    await assign(0, 1, noon + 3 * hour, noon + 5 * hour);
    await assign(0, 2, noon, noon + 4 * hour);
    expect(await of(0)).toEqual([
      [2, 0, 4],
      [1, 4, 5],
    ]);
  });

  test('without an end, what is planned for later stays, and the new one ends where that begins', async () => {
    await assign(0, 0, noon + 24 * hour, noon + 48 * hour);
    await assign(0, 1);
    expect(await of(0)).toEqual([
      [1, 0, 24],
      [0, 24, 48],
    ]);
    // The driver's later assignments stay too; the current one on another vehicle ends.
    await assign(1, 2, noon - hour);
    await assign(2, 2, noon + 5 * hour);
    await assign(3, 2);
    expect([await of(1), await of(3), await of(2)]).toEqual([[[2, -1, 0]], [[2, 0, 5]], [[2, 5, null]]]);
  });

  test("the driver's assignment to another vehicle is altered likewise", async () => {
    await assign(1, 0, noon - 2 * hour);
    await assign(0, 0, noon, noon + hour);
    expect(await of(1)).toEqual([
      [0, -2, 0],
      [0, 1, null],
    ]);
    expect(await of(0)).toEqual([[0, 0, 1]]);
  });

  test('one that ends where the new one begins is left alone', async () => {
    await assign(0, 0, noon - 2 * hour, noon);
    const [before] = await rows({ vehicleId: vehicles[0] });
    await assign(0, 1);
    expect((await rows({ vehicleId: vehicles[0] }))[0]).toEqual(before);
  });
});

test('rule 2: the same pair already assigned at that time: nothing changes, and the answer is true', async () => {
  await assign(0, 0, noon - hour);
  const before = await rows({ vehicleId: vehicles[0] });
  expect((await assign(0, 0, noon, noon + hour)).data).toEqual({ assignDriver: true });
  expect(await rows({ vehicleId: vehicles[0] })).toEqual(before);
});

test('the start may be 10 days in the past and no more; the end must be after the start', async () => {
  expect((await assign(0, 0, noon - 10 * day)).data).toEqual({ assignDriver: true });
  const before = await rows({ vehicleId: vehicles[0] });
  for (const refused of [
    await assign(0, 1, noon - 10 * day - 1),
    await assign(0, 1, noon, noon),
    await assign(0, 1, noon, noon - 1),
  ]) {
    expect(refused.errors[0]?.extensions.classification).toBe('BAD_REQUEST');
    expect(refused.data).toEqual({ assignDriver: null });
  }
  expect(await rows({ vehicleId: vehicles[0] })).toEqual(before);
});

test('refuses an unknown vehicle, an unknown or deleted driver, and a person who is not a driver', async () => {
  const person = await demo.data('mutation { createPerson(personInput: { firstName: "Pat" }) { id } }');
  const send = (vehicleId: string, driverId: string) =>
    demo('mutation ($i: AssignDriverInput!) { assignDriver(assignDriverInput: $i) }', { i: { vehicleId, driverId } });
  const [vehicle = '', driver = ''] = [vehicles[0], drivers[0]];
  await demo.data('mutation ($p: UUID!) { deletePerson(personId: $p) }', { p: drivers[1] });
  const classes = [
    await send(nobody, driver),
    await send(vehicle, nobody),
    await send(vehicle, drivers[1] ?? ''),
    await send(vehicle, person.createPerson.id),
  ].map((answer) => answer.errors[0]?.extensions.classification);
  expect(classes).toEqual(['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND', 'BAD_REQUEST']);
  expect(await rows({ vehicleId: vehicle })).toEqual([]);
});

test('rules 4 and 6: unassignDriver ends the assignment at the given time, and is an error when there is none', async () => {
  await assign(0, 0, noon - 4 * hour);
  expect((await unassign(0, { timestamp: iso(noon - hour) })).data).toEqual({ unassignDriver: true });
  expect(await of(0)).toEqual([[0, -4, -1]]);
  const again = await unassign(0);
  expect(again.errors[0]).toMatchObject({ path: ['unassignDriver'], extensions: { classification: 'NOT_FOUND' } });
  expect(await of(0)).toEqual([[0, -4, -1]]);
});

test('rule 5: with driverId the assignment is ended only if it belongs to that driver', async () => {
  await assign(0, 0, noon - hour);
  expect((await unassign(0, { driverId: drivers[1] })).errors[0]?.extensions.classification).toBe('NOT_FOUND');
  expect(await of(0)).toEqual([[0, -1, null]]);
  expect((await unassign(0, { driverId: drivers[0] })).data).toEqual({ unassignDriver: true });
  expect(await of(0)).toEqual([[0, -1, 0]]);
});

test('an assignment ended exactly where it starts is gone', async () => {
  await assign(0, 0);
  await unassign(0);
  expect(await of(0)).toEqual([]);
});

test('rule 7: getDriverAssignments needs vehicleId or driverId; both together are the intersection', async () => {
  await assign(0, 0, noon - hour, noon);
  await assign(1, 0);
  await assign(0, 1);
  const bare = await demo('{ getDriverAssignments(input: {}) { id } }');
  expect(bare.errors[0]?.extensions.classification).toBe('BAD_REQUEST');
  expect(await rows({ driverId: drivers[0] })).toHaveLength(2);
  expect(await rows({ vehicleId: vehicles[0] })).toHaveLength(2);
  expect(await rows({ vehicleId: vehicles[0], driverId: drivers[0] })).toHaveLength(1);
});

test('deleting a driver ends what holds, removes what lies ahead, keeps what was and takes the tokens', async () => {
  await assign(0, 0, noon - 3 * hour, noon - 2 * hour);
  await assign(0, 0, noon - hour);
  await assign(1, 0, noon + hour, noon + 2 * hour);
  const tokens = () => recordsOf(service).tokens.filter(({ driverId }) => driverId === drivers[0]);
  expect(tokens()).not.toEqual([]);
  await demo.data('mutation ($p: UUID!) { deletePerson(personId: $p) }', { p: drivers[0] });
  expect((await rows({ vehicleId: vehicles[0] })).map((row) => row.endedAt)).toEqual([iso(noon - 2 * hour), iso(noon)]);
  expect(await of(1)).toEqual([]);
  expect(tokens()).toEqual([]);
});

test('the driver group of snapshots follows the assignments, with the tokens; nobody assigned: null', async () => {
  await assign(0, 0, noon - 3 * hour, noon - hour);
  const query = `query ($v: UUID!, $f: DateTime!, $t: DateTime!) {
    getSnapshots(vehicleId: $v, from: $f, to: $t) { timestamp driver { driverId iButton rfidHex } }
    getPeople { id driverTokens { value } } }`;
  const data = await demo.data(query, { v: vehicles[0], f: iso(noon - 6 * hour), t: iso(noon) });
  const token = data.getPeople.find(({ id }: { id: string }) => id === drivers[0]).driverTokens[0].value;
  let driven = 0;
  for (const row of data.getSnapshots) {
    const time = Date.parse(row.timestamp);
    const holds = time >= noon - 3 * hour && time < noon - hour;
    if (holds) driven += 1;
    expect(row.driver).toEqual(holds ? { driverId: drivers[0], iButton: token, rfidHex: token.slice(-8) } : null);
  }
  expect(driven).toBeGreaterThan(0);
  expect(driven).toBeLessThan(data.getSnapshots.length);
});
