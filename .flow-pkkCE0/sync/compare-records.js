import { isObject, isSameJson, isUuid, readFlag, readText } from "fleet-telematics/kit";
import { MAX_DEPTH } from "./json.js";
function diffRecords(previous, current) {
  const before = byId(previous);
  const after = byId(current);
  const found = [];
  for (const [key, { id, record }] of after) {
    const old = before.get(key)?.record;
    if (old === void 0) found.push({ type: "added", id, record });
    else {
      const fields = fieldChanges(old, record);
      if (fields.length > 0) found.push({ type: "changed", id, record, previous: old, fields });
    }
  }
  for (const [key, { id, record }] of before)
    if (!after.has(key)) found.push({ type: "removed", id, previous: record });
  return found;
}
function byId(records) {
  const found = /* @__PURE__ */ new Map();
  for (const record of records) {
    const id = idOf(record);
    if (id !== null && !isDeleted(record)) found.set(isUuid(id) ? id.toLowerCase() : id, { id, record });
  }
  return found;
}
function idOf(record) {
  return readText(Reflect.get(record, "id"));
}
function isDeleted(record) {
  return readFlag(Reflect.get(record, "isDeleted")) === true;
}
function fieldChanges(before, after, prefix = "", levels = MAX_DEPTH) {
  const names = /* @__PURE__ */ new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => {
    const field = `${prefix}${name}`;
    const [was, is] = [Reflect.get(before, name), Reflect.get(after, name)];
    if (levels > 0 && isObject(was) && isObject(is)) return fieldChanges(was, is, `${field}.`, levels - 1);
    return isSame(was, is, levels) ? [] : [{ field, before: was ?? null, after: is ?? null }];
  });
}
function isSame(one, other, levels = MAX_DEPTH) {
  return isSameJson(one, other, levels);
}
export {
  diffRecords,
  idOf,
  isDeleted,
  isSame
};
