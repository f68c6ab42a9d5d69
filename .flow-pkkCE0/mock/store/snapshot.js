import { isJsonObject } from "../core/json-object.js";
import { fail, list, object, optional, record, wholeNumber } from "../core/readers.js";
import { lists, tables, tablesWithDeleted } from "./tables.js";
const listsOf = (names) => Object.fromEntries(names.map((name) => [name, list(tables[name].read)]));
const tableNames = Object.keys(tables);
const readFleet = object({ ...listsOf(tableNames), ...lists });
const fleetData = (fleetId) => (value, path) => {
  const references = [];
  const data = readFleet(value, path, references);
  checkReferences(fleetId, data, references, path);
  checkGroupTree(data.groups, `${path}.groups`);
  for (const [index, { startedAt, endedAt }] of data.assignments.entries()) {
    if (endedAt !== null && endedAt <= startedAt)
      fail(`${path}.assignments[${index}].endedAt`, "must be after startedAt");
  }
  return data;
};
const deletedData = object(listsOf(tablesWithDeleted));
function uniqueIds(rows, path) {
  const ids = /* @__PURE__ */ new Set();
  for (const [index, { id }] of rows.entries()) {
    if (ids.has(id)) fail(`${path}[${index}].id`, "is also the id of an earlier record");
    ids.add(id);
  }
  return ids;
}
function checkReferences(fleetId, data, references, path) {
  const idsByTable = /* @__PURE__ */ new Map([["fleet", /* @__PURE__ */ new Set([fleetId])]]);
  for (const table of tableNames) idsByTable.set(table, uniqueIds(data[table], `${path}.${table}`));
  for (const { to, id, path: place } of references) {
    if (idsByTable.get(to)?.has(id) === true) continue;
    fail(place, to === "fleet" ? "must be the id of its fleet" : `is not the id of one of the fleet's ${to}`);
  }
}
function checkGroupTree(groups, path) {
  const parents = new Map(groups.map(({ id, parentId }) => [id, parentId]));
  const acyclic = /* @__PURE__ */ new Set();
  for (const [index, group] of groups.entries()) {
    const visited = /* @__PURE__ */ new Set();
    for (let id = group.id; id !== null && !acyclic.has(id); id = parents.get(id) ?? null) {
      if (visited.has(id)) fail(`${path}[${index}].parentId`, "leads back to the group itself");
      visited.add(id);
    }
    for (const id of visited) acyclic.add(id);
  }
}
const otherMembers = ["scripts", "answers", "variant"];
function parseSnapshot(value, seed, idOf) {
  if (!isJsonObject(value)) return fail("snapshot", "must be an object");
  const records = Object.entries(value).filter(([key]) => !otherMembers.includes(key));
  const read = object({
    seed: (found, path) => found === seed ? seed : fail(path, `must be ${seed}, the seed of this service`),
    created: wholeNumber(0, Number.MAX_SAFE_INTEGER),
    fleets: record((fleet) => fleetData(idOf(fleet))),
    deleted: optional(record(() => deletedData))
  });
  return read(Object.fromEntries(records), "snapshot");
}
export {
  parseSnapshot
};
