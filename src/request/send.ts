// The last step: sends a batch as an HTTP request and reads the GraphQL answer. Every problem is
// returned as a failure.
import type { RequestTrace } from '../core/channels.js';
import type { Notifier, RequestEvent } from '../core/hooks.js';
import { isRateLimited } from '../core/http-status.js';
import type { Timers } from '../core/ports.js';
import type { ListsOfRequest } from '../rows/list-rows.js';
import { RowBodies, rowsFetch } from '../rows/rows-fetch.js';
import { withAttemptTimeout } from '../transport/attempt-timeout.js';
import type { HttpFetch, HttpRequestInit, HttpResponse, HttpTransport } from '../transport/http-transport.js';
import { responseIdOf } from '../transport/response-headers.js';
import type { ResponseLimit } from '../transport/response-limits.js';
import type { ServiceClock } from '../transport/service-clock.js';
import { type GraphQLAnswer, readResponse } from './answer.js';
import type { MergedCalls, Payload } from './batch.js';
import type { RequestAnswer } from './call.js';
import { failureOf, type TransportOutcome } from './failure.js';
import { type HttpStep, sendThroughSteps } from './http-steps.js';
import { type AddedHeaders, type HeaderMap, programHeaders } from './request-headers.js';
import type { CallProgress, WaitedFor } from './retry.js';
import type { Next } from './steps.js';

export interface SendOptions {
  readonly baseUrl: string;
  readonly http: Pick<HttpTransport, 'fetch'>;
  readonly responseLimit: ResponseLimit;
  readonly serviceClock: ServiceClock;
  readonly timers: Timers;
  readonly notifier: Notifier;
  readonly addedHeaders: AddedHeaders;
  readonly steps: readonly HttpStep[];
  readonly isObserved: () => boolean;
}

const waitingForStep = (): WaitedFor => ({ text: 'a step of use() had not called next' });
const waitingForConnection = (): WaitedFor => ({ text: 'the connection to the service was not open yet' });

export function sendOnce(options: SendOptions): Next<MergedCalls, TransportOutcome<RequestAnswer>> {
  return new Sender(options).send;
}

class Sender {
  readonly #options: SendOptions;
  readonly #endpoint: string;
  readonly #target: Pick<RequestTrace, 'method' | 'url' | 'path'>;
  readonly #fetch: HttpFetch;
  readonly #rowBodies: RowBodies;
  readonly #bodyText = bodyWriter();

  constructor(options: SendOptions) {
    this.#options = options;
    this.#endpoint = `${options.baseUrl}/graphql`;
    this.#target = { method: 'POST', url: this.#endpoint, path: '/graphql' };
    this.#fetch = options.http.fetch.bind(options.http);
    this.#rowBodies = new RowBodies(options.responseLimit);
  }

  readonly send: Next<MergedCalls, TransportOutcome<RequestAnswer>> = (batch) => {
    const { deadline, progress } = batch;
    deadline.throwIfExceeded();
    progress.waitedFor = this.#options.steps.length > 0 ? waitingForStep : waitingForConnection;
    const payload = batch.payload();
    if (payload.lists) for (const list of payload.lists.byName.values()) list.onSent?.(payload.calls);
    return batch.inContext(() => this.#sendPayload(batch, payload));
  };

  async #sendPayload(batch: MergedCalls, payload: Payload): Promise<TransportOutcome<RequestAnswer>> {
    const { progress, user, deadline, call } = batch;
    const { addedHeaders, steps } = this.#options;
    const needsEvent = payload.isTraced || addedHeaders.ofRequest !== null || steps.length > 0;
    const event = needsEvent ? this.#eventOf(batch, payload) : null;
    progress.event = event;
    const { all, ofContract: contract } = this.#headersOf(batch);
    let outcome: TransportOutcome<RequestAnswer>;
    if (event === null && call.headers === undefined) outcome = await this.#exchange(batch, payload, all);
    else {
      const added = programHeaders(addedHeaders, event, call.headers);
      const outgoing = { event, target: this.#target, deadline, added, contract };
      outcome = await sendThroughSteps(this.#options, outgoing, (headers) => this.#exchange(batch, payload, headers));
    }
    user.counts.bytes += outcome.bytes ?? 0;
    const { response } = outcome;
    if ('failure' in outcome && response && isRateLimited(response.status)) user.counts.refusals++;
    return outcome;
  }

  #eventOf(batch: MergedCalls, { operations, calls }: Payload): RequestEvent {
    const { notifier, timers } = this.#options;
    const requestId = notifier.newId();
    return {
      requestId,
      label: notifier.label,
      user: batch.user.displayId,
      callIds: batch.noteRequest(requestId, timers.now()),
      operations,
      kind: batch.call.kind,
      attempt: batch.progress.attempts + 1,
      merged: calls,
      waitMs: batch.waitedMs,
    };
  }

  #headersOf({ user, progress: { token } }: MergedCalls) {
    if (user.headers?.token !== token) {
      const { agent, constant } = this.#options.addedHeaders;
      const json = { 'content-type': 'application/json', accept: 'application/json' };
      const ofContract = { ...agent, ...json, authorization: `Bearer ${token}`, ...user.header };
      user.headers = { token, ofContract, all: { ...constant, ...ofContract } };
    }
    return user.headers;
  }

