// The steps that a program puts around each HTTP request with `use`.
import type { RequestTrace } from '../core/channels.js';
import type { Deadline } from '../core/deadline.js';
import { HeadersError } from '../core/errors.js';
import type { Notifier, RequestEvent } from '../core/hooks.js';
import type { ResponseHeaders, Timers } from '../core/ports.js';
import { allHeaders, NO_HEADERS } from '../transport/response-headers.js';
import type { TransportOutcome } from './failure.js';
import { reasonOf } from './failure-error.js';
import { reported } from './observe.js';
import { type HeaderMap, headersProblem, withTracing } from './request-headers.js';
import type { Next, RequestStep } from './steps.js';

/** An HTTP request as the steps of `use` get it. It holds no token, no variable and no body. */
export interface HttpRequest extends RequestEvent {
  readonly method: 'GET' | 'POST';
  /** The URL without its query. */
  readonly url: string;
  /** The headers of client and call. A step may hand on others; those of the contract follow. */
  readonly headers: HeaderMap;
}

/** The end of an HTTP request. */
export interface HttpAnswer {
  /** HTTP status; null without a response. */
  readonly status: number | null;
  readonly headers: ResponseHeaders;
  /** From the start of the request to the end of its response, in milliseconds. */
  readonly durationMs: number;
  /** The reason of a failure, such as `503` or `ECONNRESET`; null without one. */
  readonly reason: string | null;
}

/** A step around one HTTP request: it calls `next` once, perhaps with other headers. */
export type HttpStep = RequestStep<HttpRequest, HttpAnswer>;

/** A request that is ready to leave. */
export interface OutgoingRequest {
  /** Null when nobody wants to know of it. */
  readonly event: RequestEvent | null;
  readonly target: Pick<RequestTrace, 'method' | 'url' | 'path'>;
  readonly deadline: Deadline;
  /** The headers of the program. */
  readonly added: HeaderMap;
  /** The headers of the contract. */
  readonly contract: HeaderMap;
}

type Exchange<Value> = (headers: HeaderMap) => Promise<TransportOutcome<Value>>;

interface StepOptions {
  readonly steps: readonly HttpStep[];
  readonly notifier: Notifier;
  readonly timers: Timers;
}

/** Sends a request through the steps of the program, and reports it. */
export function sendThrough<Value>(
  { steps, notifier, timers }: StepOptions,
  { event, target, deadline, added, contract }: OutgoingRequest,
  exchange: Exchange<Value>,
): Promise<TransportOutcome<Value>> {
  if (event === null) return exchange({ ...added, ...contract });
  const send: Exchange<Value> = (headers) => {
    const all = { ...headers, ...contract };
    return reported(notifier, timers, event, target, (tracing) => exchange(withTracing(tracing, all)));
  };
  if (steps.length === 0) return send(added);
  return throughSteps(steps, { ...event, ...target, headers: { ...added } }, deadline, timers, send);
}

/**
 * The outcome is that of the request as soon as it is there: a step that fails or goes on after it
 * changes nothing, because a change that was made must not be lost.
 * @throws {HeadersError} when a step fails before the request is sent, or does not send it
 */
function throughSteps<Value>(
  steps: readonly HttpStep[],
  request: HttpRequest,
  deadline: Deadline,
  timers: Timers,
  send: Exchange<Value>,
): Promise<TransportOutcome<Value>> {
  return new Promise((resolve, reject) => {
    let isSent = false;
    let isOver = false;
    const refuse = (error: unknown) => {
      if (isSent) return;
      isOver = true;
      reject(error);
    };
    const sendOnce: Next<HttpRequest, HttpAnswer> = async ({ headers }) => {
      if (isSent || isOver) throw stepError(request, 'The request of this step is over: next sends it once.');
      const problem = headersProblem(headers, 'A request that a step of use() hands on');
      if (problem !== null) refuse(stepError(request, `${problem}. The request was not sent.`));
      if (isOver) throw stepError(request, 'The request was not sent.');
      isSent = true;
      const startedAt = timers.now();
      const sending = send(lowerCased(headers));
      sending.then(resolve, reject);
      return answerOf(await sending, timers.now() - startedAt);
    };
    // A step may not wait for the next one, so nobody else may see its rejection.
    const watched = (next: Next<HttpRequest, HttpAnswer>) => (one: HttpRequest) => {
      const answer = next(one);
      answer.catch(() => undefined);
      return answer;
    };
    const first = steps.reduceRight<Next<HttpRequest, HttpAnswer>>(
      (next, step) => watched(async (one) => step(one, next)),
      watched(sendOnce),
    );
    const removeListener = deadline.onExceeded(() => refuse(deadline.reason));
    const unsent = 'A step of use() ended without a call of next, so the request was not sent.';
    const failed = 'A step of use() failed, so the request was not sent: error.cause is what it threw.';
    first(request)
      .then(
        () => refuse(stepError(request, unsent)),
        (cause: unknown) => refuse(stepError(request, failed, cause)),
      )
      .finally(removeListener);
  });
}

/** Returns the headers with names in lower case; the later one of equal names counts. */
function lowerCased(headers: HeaderMap): HeaderMap {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function answerOf(outcome: TransportOutcome<unknown>, durationMs: number): HttpAnswer {
  const { response } = outcome;
  return {
    status: response?.status ?? null,
    headers: response ? allHeaders(response.headers) : NO_HEADERS,
    durationMs,
    reason: 'failure' in outcome ? reasonOf(outcome.failure) : null,
  };
}

function stepError({ kind, operations }: RequestEvent, message: string, cause?: unknown): HeadersError {
  // A merged request is for several operations: each of its callers gets an error of its own.
  const operation = kind === 'login' ? (operations[0] ?? null) : null;
  return new HeadersError(message, cause === undefined ? { operation, retryable: false } : { operation, cause });
}
