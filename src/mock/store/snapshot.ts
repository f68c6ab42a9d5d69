// Validates snapshots, which may have been edited: records, and references within a fleet.
import { isJsonObject } from '../core/json-object.js';
import {
  fail,
  list,
  object,
  optional,
  type PathReference,
  readInteger,
  record,
  type ValueReader,
} from '../core/readers.js';
import { type DeletedData, type FleetData, lists, type TableName, tables, tablesWithDeleted } from './tables.js';

/** The records of all fleets as plain data, for JSON and for `restore`. */
export interface StoreSnapshot {
  readonly seed: number;
  /** Number of records created by mutations; determines the next new id. */
  readonly created: number;
  /** The records by fleet name. Missing fleets are built from the seed when restored. */
  readonly fleets: Readonly<Record<string, FleetData>>;
  /** The deleted records of fleets that have any; none are restored when missing. */
  readonly deleted?: Readonly<Record<string, DeletedData>>;
}

const listsOf = (names: readonly TableName[]) =>
  Object.fromEntries(names.map((name) => [name, list<unknown>(tables[name].read)]));

const tableNames = Object.keys(tables) as TableName[];

const readFleet = object({ ...listsOf(tableNames), ...lists });

/** Returns the reader of a fleet's records. References are ids of records of the same fleet. */
const fleetData =
  (fleetId: string): ValueReader<FleetData> =>
  (value, path) => {
    const references: PathReference[] = [];
    const data = readFleet(value, path, references) as unknown as FleetData;
    checkReferences(fleetId, data, references, path);
    checkGroupTree(data.groups, `${path}.groups`);
    for (const [index, { startedAt, endedAt }] of data.assignments.entries()) {
      if (endedAt !== null && endedAt <= startedAt)
        fail(`${path}.assignments[${index}].endedAt`, 'must be after startedAt');
    }
    return data;
  };

// References are not checked: their records may be deleted too.
const deletedData = object(listsOf(tablesWithDeleted)) as unknown as ValueReader<DeletedData>;

/** Throws a TypeError when an id repeats. */
function uniqueIds(rows: readonly { readonly id: string }[], path: string): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const [index, { id }] of rows.entries()) {
    if (ids.has(id)) fail(`${path}[${index}].id`, 'is also the id of an earlier record');
    ids.add(id);
  }
  return ids;
}

function checkReferences(fleetId: string, data: FleetData, references: readonly PathReference[], path: string): void {
  const idsByTable = new Map<string, ReadonlySet<string>>([['fleet', new Set([fleetId])]]);
  for (const table of tableNames) idsByTable.set(table, uniqueIds(data[table], `${path}.${table}`));
  for (const { to, id, path: place } of references) {
    if (idsByTable.get(to)?.has(id) === true) continue;
    fail(place, to === 'fleet' ? 'must be the id of its fleet' : `is not the id of one of the fleet's ${to}`);
  }
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

// Members of a service snapshot that service-snapshot.ts checks.
const otherMembers = ['scripts', 'answers', 'variant'];

/**
 * Returns a copy of a snapshot's records. `idOf` returns a fleet's id by name, or throws.
 * @throws TypeError that names the wrong fleet, list, record and member.
 */
export function parseSnapshot(value: unknown, seed: number, idOf: (fleet: string) => string): StoreSnapshot {
  if (!isJsonObject(value)) return fail('snapshot', 'must be an object');
  const records = Object.entries(value).filter(([key]) => !otherMembers.includes(key));
  const read = object({
    seed: (found, path) => (found === seed ? seed : fail(path, `must be ${seed}, the seed of this service`)),
    created: readInteger(0, Number.MAX_SAFE_INTEGER),
    fleets: record((fleet) => fleetData(idOf(fleet))),
    deleted: optional(record(() => deletedData)),
  });
  return read(Object.fromEntries(records), 'snapshot');
}
