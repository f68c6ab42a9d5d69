import { membersOf } from "./input-members.js";
import { NewRecord } from "./new-record.js";
function creationRequests(kind, members, self) {
  const { create } = kind;
  if (create === null) return [];
  const known = new Set(membersOf(create.type).map(({ name }) => name));
  const isApart = (name) => (name === "groupIds" || name === "roleIds") && !known.has(name);
  const ofInput = Object.fromEntries(Object.entries(members).filter(([name]) => !isApart(name)));
  const apart = Object.entries(members).filter(([name, value]) => isApart(name) && [value].flat().length > 0).map(([field, after]) => ({ field, before: null, after }));
  return [
    { operation: create.operation, variables: { [create.variable]: ofInput }, idempotent: false },
    ...changeRequests(kind, self, {}, apart)
  ];
}
function deletionRequests({ remove, idVariable }, id) {
  return remove === null ? [] : [{ operation: remove, variables: { [idVariable]: id }, idempotent: false }];
}
const FIELD = "customFields.";
function changeRequests(kind, id, send, changes) {
  const { update, idVariable, groups, roles, field } = kind;
  const apart = /* @__PURE__ */ new Set([
    ...groups ? ["groupIds", "addGroupIds", "removeGroupIds"] : [],
    ...roles ? ["roleIds"] : []
  ]);
  const others = Object.entries(send).filter(([name]) => !apart.has(name) && name !== "customFields");
  const changedFields = changes.filter((change) => change.field.startsWith(FIELD));
  const areMembers = membersOf(update.type).some(({ name }) => name === "customFields") && others.length + changedFields.length > 1;
  const isWhole = changes.some((change) => change.field === "customFields");
  const hasFields = isWhole || areMembers && changedFields.length > 0;
  const members = hasFields ? [...others, ["customFields", send.customFields]] : others;
  const fields = areMembers ? [] : changedFields;
  const changed = (name) => changes.find((change) => change.field === name);
  const [ofGroups, ofRoles] = [changed("groupIds"), changed("roleIds")];
  const moves = ofGroups ? moved(ofGroups) : { add: idsIn(send.addGroupIds), remove: idsIn(send.removeGroupIds) };
  return [
    ...members.length > 0 ? [
      {
        operation: update.operation,
        variables: { [idVariable]: id, [update.variable]: Object.fromEntries(members) },
        idempotent: true
      }
    ] : [],
    ...groupRequests(kind, id, moves),
    ...roles && ofRoles ? [{ operation: roles, variables: { [idVariable]: id, roleIds: ofRoles.after ?? [] }, idempotent: true }] : [],
    ...fields.flatMap(
      ({ field: name, after = null }) => field === void 0 ? [] : [fieldRequest(field, kind, id, name.slice(FIELD.length), after)]
    )
  ];
}
function fieldRequest(operation, { idVariable }, id, name, value) {
  return { operation, variables: { [idVariable]: id, field: { name, value } }, idempotent: true };
}
function moved({ before, after }) {
  const [was, is] = [idsIn(before), idsIn(after)];
  return { add: is.filter((id) => !was.includes(id)), remove: was.filter((id) => !is.includes(id)) };
}
function idsIn(value) {
  return [value].flat().filter((id) => typeof id === "string" || id instanceof NewRecord);
}
function groupRequests({ groups, idVariable }, id, { add, remove }) {
  if (groups === void 0 || add.length + remove.length === 0) return [];
  const input = {
    ...add.length > 0 ? { addGroupIds: add } : {},
    ...remove.length > 0 ? { removeGroupIds: remove } : {}
  };
  return [{ operation: groups.operation, variables: { [idVariable]: id, [groups.variable]: input }, idempotent: true }];
}
export {
  FIELD,
  changeRequests,
  creationRequests,
  deletionRequests
};
