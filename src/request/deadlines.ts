// The step that ends a caller's wait: each call has a deadline, and each caller its own error.

import { CallDeadline, DeadlineExceeded, OpenCalls } from '../core/deadline.js';
import { messageOf } from '../core/error-messages.js';
import { ClosedError, errorForCaller, FleetError } from '../core/errors.js';
import type { Timers } from '../core/ports.js';
import { unsentError } from './deadline-error.js';
import type { TracedCall } from './observe.js';
import type { WaitedFor } from './retry.js';
import type { RequestStep } from './steps.js';

export const CALL_TIMEOUT_MS = 60_000;

export interface WaitOptions {
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly calls?: OpenCalls | undefined;
  /** True when their time starts with their first request. */
  readonly fromSending?: boolean | undefined;
  /** True for a watch: it waits for a reading or for the time of the next one. */
  readonly isOfWatch?: boolean | undefined;
}

export interface TimedCall extends TracedCall {
  readonly deadline: CallDeadline;
}

export interface DeadlineOptions {
  readonly timeoutMs: number;
  readonly exposeServiceMessages: boolean;
  readonly timers: Timers;
}

export class Deadlines {
  readonly #options: DeadlineOptions;
  readonly #waitedFor: () => WaitedFor;
  readonly calls = new OpenCalls();

  constructor(options: DeadlineOptions, waitedFor: () => WaitedFor) {
    this.#options = options;
    this.#waitedFor = waitedFor;
  }

  readonly limit: RequestStep<TracedCall, unknown, TimedCall> = (request, next) =>
    this.during(request.call.name, request, (deadline) => next({ ...request, deadline }));

  /** Runs a task under its own deadline. Its errors name the operation. */
  async during<Value>(
    operation: string,
    waiting: WaitOptions,
    task: (deadline: CallDeadline) => Promise<Value>,
  ): Promise<Value> {
    if ((waiting.calls ?? this.calls).isClosed) {
      const facts = { kind: 'closed', waitedFor: null, isSentBefore: false } as const;
      throw new ClosedError(messageOf(facts, { operation }), { operation, facts });
    }
    try {
      return await this.within(waiting, task);
    } catch (error) {
      const callerError =
        error instanceof DeadlineExceeded ? unsentError(error.reason, { operation }, this.#waitedFor()) : error;
      throw callerError instanceof FleetError ? errorForCaller(callerError, this.#messageOf(callerError)) : callerError;
    }
  }

  /** Runs work that has no single caller under a deadline; rejects with DeadlineExceeded. */
  async within<Value>(
    { timeoutMs, signal, calls = this.calls, isOfWatch = false, fromSending }: WaitOptions,
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

  /** Ends watches, accepts no more calls, and waits until all calls have ended. */
  drain(calls: OpenCalls, ms: number): Promise<void> {
    return calls.drain(ms, this.#options.timers);
  }

  #messageOf(error: FleetError): string {
    return this.#options.exposeServiceMessages ? messageWithServiceWords(error) : error.message;
  }
}

/** A longer text would add nothing and fill a log. */
const MOST_CHARACTERS = 1_000;

function messageWithServiceWords(error: FleetError): string {
  const said = serviceWordsIn(error) ?? serviceWordsIn(error.cause);
  return said === null ? error.message : `${error.message} The service said: ${said}`;
}

function serviceWordsIn(error: unknown): string | null {
  if (!FleetError.is(error) || (error.code !== 'GRAPHQL' && error.code !== 'HTTP')) return null;
  if (error.serviceErrors.length === 0) return null;
  const said = error.serviceErrors.map(({ message }) => message).join('; ');
  return said.length > MOST_CHARACTERS ? `${said.slice(0, MOST_CHARACTERS)}…` : said;
}
