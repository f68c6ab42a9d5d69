import { InvalidInputError } from "../../core/errors.js";
import { printableName } from "../../core/printable-name.js";
import { refusedInput } from "../../core/refused-input.js";
import { similarNames } from "../../core/suggestions.js";
import { contractFields, pathsTo } from "./fields.js";
const known = /* @__PURE__ */ new Map();
const MAX_KNOWN = 200;
const MAX_LISTED = 25;
function withSelection(operation, select) {
  const { name, returns } = operation;
  if (returns.leaf)
    throw new InvalidInputError(`${name} returns plain values: it takes no select.`, { operation: name });
  const selection = write({ operation: name, type: returns.type, path: [], above: [] }, select);
  const key = `${name} ${selection}`;
  const before = known.get(key);
  if (before) return before;
  const selected = { ...operation, selection, fragments: [], document: documentOf(operation, selection) };
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(key, selected);
  return selected;
}
function documentOf({ kind, name, args }, selection) {
  const declared = args.map((arg) => `$${arg.name}: ${arg.type}`).join(", ");
  const passed = args.map((arg) => `${arg.name}: $${arg.name}`).join(", ");
  const head = declared === "" ? `${kind} ${name}` : `${kind} ${name}(${declared})`;
  const root = passed === "" ? name : `${name}(${passed})`;
  return `${head} { ${root} ${selection} }`;
}
function write(place, select) {
  const fields = contractFields(place.type);
  const wanted = select === true ? plainFields(place) : readObject(place, select);
  const parts = [];
  for (const [name, { leaf, type }] of fields) {
    const value = wanted(name);
    if (value === false || value === void 0) continue;
    const path = [...place.path, name];
    if (!leaf) {
      const above = typeof select === "object" && select !== null ? [...place.above, select] : place.above;
      parts.push(`${name} ${write({ ...place, type, path, above }, value)}`);
    } else if (value === true) parts.push(name);
    else refuse({ ...place, path }, "it is a plain value, with nothing below it. Give true.");
  }
  if (parts.length === 0) refuse(place, `nothing of it is selected. ${hasFields(place.type)}`);
  return `{ ${parts.join(" ")} }`;
}
function plainFields(place) {
  const fields = contractFields(place.type);
  if (![...fields.values()].some(({ leaf }) => leaf)) {
    refuse(place, `true stands for the plain fields, and ${place.type} has none. ${hasFields(place.type)}`);
  }
  return (name) => fields.get(name)?.leaf;
}
function readObject(place, select) {
  if (typeof select !== "object" || select === null || Array.isArray(select)) {
    return refuse(place, "it must be true or an object with the fields that you want.");
  }
  if (place.above.includes(select)) refuse(place, "the object contains itself.");
  const fields = contractFields(place.type);
  const unknown = Object.keys(select).find((name) => !fields.has(name));
  if (unknown !== void 0) {
    const path = [...place.path, printableName(unknown)];
    refuse({ ...place, path }, `${place.type} has no such field. ${instead(unknown, place.type)}`);
  }
  return (name) => Object.hasOwn(select, name) ? Reflect.get(select, name) : void 0;
}
function refuse({ operation, path }, why) {
  const what = path.length === 0 ? "this selection" : path.join(".");
  throw refusedInput(`${operation} cannot select ${what}: ${why}`, operation);
}
function instead(unknown, type) {
  const near = similarNames(unknown, contractFields(type).keys());
  const meant = near.length > 0 ? near : pathsTo(unknown, type).slice(0, 3);
  return meant.length > 0 ? `Did you mean ${meant.join(" or ")}?` : hasFields(type);
}
function hasFields(type) {
  const names = [...contractFields(type).keys()];
  const listed = names.slice(0, MAX_LISTED).join(", ");
  return `It has ${listed}${names.length > MAX_LISTED ? ` and ${names.length - MAX_LISTED} more` : ""}.`;
}
export {
  withSelection
};
