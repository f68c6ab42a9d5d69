// Carries out a plan: prints it, or asks and sends its steps one after the other, prints what became of each, and sums up.

import type { FleetErrorCode } from '../../core/errors.js';
import { isObject } from '../../core/json.js';
import type { FleetClient, WarningEvent } from '../../index.js';
import { answerBeside } from '../connection/allow-partial.js';
import { call } from '../connection/call.js';
import { handleWarning } from '../connection/handle-warning.js';
import { type Context, note } from '../context/context.js';
import { formatOf, printRows } from '../context/print.js';
import { progressOn } from '../context/progress.js';
import { CliError } from '../errors/cli-error.js';
import { type CommandFailure, commandFailureOf, mayBeMade } from '../errors/exit-codes.js';
import type { EndOfStep, StepOutcome } from '../journal/entry.js';
import type { Recorder } from '../journal/recorder.js';
import type { View } from '../output/view.js';
import { tokenKind } from '../records/driver-token.js';
import type { Request } from '../records/requests.js';
import { checkResult } from './check-result.js';
import { confirm, needsConfirmation } from './confirm.js';
import { compareOutcome } from './foresight.js';
import { openNotDoneFile, requireNotDoneFile } from './not-done-file.js';
import {
  type Plan,
  type PlanStep,
  type RowsOfResults,
  recordsOf,
  type SendingFlags,
  type StepResult,
  type Undoing,
} from './plan.js';
import { printPlan } from './print-plan.js';

