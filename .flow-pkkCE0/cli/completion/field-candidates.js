import { contractFields } from "../../contract/selection/fields.js";
function fieldCandidates(flag, typed, source) {
  const comma = flag === "--filter" ? -1 : typed.lastIndexOf(",");
  const before = typed.slice(0, comma + 1);
  const direction = flag === "--sort" && typed.charAt(comma + 1) === "-" ? "-" : "";
  const path = typed.slice(comma + 1 + direction.length);
  const used = new Set(before.split(",").map((name) => name.replace(/^-/, "")));
  return namesAt(path, source).filter(({ value }) => !used.has(value)).map(({ value, about }) => {
    const isRecord = value.endsWith(".");
    return { value: `${before}${direction}${value}${flag === "--filter" && !isRecord ? "=" : ""}`, about };
  });
}
function namesAt(path, source) {
  if ("names" in source) return source.names.map((value) => ({ value, about: "" }));
  const steps = path.split(".").slice(0, -1);
  let type = source.type;
  for (const step of steps) {
    const field = contractFields(type).get(step);
    if (!field || field.leaf) return [];
    type = field.type;
  }
  const prefix = steps.map((step) => `${step}.`).join("");
  return [...contractFields(type)].map(([name, field]) => ({
    value: `${prefix}${name}${field.leaf ? "" : "."}`,
    about: field.list ? `list of ${field.type}` : field.type
  }));
}
export {
  fieldCandidates
};
