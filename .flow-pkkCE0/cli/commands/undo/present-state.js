import { joinTrees } from "../../../contract/selection/tree.js";
import { textsIn } from "../../../core/json.js";
import { wholeOf } from "../../connection/allow-partial.js";
import { call } from "../../connection/call.js";
import { CliError } from "../../errors/cli-error.js";
import { idAfter } from "../../journal/entry.js";
import { lookUp } from "../../plan/lookup.js";
import { knownRecord, selectionFor, wholeSelection } from "../../plan/plan-record.js";
import { editableKind } from "../../records/all-kinds.js";
import { groupKind } from "../../records/group.js";
import { personKind } from "../../records/person.js";
import { recordId, rowsIn } from "../../records/record-kind.js";
import { vehicleKind } from "../../records/vehicle.js";
import { isMarkedDeleted } from "../../shape/deleted.js";
async function readPresent(context, client, steps) {
  const wanted = wantedOf(steps);
  const known = new Map(
    await Promise.all(
      [...wanted].map(async ([kind, what]) => [kind.noun, await read(context, client, kind, what)])
    )
  );
  return {
    find: (noun, id) => known.get(noun)?.find((one) => one.id === id) ?? null,
    all: (noun) => known.get(noun) ?? []
  };
}
function wantedOf(steps) {
  const wanted = /* @__PURE__ */ new Map();
  const want = (noun, ids, select, isWhole) => {
    const kind = editableKind(noun);
    if (!kind) return;
    const one = wanted.get(kind) ?? { ids: /* @__PURE__ */ new Set(), select: {}, isWhole: false };
    for (const id of ids) one.ids.add(id);
    one.select = joinTrees(one.select, select);
    one.isWhole ||= isWhole;
    wanted.set(kind, one);
  };
  for (const step of steps) {
    for (const record of step.records) {
      const kind = editableKind(record.kind);
      if (!kind || record.action === "keep") continue;
      const id = idAfter(record, step);
      const fields = new Set(record.changes.map(({ field }) => field.split(".")[0] ?? field));
      const isCreation = record.action === "create";
      const select = record.action === "delete" ? {} : selectionFor(kind, fields);
      const own = isCreation ? joinTrees(select, wholeSelection(kind.type)) : select;
      want(record.kind, id === null ? [] : [id], own, record.action === "delete" || isCreation && id === null);
      if (record.action !== "delete") continue;
      const vehicles = [
        ...record.kind === groupKind.noun ? vehicleIdsIn(record) : [],
        ...(record.dependents?.assignments ?? []).map(({ vehicleId }) => vehicleId)
      ];
      if (vehicles.length > 0) want(vehicleKind.noun, vehicles, { assignedGroups: { id: true, name: true } }, false);
      if (record.kind === groupKind.noun) want(record.kind, [], { parentId: true }, true);
      const hasRoles = record.changes.some(({ field }) => field === "roles");
      if (record.kind === personKind.noun && hasRoles) want(record.kind, [], { roles: { id: true, name: true } }, true);
    }
  }
  return wanted;
}
function vehicleIdsIn({ changes }) {
  return textsIn(changes.find(({ field }) => field === "vehicleIds")?.before);
}
async function read(context, client, kind, { ids, select, isWhole }) {
  if (isWhole) {
    const whole = joinTrees(kind.identity, select);
    const listed = await wholeOf(
      context,
      (options) => call(client, kind.list, {}, { ...options, select: whole }),
      "changed"
    );
    const rows = rowsIn(kind, listed);
    return rows.filter((row) => recordId(row) !== null && !isMarkedDeleted(row)).map((row) => knownRecord(kind, row));
  }
  const found = await lookUp(context, client, kind, [...ids], select);
  if (!found.isWhole) {
    throw new CliError("GRAPHQL", `The present state of the ${kind.plural} could not be read.`, {
      undone: "changed",
      hint: "Try again later."
    });
  }
  return [...found.records.values()].map(({ row }) => knownRecord(kind, row)).filter(({ row }) => !isMarkedDeleted(row));
}
export {
  readPresent,
  vehicleIdsIn
};
