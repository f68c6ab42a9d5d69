import type { ActionNotTaken } from './error-facts.js';
import { errorOf } from './error-messages.js';
import { InvalidInputError } from './errors.js';

/**
 * Returns the error for input that is refused. `problem` is one or more whole sentences. `undone`
 * adds a sentence about what was not done; null when something may have been done.
 */
export function refusedInput(
  problem: string,
  operation: string | null = null,
  undone: ActionNotTaken | null = 'sent',
): InvalidInputError {
  return errorOf(InvalidInputError, { kind: 'refusedInput', problem, undone }, { operation });
}
