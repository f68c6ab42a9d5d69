import { badRequest, notFound } from "../../core/refusals.js";
function pickDefined(input, keys) {
  const picked = {};
  for (const key of keys) {
    const value = input[key];
    if (value !== void 0) picked[key] = value;
  }
  return picked;
}
function requiredText(value, key) {
  if (typeof value !== "string" || value.trim() === "") throw badRequest(`${key} is required.`);
  return value;
}
function optionalText(value, key) {
  return value === void 0 ? void 0 : requiredText(value, key);
}
function isTrue(value) {
  return value === true;
}
function setCustomField(fields, names, change, strict) {
  const name = requiredText(change.name, "name");
  const known = fields.some((field2) => field2.name === name);
  if (!known && strict && !names.includes(name)) throw notFound("custom field", `"${name.slice(0, 80)}"`);
  const field = { name, value: change.value ?? null };
  return {
    field,
    fields: known ? fields.map((existing) => existing.name === name ? field : existing) : [...fields, field]
  };
}
function requireIds(ids, kind, exists) {
  const picked = /* @__PURE__ */ new Set();
  for (const id of ids) {
    if (id === null) throw badRequest(`The ids of ${kind}s must not be null.`);
    if (!exists(id)) throw notFound(kind, id);
    picked.add(id);
  }
  return [...picked];
}
export {
  isTrue,
  optionalText,
  pickDefined,
  requireIds,
  requiredText,
  setCustomField
};
