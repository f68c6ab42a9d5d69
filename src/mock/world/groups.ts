// Builds the group tree. Large fleets have depots below the leaf groups, so groups stay small.
import { uuidFromName } from '../core/uuid.js';
import type { GroupRecord, VehicleKind } from '../store/tables.js';
import { seededRecord } from './seeded-record.js';

export interface SeededGroups {
  readonly groups: readonly GroupRecord[];
  groupIdsFor(kind: VehicleKind, index: number): readonly string[];
}

const tree: readonly { readonly name: string; readonly description: string; readonly children: readonly string[] }[] = [
  { name: 'Deliveries', description: 'Parcels and groceries', children: ['City deliveries', 'Regional deliveries'] },
  { name: 'Long haul', description: 'Trucks on fixed lines', children: ['Long haul East', 'Long haul West'] },
  { name: 'Service', description: 'Technicians and their cars', children: ['Field service'] },
  { name: 'Winter roster', description: 'Vehicles on winter tires, from all over the fleet', children: [] },
];

export const groupNames: readonly string[] = tree.flatMap(({ name, children }) => [name, ...children]);

export const groupIdOf = (seed: number, fleetId: string, name: string): string =>
  uuidFromName(`${seed}/${fleetId}/group/${name}`);

const leafGroups: Readonly<Record<VehicleKind, readonly string[]>> = {
  van: ['City deliveries', 'Regional deliveries'],
  truck: ['Long haul East', 'Long haul West'],
  car: ['Field service'],
};

const depotSize = 50;

export function buildGroups(seed: number, fleetId: string, vehicles: number, foundedAt: number): SeededGroups {
  const groups: GroupRecord[] = [];
  const ids = new Map<string, string>();
  const addGroup = (name: string, parentId: string | null, description: string | null): string => {
    const externalId = `G-${String(groups.length + 1).padStart(3, '0')}`;
    const record = seededRecord({ seed, fleetId }, 'group', name, foundedAt);
    groups.push({ ...record, name, parentId, externalId, description });
    ids.set(name, record.id);
    return record.id;
  };
  const depots = vehicles > 250 ? Math.ceil(vehicles / (5 * depotSize)) : 0;
  for (const { name, description, children } of tree) {
    const parent = addGroup(name, null, description);
    for (const leaf of children) {
      const leafId = addGroup(leaf, parent, null);
      for (let depot = 1; depot <= depots; depot += 1) addGroup(`${leaf}, depot ${depot}`, leafId, null);
    }
  }
  const idsByName = (name: string): readonly string[] => {
    const id = ids.get(name);
    return id === undefined ? [] : [id];
  };
  return {
    groups,
    groupIdsFor(kind, index) {
      // The eighth vehicle has no group, as in real fleets.
      if (index % 100 === 7) return [];
      const choice = leafGroups[kind];
      const leaf = choice[Math.floor(index / 5) % choice.length] ?? '';
      const groupName = depots === 0 ? leaf : `${leaf}, depot ${1 + (Math.floor(index / 10) % depots)}`;
      return index % 9 === 2 && depots === 0
        ? [...idsByName(groupName), ...idsByName('Winter roster')]
        : idsByName(groupName);
    },
  };
}
