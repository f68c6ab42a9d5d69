// A test double for a client as a function's argument. `tsc -p .` is most of the test.
import { expect, expectTypeOf, test, vi } from 'vitest';
import type { FleetApi, FleetClient, Trip, Vehicle } from '../../src/index.js';
import { makeClient, makeService, rejection } from '../request/setup.js';

type Needs = Pick<FleetApi, 'getVehicles' | 'getVehicleById' | 'streamTrips'>;

async function describeFleet(fleet: Needs): Promise<string> {
  const rows = await fleet.getVehicles({}, { select: { id: true, name: true } });
  expectTypeOf(rows).toEqualTypeOf<{ id: string | null; name: string | null }[]>();
  const first = await fleet.getVehicleById({ id: rows[0]?.id ?? '' });
  expectTypeOf(first).toEqualTypeOf<Vehicle | null>();
  const trips: Trip[] = [];
  for await (const trip of fleet.streamTrips({ vehicleId: 'v1', from: '', to: '' })) trips.push(trip);
  return `${rows.map(({ name }) => name).join()} ${first?.licensePlate} ${trips.length}`;
}

class FakeFleet implements Needs {
  async getVehicles() {
    return [{ id: 'v1', name: 'Van' }];
  }
  async getVehicleById({ id }: { id: string }) {
    return { licensePlate: `plate of ${id}` };
  }
  async *streamTrips() {}
}

const none = async function* () {};

test('an object, a class and mock functions stand in for a client without a cast', async () => {
  const object: Needs = { getVehicles: async () => [], getVehicleById: async () => null, streamTrips: none };
  const getVehicles = vi.fn(async () => [{ id: 'v2', name: 'Truck' }]);
  expect(await describeFleet(object)).toBe(' undefined 0');
  expect(await describeFleet(new FakeFleet())).toBe('Van plate of v1 0');
  expect(await describeFleet({ ...object, getVehicles })).toBe('Truck undefined 0');
  expect(getVehicles).toHaveBeenCalledOnce();
});

test('partial is an option of queries, for the compiler and for the client', async () => {
  const fleet = makeClient(makeService());
  const input = { createGroupInput: { name: 'North' } };
  // @ts-expect-error a mutation has no partial
  expect(await rejection(fleet.createGroup(input, { partial: true }))).toMatchObject({ code: 'INVALID_INPUT' });
  const document = 'mutation { createGroup(createGroupInput: { name: "North" }) { id } }';
  expect(await rejection(fleet.request(document, {}, { partial: true }))).toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringContaining('is a mutation, and partial is an option of queries'),
  });
});

test('a fake gives what the contract has, and a client fits', () => {
  // @ts-expect-error an id is text
  const wrongValue: Pick<FleetApi, 'getVehicles'> = { getVehicles: async () => [{ id: 1 }] };
  // @ts-expect-error no such field
  const wrongField: Pick<FleetApi, 'getVehicles'> = { getVehicles: async () => [{ nam: 'Van' }] };
  void [wrongValue, wrongField];
  expectTypeOf<FleetClient>().toExtend<FleetApi>();
});
