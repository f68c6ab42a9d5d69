// Executes a plan: prints or confirms it, sends its steps in order, and prints their outcomes.

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
import type {
  MaxFailures,
  OutcomeCheck,
  Plan,
  PlanRow,
  PlanStep,
  SendingFlags,
  ShownPlan,
  StepResult,
} from './plan.js';
import { planText, planView, printPlan, rowOfStep, rowsOfSteps } from './print-plan.js';
import { idIn, StepSender } from './step-sender.js';

/**
 * Prints the plan with --dry-run; otherwise confirms it, sends its steps and prints the outcomes.
 * @throws CliError ABORTED when the user declines, USAGE when no prompt is possible; otherwise the
 * first failure of a step
 */
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
    // Fails where the run would fail, such as for an invalid FLEET_JOURNAL.
    await recorderFor(context, plan);
    return printPlan(context, shown);
  }
  const client = await open();
  const recorder = await recorderFor(context, plan);
  const isEmpty = !showResult && steps.every(isUnsent);
  if (!flags.yes && needsConfirmation(shown)) await confirm(context, shown);
  else for (const notice of noticesOf(context, plan, shown, isEmpty)) printNotice(context, notice);
  const sender = new StepSender(context, client, recorder, steps);
  if (showResult) {
    for (const step of steps) await showResult(client, step, isUnsent(step) ? null : await sender.send(step));
    // When every step is sent without an effect, there is nothing to undo.
    if (!steps.every(({ isAlwaysSent }) => isAlwaysSent)) printUndoNumber(context, recorder, steps);
  } else {
    await sendEach(context, sender, recorder, plan, shown, flags);
  }
  if (check && !isEmpty) await compareOutcome(context, check);
}

function shownPlan({ steps, rows, remarks = [], showResult }: Plan): ShownPlan {
  const isOne = showResult !== undefined;
  return {
    rows: rows ?? rowsOfSteps(steps),
    isOne,
    // The effects of a single change already contain its remarks.
    remarks: isOne && steps.some(hasEffects) ? [] : remarks,
  };
}

function hasEffects({ effects = [] }: PlanStep): boolean {
  return effects.length > 0;
}

/** Returns the notices about the plan that are printed when no confirmation is asked. */
function noticesOf(
  context: Context,
  { steps, rows, remarks = [], showResult }: Plan,
  shown: ShownPlan,
  isEmpty: boolean,
): readonly string[] {
  const { jsonIndent, forPeople } = formatOf(context);
  if (showResult) return forPeople ? remarks : [];
  // For JSON, stderr is only for errors. An empty plan prints its summary as the result.
  if (jsonIndent !== null || isEmpty) return remarks;
  const { lines, summary } = planText(shown);
  // The results list only sent steps, so effects on other records are printed before.
  const isWider = rows !== undefined || steps.some(hasEffects);
  return [...(isWider ? lines.map((line) => `  ${line}`) : []), ...remarks, summary];
}

/** Compares the records with the plan; throws CliError for a difference. */
async function compareOutcome({ io, report }: Context, check: OutcomeCheck): Promise<void> {
  let difference: CliError | null = null;
  try {
    difference = await check();
  } catch (error) {
    if (io.signal.aborted) throw error;
    report.warn('The changes were made, but the records could not be read again to verify them.');
  }
  if (difference) throw difference;
}

/** Prints a notice; JSON output defers it, because a failure prints one line to stderr. */
function printNotice(context: Context, notice: string): void {
  if (formatOf(context).jsonIndent === null) note(context, notice);
  else context.report.remark(notice);
}

