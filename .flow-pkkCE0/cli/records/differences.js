import { isObject, isSameJson } from "../../core/json.js";
import { NewRecord } from "./new-record.js";
function memberDifferences(members, row) {
  const changes = [];
  const send = {};
  for (const [field, after] of Object.entries(members)) {
    const before = Reflect.get(row, field);
    const nested = isPlain(after) ? nestedChanges(field, before, after) : listChanges(field, before, after);
    const found = nested?.changes ?? (isSame(before, after) ? [] : [{ field, before: before ?? null, after }]);
    if (found.length === 0) continue;
    changes.push(...found);
    send[field] = nested?.send ?? after;
  }
  return { changes, send };
}
function nestedChanges(field, before, after) {
  const known = isPlain(before) ? before : {};
  const changes = Object.entries(after).flatMap(
    ([name, value]) => isSame(known[name], value) ? [] : [{ field: `${field}.${name}`, before: known[name] ?? null, after: value }]
  );
  const given = Object.entries(known).filter(([, value]) => value !== null);
  return { changes, send: { ...Object.fromEntries(given), ...after } };
}
function listChanges(field, before, after) {
  if (!Array.isArray(after) || !after.every(isNamed)) return null;
  const known = Array.isArray(before) ? before : [];
  if (after.length === 0) return known.length > 0 && known.every(isNamed) ? { changes: [], send: before } : null;
  const valueBefore = (name) => known.filter(isNamed).find((one) => one.name === name)?.value;
  const changes = after.flatMap(
    ({ name, value }) => isSame(valueBefore(name), value) ? [] : [{ field: `${field}.${name}`, before: valueBefore(name) ?? null, after: value }]
  );
  const others = known.filter(isNamed).filter(({ name }) => !after.some((one) => one.name === name));
  return { changes, send: [...others.map(({ name, value }) => ({ name, value })), ...after] };
}
function isNamed(value) {
  return isPlain(value) && typeof value.name === "string" && "value" in value;
}
function isPlain(value) {
  return isObject(value) && !(value instanceof NewRecord);
}
function isSame(before, after) {
  if (isNothing(before)) return isNothing(after);
  return isTextList(before) && isTextList(after) ? isSameJson([...before].sort(), [...after].sort()) : isSameJson(before, after);
}
function isTextList(value) {
  return Array.isArray(value) && value.every((member) => typeof member === "string");
}
function isNothing(value) {
  return value === null || value === void 0 || value === "" || Array.isArray(value) && value.length === 0;
}
export {
  memberDifferences
};
