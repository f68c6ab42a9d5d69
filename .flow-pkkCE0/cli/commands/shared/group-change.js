import { isObject } from "../../../core/json.js";
import { refusal } from "../../errors/cli-error.js";
import { referenceTo } from "../../plan/change-spec.js";
import { groupKind } from "../../records/group.js";
function groupChange(kind, typed, { add, remove }) {
  const list = { into: "input", kind: groupKind, list: true, requiredAs: null };
  return {
    operation: kind.groups.operation,
    subject: { kind, action: "update" },
    input: kind.groups,
    references: [
      referenceTo(kind, typed),
      { ...list, name: "addGroupIds", typed: add },
      { ...list, name: "removeGroupIds", typed: remove }
    ],
    contradiction: addedAndRemoved,
    // Joining or leaving a group twice has no further effect.
    idempotent: () => true,
    flags: {}
  };
}
const addedAndRemoved = (input, { names }) => {
  const idsIn = (member) => isObject(input) ? [input[member]].flat() : [];
  const left = idsIn("removeGroupIds");
  const both = idsIn("addGroupIds").find((id) => left.includes(id));
  if (typeof both !== "string") return null;
  return refusal(`The group "${names.get(both) ?? both}" is to be added and removed.`, {
    hint: "Give it to one of --add and --remove."
  });
};
export {
  groupChange
};
