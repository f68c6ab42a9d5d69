// Reports requests to the hooks of the client, and on the tracing channel `fleet-telematics:request` of node:diagnostics_channel. Costs
// nothing when nobody listens.
import { tracingChannel } from 'node:diagnostics_channel';
import type { Notifier, RequestEvent } from '../core/hooks.js';
import type { Timers } from '../core/ports.js';
import type { TransportOutcome } from '../transport/failure.js';
import { reasonOf } from './failure-error.js';

/**
 * The message of the tracing channel, one object for all events of a request: `start` and `end` when it leaves, `asyncStart` and
 * `asyncEnd` when it is over, `error` before these when it failed. It holds no token, no variable and no data.
 */
export interface RequestTrace extends RequestEvent {
  /** HTTP status; null until the response arrives, and when none does. */
  status: number | null;
  /** From the start of the request to the end of its response, in milliseconds; null until then. */
  durationMs: number | null;
  /** Size of the response's text; null until it arrives, and when it does not. */
  bytes: number | null;
  /** What happened, such as `503` or `ECONNRESET`; only when the request failed. */
  error?: Error;
}

const channel = tracingChannel<string, RequestTrace>('fleet-telematics:request');

/** Sends a request and reports it. `describe` is called only when somebody listens. */
export function instrumented<Value>(
  report: Notifier,
  timers: Timers,
  describe: () => RequestEvent,
  send: () => Promise<TransportOutcome<Value>>,
): Promise<TransportOutcome<Value>> {
  const isTraced = channel.hasSubscribers;
  if (!isTraced && !report.watchesRequests) return send();
  return reported(report, timers, describe(), send, isTraced);
}

async function reported<Value>(
  report: Notifier,
  timers: Timers,
  event: RequestEvent,
  send: () => Promise<TransportOutcome<Value>>,
  isTraced: boolean,
): Promise<TransportOutcome<Value>> {
  const trace: RequestTrace = { ...event, status: null, durationMs: null, bytes: null };
  const startedAt = timers.now();
  report.request(event);
  // Not tracePromise, which would publish the answer itself.
  const sending = isTraced ? channel.start.runStores(trace, send) : send();
  if (isTraced) channel.end.publish(trace);
  const outcome = await sending;
  const durationMs = timers.now() - startedAt;
  const bytes = outcome.bytes ?? (outcome.text === null ? null : Buffer.byteLength(outcome.text));
  report.response({ ...event, status: outcome.status, durationMs, bytes });
  if (isTraced) {
    Object.assign(trace, { status: outcome.status, durationMs, bytes });
    if ('failure' in outcome) {
      trace.error = new Error(reasonOf(outcome.failure));
      channel.error.publish(trace);
    }
    channel.asyncStart.publish(trace);
    channel.asyncEnd.publish(trace);
  }
  return outcome;
}
