// The step that ends a caller's wait: each call has a deadline, and each caller an error of its own.

import { CallDeadline, DeadlineExceeded } from '../core/deadline.js';
import { errorForCaller, FleetError, InvalidInputError } from '../core/errors.js';
import type { Timers } from '../core/ports.js';
import { unsentError } from './deadline-error.js';
import type { TracedCall } from './observe.js';
import type { WaitedFor } from './retry.js';
import { messageWithServiceWords } from './service-messages.js';
import type { RequestStep } from './steps.js';

/** Time for a call, waiting included, unless the client or the call says otherwise. */
export const CALL_TIMEOUT_MS = 60_000;

/** How long a caller waits. */
export interface WaitingUser {
  /** Default: that of the client. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A call whose caller waits. */
export interface TimedCall extends TracedCall {
  readonly deadline: CallDeadline;
}

export interface DeadlineOptions {
  /** Of calls that have none of their own. */
  readonly timeoutMs: number;
  /** Whether messages of errors hold what the service said. */
  readonly exposeServiceMessages: boolean;
  readonly timers: Timers;
}

export class Deadlines {
  readonly #options: DeadlineOptions;
  /** What a caller waits for whose call is in no queue yet. */
  readonly #waitedFor: () => WaitedFor;
  readonly #open = new Set<CallDeadline>();
  #isClosed = false;

  constructor(options: DeadlineOptions, waitedFor: () => WaitedFor) {
    this.#options = options;
    this.#waitedFor = waitedFor;
  }

  /** The step. */
  readonly limit: RequestStep<TracedCall, unknown, TimedCall> = (request, next) =>
    this.during(request.call.name, request, (deadline) => next({ ...request, deadline }));

  /** Runs a task under a deadline of its own. When that, or anything else, ends it, the error is one of this operation. */
  async during<Value>(
    operation: string,
    waiting: WaitingUser,
    task: (deadline: CallDeadline) => Promise<Value>,
  ): Promise<Value> {
    if (this.#isClosed) {
      throw new InvalidInputError(`The client is closed, so ${operation} was not sent. Make a new one.`, { operation });
    }
    try {
      return await this.within(waiting, task);
    } catch (error) {
      const told =
        error instanceof DeadlineExceeded ? unsentError(error.reason, { operation }, this.#waitedFor()) : error;
      throw told instanceof FleetError ? errorForCaller(told, this.#messageOf(told)) : told;
    }
  }

  /** The same for work that has no caller of its own: it rejects with DeadlineExceeded. */
  async within<Value>(
    { timeoutMs, signal }: WaitingUser,
    task: (deadline: CallDeadline) => Promise<Value>,
  ): Promise<Value> {
    const deadline = new CallDeadline(timeoutMs ?? this.#options.timeoutMs, signal, this.#options.timers);
    this.#open.add(deadline);
    try {
      return await task(deadline);
    } finally {
      deadline.end();
      this.#open.delete(deadline);
    }
  }

  /** Ends all waits, as an abort does, and begins no more. */
  close(): void {
    this.#isClosed = true;
    for (const deadline of [...this.#open]) deadline.close();
  }

  #messageOf(error: FleetError): string {
    return this.#options.exposeServiceMessages ? messageWithServiceWords(error) : error.message;
  }
}
