import { note } from "../context/context.js";
import { formatOf, printRows } from "../context/print.js";
import { progressOn } from "../context/progress.js";
import { CliError } from "../errors/cli-error.js";
import { commandFailureOf } from "../errors/exit-codes.js";
import { tokenKind } from "../records/driver-token.js";
import { confirm, needsConfirmation } from "./confirm.js";
import { withDependents } from "./dependents.js";
import { openNotDoneFile, requireNotDoneFile } from "./not-done-file.js";
import { planText, planView, printPlan, rowOfStep, rowsOfSteps } from "./print-plan.js";
import { idIn, StepSender } from "./step-sender.js";
async function carryOut(context, open, planned, flags) {
  const plan = { ...planned, steps: await withDependents(context, open, planned.steps) };
  const { steps, table, check, showResult } = plan;
  const shown = shownPlan(plan);
  if (flags.failed !== void 0) requireNotDoneFile(flags.failed, flags.input, table);
  if (flags.dryRun) {
    await recorderFor(context, plan);
    return printPlan(context, shown);
  }
  const client = await open();
  const recorder = await recorderFor(context, plan);
  const isEmpty = !showResult && steps.every(isKept);
  if (!flags.yes && needsConfirmation(shown)) await confirm(context, shown);
  else for (const notice of noticesOf(context, plan, shown, isEmpty)) tellNotice(context, notice);
  const sender = new StepSender(context, client, recorder, steps);
  if (showResult) {
    for (const step of steps) await showResult(client, step, isKept(step) ? null : await sender.send(step));
    if (!steps.every(({ isAlwaysSent }) => isAlwaysSent)) tellNumber(context, recorder, steps);
  } else {
    await sendEach(context, sender, recorder, plan, shown, flags);
  }
  if (check && !isEmpty) await compareOutcome(context, check);
}
function shownPlan({ steps, rows, remarks = [], showResult }) {
  const isOne = showResult !== void 0;
  return {
    rows: rows ?? rowsOfSteps(steps),
    isOne,
    // The effects of a single change already contain its remarks.
    remarks: isOne && steps.some(hasEffects) ? [] : remarks
  };
}
function hasEffects({ effects = [] }) {
  return effects.length > 0;
}
function noticesOf(context, { steps, rows, remarks = [], showResult }, shown, isEmpty) {
  const { jsonIndent, forPeople } = formatOf(context);
  if (showResult) return forPeople ? remarks : [];
  if (jsonIndent !== null || isEmpty) return remarks;
  const { lines, summary } = planText(shown);
  const isWider = rows !== void 0 || steps.some(hasEffects);
  return [...isWider ? lines.map((line) => `  ${line}`) : [], ...remarks, summary];
}
async function compareOutcome({ io, report }, check) {
  let difference = null;
  try {
    difference = await check();
  } catch (error) {
    if (io.signal.aborted) throw error;
    report.warn("The changes were made, but what became of the records could not be read.");
  }
  if (difference) throw difference;
}
function tellNotice(context, notice) {
  if (formatOf(context).jsonIndent === null) note(context, notice);
  else context.report.remark(notice);
}
function tellNumber(context, recorder, steps) {
  const number = recorder?.number() ?? null;
  if (number === null) return;
  const isLost = steps.every(({ record }) => record.kind === tokenKind.noun && record.action === "delete");
  tellNotice(context, `Done as #${number}${isLost ? "" : `; \`fleet undo ${number}\` takes it back`}.`);
}
async function recorderFor(context, { steps, undoing }) {
  const sent = steps.filter((step) => !isKept(step));
  if (sent.length === 0) return null;
  const { recorderOf } = await import("../journal/recorder.js");
  return recorderOf(context, undoing ?? { undoes: null });
}
function isKept({ record, isAlwaysSent }) {
  return record.action === "keep" && !isAlwaysSent;
}
const MAX_FAILURES = 5;
const fatalCodes = /* @__PURE__ */ new Set([
  "AUTHENTICATION",
  "SESSION_EXPIRED",
  "USER_SELECTION",
  "CONFIGURATION"
]);
async function sendEach(context, sender, recorder, plan, shown, { failed: failedFile, maxFailures = MAX_FAILURES }) {
  const writeNotDone = failedFile === void 0 ? null : openNotDoneFile(failedFile);
  const steps = plan.steps.filter((step) => !isKept(step));
  const failures = /* @__PURE__ */ new Map();
  const notDone = new Set(steps);
  const count = { done: 0, failed: 0, unknown: 0 };
  let failuresInRow = 0;
  const isStopped = () => maxFailures !== "none" && failuresInRow >= maxFailures;
  async function* results() {
    const progress = progressOn(context);
    for (const [index, step] of steps.entries()) {
      if (context.io.signal.aborted) return;
      const failed = count.failed + count.unknown;
      progress.show(`${index + 1} of ${steps.length}${failed > 0 ? `, ${failed} failed` : ""}`);
      const result = await attempt(step);
      progress.clear();
      if (result === null) return;
      count[result.status]++;
      if (result.error) failuresInRow++;
      else failuresInRow = 0;
      yield* rowsOfResult(context, plan, sender.withKnown(step), result);
      if (isStopped() || result.error && fatalCodes.has(result.error.code)) return;
    }
  }
  async function attempt(step) {
    try {
      const result = await sender.send(step);
      notDone.delete(step);
      const journal = recorder?.number() ?? null;
      return { status: "done", id: idIn(result), journal, error: null };
    } catch (error) {
      const failure = commandFailureOf(error, false, context.globals.timeout);
      const { code, exitCode } = failure;
      if (code === "ABORTED") return null;
      failures.set(step, failure);
      const isUnknown = code === "AMBIGUOUS_MUTATION";
      if (isUnknown) notDone.delete(step);
      const message = [failure.message, ...failure.details].join(" ");
      const status = isUnknown ? "unknown" : "failed";
      const journal = recorder?.number() ?? null;
      return { status, id: null, journal, error: { code, message, exitCode } };
    }
  }
  const { summary: kept } = planText(shown);
  const nothingToDo = kept === "" ? "Nothing to do." : `${kept}. Nothing to do.`;
  try {
    await printWhileRead(context, results(), nothingToDo);
  } finally {
    writeNotDone?.([...notDone].map(({ source }) => source).filter((source) => source !== null));
  }
  const summary = summaryOf(count, steps.length, isStopped() ? failuresInRow : null);
  const [first] = [...failures];
  const { jsonIndent, forPeople } = formatOf(context);
  const isJson = jsonIndent !== null;
  if (!isJson && steps.length > 0) note(context, summary);
  if (!isJson && count.done + count.unknown > 0) tellNumber(context, recorder, steps);
  if (steps.length === 0 && !forPeople) note(context, nothingToDo);
  if (context.io.signal.aborted) throw new CliError("ABORTED", "Interrupted.", isJson ? { hint: summary } : {});
  if (first) throw failureOf(`"${first[0].record.name}"`, first[1], isJson ? summary : null);
}
function rowsOfResult(context, { rows }, step, { status, id, journal, error }) {
  const row = rowOfStep(step);
  if (formatOf(context).forPeople && rows === void 0 && row.effects && row.effects.length > 0) {
    return row.effects.map((effect) => ({ ...effect, status, journal, error }));
  }
  return [{ ...row, id: id ?? row.id, status, journal, error }];
}
async function printWhileRead(context, results, emptyText) {
  const { stdout } = context.io;
  let isRead = true;
  stdout.on("error", (error) => {
    if (error.code === "EPIPE") isRead = false;
  });
  const next = () => isRead ? results.next() : Promise.resolve({ done: true, value: void 0 });
  try {
    await printRows(context, { [Symbol.asyncIterator]: () => ({ next }) }, planView, emptyText);
  } catch (error) {
    if (commandFailureOf(error, false).code !== "CLOSED_PIPE") throw error;
  }
  for (let rest = await results.next(); !rest.done; rest = await results.next()) ;
}
function summaryOf({ done, failed, unknown }, all, stoppedAfter) {
  const left = all - done - failed - unknown;
  const parts = [`${done} of ${all} done`];
  if (failed > 0) parts.push(`${failed} failed`);
  if (unknown > 0)
    parts.push(`${unknown} with unknown outcome: check before you repeat ${unknown === 1 ? "it" : "them"}`);
  if (left > 0) parts.push(`${left} not sent`);
  const again = failed + left > 0 ? "; the same command tries again" : "";
  const failures = stoppedAfter === 1 ? "1 failure" : `${stoppedAfter} failures in a row`;
  const stopped = stoppedAfter !== null && left > 0 ? ` Stopped after ${failures}; --max-failures changes this number.` : "";
  return `${parts.join(", ")}${again}.${stopped}`;
}
function failureOf(name, failure, summary) {
  const hints = [summary, failure.hint].filter((text) => text !== null);
  return new CliError(failure.code, `${name}: ${failure.message}`, {
    hint: hints.length > 0 ? hints.join(" ") : void 0,
    details: failure.details,
    operation: failure.operation ?? void 0,
    choices: failure.choices,
    cause: failure.error
  });
}
export {
  carryOut
};