/** Prints the number for `fleet undo` of a change that was made, or may have been made. */
function printUndoNumber(context: Context, recorder: Recorder | null, steps: readonly PlanStep[]): void {
  const number = recorder?.number() ?? null;
  if (number === null) return;
  // The journal does not store token values, so a deleted token cannot be restored.
  const isLost = steps.every(({ record }) => record.kind === tokenKind.noun && record.action === 'delete');
  printNotice(context, `Done as #${number}${isLost ? '' : `; \`fleet undo ${number}\` takes it back`}.`);
}

/** Returns the recorder of the journal; null when nothing is sent. */
async function recorderFor(context: Context, { steps, undoing }: Plan): Promise<Recorder | null> {
  const sent = steps.filter((step) => !isUnsent(step));
  if (sent.length === 0) return null;
  const { recorderOf } = await import('../journal/recorder.js');
  return recorderOf(context, undoing ?? { undoes: null });
}

/** Returns true for a step that changes nothing and is not sent. */
function isUnsent({ record, isAlwaysSent }: PlanStep): boolean {
  return record.action === 'keep' && !isAlwaysSent;
}

/** The default number of consecutive failures that stops a run: the service is probably down. */
const MAX_FAILURES = 5;

const fatalCodes: ReadonlySet<string> = new Set([
  'AUTHENTICATION',
  'SESSION_EXPIRED',
  'USER_SELECTION',
  'CONFIGURATION',
]);

/**
 * Sends the steps, prints each result and a summary, and writes the file of --failed.
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
  const run = new StepsRun(context, sender, recorder, plan, maxFailures);
  const { summary: unchangedSummary } = planText(shown);
  const nothingToDo = unchangedSummary === '' ? 'Nothing to do.' : `${unchangedSummary}. Nothing to do.`;
  try {
    await printWhileRead(context, run.results(), nothingToDo);
  } finally {
    // Written even when the output could not be printed.
    writeNotDone?.([...run.notDone].map(({ source }) => source).filter((source) => source !== null));
  }
  const { steps, summary } = run;
  const [first] = run.failures;
  const { jsonIndent, forPeople } = formatOf(context);
  // JSON output allows one line on stderr, so the summary goes into the error's hint.
  const isJson = jsonIndent !== null;
  if (!isJson && steps.length > 0) note(context, summary);
  // Each JSON row contains the number.
  if (!isJson && run.mayHaveChanged) printUndoNumber(context, recorder, steps);
  if (steps.length === 0 && !forPeople) note(context, nothingToDo);
  if (context.io.signal.aborted) throw new CliError('ABORTED', 'Interrupted.', isJson ? { hint: summary } : {});
  if (first) throw failureOf(`"${first[0].record.name}"`, first[1], isJson ? summary : null);
}

/** Sends the steps of a plan in order, until too many in a row have failed. */
class StepsRun {
  readonly steps: readonly PlanStep[];
  readonly notDone: Set<PlanStep>;
  readonly failures = new Map<PlanStep, CommandFailure>();
  readonly #context: Context;
  readonly #sender: StepSender;
  readonly #recorder: Recorder | null;
  readonly #plan: Plan;
  readonly #maxFailures: MaxFailures;
  readonly #count = { done: 0, failed: 0, unknown: 0 };
  #failuresInRow = 0;

  constructor(context: Context, sender: StepSender, recorder: Recorder | null, plan: Plan, maxFailures: MaxFailures) {
    this.#context = context;
    this.#sender = sender;
    this.#recorder = recorder;
    this.#plan = plan;
    this.#maxFailures = maxFailures;
    this.steps = plan.steps.filter((step) => !isUnsent(step));
    this.notDone = new Set(this.steps);
  }

  get mayHaveChanged(): boolean {
    return this.#count.done + this.#count.unknown > 0;
  }

  get summary(): string {
    return summaryOf(this.#count, this.steps.length, this.#isStopped ? this.#failuresInRow : null);
  }

  async *results(): AsyncGenerator<PlanRow> {
    const context = this.#context;
    const progress = progressOn(context);
    for (const [index, step] of this.steps.entries()) {
      if (context.io.signal.aborted) return;
      const failed = this.#count.failed + this.#count.unknown;
      progress.show(`${index + 1} of ${this.steps.length}${failed > 0 ? `, ${failed} failed` : ''}`);
      const result = await this.#attempt(step);
      progress.clear();
      if (result === null) return;
      this.#count[result.status]++;
      if (result.error) this.#failuresInRow++;
      else this.#failuresInRow = 0;

      yield* rowsOfResult(context, this.#plan, this.#sender.withResolvedIds(step), result);
      if (this.#isStopped || (result.error && fatalCodes.has(result.error.code))) return;
    }
  }

  get #isStopped(): boolean {
    return this.#maxFailures !== 'none' && this.#failuresInRow >= this.#maxFailures;
  }

  /** Sends a step and returns its result; null when interrupted before the step was sent. */
  async #attempt(step: PlanStep): Promise<StepResult | null> {
    try {
      const result = await this.#sender.send(step);
      this.notDone.delete(step);
      const journal = this.#recorder?.number() ?? null;
      return { status: 'done', id: idIn(result), journal, error: null };
    } catch (error) {
      // An interruption after sending leaves an unknown outcome, like any missing answer.
      const failure = commandFailureOf(error, false, this.#context.globals.timeout);
      const { code, exitCode } = failure;
      if (code === 'ABORTED') return null;
      this.failures.set(step, failure);
      const isUnknown = code === 'AMBIGUOUS_MUTATION';
      // The change may have been made, so the user must decide whether to retry it.
      if (isUnknown) this.notDone.delete(step);
      const message = [failure.message, ...failure.details].join(' ');
      const status = isUnknown ? 'unknown' : 'failed';
      const journal = this.#recorder?.number() ?? null;
      return { status, id: null, journal, error: { code, message, exitCode } };
    }
  }
}

/** Returns the rows of a result. For people, each effect is a row. */
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

/** Prints the results. A closed pipe, as with `head`, does not stop the remaining steps. */
async function printWhileRead(context: Context, results: AsyncGenerator<PlanRow>, emptyText: string): Promise<void> {
  const { stdout } = context.io;
  let isRead = true;
  // Because of this listener, main.ts does not end the process when the pipe closes.
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

/** Returns the summary. `stoppedAfter`: the consecutive failures that stopped the run. */
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
