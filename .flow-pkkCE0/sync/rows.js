import { isObject, readFlag, readNumber, timestampMs, valueAtPath } from "fleet-telematics/kit";
import { otherSpellingsIn } from "./driver-token.js";
import { isWithinDepth, jsonText, storableText, withinDepth } from "./json.js";
import { partTables, tableOf } from "./tables.js";
const noRemarks = { unreadable: () => void 0, tooDeep: () => void 0, lostParts: () => void 0 };
const MAX_KEY_LENGTH = 400;
const readers = /* @__PURE__ */ new Map();
function rowOf(name, record, filled = {}, remarks = noRemarks, parent = null) {
  const table = tableOf(name);
  const { reads, used, members, restAt } = readerOf(table);
  const unread = [];
  const row = table.columns.map((column, index) => {
    const given = filled[column.name];
    if (given !== void 0) return given;
    const cell = reads[index]?.(record, parent);
    if (cell !== void 0) return cell;
    unread.push(column.from ?? "");
    if (!table.key.includes(column.name)) remarks.unreadable(table, column);
    return null;
  });
  if (restAt >= 0) {
    const read = unread.length === 0 ? members : membersOf(used.filter((path) => !unread.includes(path)));
    row[restAt] = restText(restOf(record, read), () => remarks.tooDeep(record));
  }
  return row;
}
function restText(rest, onTooDeep) {
  if (Object.keys(rest).length === 0) return null;
  const isStorable = isWithinDepth(rest);
  if (!isStorable) onTooDeep();
  return jsonText(isStorable ? rest : withinDepth(rest));
}
function partRows(owner, record, remarks = noRemarks) {
  let isComplete = true;
  const made = partTables(owner).map((table) => {
    const { list = "", isOfIds = false } = table.partsOf ?? {};
    const items = valueAtPath(record, list.split(".")) ?? [];
    if (!Array.isArray(items)) isComplete = false;
    const found = /* @__PURE__ */ new Map();
    for (const one of Array.isArray(items) ? items : []) {
      if (one === null) continue;
      const item = isOfIds ? { id: one } : one;
      const row = isObject(item) ? rowOf(table.name, item, { ordinal: found.size }, remarks, record) : [];
      const key = rowKeyOf(table, row);
      const known = key === null ? null : found.get(key);
      if (key !== null) found.set(key, row);
      if (key === null || known && JSON.stringify(known) !== JSON.stringify(row)) isComplete = false;
    }
    return { table: table.name, rows: [...found.values()] };
  });
  if (!isComplete) remarks.lostParts(record);
  return made;
}
function rowKeyOf({ columns, key }, row) {
  const cells2 = columns.flatMap(({ name }, index) => key.includes(name) ? [row[index] ?? null] : []);
  return cells2.includes(null) ? null : JSON.stringify(cells2);
}
function readerOf(table) {
  const known = readers.get(table.name);
  if (known) return known;
  const { columns, key, indexes = [] } = table;
  const indexed = /* @__PURE__ */ new Set([...key, ...indexes.flat()]);
  const used = columns.flatMap(({ from }) => from ?? []);
  const made = {
    reads: columns.map((column) => readOf(column, indexed.has(column.name))),
    used,
    members: membersOf(used),
    restAt: columns.findIndex(({ name }) => name === "rest")
  };
  readers.set(table.name, made);
  return made;
}
function readOf(column, isIndexed) {
  const { from } = column;
  if (from === void 0) return () => null;
  if (from === "") return (record) => jsonText(record);
  const path = from.split(".");
  const cellOf = column.type === "text" && isIndexed ? keyText : cells[column.type];
  const ofParent = path[0] === "parent";
  const valueIn = valueReader(ofParent ? path.slice(1) : path);
  return (record, parent) => {
    const value = valueIn(ofParent ? parent : record);
    return value === null ? null : cellOf(value);
  };
}
function valueReader(path) {
  const [name = "", member] = path;
  if (path.length > 2) return (record) => valueAtPath(record, path);
  if (member === void 0) return (record) => record?.[name] ?? null;
  return (record) => {
    const group = record?.[name];
    return isObject(group) ? group[member] ?? null : valueAtPath(record, path);
  };
}
const cells = {
  text: textCell,
  real: readNumber,
  integer: (value) => {
    const number = readNumber(value);
    return typeof number === "number" && !Number.isSafeInteger(number) ? void 0 : number;
  },
  boolean: readFlag,
  time: (value) => typeof value === "string" || typeof value === "number" ? timeText(value) ?? void 0 : void 0,
  day: textCell,
  local: textCell,
  json: jsonCell
};
function textCell(value) {
  if (typeof value === "string") return storableText(value);
  return value === null ? null : typeof value === "object" ? jsonCell(value) : String(value);
}
function jsonCell(value) {
  return isWithinDepth(value) ? jsonText(value) : void 0;
}
function keyText(value) {
  const text = textCell(value);
  return String(text).length > MAX_KEY_LENGTH ? void 0 : text;
}
let lastTime = null;
function timeText(value) {
  if (lastTime?.value === value) return lastTime.text;
  const ms = timestampMs(value);
  const isStorable = ms !== null && ms >= -621355968e5 && ms <= 253402300799999;
  lastTime = { value, text: isStorable ? new Date(ms).toISOString() : null };
  return lastTime.text;
}
const NO_NAMES = /* @__PURE__ */ new Set();
function membersOf(paths) {
  const members = /* @__PURE__ */ new Map();
  for (const path of paths) {
    const at = path.indexOf(".");
    const group = at < 0 ? "" : path.slice(0, at);
    members.set(group, (members.get(group) ?? /* @__PURE__ */ new Set()).add(path.slice(at + 1)));
  }
  return members;
}
function restOf(record, used) {
  const rest = {};
  const own = used.get("") ?? NO_NAMES;
  const implied = otherSpellingsIn(record);
  for (const name in record) {
    const value = record[name];
    if (value === null || value === void 0 || own.has(name)) continue;
    if (typeof value !== "object" || Array.isArray(value)) setMember(rest, name, value);
    else {
      const group = groupRest(value, used.get(name) ?? NO_NAMES, name === "driver" ? implied : NO_NAMES);
      if (group !== null) setMember(rest, name, group);
    }
  }
  return rest;
}
function groupRest(group, used, implied) {
  let rest = null;
  for (const name in group) {
    const value = group[name];
    if (value === null || value === void 0 || used.has(name) || implied.has(name)) continue;
    rest ??= {};
    setMember(rest, name, value);
  }
  return rest;
}
function setMember(values, name, value) {
  if (name !== "__proto__") values[name] = value;
  else Object.defineProperty(values, name, { value, enumerable: true, configurable: true, writable: true });
}
export {
  MAX_KEY_LENGTH,
  partRows,
  rowKeyOf,
  rowOf,
  timeText
};
