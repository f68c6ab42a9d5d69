// The types of `call`. The methods are never called; `tsc -p .` checks this file.
import { expectTypeOf, test } from 'vitest';
import type { Device, FleetApi, FleetClient, Group, Label, Role, Vehicle } from '../../src/index.js';

declare const fleet: FleetClient;
declare const api: FleetApi;
declare const name: 'getRoles' | 'getLabels';
declare const byId: 'getVehicleById' | 'getDeviceById';

/** Checked by the compiler only. */
function compiles(_name: string, _calls: () => unknown): void {}

test('types are checked by the compiler', () => {
  compiles('one name: as its method', async () => {
    expectTypeOf(await fleet.call('getVehicles')).toEqualTypeOf<Vehicle[]>();
    expectTypeOf(await fleet.call('getVehicles', {}, { timeoutMs: 5 })).toEqualTypeOf<Vehicle[]>();
    expectTypeOf(await fleet.call('getVehicleById', { id: '' })).toEqualTypeOf<Vehicle | null>();
    expectTypeOf(await fleet.call('getVehicles', {}, { select: { id: true } })).toEqualTypeOf<
      { id: string | null }[]
    >();
    expectTypeOf(await fleet.call('unassignDriver', { unassignDriverInput: { vehicleId: '' } })).toEqualTypeOf<
      boolean | null
    >();
    expectTypeOf(
      await fleet.call('createGroup', { createGroupInput: { name: '' } }, { idempotent: true, select: { name: true } }),
    ).toEqualTypeOf<{ name: string | null } | null>();
    expectTypeOf(await api.call('getGroups')).toEqualTypeOf<Group[]>();
  });

  compiles('one of several names', async () => {
    expectTypeOf(await fleet.call(name)).toEqualTypeOf<Role[] | Label[]>();
    expectTypeOf(await fleet.call(name, {}, { priority: 'low' })).toEqualTypeOf<Role[] | Label[]>();
    expectTypeOf(await fleet.call(byId, { id: '' })).toEqualTypeOf<Vehicle | Device | null>();
  });

  compiles('mistakes', () => {
    // @ts-expect-error no such operation
    void fleet.call('getVehicle');
    // @ts-expect-error it has variables
    void fleet.call('getVehicleById');
    // @ts-expect-error other variables
    void fleet.call('getVehicleById', { serial: '' });
    // @ts-expect-error no such field
    void fleet.call('getVehicles', {}, { select: { nam: true } });
    // @ts-expect-error a query is always safe to repeat
    void fleet.call('getVehicles', {}, { idempotent: true });
    // @ts-expect-error its answer has no fields
    void fleet.call('unassignDriver', { unassignDriverInput: { vehicleId: '' } }, { select: true });
  });
});
