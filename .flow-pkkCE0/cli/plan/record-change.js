import { isObject } from "../../core/json.js";
import { NewRecord } from "../records/new-record.js";
import { describedShape } from "../views/geofence.js";
function createdMembers(members) {
  return Object.entries(members).map(([field, after]) => ({ field, before: null, after }));
}
function withNames(changes, names) {
  return changes.map((change) => {
    const [before, after] = [namesIn(change.before, names), namesIn(change.after, names)];
    const isSame = before === change.before && after === change.after;
    return isSame ? change : { ...change, names: { before, after } };
  });
}
function namesIn(value, names) {
  if (typeof value === "string") return names.get(value) ?? value;
  if (value instanceof NewRecord) return value.name;
  if (!Array.isArray(value)) return value;
  const named = value.map((member) => namesIn(member, names));
  return named.some((name, index) => name !== value[index]) ? named : value;
}
const signs = { create: "+", update: "~", keep: "=", delete: "-" };
function signOf({ action }) {
  return signs[action];
}
function recordText(record) {
  const changes = changesText(record);
  return `${signOf(record)} ${record.name}${changes === "" ? "" : `: ${changes}`}`;
}
function summaryOf(records) {
  const actions = ["create", "update", "delete", "keep"];
  const counts = actions.map((action) => [action, records.filter((one) => one.action === action).length]);
  return counts.flatMap(([action, count]) => count > 0 ? countText[action](count) : []).join(", ");
}
const countText = {
  create: (count) => `${count} to create`,
  update: (count) => `${count} to change`,
  delete: (count) => `${count} to delete`,
  keep: (count) => count === 1 ? "1 stays as it is" : `${count} stay as they are`
};
function changesText({
  action,
  name,
  changes,
  told
}) {
  if (told !== void 0) return told;
  if (action === "create") {
    const others = changes.filter((change) => !isPartOfName(change, name));
    return others.flatMap((change) => newMemberTexts(change, name)).join(", ");
  }
  if (action !== "update") return "";
  return changes.map(memberText).join(", ");
}
function isPartOfName({ field, after }, name) {
  if (field === "firstName") return name === after || name.startsWith(`${String(after)} `);
  return field === "lastName" && (name === after || name.endsWith(` ${String(after)}`));
}
function newMemberTexts({ field, after, names }, name) {
  const value = names?.after ?? after;
  const shape = describedShape(value);
  if (shape !== "") return [shape];
  const parts = partsOf(value);
  if (parts !== null) {
    return parts.flatMap(
      ([part, inner]) => newMemberTexts({ field: `${field}.${part}`, before: null, after: inner }, name)
    );
  }
  const text = valueText(value);
  return text === "none" || value === name ? [] : [`${labelOf(field)} ${text}`];
}
function partsOf(value) {
  if (isObject(value) && !(value instanceof NewRecord)) return Object.entries(value);
  if (!Array.isArray(value) || value.length === 0) return null;
  const fields = value.flatMap(
    (one) => isObject(one) && typeof one.name === "string" && "value" in one ? [[one.name, one.value]] : []
  );
  return fields.length === value.length ? fields : null;
}
function labelOf(field) {
  return field.replace(/Id(s?)$/, "$1");
}
function memberText({ field, before, after, names = { before, after } }) {
  const label = labelOf(field);
  const shape = describedShape(names.after);
  if (shape !== "") return `${label} \u2192 ${shape}`;
  if (before === void 0) return `${label} \u2192 ${valueText(names.after)}`;
  const [was, is] = distinctTexts(names.before, names.after);
  return `${label} ${was} \u2192 ${is}`;
}
const MAX_TEXT = 200;
function valueText(value) {
  if (value === null || value === void 0 || value === "") return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.map(valueText).join(", ") || "none";
  if (typeof value === "object") return shortened(JSON.stringify(value));
  const text = shortened(String(value));
  return text === text.trim() ? text : `"${text}"`;
}
function shortened(text) {
  const characters = [...text];
  return characters.length <= MAX_TEXT ? text : `${characters.slice(0, MAX_TEXT - 1).join("")}\u2026`;
}
function distinctTexts(before, after) {
  if (typeof before !== "string" || typeof after !== "string" || visibleText(before) !== visibleText(after)) {
    return [valueText(before), valueText(after)];
  }
  const [was, is] = [[...before], [...after]];
  let start = 0;
  while (start < Math.min(was.length, is.length) && was[start] === is[start]) start++;
  let end = 0;
  while (end < Math.min(was.length, is.length) - start && was.at(-1 - end) === is.at(-1 - end)) end++;
  const told = (text, characters) => {
    const own = characters.slice(start, characters.length - end);
    const points = own.map((one) => `U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`);
    return `"${shortened(text)}"${own.every((one) => one === " ") ? "" : ` (${points.join(" ")})`}`;
  };
  return [told(before, was), told(after, is)];
}
function visibleText(text) {
  return text.normalize("NFC").replace(/\p{Cf}/gu, "").replace(/[\p{Dash_Punctuation}\u2212]/gu, "-").replace(/\s+/g, " ").trim();
}
export {
  changesText,
  createdMembers,
  recordText,
  signOf,
  summaryOf,
  withNames
};
