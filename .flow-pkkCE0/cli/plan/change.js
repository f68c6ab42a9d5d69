import { isObject } from "../../core/json.js";
import { operations } from "../../generated/operation-table.js";
import { connect } from "../connection/connect.js";
import { printRows } from "../context/print.js";
import { Report } from "../context/report.js";
import { CliError } from "../errors/cli-error.js";
import { loadObject } from "../input/load-input.js";
import { knownServiceNow } from "../parse/time.js";
import { recordShape } from "../shape/list-shape.js";
import { mapViewFor } from "../shape/map-view.js";
import { carryOut } from "./carry-out.js";
import {
  subjectIds
} from "./change-spec.js";
import { requireConfirmable } from "./confirm.js";
import { customFieldsIn, slipInField } from "./custom-field.js";
import { draftChange } from "./draft-changes.js";
import { childrenFirst } from "./plan-file.js";
import { planView } from "./print-plan.js";
import { resolveChanges } from "./resolve-names.js";
import { showResult } from "./show-result.js";
import { stepsOf } from "./steps-of-change.js";
async function change(context, flags, spec) {
  const isChosen = spec.chosen !== void 0;
  const shape = "view" in spec.display && !isChosen ? recordShape(context, spec.display.view, operations[spec.operation]) : null;
  let opened;
  const open = () => opened ??= connect(context);
  if (spec.subject.action === "delete") requireConfirmable(context, flags);
  if (isChosen) {
    draftChange(context, spec, "any of them");
  }
  const sources = spec.chosen ? await spec.chosen(await open()) : [await givenIn(context, flags)];
  if (sources.length === 0) {
    return printRows(context, [], planView, `There is no such ${spec.subject.kind.noun}.`);
  }
  if (shape === null) mapViewFor(context, { map: void 0 });
  const drafts = sources.map((source) => draftChange(context, spec, source));
  const { timed } = spec;
  const now = timed ? await knownServiceNow(context, await open()) : 0;
  const fill = (draft) => timed ? { ...draft, input: timed(draft.input, now) } : draft;
  const named = await resolveChanges(context, open, spec, drafts.map(fill));
  const changes = isChosen ? inOrder(spec, eachOnce(spec, named.changes), named.present) : named.changes;
  refuseProblems(changes);
  refuseSlips(context, spec, changes, named.present);
  tellOfUnread(context, spec, changes, named.present);
  const foresight = spec.foresee ? await foretell(context, await open(), changes, spec.foresee, flags) : null;
  const steps = stepsOf(spec, changes, { present: named.present, foresight, select: shape?.options.select });
  const [only] = changes;
  if (isChosen || only === void 0) return carryOut(context, open, { steps }, flags);
  const { sentences, check } = foresight ?? {};
  const show = (client, step, result) => showResult(context, client, spec, only, shape, step, result);
  await carryOut(context, open, { steps, remarks: sentences, check, showResult: show }, flags);
}
function inOrder(spec, changes, { records }) {
  const { kind, action } = spec.subject;
  if (action !== "delete" || !("idVariable" in kind)) return changes;
  const byId = new Map(changes.map((change2) => [subjectIds(spec, change2)[0] ?? "", change2]));
  const rows = [...byId.keys()].map((id) => ({ ...records.get(id)?.row, id }));
  return childrenFirst(kind, rows).flatMap(({ id }) => byId.get(id) ?? []);
}
function refuseSlips({ report }, { subject: { kind }, operation, input }, changes, { records }) {
  if (!("idVariable" in kind) || operation !== kind.update.operation || input === null) return;
  const given = changes.flatMap(
    ({ variables }) => customFieldsIn(Reflect.get(Object(variables[input.variable]), "customFields"))
  );
  const rows = [...records.values()].map(({ row }) => row);
  for (const { name } of given) {
    const slip = slipInField(report, name, kind.noun, rows);
    if (slip) throw new CliError("NOT_FOUND", slip.problem, { undone: "sent", hint: slip.hint });
  }
}
function tellOfUnread({ report }, spec, changes, { records }) {
  if (spec.subject.action !== "update" || spec.input === null) return;
  for (const change2 of changes) {
    const [id] = subjectIds(spec, change2);
    const given = Object.entries(Object(change2.variables[spec.input.variable]));
    const nested = given.find(([name, value]) => name !== "geojson" && isObject(value))?.[0];
    if (id === void 0 || records.has(id) || nested === void 0) continue;
    report.warn(`The present ${nested} could not be read: what is not given of it is lost.`);
  }
}
async function foretell(context, client, changes, foresee, { dryRun }) {
  const own = new Report();
  try {
    return await foresee({ ...context, report: own }, client, changes);
  } catch (error) {
    if (context.io.signal.aborted) throw error;
    own.takePartial();
    if (dryRun) context.report.warn("What else it would change could not be read.");
    return null;
  } finally {
    context.report.add(own);
  }
}
async function givenIn(run, { input }) {
  return input === void 0 ? {} : loadObject(run, input, manyHint);
}
const manyHint = "Files of many records are for `apply`, such as `fleet people apply people.csv`.";
function refuseProblems(changes) {
  const problems = changes.flatMap(({ problem }) => problem ?? []);
  const [first] = problems;
  if (!first) return;
  const isSame = problems.length > 1 && problems.every(({ message }) => message === first.message);
  if (changes.length === 1 || isSame) throw first;
  throw new CliError(first.code, `${problems.length} of ${changes.length} names are not clear.`, {
    undone: "changed",
    details: problems.map(({ message }) => message),
    hint: first.hint
  });
}
function eachOnce(spec, changes) {
  const seen = /* @__PURE__ */ new Set();
  return changes.filter(({ variables, problem }) => {
    const [id = null] = problem ? [] : subjectIds(spec, { variables });
    if (id !== null && seen.has(id)) return false;
    if (id !== null) seen.add(id);
    return true;
  });
}
export {
  change
};
