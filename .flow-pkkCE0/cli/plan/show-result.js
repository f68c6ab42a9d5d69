import { isObject } from "../../core/json.js";
import { note } from "../context/context.js";
import { formatOf, printRecord } from "../context/print.js";
import { findRecord } from "../find/record.js";
import { viewOfFields } from "../shape/view-of-fields.js";
import { subjectIds, subjectOf } from "./change-spec.js";
async function showResult(context, client, spec, change, shape, { record, isAlwaysSent, requests }, result) {
  const isKept = record.action === "keep" && !isAlwaysSent;
  if (isKept && shape) note(context, `${record.name} is like this already; nothing was sent.`);
  const isOther = shape !== null && requests.at(-1)?.operation !== spec.operation;
  const shown = isKept || isOther ? await presentRecord(context, client, spec, change, shape) : result;
  await show(context, client, change, shown, spec.display, shape);
}
async function presentRecord(context, client, spec, change, shape) {
  if (!("view" in spec.display)) return null;
  if (spec.display.present) return spec.display.present(change);
  const kind = subjectOf(spec)?.kind;
  const select = shape?.options.select;
  return kind && findRecord(context, client, kind, subjectIds(spec, change)[0] ?? "", { substring: false, select });
}
async function show(context, client, done, result, display, shape) {
  if (shape && "view" in display) {
    await printRecord(context, shape.record(result), shape.view);
  } else if ("deleted" in display && formatOf(context).forPeople) {
    note(context, `The ${display.deleted} has been deleted.`);
  } else if ("print" in display && isPrinted(context, display)) {
    const isPrintedNow = await printNewState(context, () => display.print(context, client, done, result));
    if (!isPrintedNow && formatOf(context).jsonIndent !== null) await printResult(context, null);
  } else {
    await printResult(context, result);
  }
}
function isPrinted(run, { rows }) {
  return formatOf(run).forPeople || rows === true;
}
async function printNewState(run, print) {
  try {
    await print();
    return true;
  } catch (error) {
    if (run.io.signal.aborted) throw error;
    run.report.warn("The change was made, but its new state could not be read.");
    return false;
  }
}
async function printResult(context, result) {
  const record = isObject(result) || formatOf(context).wholeValues ? result : { result };
  const fields = isObject(record) ? Object.keys(record) : [];
  await printRecord(context, record, viewOfFields({ columns: [], fields: [] }, fields));
}
export {
  showResult
};
