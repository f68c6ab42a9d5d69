import { isObject } from "../../core/json.js";
import { geofenceKind } from "../records/geofence.js";
import { groupKind } from "../records/group.js";
import { driverKind, personKind } from "../records/person.js";
import { labelKind } from "../records/reference-data.js";
import { vehicleKind } from "../records/vehicle.js";
function reportInputs(described, reserved) {
  const bare = isObject(described) ? leavesOf(membersIn(described) ?? described, "", true, membersIn(described) ? described.required : void 0) : [];
  const bounds = boundsOf(bare);
  const names = bare.map((input) => namesOf(input, bounds.get(input) ?? null));
  const count = (name) => names.filter((others) => others.includes(name)).length;
  return bare.map((input, index) => {
    const own = names[index] ?? [];
    const flags = own.filter((name) => !reserved.has(name) && (count(name) === 1 || name === own.at(-1)));
    return { ...input, flags, bound: bounds.get(input) ?? null };
  });
}
function putAt(target, path, value) {
  const [first = "", ...rest] = path.split(".");
  if (rest.length === 0) {
    target[first] = value;
    return;
  }
  const below = target[first];
  const nested = isObject(below) ? { ...below } : {};
  putAt(nested, rest.join("."), value);
  target[first] = nested;
}
function leavesOf(members, above, isRequired, required, defaults) {
  return Object.entries(members).flatMap(([name, description]) => {
    const path = above === "" ? name : `${above}.${name}`;
    const entry = isObject(description) ? description : { type: description };
    const type = typeof entry.type === "string" ? entry.type : "";
    const isNeeded = isRequired && (entry.required === true || type.endsWith("!") || includes(required, name));
    const preset = entry.default ?? (isObject(defaults) ? defaults[name] : void 0);
    const nested = membersIn(entry);
    if (nested) return leavesOf(nested, path, isNeeded, entry.required, preset);
    const list = type.startsWith("[") || type === "array";
    const item = list && isObject(entry.items) ? entry.items : entry;
    const values = [item.enum, item.values, item.options].find(Array.isArray);
    const leaf = typeOf(list && typeof item.type === "string" ? item.type : type, item.format);
    const kind = leaf === "id" || /(ids?|uuids?)$/i.test(name) ? recordKindOf(name) : null;
    return [
      {
        path,
        type: kind ? "id" : leaf,
        list,
        required: isNeeded,
        default: preset,
        choices: values ? values.map(String) : null,
        description: typeof entry.description === "string" ? entry.description : null,
        kind
      }
    ];
  });
}
function membersIn(entry) {
  const members = entry.members ?? (entry.type === "object" ? entry.properties : void 0);
  return isObject(members) ? members : null;
}
function typeOf(type, format) {
  const plain = type.replace(/[[\]!]/g, "").toLowerCase();
  if (/^(date-?time|timestamp|instant)$/.test(plain) || format === "date-time") return "time";
  if (/^hh:mm$/.test(plain)) return "time of day";
  if (/^(uuid|id)$/.test(plain) || format === "uuid") return "id";
  if (/^(int|integer|long)$/.test(plain)) return "whole number";
  if (/^(float|double|number|decimal)$/.test(plain)) return "number";
  if (/^bool(ean)?$/.test(plain)) return "yes or no";
  return /^(object|json|map|any)$/.test(plain) ? "json" : "text";
}
const begins = /^(from|start|begin)(date|time|at|timestamp)?$/i;
const ends = /^(to|end|until)(date|time|at|timestamp)?$/i;
function boundsOf(inputs) {
  const times = inputs.filter(({ type, list }) => type === "time" && !list);
  const froms = times.filter(({ path }) => begins.test(lastOf(path)));
  const tos = times.filter(({ path }) => ends.test(lastOf(path)));
  const [from] = froms;
  const [to] = tos;
  return from && to && froms.length === 1 && tos.length === 1 ? /* @__PURE__ */ new Map([[from, "from"], [to, "to"]]) : /* @__PURE__ */ new Map();
}
function namesOf({ path, kind }, bound) {
  const whole = path.split(".").map(kebab).join("-");
  const last = kebab(lastOf(path));
  const names = bound !== null ? [bound, last, whole] : kind ? [kind.placeholder, last, whole] : [whole, last, whole];
  return [...new Set(names)];
}
function lastOf(path) {
  return path.split(".").at(-1) ?? path;
}
function kebab(name) {
  return name.replace(/([a-z\d])([A-Z])/g, "$1-$2").replace(/[\s_]+/g, "-").toLowerCase();
}
function includes(list, name) {
  return Array.isArray(list) && list.includes(name);
}
const kindsByWord = [
  [/vehicle|asset/i, vehicleKind],
  [/group/i, groupKind],
  [/label/i, labelKind],
  [/driver/i, driverKind],
  [/person|people|employee/i, personKind],
  [/geofence/i, geofenceKind]
];
function recordKindOf(name) {
  return kindsByWord.find(([word]) => word.test(name))?.[1] ?? null;
}
export {
  putAt,
  reportInputs
};
