// The seeded group tree and which vehicles go where. Large fleets get depots below the leaves, so that no group grows
// with the fleet.
import type { GroupRecord, VehicleKind } from '../store/records.js';
import { uuidOf } from './random.js';

export interface GroupPlan {
  readonly groups: readonly GroupRecord[];
  /** The groups of the i-th vehicle. */
  groupsOf(kind: VehicleKind, place: number): readonly string[];
}

const tree: readonly { readonly name: string; readonly about: string; readonly below: readonly string[] }[] = [
  { name: 'Deliveries', about: 'Parcels and groceries', below: ['City deliveries', 'Regional deliveries'] },
  { name: 'Long haul', about: 'Trucks on fixed lines', below: ['Long haul East', 'Long haul West'] },
  { name: 'Service', about: 'Technicians and their cars', below: ['Field service'] },
  { name: 'Winter roster', about: 'Vehicles on winter tires, from all over the fleet', below: [] },
];

/** The groups every seeded fleet has. */
export const groupNames: readonly string[] = tree.flatMap(({ name, below }) => [name, ...below]);

export const groupIdOf = (seed: number, fleetId: string, name: string): string =>
  uuidOf(`${seed}/${fleetId}/group/${name}`);

const leaves: Readonly<Record<VehicleKind, readonly string[]>> = {
  van: ['City deliveries', 'Regional deliveries'],
  truck: ['Long haul East', 'Long haul West'],
  car: ['Field service'],
};

const depotSize = 50;

export function buildGroups(seed: number, fleetId: string, vehicles: number, founded: number): GroupPlan {
  const groups: GroupRecord[] = [];
  const ids = new Map<string, string>();
  const add = (name: string, parentId: string | null, description: string | null): string => {
    const id = groupIdOf(seed, fleetId, name);
    const externalId = `G-${String(groups.length + 1).padStart(3, '0')}`;
    groups.push({
      id,
      version: 1,
      createdAt: founded,
      updatedAt: founded,
      fleetId,
      name,
      parentId,
      externalId,
      description,
    });
    ids.set(name, id);
    return id;
  };
  const depots = vehicles > 250 ? Math.ceil(vehicles / (5 * depotSize)) : 0;
  for (const { name, about, below } of tree) {
    const parent = add(name, null, about);
    for (const leaf of below) {
      const leafId = add(leaf, parent, null);
      for (let depot = 1; depot <= depots; depot += 1) add(`${leaf}, depot ${depot}`, leafId, null);
    }
  }
  const idOf = (name: string): readonly string[] => {
    const id = ids.get(name);
    return id === undefined ? [] : [id];
  };
  return {
    groups,
    groupsOf(kind, place) {
      // The eighth vehicle is in no group: that happens in real fleets, and somebody should notice.
      if (place % 100 === 7) return [];
      const choice = leaves[kind];
      const leaf = choice[Math.floor(place / 5) % choice.length] ?? '';
      const home = depots === 0 ? leaf : `${leaf}, depot ${1 + (Math.floor(place / 10) % depots)}`;
      return place % 9 === 2 && depots === 0 ? [...idOf(home), ...idOf('Winter roster')] : idOf(home);
    },
  };
}
