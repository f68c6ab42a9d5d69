// The step that ends a caller's wait: each call has a deadline, and each caller its own error.
import { CallDeadline, DeadlineExceeded, type EndReason, OpenCalls } from '../core/deadline.js';
import { errorOf, inDoubtError } from '../core/error-messages.js';
import { ClosedError, errorForCaller, type FailedCall, FleetError } from '../core/errors.js';
import type { Timers } from '../core/ports.js';
import { endError, endFacts } from '../core/wait-errors.js';
import type { WaitingCaller } from './batch.js';
import type { TracedCall } from './observe.js';
import { lastRequestOf, type WaitedFor } from './retry.js';
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
      throw errorOf(ClosedError, { kind: 'closed', waitedFor: null, isSentBefore: false }, { operation });
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

/** Returns the error for a caller that stops waiting: it states if a mutation may have run. */
export function deadlineError(end: EndReason, { call, attemptsBefore, batch, trace }: WaitingCaller): FleetError {
  const { attempts: sent = 0, inDoubt = false, lastFailure = null, needsToken = false } = batch?.progress ?? {};
  const attempts = attemptsBefore + sent;
  const details = { operation: call.name, attempts, ...lastRequestOf(batch?.progress ?? null, trace) };
  // The call ended before it waited for anything.
  if (batch === null) return endError(end, details);
  // Between two requests, the last failure explains more than the timeout.
  const isAnswered = end.kind === 'timeout' && lastFailure !== null;
  if (inDoubt && call.kind === 'mutation') {
    if (isAnswered) return lastFailure.errorFor(call.name, attemptsBefore);
    const cause = end.kind === 'signal' ? end.reason : endError(end, details);
    return inDoubtError(endFacts(end, null), { ...details, status: lastFailure?.status ?? null, cause });
  }
  if (attempts === 0 || needsToken) {
    return unsentError(end, details, batch?.progress.waitedFor?.() ?? { text: OTHER_CALLS });
  }
  return isAnswered ? lastFailure.errorFor(call.name, attemptsBefore) : endError(end, details);
}

const OTHER_CALLS = 'other calls of the same user were still under way';

/** For a call that was never sent, or only with a refused token. */
function unsentError(end: EndReason, call: FailedCall, { text: waitedFor, refusal }: WaitedFor): FleetError {
  // An answer of the service explains more than the timeout, even right before the deadline.
  if (end.kind === 'timeout' && refusal) return refusal;
  return endError(end, call, { waitedFor, isSentBefore: (call.attempts ?? 0) > 0 });
}
