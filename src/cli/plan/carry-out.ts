// Carries out a plan: prints it, or asks and sends its steps one after the other, prints what became of each, and sums up.

import type { FleetErrorCode } from '../../core/errors.js';
import type { FleetClient } from '../../index.js';
import { type Context, note } from '../context/context.js';
import { formatOf, printRows } from '../context/print.js';
import { progressOn } from '../context/progress.js';
import { CliError } from '../errors/cli-error.js';
import { type CommandFailure, commandFailureOf } from '../errors/exit-codes.js';
import type { Recorder } from '../journal/recorder.js';
import { tokenKind } from '../records/driver-token.js';
import { confirm, needsConfirmation } from './confirm.js';
import { withDependents } from './dependents.js';
import { openNotDoneFile, requireNotDoneFile } from './not-done-file.js';
import type { OutcomeCheck, Plan, PlanRow, PlanStep, SendingFlags, ShownPlan, StepResult } from './plan.js';
import { planText, planView, printPlan, rowOfStep, rowsOfSteps } from './print-plan.js';
import { idIn, StepSender } from './step-sender.js';

/** @throws CliError ABORTED when a person does not confirm it, USAGE when nobody can be asked; otherwise the first failure of a step */
export async function carryOut(
  context: Context,
  open: () => Promise<FleetClient>,
  planned: Plan,
  flags: SendingFlags,
): Promise<void> {
  const plan = { ...planned, steps: await withDependents(context, open, planned.steps) };
  const { steps, table, check, showResult } = plan;
  const shown = shownPlan(plan);
  if (flags.failed !== undefined) requireNotDoneFile(flags.failed, flags.input, table);
  if (flags.dryRun) {
    // Refuses what the run would refuse, such as a wrong FLEET_JOURNAL.
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
    // Where nothing changes, the command says why, and there is nothing to take back.
    if (!steps.every(({ isAlwaysSent }) => isAlwaysSent)) tellNumber(context, recorder, steps);
  } else {
    await sendEach(context, sender, recorder, plan, shown, flags);
  }
  if (check && !isEmpty) await compareOutcome(context, check);
}

/** Returns what people and programs see of a plan. */
function shownPlan({ steps, rows, remarks = [], showResult }: Plan): ShownPlan {
  const isOne = showResult !== undefined;
  return {
    rows: rows ?? rowsOfSteps(steps),
    isOne,
    // Where the effects of one change are to be seen, its remarks say the same.
    remarks: isOne && steps.some(hasEffects) ? [] : remarks,
  };
}

function hasEffects({ effects = [] }: PlanStep): boolean {
  return effects.length > 0;
}

/** Returns the lines about the plan for people who are not asked. */
function noticesOf(
  context: Context,
  { steps, rows, remarks = [], showResult }: Plan,
  shown: ShownPlan,
  isEmpty: boolean,
): readonly string[] {
  const { jsonIndent, forPeople } = formatOf(context);
  if (showResult) return forPeople ? remarks : [];
  // With JSON, stderr is left to errors. An empty plan is summed up in the place of results.
  if (jsonIndent !== null || isEmpty) return remarks;
  const { lines, summary } = planText(shown);
  // The results name only what is sent, so wider effects are told before.
  const isWider = rows !== undefined || steps.some(hasEffects);
  return [...(isWider ? lines.map((line) => `  ${line}`) : []), ...remarks, summary];
}

/** Called when every change was made; a failure to read what became of them is only a warning. @throws CliError the difference */
async function compareOutcome({ io, report }: Context, check: OutcomeCheck): Promise<void> {
  let difference: CliError | null = null;
  try {
    difference = await check();
  } catch (error) {
    if (io.signal.aborted) throw error;
    report.warn('The changes were made, but what became of the records could not be read.');
  }
  if (difference) throw difference;
}

/** Keeps a notice until the end with JSON, because stderr is one line when the command fails. */
function tellNotice(context: Context, notice: string): void {
  if (formatOf(context).jsonIndent === null) note(context, notice);
  else context.report.remark(notice);
}

