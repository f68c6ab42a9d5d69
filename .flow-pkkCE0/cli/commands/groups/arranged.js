import { GroupTree } from "../shared/group-tree.js";
function arrangedGroups(groups, isOrdered) {
  const tree = new GroupTree(groups);
  const byId = new Map(groups.flatMap((group) => group.id ? [[group.id, group]] : []));
  const vehicles = new Map([...byId.keys()].map((id) => [id, /* @__PURE__ */ new Set()]));
  for (const { id, vehicleIds } of groups) {
    const own = (vehicleIds ?? []).filter((vehicle) => vehicle !== null);
    for (const above of id ? tree.withAbove([id]) : []) for (const vehicle of own) vehicles.get(above)?.add(vehicle);
  }
  const places = tree.inOrder(new Set(byId.keys()));
  const placeOf = new Map(places.map((place) => [place.id, place]));
  const row = (group) => {
    const place = placeOf.get(group.id ?? "");
    const parent = place?.parentId ?? null;
    return {
      ...group,
      parent: parent === null ? null : byId.get(parent)?.name ?? parent,
      ...group.vehicleIds ? { allVehicles: vehicles.get(group.id ?? "")?.size } : {},
      ...isOrdered ? {} : { level: place?.level }
    };
  };
  const inOrder = places.flatMap(({ id }) => byId.get(id) ?? []);
  const shown = isOrdered ? groups : [...inOrder, ...groups.filter(({ id }) => !id)];
  return shown.map(row);
}
export {
  arrangedGroups
};
