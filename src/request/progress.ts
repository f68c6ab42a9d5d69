// What is known of a request under way: of its tries so far, for the next one and for a caller that leaves before its end.
import type { FleetError } from '../core/errors.js';
import type { RequestEvent } from '../core/hooks.js';
import type { Deadline } from './deadline.js';
import type { FailedRequest } from './failure-error.js';
import type { RetryableCall, RetryPolicy } from './retry-policy.js';

/** What keeps a call from being sent. */
export interface WaitedFor {
  /** As the end of a sentence. */
  readonly text: string;
  /** It has failed so far, and this is how. */
  readonly refusal?: FleetError | undefined;
}

/** A request that may be sent several times. */
export interface Repeatable {
  readonly call: RetryableCall;
  readonly deadline: Deadline;
  readonly progress: Progress;
  /** That of the client, with the limits of this request. */
  policy(ofClient: RetryPolicy): RetryPolicy;
  /** Runs a task in the async context of its first caller. */
  inContext<Result>(task: () => Result): Result;
}

export class Progress {
  /** Requests sent so far, and connections that could not be made. */
  attempts = 0;
  /** Whether a request may have arrived whose outcome is unknown. */
  inDoubt = false;
  /** A request is under way: its first byte has left, and its response is not complete. */
  isOnWire = false;
  /** When the first byte of the last request left, on the timers' clock; null when it has not left. */
  leftAt: number | null = null;
  /** Why the call waits to be sent again. */
  lastFailure: FailedRequest | null = null;
  /** The last 429, 502, 503 or 504, whatever has been sent since. */
  lastRefusal: FailedRequest | null = null;
  /** The last request was refused because of its token: the call waits for another one to be sent with. */
  needsToken = false;
  /** The token of the last request. */
  token = '';
  /** The token that is to be replaced before the next request. */
  refusedToken: string | null = null;
  /** What hooks were told of the last request; null when nobody wants to know. */
  event: RequestEvent | null = null;
  /** What keeps the call from being sent. Not set: other calls of the same user. */
  waitedFor: (() => WaitedFor) | null = null;

  /**
   * To be called right before the first byte leaves.
   * @throws {DeadlineExceeded} when nothing may be sent: the callers were told about the requests that had left by then.
   */
  leaves(deadline: Deadline, now: number): void {
    deadline.throwIfExceeded();
    this.leftAt = now;
    this.attempts++;
    this.inDoubt = true;
    this.isOnWire = true;
    this.lastFailure = null;
    this.needsToken = false;
  }
}
