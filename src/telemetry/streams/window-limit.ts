// Learns the longest period that a service answers: some allow 7 days, some one. The contract gives
// neither a limit nor the words of a refusal.
import { GraphQLResponseError, HttpError } from '../../core/errors.js';
import { WINDOW_OVERLAP_MS, type Window } from '../window.js';

const STATUSES: readonly number[] = [400, 413, 422];
const CLASSIFICATIONS: readonly string[] = ['BAD_REQUEST', 'BAD_USER_INPUT', 'VALIDATIONERROR'];
/** Words in a message about the length of a period; transient errors do not use them. */
const ABOUT_LENGTH =
  /\b(periods?|ranges?|intervals?|windows?|spans?|durations?|days?|hours?|too (long|large|big)|exceeds?|maximum)\b/i;
/** No service refuses a period this short for its length. */
const SHORTEST_REFUSED_MS = 6 * 3_600_000;

/** The longest period that the service accepts, learnt by a client and shared by its streams. */
export interface WindowLimit {
  ms: number;
}

export class AcceptedLength {
  readonly #limit: WindowLimit;
  /** The longest answered window. */
  #accepted = 0;
  #wasRefused = false;

  constructor(limit: WindowLimit) {
    this.#limit = limit;
  }

  get ms(): number {
    return this.#limit.ms;
  }

  answered({ from, to }: Window): void {
    this.#accepted = Math.max(this.#accepted, to - from);
    if (this.#wasRefused) this.#limit.ms = Math.max(SHORTEST_REFUSED_MS / 2, this.#accepted - WINDOW_OVERLAP_MS);
    this.#wasRefused = false;
  }

  /** Returns the length to request after a failure; null when the length is not the reason. */
  afterRefusal({ from, to }: Window, error: unknown): number | null {
    const span = to - from;
    if (!mayBeTooLong(error) || span <= Math.max(this.#accepted, SHORTEST_REFUSED_MS)) return null;
    this.#wasRefused = true;
    return Math.max(this.#accepted, Math.floor(span / 2));
  }
}

/** Returns true for errors with which a service may refuse a long period. */
function mayBeTooLong(error: unknown): boolean {
  if (error instanceof HttpError) return STATUSES.includes(error.status);
  if (!(error instanceof GraphQLResponseError)) return false;
  if (CLASSIFICATIONS.includes(error.classification?.toUpperCase() ?? '')) return true;
  return error.serviceErrors.some(({ message }) => ABOUT_LENGTH.test(message));
}
