// The error for input of the caller that is refused before anything is done with it.
import type { Undone } from './error-facts.js';
import { messageOf } from './error-messages.js';
import { InvalidInputError } from './errors.js';

/**
 * `problem` is one or more whole sentences. The sentence about what was not done follows it; null:
 * something may have been done.
 */
export function refusedInput(
  problem: string,
  operation: string | null = null,
  undone: Undone | null = 'sent',
): InvalidInputError {
  const facts = { kind: 'refusedInput', problem, undone } as const;
  const call = { operation, facts };
  return new InvalidInputError(messageOf(facts, call), call);
}
