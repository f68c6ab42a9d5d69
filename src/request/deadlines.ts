// The step that ends a caller's wait: each call has a deadline, and each caller an error of its own.

import { CallDeadline, DeadlineExceeded, OpenCalls } from '../core/deadline.js';
import { messageOf } from '../core/error-messages.js';
import { ClosedError, errorForCaller, FleetError } from '../core/errors.js';
import type { Timers } from '../core/ports.js';
import { unsentError } from './deadline-error.js';
import type { TracedCall } from './observe.js';
import type { WaitedFor } from './retry.js';
import type { RequestStep } from './steps.js';

/** Time for a call, waiting included, unless the client or the call says otherwise. */
export const CALL_TIMEOUT_MS = 60_000;

/** How long a caller waits. */
export interface WaitingUser {
  /** Default: that of the client. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The calls of the client that asks. Default: those of the login. */
  readonly calls?: OpenCalls | undefined;
  /** Their time does not count before they are sent. */
  readonly fromSending?: boolean | undefined;
  /** What a watch waits for: a reading, or the time of the next one. */
  readonly isOfWatch?: boolean | undefined;
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
  /** Those of all clients of the login. */
  readonly calls = new OpenCalls();

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
    if ((waiting.calls ?? this.calls).isClosed) {
      const facts = { kind: 'closed', waitedFor: null, isSentBefore: false } as const;
      throw new ClosedError(messageOf(facts, { operation }), { operation, facts });
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
    { timeoutMs, signal, calls = this.calls, isOfWatch = false, fromSending }: WaitingUser,
    task: (deadline: CallDeadline) => Promise<Value>,
  ): Promise<Value> {
    const deadline = new CallDeadline(timeoutMs ?? this.#options.timeoutMs, signal, this.#options.timers, fromSending);
    calls.add(deadline, isOfWatch);
    try {
      return await task(deadline);
    } finally {
      deadline.end();
      calls.remove(deadline);
    }
  }

  /** Ends watches, and waits until the calls have ended; no more are taken. */
  drain(calls: OpenCalls, ms: number): Promise<void> {
    return calls.drain(ms, this.#options.timers);
  }

  #messageOf(error: FleetError): string {
    return this.#options.exposeServiceMessages ? messageWithServiceWords(error) : error.message;
  }
}

/** More than this says nothing new, and would fill a log. */
const MOST_CHARACTERS = 1_000;

/** Returns the message of an error with the words of the service, which may be in its cause. */
function messageWithServiceWords(error: FleetError): string {
  const said = wordsIn(error) ?? wordsIn(error.cause);
  return said === null ? error.message : `${error.message} The service said: ${said}`;
}

function wordsIn(error: unknown): string | null {
  if (!FleetError.is(error) || (error.code !== 'GRAPHQL' && error.code !== 'HTTP')) return null;
  if (error.serviceErrors.length === 0) return null;
  const said = error.serviceErrors.map(({ message }) => message).join('; ');
  return said.length > MOST_CHARACTERS ? `${said.slice(0, MOST_CHARACTERS)}…` : said;
}
