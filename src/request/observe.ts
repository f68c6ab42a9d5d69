// The first step, and what the last one tells: calls and requests are reported to the hooks of the client, on two tracing channels of
// node:diagnostics_channel, and to the tracer of the client.
import { tracingChannel } from 'node:diagnostics_channel';
import { FleetError } from '../core/errors.js';
import type { CallEvent, Notifier, RequestEvent, RequestTarget } from '../core/hooks.js';
import type { Timers } from '../core/ports.js';
import type { CallRequest } from './call.js';
import type { TransportOutcome } from './failure.js';
import { reasonOf } from './failure-error.js';
import type { RequestStep } from './steps.js';

/**
 * The message of the tracing channel `fleet-telematics:request`, one object for all events of a request: `start` and `end` when it leaves,
 * `asyncStart` and `asyncEnd` when it is over, `error` before these when it failed. It holds no token, no variable and no data.
 */
export interface RequestTrace extends RequestEvent {
  /** HTTP status; null until the response arrives, and when none does. */
  status: number | null;
  /** From the start of the request to the end of its response, in milliseconds; null until then. */
  durationMs: number | null;
  /** Size of the response's text; null until it arrives, and when it does not. */
  bytes: number | null;
  /** What the service calls the request; null until the response arrives, and when it does not say. */
  responseId: string | null;
  /** What happened, such as `503` or `ECONNRESET`; only when the request failed. */
  error?: Error;
}

/**
 * The message of the tracing channel `fleet-telematics:call`, one object for all events of a call: `start` and `end` when it is made,
 * `asyncStart` and `asyncEnd` when it is over, `error` before these when it failed. It holds no token, no variable and no data.
 */
export interface CallTrace extends Omit<CallEvent, 'user' | 'outcome' | 'requestIds' | 'waitMs' | 'durationMs'> {
  /** As in {@link CallEvent}; null until the user is known. */
  user: string | null;
  /** `ok`, or the code of the error; null until the call is over. */
  outcome: CallEvent['outcome'] | null;
  /** Ids of the requests that were sent for it so far. */
  readonly requestIds: string[];
  /** How long it waited for its first request, in milliseconds; null until then. */
  waitMs: number | null;
  /** From the call to its end, in milliseconds; null until then. */
  durationMs: number | null;
  /** What the caller gets; only when the call failed. */
  error?: unknown;
}

export const requestChannel = tracingChannel<string, RequestTrace>('fleet-telematics:request');
export const callChannel = tracingChannel<string, CallTrace>('fleet-telematics:call');

/** A call, and what is reported of it. */
export interface TracedCall extends CallRequest {
  /** Left out when nobody wants to know of it. */
  readonly trace?: CallTrace;
}

/** The step: reports each call. It is left out for calls of which nobody wants to know. */
export function observe(notifier: Notifier, timers: Timers): RequestStep<TracedCall, unknown> {
  return (request, next) => {
    const { name: operation, kind, priority = 'normal' } = request.call;
    const { tenant } = notifier;
    const known = { callId: notifier.newId(), tenant, user: null, operation, kind, priority };
    const trace = { ...known, outcome: null, requestIds: [], waitMs: null, durationMs: null };
    return reportedCall(notifier, timers, trace, () => next({ ...request, trace }));
  };
}

async function reportedCall<Value>(
  notifier: Notifier,
  timers: Timers,
  trace: CallTrace,
  make: () => Promise<Value>,
): Promise<Value> {
  const isTraced = callChannel.hasSubscribers;
  const followed = notifier.tracing.tracer?.startCall(trace);
  const startedAt = timers.now();
  const finish = (outcome: CallEvent['outcome']) => {
    const durationMs = timers.now() - startedAt;
    const waitMs = trace.waitMs ?? durationMs;
    Object.assign(trace, { outcome, waitMs, durationMs });
    const { callId, tenant, user, operation, kind, priority } = trace;
    const requestIds = [...trace.requestIds];
    const event = { callId, tenant, user, operation, kind, priority, outcome, requestIds, waitMs, durationMs };
    notifier.call(event);
    followed?.end(event);
    if (!isTraced) return;
    callChannel.asyncStart.publish(trace);
    callChannel.asyncEnd.publish(trace);
  };
  try {
    const follow = followed ? () => followed.run(make) : make;
    const making = isTraced ? callChannel.start.runStores(trace, follow) : follow();
    if (isTraced) callChannel.end.publish(trace);
    const value = await making;
    finish('ok');
    return value;
  } catch (error) {
    if (isTraced) {
      trace.error = error;
      callChannel.error.publish(trace);
    }
    // Calls fail with nothing else.
    finish(error instanceof FleetError ? error.code : 'PROTOCOL');
    throw error;
  }
}

const NO_HEADERS = {};

/** Sends a request and reports it. `send` gets the headers that the tracer adds. */
export async function reported<Value>(
  notifier: Notifier,
  timers: Timers,
  event: RequestEvent,
  target: RequestTarget,
  send: (added: Readonly<Record<string, string>>) => Promise<TransportOutcome<Value>>,
): Promise<TransportOutcome<Value>> {
  const isTraced = requestChannel.hasSubscribers;
  const trace: RequestTrace = { ...event, status: null, durationMs: null, bytes: null, responseId: null };
  const startedAt = timers.now();
  notifier.request(event);
  const followed = notifier.tracing.tracer?.startRequest(event, target);
  const follow = () => (followed ? followed.run(() => send(followed.headers)) : send(NO_HEADERS));
  // Not tracePromise, which would publish the answer itself.
  const sending = isTraced ? requestChannel.start.runStores(trace, follow) : follow();
  if (isTraced) requestChannel.end.publish(trace);
  const outcome = await sending;
  const { response, bytes } = outcome;
  const status = response?.status ?? null;
  const responseId = outcome.responseId?.() ?? null;
  const durationMs = timers.now() - startedAt;
  const over = { ...event, status, durationMs, bytes, responseId };
  const failure = 'failure' in outcome ? reasonOf(outcome.failure) : null;
  notifier.response(over);
  followed?.end(over, failure);
  if (isTraced) {
    Object.assign(trace, { status, durationMs, bytes, responseId });
    if (failure !== null) {
      trace.error = new Error(failure);
      requestChannel.error.publish(trace);
    }
    requestChannel.asyncStart.publish(trace);
    requestChannel.asyncEnd.publish(trace);
  }
  return outcome;
}
