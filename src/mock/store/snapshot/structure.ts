// Whether the rows of a fleet fit each other: ids that are there once, links that lead somewhere, a tree of groups without a
// ring, assignments that end after they begin. Everything else a row can say, the service can live with.
import type { FleetData } from '../records.js';
import { type Link, type RowTable, refuse } from './readers.js';

/** The ids of a list's rows, each of which must be there once. */
function idsOf(rows: readonly { readonly id: string }[], where: string): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const [place, { id }] of rows.entries()) {
    if (ids.has(id)) refuse(`${where}[${place}].id`, 'is the id of an earlier row too');
    ids.add(id);
  }
  return ids;
}

function checkTree(groups: FleetData['groups'], where: string): void {
  const parents = new Map(groups.map(({ id, parentId }) => [id, parentId]));
  const sound = new Set<string>();
  for (const [place, group] of groups.entries()) {
    const path = new Set<string>();
    for (let id: string | null = group.id; id !== null && !sound.has(id); id = parents.get(id) ?? null) {
      if (path.has(id)) refuse(`${where}[${place}].parentId`, 'leads back to the group itself');
      path.add(id);
    }
    for (const id of path) sound.add(id);
  }
}

/** Throws a TypeError that names the place when the fleet's rows do not fit each other. */
export function checkStructure(fleetId: string, data: FleetData, links: readonly Link[], where: string): void {
  const rows: Readonly<Record<RowTable, readonly { readonly id: string }[]>> = data;
  const known = new Map<Link['to'], ReadonlySet<string>>([['fleet', new Set([fleetId])]]);
  for (const table of rowTables) known.set(table, idsOf(rows[table], `${where}.${table}`));
  for (const link of links) {
    if (known.get(link.to)?.has(link.id) === true) continue;
    refuse(link.where, link.to === 'fleet' ? 'must be the id of its fleet' : `names none of the fleet's ${link.to}`);
  }
  checkTree(data.groups, `${where}.groups`);
  for (const [place, { startedAt, endedAt }] of data.assignments.entries()) {
    if (endedAt !== null && endedAt <= startedAt)
      refuse(`${where}.assignments[${place}].endedAt`, 'must be after startedAt');
  }
}

// An object, because the compiler then asks for every list there is.
const rowTables = Object.keys({
  vehicles: true,
  devices: true,
  groups: true,
  labels: true,
  vehicleTypes: true,
  workSchedules: true,
  people: true,
  tokens: true,
  roles: true,
  assignments: true,
  geofences: true,
  rules: true,
} satisfies Record<RowTable, true>) as RowTable[];
