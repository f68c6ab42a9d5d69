// Sends many changes one after the other. Prints a result per line as soon as it is known, then a summary, and writes the changes that
// were not done to the file of --failed.
import type { FleetErrorCode } from '../../core/errors.js';
import { type Context, note } from '../context/context.js';
import { formatOf, printRows } from '../context/print.js';
import { progressOn } from '../context/progress.js';
import { CliError } from '../errors/cli-error.js';
import { type CommandFailure, commandFailureOf } from '../errors/exit-codes.js';
import type { View } from '../output/view.js';
import { openNotDoneFile } from './not-done-file.js';
import type { PlannedChange } from './plan.js';
import type { TableFormat } from './read-input.js';

/** The result of one line. */
export interface LineResult {
  readonly line: number;
  readonly status: 'done' | 'failed' | 'unknown';
  /** The id of the record; null when it is not known. */
  readonly id: string | null;
  readonly result: unknown;
  readonly error: { readonly code: string; readonly message: string; readonly exitCode: number } | null;
}

/** `reasons`: what went wrong, by line. */
const viewOf = (reasons: ReadonlyMap<number, string>): View<LineResult> => ({
  columns: [
    { title: 'LINE', text: ({ line }) => String(line), align: 'right', rank: 0 },
    {
      title: 'STATUS',
      text: ({ status }) => status,
      paint: (text, { status }, { colors }) => (status === 'done' ? colors.green(text) : colors.red(text)),
      rank: 0,
    },
    { title: 'ID', text: ({ id }) => id ?? '', rank: 0 },
    { title: 'ERROR', text: ({ line }) => reasons.get(line) ?? '', min: 20, rank: 1 },
  ],
  fields: ['line', 'status', 'id', 'error.code', 'error.message'],
});

export interface Sending<Change extends PlannedChange> {
  readonly send: (change: Change) => Promise<unknown>;
  /** The id of the record that is changed, if it is known before. */
  readonly idOf: (change: Change) => string | null;
  /** The format of the table that the changes come from. */
  readonly table: TableFormat | undefined;
}

/** Of ChangeFlags. */
export interface SendingFlags {
  /** The file that the changes come from. */
  readonly input?: string | undefined;
  readonly failed?: string | undefined;
  readonly failFast?: true | undefined;
}

/** How the results are shown. */
export interface Presentation<Change extends PlannedChange, Row> {
  readonly view: View<Row>;
  /** `reason`: what went wrong, for a narrow column; null when nothing did. */
  readonly row: (result: LineResult, change: Change, reason: string | null) => Row;
  /** The change at the beginning of an error message. */
  readonly nameOf: (change: Change) => string;
  /** How what was not done is repeated; null when it is not. */
  readonly again: string | null;
}

/** Shows the changes as lines of their input. */
export function byLine(failed: string | undefined): Presentation<PlannedChange, LineResult> {
  const reasons = new Map<number, string>();
  return {
    view: viewOf(reasons),
    row: (result, { line }, reason) => {
      if (reason !== null) reasons.set(line, reason);
      return result;
    },
    nameOf: ({ line }) => `Line ${line}`,
    again: failed === undefined ? null : `--input ${failed} repeats what was not done`,
  };
}

/** With these errors every other line would fail too. */
const fatalCodes: ReadonlySet<string> = new Set([
  'AUTHENTICATION',
  'SESSION_EXPIRED',
  'USER_SELECTION',
  'CONFIGURATION',
]);

