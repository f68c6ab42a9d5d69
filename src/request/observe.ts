// Reports calls and requests to the client's hooks and the process's diagnostics channels.
import type { CallTrace, RequestTrace, RetryTrace, Trace } from '../core/channels.js';
import { callChannel, requestChannel, retryChannel } from '../core/channels.js';
import { FleetError } from '../core/errors.js';
import type { CallEvent, Notifier, RequestEvent, RetryEvent } from '../core/hooks.js';
import type { Timers } from '../core/ports.js';
import type { CallRequest } from './call.js';
import type { TransportOutcome } from './failure.js';
import { reasonOf } from './failure-error.js';
import type { RequestStep } from './steps.js';

export interface TracedCall extends CallRequest {
  readonly trace?: CallTrace;
}

const run: Trace['run'] = (task) => task();

/** Returns the step that reports each call. It is left out when nothing observes the client. */
export function observe(notifier: Notifier, timers: Timers): RequestStep<TracedCall, unknown> {
  return (request, next) => {
    const { name: operation, kind, priority = 'normal' } = request.call;
    const { label, source } = notifier;
    const callFacts = { callId: notifier.newId(), label, source, user: null, operation, kind, priority };
    const trace = { ...callFacts, outcome: null, requestIds: [], waitMs: null, durationMs: null, run };
    return reportCall(notifier, timers, trace, () => next({ ...request, trace }));
  };
}

function reportCall<Value>(
  notifier: Notifier,
  timers: Timers,
  trace: CallTrace,
  make: () => Promise<Value>,
): Promise<Value> {
  const isTraced = callChannel.hasSubscribers;
  const startedAt = timers.now();
  const finish = (outcome: CallEvent['outcome']) => {
    const durationMs = timers.now() - startedAt;
    const waitMs = trace.waitMs ?? durationMs;
    Object.assign(trace, { outcome, waitMs, durationMs });
    const { callId, label, user, operation, kind, priority } = trace;
    const requestIds = [...trace.requestIds];
    const event = { callId, label, user, operation, kind, priority, outcome, requestIds, waitMs, durationMs };
    notifier.call(event);
    if (!isTraced) return;
    callChannel.asyncStart.publish(trace);
    callChannel.asyncEnd.publish(trace);
  };
  const made = async () => {
    try {
      const value = await make();
      finish('ok');
      return value;
    } catch (error) {
      if (isTraced) {
        trace.error = error;
        callChannel.error.publish(trace);
      }
      // Calls reject with nothing else.
      finish(error instanceof FleetError ? error.code : 'PROTOCOL');
      throw error;
    }
  };
  if (!isTraced) return made();
  const making = callChannel.start.runStores(trace, () => trace.run(made));
  callChannel.end.publish(trace);
  return making;
}

const NO_HEADERS = {};

/** Sends a request and reports it. `send` gets the headers that channel listeners add. */
export function reportRequest<Value>(
  notifier: Notifier,
  timers: Timers,
  event: RequestEvent,
  target: Pick<RequestTrace, 'method' | 'url' | 'path'>,
  send: (added: Readonly<Record<string, string>>) => Promise<TransportOutcome<Value>>,
): Promise<TransportOutcome<Value>> {
  const unknown = { status: null, durationMs: null, bytes: null, responseId: null };
  const trace: RequestTrace | null = requestChannel.hasSubscribers
    ? { ...event, ...target, ...unknown, source: notifier.source, run }
    : null;
  const startedAt = timers.now();
  notifier.request(event);
  // Not tracePromise, which would publish the answer itself.
  const sent = async (headers = NO_HEADERS) => {
    const outcome = await send(headers);
    const { response, bytes } = outcome;
    const status = response?.status ?? null;
    const responseId = outcome.responseId?.() ?? null;
    const over = { status, durationMs: timers.now() - startedAt, bytes, responseId };
    notifier.response({ ...event, ...over });
    if (trace) {
      Object.assign(trace, over);
      if ('failure' in outcome) {
        trace.error = new Error(reasonOf(outcome.failure));
        requestChannel.error.publish(trace);
      }
      requestChannel.asyncStart.publish(trace);
      requestChannel.asyncEnd.publish(trace);
    }
    return outcome;
  };
  if (trace === null) return sent();
  const sending = requestChannel.start.runStores(trace, () => trace.run(sent));
  requestChannel.end.publish(trace);
  return sending;
}

export function reportRetry(notifier: Notifier, event: RetryEvent): void {
  notifier.retry(event);
  const { source } = notifier;
  if (retryChannel.hasSubscribers) retryChannel.publish({ ...event, source } satisfies RetryTrace);
}
