// How long a period may be that a service answers: some allow 7 days, some one. The contract gives neither a limit nor the words of a refusal.
import { GraphQLResponseError, HttpError } from '../../core/errors.js';
import { WINDOW_OVERLAP_MS, type Window } from '../window.js';

const STATUSES: readonly number[] = [400, 413, 422];
const CLASSIFICATIONS: readonly string[] = ['BAD_REQUEST', 'BAD_USER_INPUT', 'VALIDATIONERROR'];
/** Words of a message about a length of time; errors that pass by themselves do not use them. */
const ABOUT_LENGTH =
  /\b(periods?|ranges?|intervals?|windows?|spans?|durations?|days?|hours?|too (long|large|big)|exceeds?|maximum)\b/i;
/** No service refuses periods as short as this for their length. */
const SHORTEST_REFUSED_MS = 6 * 3_600_000;

/** What a client has learnt about the longest period that its service accepts; all its streams share it. */
export interface WindowLimit {
  ms: number;
}

/** What one stream learns about it. */
export class AcceptedLength {
  readonly #limit: WindowLimit;
  /** The longest window that was answered. */
  #accepted = 0;
  #wasRefused = false;

  constructor(limit: WindowLimit) {
    this.#limit = limit;
  }

  /** The longest part to ask for. */
  get ms(): number {
    return this.#limit.ms;
  }

  answered({ from, to }: Window): void {
    this.#accepted = Math.max(this.#accepted, to - from);
    if (this.#wasRefused) this.#limit.ms = Math.max(SHORTEST_REFUSED_MS / 2, this.#accepted - WINDOW_OVERLAP_MS);
    this.#wasRefused = false;
  }

  /** How long the window may be in place of one that failed; null when its length is not the reason. */
  afterRefusal({ from, to }: Window, error: unknown): number | null {
    const span = to - from;
    if (!mayBeTooLong(error) || span <= Math.max(this.#accepted, SHORTEST_REFUSED_MS)) return null;
    this.#wasRefused = true;
    return Math.max(this.#accepted, Math.floor(span / 2));
  }
}

function mayBeTooLong(error: unknown): boolean {
  if (error instanceof HttpError) return STATUSES.includes(error.status);
  if (!(error instanceof GraphQLResponseError)) return false;
  if (CLASSIFICATIONS.includes(error.classification?.toUpperCase() ?? '')) return true;
  return error.serviceErrors.some(({ message }) => ABOUT_LENGTH.test(message));
}