/** @throws CliError with the code of the first line that failed. */
export async function sendMany<Change extends PlannedChange, Row>(
  context: Context,
  changes: readonly Change[],
  flags: SendingFlags,
  sending: Sending<Change>,
  present: Presentation<Change, Row>,
): Promise<void> {
  const { send, idOf } = sending;
  const writeNotDone = flags.failed === undefined ? null : openNotDoneFile(flags.failed, flags.input, sending.table);
  const failures = new Map<Change, CommandFailure>();
  const notDone = new Set(changes);
  const count = { done: 0, failed: 0, unknown: 0 };

  async function* results(): AsyncGenerator<Row> {
    const progress = progressOn(context);
    for (const [index, change] of changes.entries()) {
      if (context.io.signal.aborted) return;
      const failed = count.failed + count.unknown;
      progress.show(`${index + 1} of ${changes.length}${failed > 0 ? `, ${failed} failed` : ''}`);
      const result = await attempt(change);
      progress.clear();
      if (result === null) return;
      count[result.status]++;
      yield present.row(result, change, failures.get(change)?.reason ?? null);
      if (result.error && (flags.failFast || fatalCodes.has(result.error.code))) return;
    }
  }

  /** Null when the command was interrupted before the change was sent. */
  async function attempt(change: Change): Promise<LineResult | null> {
    const { line } = change;
    try {
      if (change.problem) throw change.problem;
      const result = await send(change);
      notDone.delete(change);
      return { line, status: 'done', id: idIn(result) ?? idOf(change), result, error: null };
    } catch (error) {
      // A change that was interrupted after it was sent has an unknown outcome, like any other without an answer.
      const failure = commandFailureOf(error, false, context.globals.timeout);
      const { code, exitCode } = failure;
      if (code === 'ABORTED') return null;
      failures.set(change, failure);
      const isUnknown = code === 'AMBIGUOUS_MUTATION';
      // It may have been made, so a person must decide whether to repeat it.
      if (isUnknown) notDone.delete(change);
      const message = [failure.message, ...failure.details].join(' ');
      const status = isUnknown ? 'unknown' : 'failed';
      return { line, status, id: idOf(change), result: null, error: { code, message, exitCode } };
    }
  }

  try {
    await printWhileRead(context, results(), present.view);
  } finally {
    // Written in any case, even when the output could not be printed.
    writeNotDone?.([...notDone].map(({ source }) => source).filter((source) => source !== null));
  }
  const summary = summaryOf(count, changes.length, present.again);
  const [first] = [...failures];
  // With JSON, stderr is one line at most, so the summary becomes part of the error's hint.
  const isJson = formatOf(context).jsonIndent !== null;
  if (!isJson && changes.length > 0) note(context, summary);
  if (context.io.signal.aborted) throw new CliError('ABORTED', 'Interrupted.', isJson ? { hint: summary } : {});
  if (first) throw failureOfChange(present.nameOf(first[0]), first[1], isJson ? summary : null);
}

/** Prints the results. When the reader closes the pipe, as `head` does, the remaining changes are still sent and decide the exit code. */
async function printWhileRead<Row>(context: Context, results: AsyncGenerator<Row>, view: View<Row>): Promise<void> {
  const { stdout } = context.io;
  let isRead = true;
  // With this listener, main.ts does not end the process when the pipe closes.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') isRead = false;
  });
  const next = () => (isRead ? results.next() : Promise.resolve({ done: true as const, value: undefined }));
  try {
    const rows = { [Symbol.asyncIterator]: () => ({ next }) };
    await printRows(context, rows, view, 'Nothing to do: the input is an empty list.');
  } catch (error) {
    if (commandFailureOf(error, false).code !== 'CLOSED_PIPE') throw error;
  }
  for (let rest = await results.next(); !rest.done; rest = await results.next());
}

type Count = Readonly<Record<LineResult['status'], number>>;

function summaryOf({ done, failed, unknown }: Count, all: number, repeat: string | null): string {
  const left = all - done - failed - unknown;
  const parts = [`${done} of ${all} done`];
  if (failed > 0) parts.push(`${failed} failed`);
  if (unknown > 0)
    parts.push(`${unknown} with unknown outcome: check before you repeat ${unknown === 1 ? 'it' : 'them'}`);
  if (left > 0) parts.push(`${left} not sent`);
  const again = repeat !== null && failed + left > 0 ? `; ${repeat}` : '';
  return `${parts.join(', ')}${again}.`;
}

function failureOfChange(name: string, failure: CommandFailure, summary: string | null): CliError {
  const hints = [summary, failure.hint].filter((text) => text !== null);
  // A failed change has the code of an SDK error or of a CliError.
  return new CliError(failure.code as FleetErrorCode, `${name}: ${failure.message}`, {
    hint: hints.length > 0 ? hints.join(' ') : undefined,
    details: failure.details,
    operation: failure.operation ?? undefined,
    choices: failure.choices,
    cause: failure.error,
  });
}

function idIn(result: unknown): string | null {
  if (typeof result !== 'object' || result === null) return null;
  const id: unknown = Reflect.get(result, 'id');
  return typeof id === 'string' ? id : null;
}
