// Tests random changes at the service: after a sync, the copy has the service's records.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FleetClient } from '../../../src/index.js';
import { makeClient, makeService, START } from '../../../test/request/setup.js';
import { runs } from '../../../test/runs.js';
import { sqliteTarget, syncFleet, syncParts } from '../src/index.js';
import { contentOf, query, tempFile } from './copies.js';

type Change = (fleet: FleetClient, pick: number) => Promise<unknown>;

async function nth<Item>(items: Promise<readonly Item[]>, pick: number): Promise<Item | undefined> {
  const all = await items;
  return all[pick % Math.max(1, all.length)];
}

const changes: Readonly<Record<string, Change>> = {
  createGroup: (fleet, pick) => fleet.createGroup({ createGroupInput: { name: `Group ${pick}` } }),
  deleteGroup: async (fleet, pick) => {
    const group = await nth(fleet.getGroups(), pick);
    if (group?.id) await fleet.deleteGroup({ groupId: group.id });
  },
  deleteGeofence: async (fleet, pick) => {
    const geofence = await nth(fleet.getGeofences(), pick);
    if (geofence?.id) await fleet.deleteGeofence({ geofenceId: geofence.id });
  },
  renamePerson: async (fleet, pick) => {
    const person = await nth(fleet.getPeople(), pick);
    if (person?.id) await fleet.updatePerson({ personId: person.id, personInput: { firstName: `Name ${pick}` } });
  },
  renameVehicle: async (fleet, pick) => {
    const vehicle = await nth(fleet.getVehicles(), pick);
    if (vehicle?.id) await fleet.updateVehicle({ vehicleId: vehicle.id, vehicleInput: { name: `Vehicle ${pick}` } });
  },
  moveVehicle: async (fleet, pick) => {
    const [vehicle, group] = [await nth(fleet.getVehicles(), pick), await nth(fleet.getGroups(), pick)];
    if (!vehicle?.id || !group?.id) return;
    const changeVehicleGroupsInput = { addGroupIds: [group.id] };
    await fleet.changeVehicleGroups({ vehicleId: vehicle.id, changeVehicleGroupsInput });
  },
  assignDriver: async (fleet, pick) => {
    const [vehicle, person] = [await nth(fleet.getVehicles(), pick), await nth(fleet.getPeople(), pick)];
    if (!vehicle?.id || !person?.id) return;
    await fleet.assignDriver({ assignDriverInput: { vehicleId: vehicle.id, driverId: person.id } });
  },
};

const lists = {
  vehicles: (fleet: FleetClient) => fleet.getVehicles({}, { select: { id: true, isDeleted: true } }),
  people: (fleet: FleetClient) => fleet.getPeople({}, { select: { id: true, isDeleted: true } }),
  groups: (fleet: FleetClient) => fleet.getGroups({}, { select: { id: true } }),
  geofences: (fleet: FleetClient) => fleet.getGeofences({}, { select: { id: true, isDeleted: true } }),
} as const;

test('a copy that followed the changes is one that was made at the end, but for what is marked as gone', async () => {
  const step = fc.record({ name: fc.constantFrom(...Object.keys(changes), 'sync'), pick: fc.nat(50) });
  const parts = syncParts.filter((part) => !['trips', 'snapshots', 'latest'].includes(part));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      const service = makeService({ vehicles: 3 });
      const fleet = makeClient(service);
      const [followed, fresh] = [tempFile('suite'), tempFile('suite')];
      const options = { parts, until: new Date(START), allowDeletions: true };
      await syncFleet(fleet, sqliteTarget(followed), options);
      for (const { name, pick } of steps) {
        // A change that the service refuses is ignored.
        if (name !== 'sync') await changes[name]?.(fleet, pick).catch(() => undefined);
        else await syncFleet(fleet, sqliteTarget(followed), options);
      }
      await syncFleet(fleet, sqliteTarget(followed), options);
      await syncFleet(fleet, sqliteTarget(fresh), options);
      for (const [table, list] of Object.entries(lists)) {
        const live = (await list(fleet)).filter((record) => Reflect.get(record, 'isDeleted') !== true);
        const stored = await query(followed, `SELECT id FROM ${table} WHERE deleted_at IS NULL`);
        expect(stored.flat().sort()).toEqual(live.map(({ id }) => id).sort());
      }
      const records = async (file: string) =>
        query(
          file,
          'SELECT id, record FROM vehicles UNION ALL SELECT id, record FROM driver_assignments WHERE deleted_at IS NULL ORDER BY 1',
        );
      expect(await records(followed)).toEqual(await records(fresh));
      const [one, other] = [await contentOf(sqliteTarget(followed)), await contentOf(sqliteTarget(fresh))];
      expect(one.vehicle_groups).toBe(other.vehicle_groups);
    }),
    { numRuns: runs(12) },
  );
});