  async #exchange(
    batch: MergedCalls,
    { document, variables, lists, calls }: Payload,
    headers: HeaderMap,
  ): Promise<TransportOutcome<RequestAnswer>> {
    const { call, deadline, progress, giveUp, user } = batch;
    const { serviceClock, timers, responseLimit: limit } = this.#options;
    user.counts.requests++;
    if (progress.attempts === 0 && calls > 1) user.counts.mergedCalls += calls;
    const rows = lists && this.#rowBodies.bodyOf(lists);
    let fetch = this.#fetch;
    if (call.attemptTimeoutMs !== undefined) fetch = withAttemptTimeout(fetch, timers, call.attemptTimeoutMs);
    if (rows) fetch = rowsFetch(fetch, rows, deadline);
    const body = this.#bodyText(document, variables);
    let sentAt = 0;
    const beforeSend = () => {
      progress.recordSend(deadline, timers.now());
      sentAt = serviceClock.localNow();
    };
    const init = { method: 'POST', headers, body, signal: giveUp, beforeSend, limit } as const;
    let response: HttpResponse | null = null;
    let outcome: TransportOutcome<GraphQLAnswer>;
    try {
      response = await fetch(this.#endpoint, lists ? { ...init, onHead: headReader(lists, progress, body) } : init);
      serviceClock.observe(response, sentAt);
      outcome = await readResponse(response, call.kind === 'mutation' ? call.member : undefined);
    } catch (error) {
      const failure = failureOf(error, response?.status ?? null);
      outcome = { failure, response, bytes: response?.bytes ?? null };
    }
    // Member by member: spreads take longer than the rest of this function.
    const { token, event } = progress;
    const { bytes } = outcome;
    const head = response && { status: response.status, headers: response.headers };
    const responseId = () => head && responseIdOf(head, [body, token]);
    if ('failure' in outcome) {
      rows?.discard();
      return { failure: outcome.failure, isPartlyRead: rows?.wasRead ?? false, response, bytes, responseId };
    }
    const { data, errors } = outcome.value;
    const ids = () => ({ requestId: event?.requestId ?? null, responseId: responseId() });
    const answer = { data, errors, ids, head };
    const value = rows ? { ...answer, lists: rows.lists ?? new Map() } : answer;
    return { value, response, bytes, responseId };
  }
}

/** Returns a function that informs the readers of rows, who may need the head before the end. */
function headReader(
  lists: ListsOfRequest,
  progress: CallProgress,
  body: string,
): NonNullable<HttpRequestInit['onHead']> {
  return (head) => {
    const ids = {
      requestId: progress.event?.requestId ?? null,
      responseId: responseIdOf(head, [body, progress.token]),
    };
    for (const list of lists.byName.values()) list.onHead?.({ head, ids: () => ids, attempts: progress.attempts });
  };
}

/** Documents are long constants: the last one is not serialized again. */
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
