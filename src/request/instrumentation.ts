// Shows a request to those who look on: the hooks of the client, and the tracing channel `fleet-telematics:request` of
// node:diagnostics_channel. Costs nothing when nobody does.
import { tracingChannel } from 'node:diagnostics_channel';
import type { Notifier, RequestEvent } from '../core/hooks.js';
import type { Timers } from '../core/ports.js';
import type { TransportOutcome } from '../transport/failure.js';
import { reasonOf } from './failure-error.js';

/**
 * The message of the tracing channel, one object for all the events of a request: `start` and `end` when it leaves,
 * `asyncStart` and `asyncEnd` when it is over, `error` before these when it failed. Holds no token, no variable, no data.
 */
export interface RequestTrace extends RequestEvent {
  /** HTTP status; null until, or when, there is none. */
  status: number | null;
  /** From the moment the request left to the end of its answer, in milliseconds; null until then. */
  durationMs: number | null;
  /** Size of the answer's text; null until, or when, there is none. */
  bytes: number | null;
  /** What happened, such as `503` or `ECONNRESET`; only when the request failed. */
  error?: Error;
}

const channel = tracingChannel<string, RequestTrace>('fleet-telematics:request');

/** Sends, and says so. `about` is asked only when somebody listens. */
export function instrumented<Value>(
  report: Notifier,
  timers: Timers,
  about: () => RequestEvent,
  send: () => Promise<TransportOutcome<Value>>,
): Promise<TransportOutcome<Value>> {
  const isTraced = channel.hasSubscribers;
  if (!isTraced && !report.watchesRequests) return send();
  return show(report, timers, about(), send, isTraced);
}

async function show<Value>(
  report: Notifier,
  timers: Timers,
  event: RequestEvent,
  send: () => Promise<TransportOutcome<Value>>,
  isTraced: boolean,
): Promise<TransportOutcome<Value>> {
  const trace: RequestTrace = { ...event, status: null, durationMs: null, bytes: null };
  const leftAt = timers.now();
  report.request(event);
  // Not tracePromise: it would put the answer itself on the channel.
  const sending = isTraced ? channel.start.runStores(trace, send) : send();
  if (isTraced) channel.end.publish(trace);
  const sent = await sending;
  const durationMs = timers.now() - leftAt;
  const bytes = sent.bytes ?? (sent.text === null ? null : Buffer.byteLength(sent.text));
  report.response({ ...event, status: sent.status, durationMs, bytes });
  if (isTraced) {
    Object.assign(trace, { status: sent.status, durationMs, bytes });
    if ('failure' in sent) {
      trace.error = new Error(reasonOf(sent.failure));
      channel.error.publish(trace);
    }
    channel.asyncStart.publish(trace);
    channel.asyncEnd.publish(trace);
  }
  return sent;
}
