import { textsIn } from "../../core/json.js";
import { CliError } from "../errors/cli-error.js";
import { subjectOf } from "./change-spec.js";
import { lookUp, noSuchId, otherRecord } from "./lookup.js";
import { selectionFor, wholeSelection } from "./plan-record.js";
async function resolveChanges(context, open, spec, drafts) {
  const subject = subjectOf(spec);
  const select = presentSelection(spec, drafts);
  const searches = spec.references.flatMap(({ name, label, into, kind }) => {
    const holders = drafts.map((draft) => ({ draft, holder: into === "variables" ? draft.variables : draft.input }));
    const names = [
      ...new Set(holders.flatMap(({ draft, holder }) => [...textsIn(holder[name]), ...textsIn(draft.labels[name])]))
    ];
    const isSubject = name === subject?.name;
    return names.length === 0 ? [] : [{ name, label, holders, names, kind, isSubject }];
  });
  const results = await Promise.all(
    searches.map(
      async ({ names, kind, isSubject }) => lookUp(context, await open(), kind, names, isSubject ? select : {})
    )
  );
  const problems = /* @__PURE__ */ new Map();
  const records = /* @__PURE__ */ new Map();
  const all = /* @__PURE__ */ new Map();
  for (const [index, { name, label, holders, names, kind, isSubject }] of searches.entries()) {
    const found = results[index];
    if (found === void 0) continue;
    for (const [id, record] of found.records) {
      all.set(id, record.name);
      if (isSubject) records.set(id, record);
    }
    const ids = new Map(names.map((reference, position) => [reference, found.ids[position]]));
    const isMissing = (id) => isSubject && found.isWhole && typeof id === "string" && !found.records.has(id);
    for (const { draft, holder } of holders) {
      const value = holder[name];
      const resolved = textsIn(value).map((text) => ids.get(text));
      const beside = draft.labels[name];
      const problem = resolved.find((id) => id instanceof CliError) ?? (beside === void 0 ? void 0 : otherRecord(resolved[0], ids.get(beside), { name, label })) ?? resolved.flatMap((id) => isMissing(id) ? noSuchId(kind, String(id)) : [])[0];
      if (problem && !problems.has(draft)) problems.set(draft, problem);
      if (Array.isArray(value)) holder[name] = resolved;
      else if (typeof value === "string") holder[name] = resolved[0];
    }
  }
  const present = { records, names: all };
  const changes = drafts.map((draft) => ({
    variables: spec.input ? { ...draft.variables, [spec.input.variable]: draft.input } : draft.variables,
    problem: problems.get(draft) ?? spec.contradiction?.({ ...draft.variables, ...draft.input }, present) ?? null
  }));
  return { changes, present };
}
function presentSelection({ subject }, drafts) {
  const { kind, action, wanted = (members) => members } = subject;
  if (!("idVariable" in kind) || action === "create") return {};
  if (action === "delete") return wholeSelection(kind.type);
  return selectionFor(
    kind,
    new Set(drafts.flatMap(({ input, variables }) => Object.keys(wanted({ ...variables, ...input }))))
  );
}
export {
  resolveChanges
};
