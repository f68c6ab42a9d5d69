// Misspelt input members cause a warning with their names; the input is sent unchanged.
import { describe, expect, test } from 'vitest';
import { ProtocolError, type WarningEvent, withIds } from '../../src/index.js';
import { makeClient, makeService, rejection, statusesOf } from '../request/setup.js';

const id = '123e4567-e89b-12d3-a456-426614174000';

/** Returns a client and its warnings. */
function clientWithWarnings() {
  const warnings: WarningEvent[] = [];
  const service = makeService();
  const fleet = makeClient(service, { hooks: { onWarning: (event) => warnings.push(event) } });
  return { service, fleet, warnings };
}

describe('a member that is close to one of the contract', () => {
  test('causes a warning with its name and no value, and is sent', async () => {
    const { service, fleet, warnings } = clientWithWarnings();
    await rejection(fleet.updateVehicle({ vehicleId: id, vehicleInput: { licensPlate: 'secret 1' } }));
    expect(warnings).toMatchObject([
      {
        code: 'UNKNOWN_MEMBER',
        operation: 'updateVehicle',
        message:
          'updateVehicle: vehicleInput.licensPlate is not in the contract. Did you mean licensePlate? It is sent as it is.',
      },
    ]);
    expect(JSON.stringify(warnings)).not.toContain('secret');
    expect(statusesOf(service, '/graphql')).toHaveLength(1);
  });

  test('is found in lists and below', async () => {
    const { fleet, warnings } = clientWithWarnings();
    await rejection(fleet.createPerson({ personInput: { firstName: 'A', customFields: [{ nam: 'x', value: 'y' }] } }));
    await rejection(fleet.createGeofence({ geofenceInput: { name: 'A', address: { citty: 'x' } } }));
    expect(warnings.map(({ message }) => message.split(' is not')[0])).toEqual([
      'createPerson: personInput.customFields[0].nam',
      'createGeofence: geofenceInput.address.citty',
    ]);
  });

  test('is found in inputs that the contract shows, too', async () => {
    const { fleet, warnings } = clientWithWarnings();
    const input = { vehicleId: id, driverId: id, startTimestmp: '2026-03-01T12:00:00Z' };
    await rejection(fleet.assignDriver({ assignDriverInput: input }));
    expect(warnings.map(({ message }) => message)).toEqual([expect.stringContaining('Did you mean startTimestamp?')]);
  });
});

describe('no warning', () => {
  test('for members of the contract, and for others that are like none of them', async () => {
    const { fleet, warnings } = clientWithWarnings();
    await rejection(
      fleet.updateVehicle({ vehicleId: id, vehicleInput: { licensePlate: '1', somethingTheServiceWants: 1 } }),
    );
    await rejection(fleet.getWrappedReport({ input: { reportId: 'x', inputs: { report: 1, input: 2 } } }));
    expect(warnings).toEqual([]);
  });

  test('for a name that is given beside the one it is like', async () => {
    const { fleet, warnings } = clientWithWarnings();
    await rejection(fleet.updateVehicle({ vehicleId: id, vehicleInput: { model: 'a', models: 'b' } }));
    expect(warnings).toEqual([]);
  });

  test('shows a key that is not a name', async () => {
    const { fleet, warnings } = clientWithWarnings();
    await rejection(fleet.updateVehicle({ vehicleId: id, vehicleInput: { 'license-plate': '1' } }));
    expect(warnings.map(({ message }) => message)).toEqual([expect.not.stringContaining('license-plate')]);
  });
});

describe('withIds', () => {
  test('returns the same rows', async () => {
    const rows = await clientWithWarnings().fleet.getVehicles();
    expect(withIds(rows)).toEqual(rows);
    expect(withIds(rows)[0]).toBe(rows[0]);
  });

  test('throws when a row has none', () => {
    const rows: { id: string | null }[] = [{ id: 'a' }, { id: null }];
    expect(() => withIds(rows)).toThrow(new ProtocolError('Row 2 of 2 has no id.'));
  });
});
