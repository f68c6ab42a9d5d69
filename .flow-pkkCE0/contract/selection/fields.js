import { fieldMap } from "../../generated/field-map.js";
const known = /* @__PURE__ */ new Map();
function contractFields(type) {
  const before = known.get(type);
  if (before) return before;
  const fields = new Map((textOf(type)?.split(" ") ?? []).map(readField));
  known.set(type, fields);
  return fields;
}
function pathsTo(name, type) {
  const paths = [];
  const seen = /* @__PURE__ */ new Set([type]);
  let level = [{ path: "", type }];
  for (let depth = 0; depth < DEEPEST && paths.length === 0; depth++) {
    for (const at of level) if (contractFields(at.type).has(name)) paths.push(`${at.path}${name}`);
    const below = level.flatMap(
      (at) => [...contractFields(at.type)].flatMap(
        ([step, { type: next, leaf }]) => leaf || seen.has(next) ? [] : { path: `${at.path}${step}.`, type: next }
      )
    );
    for (const at of below) seen.add(at.type);
    level = below;
  }
  return paths;
}
const DEEPEST = 4;
function textOf(type) {
  return Object.hasOwn(fieldMap, type) ? fieldMap[type] : void 0;
}
function readField(text) {
  const colon = text.indexOf(":");
  const written = text.slice(colon + 1);
  const list = written.startsWith("[");
  const type = list ? written.slice(1, -1) : written;
  return [text.slice(0, colon), { type, list, leaf: textOf(type) === void 0 }];
}
export {
  contractFields,
  pathsTo
};
