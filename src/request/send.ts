// The last step: puts a batch together as an HTTP request, sends it, and reads the GraphQL answer in the response. Whatever goes wrong on
// the way is returned as a failure.
import type { Notifier, RequestEvent } from '../core/hooks.js';
import { isRateLimited } from '../core/http-status.js';
import { isObject } from '../core/json.js';
import type { Timers } from '../core/ports.js';
import { isTokenError, refusesToken } from '../core/token-refusal.js';
import { isLong, readLongAnswer } from '../rows/long-answer.js';
import { type ArrivingBody, RowBodies, rowsFetch } from '../rows/rows-fetch.js';
import { withAttemptTimeout } from '../transport/attempt-timeout.js';
import { type Failure, failureOf, isTruncatedJson, type TransportOutcome } from '../transport/failure.js';
import { type GraphQLAnswer, readAnswer } from '../transport/graphql-response.js';
import type { HttpFetch, HttpResponse, HttpTransport } from '../transport/http-transport.js';
import type { ResponseLimit } from '../transport/response-limits.js';
import { retryAfterOf } from '../transport/retry-after.js';
import type { ServiceClock } from '../transport/service-clock.js';
import type { MergedCalls, Payload } from './batch.js';
import type { Call, RequestAnswer } from './call.js';
import { isObserved, reported, sizeOf } from './observe.js';
import type { WaitedFor } from './progress.js';
import type { AddedHeaders } from './request-headers.js';
import type { Next } from './steps.js';
import type { UserRequests } from './user-requests.js';

export interface SendOptions {
  readonly baseUrl: string;
  readonly http: Pick<HttpTransport, 'fetch'>;
  readonly responseLimit: ResponseLimit;
  readonly serviceClock: ServiceClock;
  readonly timers: Timers;
  readonly notifier: Notifier;
  readonly addedHeaders: AddedHeaders;
}

const waitingForConnection = (): WaitedFor => ({ text: 'the connection to the service was not open yet' });

/** Requests to `{baseUrl}/graphql`. Sends once. */
export function send(options: SendOptions): Next<MergedCalls, TransportOutcome<RequestAnswer>> {
  const { timers, notifier, addedHeaders } = options;
  const endpoint = `${options.baseUrl}/graphql`;
  const bodyText = bodyWriter();
  const rowBodies = new RowBodies(options.responseLimit);
  return (batch) => {
    const { deadline, progress, user } = batch;
    deadline.throwIfExceeded();
    progress.waitedFor = waitingForConnection;
    const payload = batch.payload();
    if (payload.lists) for (const list of payload.lists.byName.values()) list.onSent?.(payload.calls);
    return batch.inContext(async () => {
      progress.event = eventOf(batch, payload);
      const headers = headersOf(batch);
      count(user, payload, progress.attempts === 0);
      const post = () => exchange(batch, payload, headers);
      const outcome = progress.event === null ? await post() : await reported(notifier, timers, progress.event, post);
      countAnswer(user, outcome);
      return outcome;
    });
  };

  /** Null when nobody wants to know of it. */
  function eventOf(batch: MergedCalls, { operations, calls }: Payload): RequestEvent | null {
    if (!addedHeaders.ofRequest && !isObserved(notifier)) return null;
    const requestId = notifier.newId();
    return {
      requestId,
      tenant: notifier.tenant,
      user: batch.user.shown,
      callIds: batch.noteRequest(requestId, timers.now()),
      operations,
      kind: batch.call.kind,
      attempt: batch.progress.attempts + 1,
      merged: calls,
      waitMs: batch.waitedMs,
    };
  }

  function headersOf({ user, progress: { token, event } }: MergedCalls): Readonly<Record<string, string>> {
    if (user.headers?.token !== token) {
      const json = { 'content-type': 'application/json', accept: 'application/json' };
      const all = { ...addedHeaders.constant, ...json, authorization: `Bearer ${token}`, ...user.header };
      user.headers = { token, all };
    }
    const added = event && addedHeaders.ofRequest?.(event);
    return added ? { ...added, ...user.headers.all } : user.headers.all;
  }

  async function exchange(
    { call, deadline, progress, giveUp }: MergedCalls,
    { document, variables, attemptTimeoutMs, lists }: Payload,
    headers: Readonly<Record<string, string>>,
  ): Promise<TransportOutcome<RequestAnswer>> {
    const { http, serviceClock, responseLimit: limit } = options;
    const rows = lists && rowBodies.bodyOf(lists);
    let fetch: HttpFetch = http.fetch.bind(http);
    if (attemptTimeoutMs !== undefined) fetch = withAttemptTimeout(fetch, timers, attemptTimeoutMs);
    if (rows) fetch = rowsFetch(fetch, rows, deadline);
    const body = bodyText(document, variables);
    let sentAt = 0;
    const beforeSend = () => {
      progress.leaves(deadline, timers.now());
      sentAt = serviceClock.localNow();
    };
    let response: HttpResponse | null = null;
    let outcome: TransportOutcome<GraphQLAnswer>;
    try {
      response = await fetch(endpoint, { method: 'POST', headers, body, signal: giveUp, beforeSend, limit });
      serviceClock.observe(response, sentAt);
      outcome = await readResponse(response);
      if (lacksChange(call, outcome)) {
        outcome = { failure: { kind: 'malformed', status: response.status }, response, text: outcome.text };
      }
    } catch (error) {
      const failure = failureOf(error, response?.status ?? null);
      outcome = { failure, response, text: null };
    }
    return rows ? withRows(outcome, rows) : outcome;
  }
}