/** Tells by which number a change that was made, or may have been made, is undone. */
function tellNumber(context: Context, recorder: Recorder | null, steps: readonly PlanStep[]): void {
  const number = recorder?.number() ?? null;
  if (number === null) return;
  // The journal does not keep the values of tokens.
  const isLost = steps.every(({ record }) => record.kind === tokenKind.noun && record.action === 'delete');
  tellNotice(context, `Done as #${number}${isLost ? '' : `; \`fleet undo ${number}\` takes it back`}.`);
}

/** Null when nothing is written. */
async function recorderFor(context: Context, { steps, undoing }: Plan): Promise<Recorder | null> {
  const sent = steps.filter((step) => !isKept(step));
  if (sent.length === 0) return null;
  const { recorderOf } = await import('../journal/recorder.js');
  return recorderOf(context, undoing ?? { undoes: null });
}

/** The record is already as the step wants it. */
function isKept({ record, isAlwaysSent }: PlanStep): boolean {
  return record.action === 'keep' && !isAlwaysSent;
}

/** When so many steps in a row fail, the service is probably down. */
const MAX_FAILURES = 5;

/** With these errors every other step would fail too. */
const fatalCodes: ReadonlySet<string> = new Set([
  'AUTHENTICATION',
  'SESSION_EXPIRED',
  'USER_SELECTION',
  'CONFIGURATION',
]);

/**
 * Prints the result of each step as soon as it is known, then a summary, and writes what was not done to the file of --failed.
 * @throws CliError with the code of the first step that failed
 */
async function sendEach(
  context: Context,
  sender: StepSender,
  recorder: Recorder | null,
  plan: Plan,
  shown: ShownPlan,
  { failed: failedFile, maxFailures = MAX_FAILURES }: SendingFlags,
): Promise<void> {
  const writeNotDone = failedFile === undefined ? null : openNotDoneFile(failedFile);
  const steps = plan.steps.filter((step) => !isKept(step));
  const failures = new Map<PlanStep, CommandFailure>();
  const notDone = new Set(steps);
  const count = { done: 0, failed: 0, unknown: 0 };
  let failuresInRow = 0;
  const isStopped = () => maxFailures !== 'none' && failuresInRow >= maxFailures;

  async function* results(): AsyncGenerator<PlanRow> {
    const progress = progressOn(context);
    for (const [index, step] of steps.entries()) {
      if (context.io.signal.aborted) return;
      const failed = count.failed + count.unknown;
      progress.show(`${index + 1} of ${steps.length}${failed > 0 ? `, ${failed} failed` : ''}`);
      const result = await attempt(step);
      progress.clear();
      if (result === null) return;
      count[result.status]++;
      if (result.error) failuresInRow++;
      else failuresInRow = 0;

      yield* rowsOfResult(context, plan, sender.withKnown(step), result);
      if (isStopped() || (result.error && fatalCodes.has(result.error.code))) return;
    }
  }

  /** Null when the command was interrupted before the step was sent. */
  async function attempt(step: PlanStep): Promise<StepResult | null> {
    try {
      const result = await sender.send(step);
      notDone.delete(step);
      const journal = recorder?.number() ?? null;
      return { status: 'done', id: idIn(result), journal, error: null };
    } catch (error) {
      // A step that was interrupted after it was sent has an unknown outcome, like any other without an answer.
      const failure = commandFailureOf(error, false, context.globals.timeout);
      const { code, exitCode } = failure;
      if (code === 'ABORTED') return null;
      failures.set(step, failure);
      const isUnknown = code === 'AMBIGUOUS_MUTATION';
      // It may have been made, so a person must decide whether to repeat it.
      if (isUnknown) notDone.delete(step);
      const message = [failure.message, ...failure.details].join(' ');
      const status = isUnknown ? 'unknown' : 'failed';
      const journal = recorder?.number() ?? null;
      return { status, id: null, journal, error: { code, message, exitCode } };
    }
  }

  const { summary: kept } = planText(shown);
  const nothingToDo = kept === '' ? 'Nothing to do.' : `${kept}. Nothing to do.`;
  try {
    await printWhileRead(context, results(), nothingToDo);
  } finally {
    // Written in any case, even when the output could not be printed.
    writeNotDone?.([...notDone].map(({ source }) => source).filter((source) => source !== null));
  }
  const summary = summaryOf(count, steps.length, isStopped() ? failuresInRow : null);
  const [first] = [...failures];
  const { jsonIndent, forPeople } = formatOf(context);
  // With JSON, stderr is one line at most, so the summary becomes part of the error's hint.
  const isJson = jsonIndent !== null;
  if (!isJson && steps.length > 0) note(context, summary);
  // With JSON, each row has the number.
  if (!isJson && count.done + count.unknown > 0) tellNumber(context, recorder, steps);
  if (steps.length === 0 && !forPeople) note(context, nothingToDo);
  if (context.io.signal.aborted) throw new CliError('ABORTED', 'Interrupted.', isJson ? { hint: summary } : {});
  if (first) throw failureOf(`"${first[0].record.name}"`, first[1], isJson ? summary : null);
}

/** People read of every record that was in the plan. */
function rowsOfResult(
  context: Context,
  { rows }: Plan,
  step: PlanStep,
  { status, id, journal, error }: StepResult,
): readonly PlanRow[] {
  const row = rowOfStep(step);
  if (formatOf(context).forPeople && rows === undefined && row.effects && row.effects.length > 0) {
    return row.effects.map((effect) => ({ ...effect, status, journal, error }));
  }
  return [{ ...row, id: id ?? row.id, status, journal, error }];
}

/** Prints the results. When the reader closes the pipe, as `head` does, the remaining steps are still sent and decide the exit code. */
async function printWhileRead(context: Context, results: AsyncGenerator<PlanRow>, emptyText: string): Promise<void> {
  const { stdout } = context.io;
  let isRead = true;
  // With this listener, main.ts does not end the process when the pipe closes.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') isRead = false;
  });
  const next = () => (isRead ? results.next() : Promise.resolve({ done: true as const, value: undefined }));
  try {
    await printRows(context, { [Symbol.asyncIterator]: () => ({ next }) }, planView, emptyText);
  } catch (error) {
    if (commandFailureOf(error, false).code !== 'CLOSED_PIPE') throw error;
  }
  for (let rest = await results.next(); !rest.done; rest = await results.next());
}

type Count = Readonly<Record<StepResult['status'], number>>;

/** `stoppedAfter`: the number of failures in a row after which nothing more was sent; null when that was not the reason. */
function summaryOf({ done, failed, unknown }: Count, all: number, stoppedAfter: number | null): string {
  const left = all - done - failed - unknown;
  const parts = [`${done} of ${all} done`];
  if (failed > 0) parts.push(`${failed} failed`);
  if (unknown > 0)
    parts.push(`${unknown} with unknown outcome: check before you repeat ${unknown === 1 ? 'it' : 'them'}`);
  if (left > 0) parts.push(`${left} not sent`);
  const again = failed + left > 0 ? '; the same command tries again' : '';
  const failures = stoppedAfter === 1 ? '1 failure' : `${stoppedAfter} failures in a row`;
  const stopped =
    stoppedAfter !== null && left > 0 ? ` Stopped after ${failures}; --max-failures changes this number.` : '';
  return `${parts.join(', ')}${again}.${stopped}`;
}

function failureOf(name: string, failure: CommandFailure, summary: string | null): CliError {
  const hints = [summary, failure.hint].filter((text) => text !== null);
  // A failed step has the code of an SDK error or of a CliError.
  return new CliError(failure.code as FleetErrorCode, `${name}: ${failure.message}`, {
    hint: hints.length > 0 ? hints.join(' ') : undefined,
    details: failure.details,
    operation: failure.operation ?? undefined,
    choices: failure.choices,
    cause: failure.error,
  });
}
