// Arranges groups as a tree for people, with the vehicles of subgroups, which --group counts too.
import type { Group } from '../../../index.js';
import type { GroupRow } from '../../views/group.js';
import { GroupTree } from '../shared/group-tree.js';

/** Returns the groups with their levels. `isOrdered`: the user sorts, so the order is unchanged. */
export function arrangeGroups(groups: readonly Group[], isOrdered: boolean): readonly GroupRow[] {
  const tree = new GroupTree(groups);
  const byId = new Map(groups.flatMap((group) => (group.id ? [[group.id, group] as const] : [])));
  const vehicles = new Map([...byId.keys()].map((id) => [id, new Set<string>()]));
  for (const { id, vehicleIds } of groups) {
    const own = (vehicleIds ?? []).filter((vehicle) => vehicle !== null);
    for (const above of id ? tree.withAbove([id]) : []) for (const vehicle of own) vehicles.get(above)?.add(vehicle);
  }
  const places = tree.inOrder(new Set(byId.keys()));
  const placeOf = new Map(places.map((place) => [place.id, place]));
  const row = (group: Group): GroupRow => {
    const place = placeOf.get(group.id ?? '');
    const parent = place?.parentId ?? null;
    return {
      ...group,
      parent: parent === null ? null : (byId.get(parent)?.name ?? parent),
      ...(group.vehicleIds ? { allVehicles: vehicles.get(group.id ?? '')?.size } : {}),
      ...(isOrdered ? {} : { level: place?.level }),
    };
  };
  // A group without an id has no place in the tree.
  const inOrder = places.flatMap(({ id }) => byId.get(id) ?? []);
  const shown = isOrdered ? groups : [...inOrder, ...groups.filter(({ id }) => !id)];
  return shown.map(row);
}