function withRows(outcome: TransportOutcome<GraphQLAnswer>, rows: ArrivingBody): TransportOutcome<RequestAnswer> {
  if ('value' in outcome) return { ...outcome, value: { ...outcome.value, lists: rows.lists ?? new Map() } };
  rows.discard();
  return { ...outcome, isPartlyRead: rows.wasRead };
}

/** Documents are constants, and longer than everything else in a body: the last one is not serialized again. */
export function bodyWriter(): (document: string, variables: unknown) => string {
  let last = '';
  let start = '';
  return (document, variables) => {
    if (document !== last) {
      last = document;
      start = `{"query":${JSON.stringify(document)},"variables":`;
    }
    return `${start}${JSON.stringify(variables)}}`;
  };
}

function count({ counts }: UserRequests, { calls }: Payload, isFirst: boolean): void {
  counts.requests++;
  if (isFirst && calls > 1) counts.mergedCalls += calls;
}

function countAnswer({ counts }: UserRequests, outcome: TransportOutcome<unknown>): void {
  counts.bytes += sizeOf(outcome) ?? 0;
  if ('failure' in outcome && outcome.response && isRateLimited(outcome.response.status)) counts.refusals++;
}

/** Reads the answer in a response. Rejects when the rest of the response does not come. */
export async function readResponse(response: HttpResponse): Promise<TransportOutcome<GraphQLAnswer>> {
  const text = await response.text();
  const answer = isLong(text) ? await readLongAnswer(text) : readAnswer(text);
  return answer && response.ok
    ? answered(answer, response, text)
    : { failure: failureIn(response, text, answer), response, text };
}

function answered(answer: GraphQLAnswer, response: HttpResponse, text: string): TransportOutcome<GraphQLAnswer> {
  const { errors, data } = answer;
  // Some services refuse a token with a GraphQL error. With data beside it only a field was refused, and a new token changes nothing.
  if (errors.length > 0 && isEmpty(data) && errors.some(refusesToken)) {
    return { failure: { kind: 'unauthorized', errors, data }, response, text };
  }
  return { value: answer, response, text };
}

function failureIn(response: HttpResponse, text: string, answer: GraphQLAnswer | null): Failure {
  const { ok, status, headers } = response;
  if (ok) return isTruncatedJson(text) ? { kind: 'truncated' } : { kind: 'malformed', status };
  const errors = answer?.errors ?? [];
  return status === 403 && isTokenError(headers.get('www-authenticate'), text)
    ? { kind: 'unauthorized', errors, data: null }
    : { kind: 'status', status, retryAfter: retryAfterOf(response), errors };
}

/** A change without its result and without an error may have been made: its outcome is as unknown as that of any answer off the contract. */
function lacksChange({ kind, member }: Call, outcome: TransportOutcome<GraphQLAnswer>): boolean {
  if (kind !== 'mutation' || member === undefined || !('value' in outcome)) return false;
  const { data, errors } = outcome.value;
  return errors.length === 0 && isObject(data) && !(member in data);
}

function isEmpty(data: unknown): boolean {
  return typeof data !== 'object' || data === null || Object.values(data).every((value) => value === null);
}
