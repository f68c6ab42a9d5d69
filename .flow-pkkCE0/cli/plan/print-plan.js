import { isObject } from "../../core/json.js";
import { operations } from "../../generated/operation-table.js";
import { note, tell } from "../context/context.js";
import { formatOf, printRecord, printRows } from "../context/print.js";
import { printedJson } from "../output/json.js";
import { NewRecord, resolveIds } from "../records/new-record.js";
import { textOfShape } from "../views/geofence.js";
import { changesText, recordText, signOf, summaryOf } from "./record-change.js";
const planView = {
  columns: [
    { title: "", text: signOf, rank: 0 },
    { title: "NAME", text: ({ name }) => name, min: 10, rank: 0 },
    { title: "CHANGES", text: changesText, min: 20, rank: 1 },
    {
      title: "STATUS",
      text: ({ status }) => status === "planned" ? "" : status,
      paint: (text, { status }, { colors }) => status === "done" ? colors.green(text) : colors.red(text),
      rank: 0
    },
    { title: "ERROR", text: ({ error }) => error?.message ?? "", min: 20, rank: 1 },
    { title: "ID", text: ({ id }) => id ?? "", namedBy: ({ name }) => name, rank: 2 }
  ],
  fields: ["action", "name", "id", "line", "changes", "status", "error.code", "error.message", "kind"]
};
function plannedRow(record, line) {
  const { action, kind, name, id, changes, ...rest } = record;
  return { action, kind, name, id, line, changes, ...rest, status: "planned", error: null };
}
function rowsOfSteps(steps) {
  const recreated = new Map(steps.flatMap(({ record }) => record.formerId ? [[record.formerId, record.name]] : []));
  const shownId = (id) => {
    const name = id instanceof NewRecord ? id.name : recreated.get(id);
    return name === void 0 ? id : `id of "${name}"`;
  };
  return steps.map((step) => ({
    ...rowOfStep(step),
    requests: step.requests.map((one) => ({ ...one, variables: Object(resolveIds(one.variables, shownId)) }))
  }));
}
function rowOfStep({ record, line, effects }) {
  return {
    ...plannedRow(record, line),
    ...effects ? { effects: effects.map((effect) => plannedRow(effect, line)) } : {}
  };
}
function shownRows({ rows }) {
  return rows.flatMap((row) => row.effects ?? row);
}
function changedRecords(plan) {
  return shownRows(plan).filter(isChange);
}
function planText(plan) {
  return { lines: changedRecords(plan).map(recordText), summary: summaryOf(shownRows(plan)) };
}
async function printPlan(context, plan) {
  const { forPeople, wholeValues } = formatOf(context);
  const rows = shownRows(plan);
  if (context.globals.verbose) for (const row of plan.rows) tellRequests(context, row);
  if (wholeValues) {
    const whole = plan.rows.map((row) => forPrograms(row, plan.isOne || context.globals.verbose === true));
    const [only] = whole;
    if (plan.isOne && only) await printRecord(context, only, planView);
    else await printRows(context, whole, planView, "");
  } else {
    await printRows(context, forPeople ? rows.filter(isChange) : rows.map(withShapes), planView, "Nothing to do.");
  }
  for (const remark of plan.remarks) note(context, remark);
  if (rows.length > 0) note(context, `${summaryOf(rows)}. Nothing was changed.`);
  if (rows.some(isChange)) context.report.foundDifferences();
}
function withShapes(row) {
  const shape = (value) => isObject(value) ? textOfShape(value) || value : value;
  const changes = row.changes.map((change) => ({
    ...change,
    before: shape(change.before),
    after: shape(change.after)
  }));
  return { ...row, changes };
}
function isChange({ action }) {
  return action !== "keep";
}
function forPrograms({ requests = [], ...row }, hasRequests) {
  const [only, ...others] = requests;
  if (!hasRequests || only === void 0) return row;
  return others.length === 0 ? { ...row, ...withDocument(only) } : { ...row, requests: requests.map(withDocument) };
}
function withDocument({ operation, variables }) {
  return { operation, document: operations[operation].document, variables };
}
function tellRequests(run, { requests = [] }) {
  for (const request of requests) tell(run, printedJson(withDocument(request), 0, run.io.stderr.isTTY === true));
}
export {
  changedRecords,
  planText,
  planView,
  plannedRow,
  printPlan,
  rowOfStep,
  rowsOfSteps
};
