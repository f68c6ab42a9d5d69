import { isObject } from "../../core/json.js";
import {
  subjectIds,
  subjectOf
} from "./change-spec.js";
import { planChange, planCreation, planDeletion } from "./plan-record.js";
import { createdMembers, withNames } from "./record-change.js";
function stepsOf(spec, changes, { present, foresight, select }) {
  const { operation } = spec;
  return changes.map((change, index) => {
    const { records, requests } = describe(spec, change, present);
    const idempotent = spec.idempotent?.(change.variables) ?? false;
    const sent = requests.map((one) => ({
      ...one,
      idempotent,
      select: one.operation === operation ? select : void 0
    }));
    const effects = foresight?.effects[index];
    const told = effects ? foreseenAs(effects, records) : spec.foresee ? unforeseen(records) : about(records);
    return { line: null, source: null, ...told, requests: sent };
  });
}
function describe(spec, change, { records, names }) {
  const { operation } = spec;
  const { kind, action, wanted = (members2) => members2 } = spec.subject;
  const members = wanted(givenMembers(spec, change));
  const ids = subjectIds(spec, change);
  const own = [{ operation, variables: change.variables }];
  if (!("idVariable" in kind)) {
    const name = names.get(ids[0] ?? "") ?? "";
    const changes = withNames(createdMembers(members), names);
    return { records: [{ kind: kind.noun, action, name, id: null, changes }], requests: own };
  }
  if (action === "create") return { records: [planCreation(kind, members, names).record], requests: own };
  if (action === "delete") {
    return { records: ids.map((id) => planDeletion(kind, id, records.get(id), names).record), requests: own };
  }
  const steps = ids.map((id) => planChange(kind, id, members, records.get(id), names));
  const [only] = steps;
  const isOwn = Object.keys(members).some((name) => apartMembers.has(name));
  const isUpdate = operation === kind.update.operation && only !== void 0 && !isOwn;
  return { records: steps.map(({ record }) => record), requests: isUpdate ? only.requests : own };
}
const apartMembers = /* @__PURE__ */ new Set(["groupIds", "addGroupIds", "removeGroupIds", "roleIds"]);
function givenMembers(spec, { variables }) {
  const input = spec.input ? variables[spec.input.variable] : variables;
  const subject = subjectOf(spec)?.name;
  return Object.fromEntries(Object.entries(isObject(input) ? input : {}).filter(([name]) => name !== subject));
}
function about(records) {
  const [first = nothing, ...others] = records;
  if (others.length === 0) return { record: first };
  const action = records.find((one) => one.action !== "keep")?.action ?? "keep";
  return {
    record: { ...first, action, name: records.map(({ name }) => name).join(", "), id: null, changes: [] },
    effects: records
  };
}
function foreseenAs(effects, described) {
  if (effects.length > 0) return { ...about(effects), effects };
  return { record: { ...about(described).record, action: "keep", changes: [] }, effects, isAlwaysSent: true };
}
function unforeseen(records) {
  return { record: { ...about(records).record, isEnding: true } };
}
const nothing = { kind: "", action: "update", name: "", id: null, changes: [] };
export {
  stepsOf
};
