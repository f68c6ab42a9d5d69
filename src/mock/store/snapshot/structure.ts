// Checks that the records of a fleet fit each other: unique ids, references to existing records, a group tree without cycles, and
// assignments that end after their start.
import type { FleetData } from '../records.js';
import { fail, type Reference, type TableName } from './readers.js';

/** The ids of the records, which must be unique. */
function uniqueIds(rows: readonly { readonly id: string }[], path: string): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const [index, { id }] of rows.entries()) {
    if (ids.has(id)) fail(`${path}[${index}].id`, 'is also the id of an earlier record');
    ids.add(id);
  }
  return ids;
}

function checkGroupTree(groups: FleetData['groups'], path: string): void {
  const parents = new Map(groups.map(({ id, parentId }) => [id, parentId]));
  const acyclic = new Set<string>();
  for (const [index, group] of groups.entries()) {
    const visited = new Set<string>();
    for (let id: string | null = group.id; id !== null && !acyclic.has(id); id = parents.get(id) ?? null) {
      if (visited.has(id)) fail(`${path}[${index}].parentId`, 'leads back to the group itself');
      visited.add(id);
    }
    for (const id of visited) acyclic.add(id);
  }
}

/** Throws a TypeError that names the place when the records do not fit each other. */
export function checkReferences(
  fleetId: string,
  data: FleetData,
  references: readonly Reference[],
  path: string,
): void {
  const rows: Readonly<Record<TableName, readonly { readonly id: string }[]>> = data;
  const idsByTable = new Map<Reference['to'], ReadonlySet<string>>([['fleet', new Set([fleetId])]]);
  for (const table of tableNames) idsByTable.set(table, uniqueIds(rows[table], `${path}.${table}`));
  for (const reference of references) {
    if (idsByTable.get(reference.to)?.has(reference.id) === true) continue;
    fail(
      reference.path,
      reference.to === 'fleet' ? 'must be the id of its fleet' : `is not the id of one of the fleet's ${reference.to}`,
    );
  }
  checkGroupTree(data.groups, `${path}.groups`);
  for (const [index, { startedAt, endedAt }] of data.assignments.entries()) {
    if (endedAt !== null && endedAt <= startedAt)
      fail(`${path}.assignments[${index}].endedAt`, 'must be after startedAt');
  }
}

// An object, so that the compiler requires every list.
const tableNames = Object.keys({
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
} satisfies Record<TableName, true>) as TableName[];
