import { isObject } from "../../core/json.js";
import { operations } from "../../generated/operation-table.js";
import { refusal } from "../errors/cli-error.js";
import { checkInput } from "../input/check-input.js";
import { isGuessed, membersOf } from "../records/input-members.js";
import { subjectOf } from "./change-spec.js";
import { readCustomFields } from "./custom-field.js";
function draftChange(run, spec, source) {
  const members = membersOfSource(spec, source);
  const variables = { ...defined(spec.variables ?? {}) };
  const references = {};
  const labels = {};
  const isOther = hasOtherMembers(spec, members);
  for (const reference of spec.references) {
    const { value, label } = takeReference(spec, reference, members, isOther);
    if (label !== void 0) labels[reference.name] = label;
    if (value !== void 0) (reference.into === "variables" ? variables : references)[reference.name] = value;
  }
  const given = inputMembersIn(spec, members);
  const inputMembers = spec.read?.(given, "") ?? given;
  if (!spec.input) {
    const [unknown] = Object.keys(inputMembers);
    if (unknown === void 0) return { variables, input: {}, labels };
    throw refusal(`${spec.operation} has no member "${unknown}".`);
  }
  const input = withFields(spec, { ...inputMembers, ...defined(spec.flags), ...references });
  if (Object.keys(input).length === 0) throw emptyInput(spec);
  checkInput(run, spec.input.type, hasOwnField(spec) ? withoutFields(input) : input, "");
  return { variables, input: (isOther ? void 0 : spec.refine?.(input, "")) ?? input, labels };
}
function hasOwnField({ subject: { kind }, input }) {
  const known = input === null ? [] : membersOf(input.type).map(({ name }) => name);
  return "idVariable" in kind && kind.field !== void 0 && input === kind.update && !known.includes("customFields");
}
function withoutFields({ customFields: _, ...others }) {
  return others;
}
function withFields({ subject: { kind } }, input) {
  const { customFields } = input;
  if (customFields === void 0 || !("idVariable" in kind) || kind.field === void 0) return input;
  const isKnown = (field) => isObject(field) && Object.keys(field).every((name) => /^(name|value)$/.test(name));
  if (Array.isArray(customFields) && !customFields.every(isKnown)) return input;
  return { ...input, customFields: readCustomFields(customFields, "") };
}
function hasOtherMembers({ input, references, more = [] }, members) {
  if (input === null || !isGuessed(input.type)) return false;
  const known = [
    ...[...membersOf(input.type), ...more].map(({ name }) => name),
    ...["id", input.variable, ...references.flatMap(({ name, label = name }) => [name, label])]
  ];
  return [...members.keys()].some((name) => !known.includes(name));
}
function membersOfSource(spec, source) {
  if (typeof source !== "string") return new Map(Object.entries(source));
  const subject = subjectOf(spec);
  if (subject) return /* @__PURE__ */ new Map([[subject.name, subject.list ? [source] : source]]);
  throw refusal(`A text is not enough to create a record.`, {
    hint: "Give an object with its members."
  });
}
function takeReference(spec, reference, members, isOther) {
  const { name, into, typed, requiredAs, list = false } = reference;
  const isSubject = into === "variables" && reference === subjectOf(spec);
  const named = reference.label === void 0 ? void 0 : members.get(reference.label);
  if (reference.label !== void 0) members.delete(reference.label);
  const byId = members.get(name) ?? (isSubject ? members.get("id") : void 0);
  const inObject = isEmpty(byId) ? named ?? byId : byId;
  if (into === "variables") {
    members.delete(name);
    if (isSubject) members.delete("id");
  }
  const isTwice = typed !== void 0 && !isEmpty(inObject) && JSON.stringify(inObject) !== JSON.stringify(typed);
  if (requiredAs !== null && isTwice) {
    throw refusal(`${requiredAs} is given twice: as an argument and in --input.`, {
      hint: `Leave out the argument, or "${name}" in --input.`
    });
  }
  const value = typed ?? inObject;
  if (isEmpty(value)) {
    if (requiredAs === null || isOther && into === "input") return {};
    throw refusal(`${requiredAs} is missing.`, {
      hint: isSubject ? `Give it as an argument, or as "id" in --input (a name is accepted there too).` : requiredAs.startsWith("--") ? `Add ${requiredAs}.` : `Give it as an argument, or as "${name}" in --input.`
    });
  }
  const isBeside = typed === void 0 && inObject !== named && typeof named === "string" && !isEmpty(named);
  if (isReference(value, list)) return { value, label: isBeside ? named : void 0 };
  throw refusal(`"${name}" is not a ${list ? "list of texts" : "text"}.`);
}
function inputMembersIn({ input }, members) {
  const variable = input && members.size === 1 ? members.get(input.variable) : void 0;
  return isObject(variable) ? variable : Object.fromEntries(members);
}
function isEmpty(value) {
  return value === void 0 || value === null || typeof value === "string" && value.trim() === "";
}
function isReference(value, list) {
  if (!list) return typeof value === "string";
  return Array.isArray(value) && value.every((member) => typeof member === "string");
}
function defined(members) {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== void 0));
}
function emptyInput(spec) {
  const { description } = operations[spec.operation];
  return refusal(`No change is given.`, {
    hint: `Use the flags that --help lists, or --input with its members. (${description})`
  });
}
export {
  draftChange
};
