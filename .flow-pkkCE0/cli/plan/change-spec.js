import { isObject } from "../../core/json.js";
function subjectOf({ references }) {
  return references.find(({ requiredAs }) => requiredAs !== null);
}
function subjectIds(spec, { variables }) {
  const subject = subjectOf(spec);
  if (!subject) return [];
  const holder = subject.into === "input" && spec.input ? variables[spec.input.variable] : variables;
  const value = isObject(holder) ? holder[subject.name] : null;
  return [value].flat().filter((id) => typeof id === "string");
}
function referenceTo(kind, typed) {
  const { idVariable, label, placeholder } = kind;
  return { name: idVariable, label, into: "variables", kind, typed, requiredAs: `<${placeholder}>` };
}
function creationOf(kind, others = []) {
  return {
    operation: kind.create.operation,
    subject: { kind, action: "create" },
    input: kind.create,
    references: others
  };
}
function updateOf(kind, typed, others = []) {
  return {
    operation: kind.update.operation,
    subject: { kind, action: "update" },
    input: kind.update,
    references: [referenceTo(kind, typed), ...others]
  };
}
export {
  creationOf,
  referenceTo,
  subjectIds,
  subjectOf,
  updateOf
};
