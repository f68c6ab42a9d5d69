// The steps that a program puts around each HTTP request with `use`.
import type { RequestTrace } from '../core/channels.js';
import type { Deadline } from '../core/deadline.js';
import { HeadersError } from '../core/errors.js';
import type { Notifier, RequestEvent } from '../core/hooks.js';
import type { ResponseHeaders, Timers } from '../core/ports.js';
import { allHeaders, NO_HEADERS } from '../transport/response-headers.js';
import type { TransportOutcome } from './failure.js';
import { reasonOf } from './failure-error.js';
import { reportRequest } from './observe.js';
import { addTracingHeaders, type HeaderMap, headersProblem } from './request-headers.js';
import type { Next, RequestStep } from './steps.js';

/** The HTTP request for the steps of `use`. It holds no token, no variable and no body. */
export interface HttpRequest extends RequestEvent {
  readonly method: 'GET' | 'POST';
  /** The URL without its query. */
  readonly url: string;
  /** The headers of client and call. A step may pass on others; those of the contract follow. */
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

export interface OutgoingRequest {
  readonly event: RequestEvent | null;
  readonly target: Pick<RequestTrace, 'method' | 'url' | 'path'>;
  readonly deadline: Deadline;
  readonly added: HeaderMap;
  readonly contract: HeaderMap;
}

type Exchange<Value> = (headers: HeaderMap) => Promise<TransportOutcome<Value>>;

interface StepOptions {
  readonly steps: readonly HttpStep[];
  readonly notifier: Notifier;
  readonly timers: Timers;
}

export function sendThroughSteps<Value>(
  { steps, notifier, timers }: StepOptions,
  { event, target, deadline, added, contract }: OutgoingRequest,
  exchange: Exchange<Value>,
): Promise<TransportOutcome<Value>> {
  if (event === null) return exchange({ ...added, ...contract });
  const send: Exchange<Value> = (headers) => {
    const all = { ...headers, ...contract };
    return reportRequest(notifier, timers, event, target, (tracing) => exchange(addTracingHeaders(tracing, all)));
  };
  if (steps.length === 0) return send(added);
  return runSteps(steps, { ...event, ...target, headers: { ...added } }, deadline, timers, send);
}

/**
 * Resolves as soon as the request has an outcome. A later failure of a step is ignored, so that no
 * result is lost.
 * @throws {HeadersError} when a step fails before the request is sent, or does not send it
 */
function runSteps<Value>(
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
      const sending = send(lowerCaseNames(headers));
      sending.then(resolve, reject);
      return answerOf(await sending, timers.now() - startedAt);
    };
    // A step may ignore the promise of `next`, so its rejection must count as handled.
    const withHandledRejection = (next: Next<HttpRequest, HttpAnswer>) => (one: HttpRequest) => {
      const answer = next(one);
      answer.catch(() => undefined);
      return answer;
    };
    const first = steps.reduceRight<Next<HttpRequest, HttpAnswer>>(
      (next, step) => withHandledRejection(async (one) => step(one, next)),
      withHandledRejection(sendOnce),
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

/** Returns the headers with lower-case names; the last of equal names wins. */
function lowerCaseNames(headers: HeaderMap): HeaderMap {
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
  // A merged request has several operations: each of its callers gets its own error.
  const operation = kind === 'login' ? (operations[0] ?? null) : null;
  return new HeadersError(message, cause === undefined ? { operation, retryable: false } : { operation, cause });
}
