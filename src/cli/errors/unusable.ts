// Errors for files and inputs that cannot be used.
import { errorCode } from '../../core/error-code.js';
import type { ActionNotTaken } from '../../core/error-facts.js';
import { CliError } from './cli-error.js';
import { asSentence } from './sentence.js';

/** Maximum number of problems in one message. */
const MAX_PROBLEMS_SHOWN = 10;

/** Returns the first texts and the number of the rest. */
export function firstOf(texts: readonly string[]): readonly string[] {
  const more = texts.length - MAX_PROBLEMS_SHOWN;
  return more > 0 ? [...texts.slice(0, MAX_PROBLEMS_SHOWN), `and ${more} more`] : texts;
}

export function unusable(
  what: 'file' | 'input' | 'users file',
  reason: string,
  more: {
    readonly undone?: ActionNotTaken | undefined;
    readonly hint?: string | undefined;
    readonly details?: readonly string[];
  } = {},
): CliError {
  return new CliError('USAGE', asSentence(`The ${what} cannot be used: ${reason}`), more);
}

/** Returns the error for a file that the system refuses. `file`: `file x.json`, or its purpose. */
export function refusedFile(file: string, verb: 'read' | 'written', error: unknown): CliError {
  return new CliError('USAGE', `The ${file} cannot be ${verb} (${errorCode(error) ?? 'unknown reason'}).`, {
    cause: error,
  });
}
