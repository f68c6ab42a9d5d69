import { contractFields } from "../../contract/selection/fields.js";
import { defaultTree, joinTrees } from "../../contract/selection/tree.js";
import { isObject } from "../../core/json.js";
import { operations } from "../../generated/operation-table.js";
import { memberDifferences } from "../records/differences.js";
import { NewRecord } from "../records/new-record.js";
import { recordId, recordName } from "../records/record-kind.js";
import { changeRequests, creationRequests, deletionRequests, FIELD } from "../records/requests.js";
import { createdMembers, withNames } from "./record-change.js";
function knownRecord(kind, row) {
  const id = recordId(row) ?? "";
  return { id, name: recordName(kind, row) ?? id, row };
}
const fromNoLine = { line: null, source: null };
function planCreation(kind, members, names, { creates, formerId } = {}) {
  const name = recordName(kind, members) ?? "";
  const self = creates ?? new NewRecord(name);
  const record = {
    kind: kind.noun,
    action: "create",
    name,
    id: null,
    changes: withNames(createdMembers(members), names),
    ...formerId === void 0 ? {} : { formerId }
  };
  return { ...fromNoLine, record, creates: self, requests: creationRequests(kind, members, self) };
}
function planChange(kind, id, members, known, names) {
  const { record, send } = compareRecord(kind, id, members, known, names);
  return { ...fromNoLine, record, requests: changeRequests(kind, id, send, record.changes) };
}
function planDeletion(kind, id, known, names = /* @__PURE__ */ new Map()) {
  const changes = known ? withNames(lostMembers(known.row), names) : [];
  const record = { kind: kind.noun, action: "delete", name: known?.name ?? id, id, changes };
  return { ...fromNoLine, record, requests: deletionRequests(kind, id) };
}
function planNothing({ noun }, id, name) {
  return { ...fromNoLine, record: { kind: noun, action: "keep", name, id, changes: [] }, requests: [] };
}
function compareRecord(kind, id, members, known, names = /* @__PURE__ */ new Map()) {
  const recordOf = (action, changes2) => ({
    kind: kind.noun,
    action,
    name: known?.name ?? id,
    id,
    changes: changes2
  });
  if (!known) {
    return { record: recordOf("update", withNames(notCompared(members), names)), send: members };
  }
  const present = presentMembers(known.row, kind);
  const wanted = Object.entries(withGroups(members, present));
  const isKnown = (member) => contractFields(kind.type).has(member) || Object.hasOwn(present, member);
  const others = Object.fromEntries(wanted.filter(([member]) => !isKnown(member)));
  const differences = kind.differences ?? memberDifferences;
  const found = differences(Object.fromEntries(wanted.filter(([member]) => isKnown(member))), present);
  const changes = withNames(
    [...found.changes, ...notCompared(others)],
    new Map([...names, ...relatedNames(known.row, kind)])
  );
  return { record: recordOf(changes.length === 0 ? "keep" : "update", changes), send: { ...found.send, ...others } };
}
function withGroups({ addGroupIds, removeGroupIds, ...members }, { groupIds }) {
  const given = {
    ...addGroupIds === void 0 ? {} : { addGroupIds },
    ...removeGroupIds === void 0 ? {} : { removeGroupIds }
  };
  if (Object.keys(given).length === 0 || !Array.isArray(groupIds)) return { ...members, ...given };
  const left = new Set([removeGroupIds].flat());
  const all = [...groupIds, ...[addGroupIds ?? []].flat()].filter((id) => !left.has(id));
  return { ...members, groupIds: [...new Set(all)] };
}
function notCompared(members) {
  return Object.entries(members).flatMap(([field, after]) => {
    const named = field === "customFields" && Array.isArray(after) ? after.filter(isObject) : [];
    return named.length > 0 ? named.map(({ name, value }) => ({ field: `${FIELD}${String(name)}`, before: void 0, after: value ?? null })) : [{ field, before: void 0, after }];
  });
}
function presentMembers(row, { relations = {} }) {
  const related = Object.entries(relations).flatMap(
    ([member, { holder }]) => holder !== null && Object.hasOwn(row, holder) ? [[member, idsIn(Reflect.get(row, holder))]] : []
  );
  return { ...row, ...Object.fromEntries(related) };
}
function idsIn(value) {
  if (Array.isArray(value)) return value.flatMap((one) => idsIn(one) ?? []);
  return isObject(value) ? value.id ?? null : null;
}
function relatedNames(row, { relations = {} }) {
  return Object.values(relations).flatMap(({ holder }) => holder === null ? [] : [Reflect.get(row, holder)].flat()).flatMap(
    (one) => isObject(one) && typeof one.id === "string" && typeof one.name === "string" ? [[one.id, one.name]] : []
  );
}
const ownMembers = /* @__PURE__ */ new Set(["id", "version", "createdAt", "updatedAt", "isDeleted", "fleetId"]);
function lostMembers(row) {
  return Object.entries(row).flatMap(
    ([field, before]) => ownMembers.has(field) || before === null || Array.isArray(before) && before.length === 0 ? [] : [{ field, before, after: null }]
  );
}
function selectionFor(kind, members) {
  return [...members].map((member) => selectionOf(kind, member)).reduce(joinTrees, {});
}
function selectionOf({ type, relations = {} }, member) {
  const isOfGroups = member === "addGroupIds" || member === "removeGroupIds";
  const holder = relations[isOfGroups ? "groupIds" : member]?.holder;
  if (holder) return { [holder]: { id: true, name: true } };
  const field = contractFields(type).get(member);
  if (!field) return {};
  return { [member]: field.leaf || leavesOf(field.type) };
}
function leavesOf(type) {
  return Object.fromEntries([...contractFields(type)].filter(([, { leaf }]) => leaf).map(([name]) => [name, true]));
}
function wholeSelection(type) {
  const list = Object.values(operations).find(({ returns, kind }) => kind === "query" && returns.type === type);
  return list ? defaultTree(list) : leavesOf(type);
}
export {
  compareRecord,
  fromNoLine,
  knownRecord,
  planChange,
  planCreation,
  planDeletion,
  planNothing,
  presentMembers,
  relatedNames,
  selectionFor,
  wholeSelection
};