/** @throws CliError ABORTED when a person does not confirm it, USAGE when nobody can be asked; otherwise the first failure of a step */
export async function carryOut<OneStep extends PlanStep, Row>(
  context: Context,
  open: () => Promise<FleetClient>,
  plan: Plan<OneStep, Row>,
  flags: SendingFlags,
): Promise<void> {
  const { steps, notices, outcome, check } = plan;
  if (flags.failed !== undefined && 'view' in outcome) requireNotDoneFile(flags.failed, flags.input, outcome.table);
  if (flags.dryRun) {
    // Refuses what the run would refuse, such as a wrong FLEET_JOURNAL.
    await recorderFor(context, plan);
    return printPlan(context, plan.shown);
  }
  const client = await open();
  const recorder = await recorderFor(context, plan);
  const isEmpty = steps.length === 0;
  if (!flags.yes && needsConfirmation(plan.shown)) await confirm(context, plan.shown);
  else if (!isEmpty) for (const notice of notices) tellNotice(context, notice);
  const sending = new Sending(context, client, recorder);
  if ('view' in outcome) await sendEach(context, sending, recorder, steps, outcome, flags);
  else {
    for (const step of steps) await outcome.show(client, step, isKept(step) ? null : await sending.send(step));
    // Where nothing changes, the command says why, and there is nothing to take back.
    if (!steps.every(({ isAlwaysSent }) => isAlwaysSent)) tellNumber(context, recorder, steps);
  }
  if (check && !isEmpty) await compareOutcome(context, check);
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
async function recorderFor(
  context: Context,
  { steps, undoing }: { readonly steps: readonly PlanStep[]; readonly undoing?: Undoing | undefined },
): Promise<Recorder | null> {
  const sent = steps.filter((step) => !isKept(step));
  if (sent.length === 0) return null;
  const { recorderOf } = await import('../journal/recorder.js');
  return recorderOf(context, undoing ?? { undoes: null });
}

/** The record is already as the step wants it. */
function isKept({ record, isAlwaysSent }: PlanStep): boolean {
  return record.action === 'keep' && !isAlwaysSent;
}

/** Sends the requests of one step after the other. */
class Sending {
  readonly #context: Context;
  readonly #client: FleetClient;
  /** The ids of the created records, by the names that later steps use. */
  readonly #created = new Map<string, string>();

  readonly #recorder: Recorder | null;

  constructor(context: Context, client: FleetClient, recorder: Recorder | null) {
    this.#context = context;
    this.#client = client;
    this.#recorder = recorder;
  }

  /** The last answer. @throws CliError AMBIGUOUS_MUTATION for a step that was interrupted after its first request */
  async send(step: PlanStep): Promise<unknown> {
    const { requests, creates, follow = () => [] } = step;
    const all = [...requests(this.#created)];
    const operations = [...new Set([...all, ...follow('')].map(({ operation }) => operation))];
    const end: EndOfStep = this.#recorder?.begin({ operations, records: recordsOf(step) }) ?? (() => undefined);
    const results: unknown[] = [];
    for (const request of all) {
      try {
        results.push(await this.#sendOne(request));
        // The loop goes on with what needs the id of the new record.
        if (results.length === 1) all.push(...follow(idIn(results[0]) ?? ''));
      } catch (error) {
        const done = results.length;
        end({ outcome: done > 0 || mayBeMade(error) ? 'unknown' : 'failed' });
        throw done > 0 ? ofHalfDone(error, `${done} of the ${all.length} requests`) : error;
      }
    }
    const result = (step.follow ? results[0] : results.at(-1)) ?? null;
    const id = idIn(result);
    end({ outcome: 'done', ...(id === null ? {} : { id }), ...groupsIn(results) });
    if (creates && id !== null) this.#created.set(creates, id);
    return result;
  }

  async #sendOne({ operation, variables, idempotent, select }: Request): Promise<unknown> {
    const { signal } = this.#context.io;
    const onWarning = (warning: WarningEvent) => handleWarning(this.#context, warning);
    // The variables were checked against the contract's input type before.
    const sent = call(this.#client, operation, variables as never, { signal, onWarning, select, idempotent });
    const result = await sent.catch((error: unknown): unknown =>
      Reflect.get(answerBeside(this.#context, error), operation),
    );
    checkResult(operation, result);
    return result;
  }
}

/** Which groups have really changed, where the service says it. */
function groupsIn(results: readonly unknown[]): Pick<StepOutcome, 'joined' | 'left'> {
  const ids = (name: string) =>
    results
      .filter(isObject)
      .flatMap((result) => result[name] ?? [])
      .filter((id) => typeof id === 'string');
  const [joined, left] = [ids('addedGroupIds'), ids('removedGroupIds')];
  return { ...(joined.length > 0 ? { joined } : {}), ...(left.length > 0 ? { left } : {}) };
}

/** An interruption before the first request has changed nothing; after it, a part of the step is made. */
function ofHalfDone(error: unknown, part: string): unknown {
  if (commandFailureOf(error, false).code !== 'ABORTED') return error;
  return new CliError('AMBIGUOUS_MUTATION', `Interrupted after ${part} of this change.`, { cause: error });
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
async function sendEach<OneStep extends PlanStep, Row>(
  context: Context,
  sending: Sending,
  recorder: Recorder | null,
  steps: readonly OneStep[],
  outcome: RowsOfResults<OneStep, Row>,
  { failed: failedFile, maxFailures = MAX_FAILURES }: SendingFlags,
): Promise<void> {
  const writeNotDone = failedFile === undefined ? null : openNotDoneFile(failedFile);
  const failures = new Map<OneStep, CommandFailure>();
  const notDone = new Set(steps);
  const count = { done: 0, failed: 0, unknown: 0 };
  let failuresInRow = 0;
  const isStopped = () => maxFailures !== 'none' && failuresInRow >= maxFailures;

  async function* results(): AsyncGenerator<Row> {
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

      yield* outcome.rows(result, step, failures.get(step)?.reason ?? null);
      if (isStopped() || (result.error && fatalCodes.has(result.error.code))) return;
    }
  }

  /** Null when the command was interrupted before the step was sent. */
  async function attempt(step: OneStep): Promise<StepResult | null> {
    try {
      const result = await sending.send(step);
      notDone.delete(step);
      const journal = recorder?.number() ?? null;
      return { status: 'done', id: idIn(result) ?? step.record.id, result, journal, error: null };
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
      return { status, id: step.record.id, result: null, journal, error: { code, message, exitCode } };
    }
  }

  try {
    await printWhileRead(context, results(), outcome.view, outcome.nothingToDo.text);
  } finally {
    // Written in any case, even when the output could not be printed.
    writeNotDone?.([...notDone].map(({ source }) => source).filter((source) => source !== null));
  }
  const summary = summaryOf(count, steps.length, outcome.again, isStopped() ? failuresInRow : null);
  const [first] = [...failures];
  const { jsonIndent, forPeople } = formatOf(context);
  // With JSON, stderr is one line at most, so the summary becomes part of the error's hint.
  const isJson = jsonIndent !== null;
  if (!isJson && steps.length > 0) note(context, summary);
  // With JSON, each row has the number.
  if (!isJson && count.done + count.unknown > 0) tellNumber(context, recorder, steps);
  if (steps.length === 0 && !forPeople && outcome.nothingToDo.forPrograms) note(context, outcome.nothingToDo.text);
  if (context.io.signal.aborted) throw new CliError('ABORTED', 'Interrupted.', isJson ? { hint: summary } : {});
  if (first) throw failureOf(outcome.nameOf(first[0]), first[1], isJson ? summary : null);
}

/** Prints the results. When the reader closes the pipe, as `head` does, the remaining steps are still sent and decide the exit code. */
async function printWhileRead<Row>(
  context: Context,
  results: AsyncGenerator<Row>,
  view: View<Row>,
  emptyText: string,
): Promise<void> {
  const { stdout } = context.io;
  let isRead = true;
  // With this listener, main.ts does not end the process when the pipe closes.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') isRead = false;
  });
  const next = () => (isRead ? results.next() : Promise.resolve({ done: true as const, value: undefined }));
  try {
    await printRows(context, { [Symbol.asyncIterator]: () => ({ next }) }, view, emptyText);
  } catch (error) {
    if (commandFailureOf(error, false).code !== 'CLOSED_PIPE') throw error;
  }
  for (let rest = await results.next(); !rest.done; rest = await results.next());
}

type Count = Readonly<Record<StepResult['status'], number>>;

/** `stoppedAfter`: the number of failures in a row after which nothing more was sent; null when that was not the reason. */
function summaryOf(
  { done, failed, unknown }: Count,
  all: number,
  repeat: string | null,
  stoppedAfter: number | null,
): string {
  const left = all - done - failed - unknown;
  const parts = [`${done} of ${all} done`];
  if (failed > 0) parts.push(`${failed} failed`);
  if (unknown > 0)
    parts.push(`${unknown} with unknown outcome: check before you repeat ${unknown === 1 ? 'it' : 'them'}`);
  if (left > 0) parts.push(`${left} not sent`);
  const again = repeat !== null && failed + left > 0 ? `; ${repeat}` : '';
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

function idIn(result: unknown): string | null {
  return isObject(result) && typeof result.id === 'string' ? result.id : null;
}
