// Sends many changes one after the other: a result per line as soon as it is known, a summary, and those that were not
// done in a file that can be given again.
import type { FleetErrorCode } from '../../core/errors.js';
import { CliError } from '../errors/cli-error.js';
import { type Failure, failureOf } from '../errors/exit-codes.js';
import type { View } from '../output/format.js';
import { progressOn } from '../output/progress.js';
import { type Context, formatOf, note, printRows } from '../run/context.js';
import { openUndone } from './failed-file.js';
import type { ChangeFlags } from './flags.js';
import type { PlannedChange } from './plan.js';

/** What became of one line. */
export interface LineResult {
  readonly line: number;
  readonly status: 'done' | 'failed' | 'unknown';
  /** Of the record; null where none is known. */
  readonly id: string | null;
  readonly result: unknown;
  readonly error: { readonly code: string; readonly message: string; readonly exitCode: number } | null;
}

const view: View<LineResult> = {
  columns: [
    { title: 'LINE', text: ({ line }) => String(line), align: 'right', rank: 0 },
    {
      title: 'STATUS',
      text: ({ status }) => status,
      paint: (text, { status }, { colors }) => (status === 'done' ? colors.green(text) : colors.red(text)),
      rank: 0,
    },
    { title: 'ID', text: ({ id }) => id ?? '', rank: 0 },
    { title: 'ERROR', text: ({ error }) => reasonIn(error?.message ?? ''), min: 20, rank: 1 },
  ],
  details: [],
  fields: ['line', 'status', 'id', 'error.code', 'error.message'],
};

/** In a narrow column what the service said matters more than that it said it. */
function reasonIn(message: string): string {
  return message.replace(/^The service answered \w+ with an error\. (?=.)/, '').replace(/ \(at \w+\)$/, '');
}

export interface Sending {
  readonly send: (change: PlannedChange) => Promise<unknown>;
  /** The id of the record that a change is about, where it is known before. */
  readonly idOf: (change: PlannedChange) => string | null;
}

/** After these no other line would fare better. */
const hopeless: ReadonlySet<string> = new Set(['AUTHENTICATION', 'SESSION_EXPIRED', 'USER_SELECTION', 'CONFIGURATION']);

/** @throws CliError with the code of the first line that failed. */
export async function sendMany(
  context: Context,
  changes: readonly PlannedChange[],
  flags: ChangeFlags,
  { send, idOf }: Sending,
): Promise<void> {
  const writeUndone = flags.failed === undefined ? null : openUndone(flags.failed, flags.input);
  const failures: { readonly line: number; readonly failure: Failure }[] = [];
  const undone = new Set(changes);
  const count = { done: 0, failed: 0, unknown: 0 };

  async function* results(): AsyncGenerator<LineResult> {
    const progress = progressOn(context);
    for (const [place, change] of changes.entries()) {
      if (context.io.signal.aborted) return;
      const failed = count.failed + count.unknown;
      progress.say(`${place + 1} of ${changes.length}${failed > 0 ? `, ${failed} failed` : ''}`);
      const result = await attempt(change);
      progress.clear();
      if (result === null) return;
      count[result.status]++;
      yield result;
      if (result.error && (flags.failFast || hopeless.has(result.error.code))) return;
    }
  }

  /** Null when it was interrupted before it was sent. */
  async function attempt(change: PlannedChange): Promise<LineResult | null> {
    const { line } = change;
    try {
      if (change.problem) throw change.problem;
      const result = await send(change);
      undone.delete(change);
      return { line, status: 'done', id: idIn(result) ?? idOf(change), result, error: null };
    } catch (error) {
      // An interrupted change that was on its way is as unknown as any other without an answer.
      const failure = failureOf(error, false, context.globals.timeout);
      const { code, exitCode } = failure;
      if (code === 'ABORTED') return null;
      failures.push({ line, failure });
      const isUnknown = code === 'AMBIGUOUS_MUTATION';
      // It may have been done: to give it again is for a person to decide.
      if (isUnknown) undone.delete(change);
      const message = [failure.message, ...failure.details].join(' ');
      const status = isUnknown ? 'unknown' : 'failed';
      return { line, status, id: idOf(change), result: null, error: { code, message, exitCode } };
    }
  }

  try {
    await printWhileRead(context, results());
  } finally {
    // Written whatever happened, an output that could not be written among it: nothing is lost.
    writeUndone?.([...undone].map(({ given }) => given));
  }
  const summary = summaryOf(count, changes.length, flags.failed);
  const [first] = failures;
  // In JSON stderr is one line at most: the summary goes with the error's advice.
  const isJson = ['json', 'ndjson'].includes(formatOf(context));
  if (!isJson && changes.length > 0) note(context, summary);
  if (context.io.signal.aborted) throw new CliError('ABORTED', 'Interrupted.', isJson ? { hint: summary } : {});
  if (first) throw failureOfLine(first.line, first.failure, isJson ? summary : null);
}

/**
 * The changes are what was asked for, not the report of them: when its reader goes away, as `head` does, the rest is sent all the
 * same and ends with its own exit code.
 */
async function printWhileRead(context: Context, results: AsyncGenerator<LineResult>): Promise<void> {
  const { stdout } = context.io;
  let isRead = true;
  // main.ts leaves a reader that goes away to those who listen for it.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') isRead = false;
  });
  const next = () => (isRead ? results.next() : Promise.resolve({ done: true as const, value: undefined }));
  try {
    const rows = { [Symbol.asyncIterator]: () => ({ next }) };
    await printRows(context, rows, view, 'There was nothing to do: the input is an empty list.');
  } catch (error) {
    if (failureOf(error, false).code !== 'CLOSED_PIPE') throw error;
  }
  for (let rest = await results.next(); !rest.done; rest = await results.next());
}

type Count = Readonly<Record<LineResult['status'], number>>;

function summaryOf({ done, failed, unknown }: Count, all: number, file: string | undefined): string {
  const left = all - done - failed - unknown;
  const parts = [`${done} of ${all} done`];
  if (failed > 0) parts.push(`${failed} failed`);
  if (unknown > 0)
    parts.push(`${unknown} with unknown outcome: look before you repeat ${unknown === 1 ? 'it' : 'them'}`);
  if (left > 0) parts.push(`${left} not sent`);
  const again = file !== undefined && failed + left > 0 ? `; --input ${file} tries again what was not done` : '';
  return `${parts.join(', ')}${again}.`;
}

function failureOfLine(line: number, failure: Failure, summary: string | null): CliError {
  const hints = [summary, failure.hint].filter((text) => text !== null);
  // What a change fails with is an error of the SDK or of the command line; their codes are the failure's.
  return new CliError(failure.code as FleetErrorCode, `Line ${line}: ${failure.message}`, {
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
