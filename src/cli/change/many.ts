// Sends many changes one after the other: a result per line as soon as it is known, a summary, and those that were not
// done in a file that can be given again.
import { writeFileSync } from 'node:fs';
import type { FleetErrorCode } from '../../errors.js';
import { CliError } from '../cli-error.js';
import { type Context, note, printRows } from '../context.js';
import { type Failure, failureOf } from '../exit-codes.js';
import type { View } from '../output/format.js';
import { progressOn } from '../progress.js';
import type { ChangeFlags } from './flags.js';
import type { PlannedChange } from './plan.js';

/** What became of one line. */
export interface LineResult {
  readonly line: number;
  readonly status: 'done' | 'failed' | 'unknown';
  /** Id of the record, where there is one. */
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
    { title: 'ERROR', text: ({ error }) => error?.message ?? '', min: 20, rank: 1 },
  ],
  details: [],
  fields: ['line', 'status', 'id', 'error.code', 'error.message'],
};

/** @throws CliError with the code of the first line that failed. */
export async function sendMany(
  context: Context,
  changes: readonly PlannedChange[],
  flags: ChangeFlags,
  send: (change: PlannedChange) => Promise<unknown>,
): Promise<void> {
  const failures: { readonly line: number; readonly failure: Failure }[] = [];
  const undone = new Set(changes);
  let unknown = 0;

  async function* results(): AsyncIterable<LineResult> {
    const progress = progressOn(context);
    for (const change of changes) {
      progress.say(`${change.line} of ${changes.length}`);
      const result = await attempt(change);
      progress.clear();
      yield result;
      if (result.status !== 'done' && (flags.failFast || context.io.signal.aborted)) break;
    }
  }

  async function attempt(change: PlannedChange): Promise<LineResult> {
    const { line } = change;
    try {
      const result = await send(change);
      undone.delete(change);
      return { line, status: 'done', id: idIn(result), result, error: null };
    } catch (error) {
      const failure = failureOf(error, context.io.signal.aborted, context.globals.timeout);
      failures.push({ line, failure });
      const isUnknown = failure.code === 'AMBIGUOUS_MUTATION';
      if (isUnknown) {
        // It may have been done: to give it again is for a person to decide.
        undone.delete(change);
        unknown++;
      }
      const { code, exitCode } = failure;
      const message = [failure.message, ...failure.details].join(' ');
      return {
        line,
        status: isUnknown ? 'unknown' : 'failed',
        id: null,
        result: null,
        error: { code, message, exitCode },
      };
    }
  }

  try {
    await printRows(context, results(), view, '');
  } finally {
    // Written whatever happened, an output that could not be written among it: nothing is lost.
    if (flags.failed !== undefined) writeUndone(flags.failed, undone);
  }
  const done = changes.length - undone.size - unknown;
  note(context, summaryOf(done, changes.length, failures.length - unknown, unknown, flags.failed));
  const [first] = failures;
  if (first) throw failureOfLine(first.line, first.failure, changes.length);
}

function summaryOf(done: number, all: number, failed: number, unknown: number, file: string | undefined): string {
  const left = all - done - failed - unknown;
  const parts = [`${done} of ${all} done`];
  if (failed > 0) parts.push(`${failed} failed`);
  if (unknown > 0)
    parts.push(`${unknown} with unknown outcome: look before you repeat ${unknown === 1 ? 'it' : 'them'}`);
  if (left > 0) parts.push(`${left} not sent`);
  const again = file !== undefined && failed + left > 0 ? `; --input ${file} tries again what was not done` : '';
  return `${parts.join(', ')}${again}.`;
}

function failureOfLine(line: number, failure: Failure, all: number): CliError {
  const message = all === 1 ? failure.message : `Line ${line}: ${failure.message}`;
  // What a change fails with is an error of the SDK or of the command line; their codes are the failure's.
  return new CliError(failure.code as FleetErrorCode, message, {
    hint: failure.hint ?? undefined,
    details: failure.details,
    operation: failure.operation ?? undefined,
    choices: failure.choices,
    cause: failure.error,
  });
}

function writeUndone(file: string, undone: ReadonlySet<PlannedChange>): void {
  try {
    writeFileSync(file, [...undone].map(({ given }) => `${JSON.stringify(given)}\n`).join(''));
  } catch (error) {
    const code = error instanceof Error ? Reflect.get(error, 'code') : undefined;
    throw new CliError('USAGE', `The file for what was not done cannot be written (${String(code)}).`, {
      cause: error,
    });
  }
}

function idIn(result: unknown): string | null {
  if (typeof result !== 'object' || result === null) return null;
  const id: unknown = Reflect.get(result, 'id');
  return typeof id === 'string' ? id : null;
}
