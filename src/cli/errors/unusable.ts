// Errors for files and inputs that cannot be used.
import { errorCode } from '../../core/error-code.js';
import type { Undone } from '../../core/error-facts.js';
import { CliError } from './cli-error.js';
import { sentence } from './sentence.js';

/** How many lines of a file, features of a map or other problems one message lists. */
const MAX_PROBLEMS_SHOWN = 10;

/** The first ones, and how many more there are. */
export function firstOf(texts: readonly string[]): readonly string[] {
  const more = texts.length - MAX_PROBLEMS_SHOWN;
  return more > 0 ? [...texts.slice(0, MAX_PROBLEMS_SHOWN), `and ${more} more`] : texts;
}

/** The content is not what it should be. */
export function unusable(
  what: 'file' | 'input' | 'users file',
  reason: string,
  more: {
    readonly undone?: Undone | undefined;
    readonly hint?: string | undefined;
    readonly details?: readonly string[];
  } = {},
): CliError {
  return new CliError('USAGE', sentence(`The ${what} cannot be used: ${reason}`), more);
}

/** The system refuses the file. `file`: `file x.json`, or what the file is for. */
export function refusedFile(file: string, verb: 'read' | 'written', error: unknown): CliError {
  return new CliError('USAGE', `The ${file} cannot be ${verb} (${errorCode(error) ?? 'unknown reason'}).`, {
    cause: error,
  });
}
