// The last step: sends a batch as an HTTP request and reads the GraphQL answer. Every problem is
// returned as a failure.
import type { Notifier, RequestEvent } from '../core/hooks.js';
import { isRateLimited } from '../core/http-status.js';
import type { Timers } from '../core/ports.js';
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
import type { WaitedFor } from './retry.js';
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
  const { http, timers, notifier, addedHeaders, steps, serviceClock, responseLimit: limit } = options;
  const endpoint = `${options.baseUrl}/graphql`;
  const target = { method: 'POST', url: endpoint, path: '/graphql' } as const;
  const plainFetch: HttpFetch = http.fetch.bind(http);
  const bodyText = bodyWriter();
  const rowBodies = new RowBodies(limit);
  return (batch) => {
    const { deadline, progress } = batch;
    deadline.throwIfExceeded();
    progress.waitedFor = steps.length > 0 ? waitingForStep : waitingForConnection;
    const payload = batch.payload();
    if (payload.lists) for (const list of payload.lists.byName.values()) list.onSent?.(payload.calls);
    return batch.inContext(() => sendPayload(batch, payload));
  };

  async function sendPayload(batch: MergedCalls, payload: Payload): Promise<TransportOutcome<RequestAnswer>> {
    const { progress, user } = batch;
    const { counts } = user;
    const isKnown = payload.isTraced || addedHeaders.ofRequest !== null || steps.length > 0;
    const event = isKnown ? eventOf(batch, payload) : null;
    progress.event = event;
    const headers = headersOf(batch);
    const outcome =
      event === null && batch.call.headers === undefined
        ? await exchange(batch, payload, headers.all)
        : await sendThroughSteps(
            options,
            {
              event,
              target,
              deadline: batch.deadline,
              added: programHeaders(addedHeaders, event, batch.call.headers),
              contract: headers.ofContract,
            },
            (all) => exchange(batch, payload, all),
          );
    counts.bytes += outcome.bytes ?? 0;
    const { response } = outcome;
    if ('failure' in outcome && response && isRateLimited(response.status)) counts.refusals++;
    return outcome;
  }

  function eventOf(batch: MergedCalls, { operations, calls }: Payload): RequestEvent {
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

  function headersOf({ user, progress: { token } }: MergedCalls) {
    if (user.headers?.token !== token) {
      const json = { 'content-type': 'application/json', accept: 'application/json' };
      const ofContract = { ...addedHeaders.agent, ...json, authorization: `Bearer ${token}`, ...user.header };
      user.headers = { token, ofContract, all: { ...addedHeaders.constant, ...ofContract } };
    }
    return user.headers;
  }

  async function exchange(
    { call, deadline, progress, giveUp, user: { counts } }: MergedCalls,
    { document, variables, lists, calls }: Payload,
    headers: HeaderMap,
  ): Promise<TransportOutcome<RequestAnswer>> {
    counts.requests++;
    if (progress.attempts === 0 && calls > 1) counts.mergedCalls += calls;
    const rows = lists && rowBodies.bodyOf(lists);
    let fetch = plainFetch;
    if (call.attemptTimeoutMs !== undefined) fetch = withAttemptTimeout(fetch, timers, call.attemptTimeoutMs);
    if (rows) fetch = rowsFetch(fetch, rows, deadline);
    const body = bodyText(document, variables);
    let sentAt = 0;
    const beforeSend = () => {
      progress.recordSend(deadline, timers.now());
      sentAt = serviceClock.localNow();
    };
    let response: HttpResponse | null = null;
    let outcome: TransportOutcome<GraphQLAnswer>;
    // A reader of rows may need the head before the answer is complete.
    const onHead: HttpRequestInit['onHead'] = (head) => {
      const ids = {
        requestId: progress.event?.requestId ?? null,
        responseId: responseIdOf(head, [body, progress.token]),
      };
      for (const list of lists?.byName.values() ?? [])
        list.onHead?.({ head, ids: () => ids, attempts: progress.attempts });
    };
    try {
      response = await fetch(endpoint, {
        method: 'POST',
        headers,
        body,
        signal: giveUp,
        beforeSend,
        limit,
        ...(lists && { onHead }),
      });
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
