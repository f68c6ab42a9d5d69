// The channels of node:diagnostics_channel: every client of the process publishes its calls,
// requests and retries there.
import { channel, tracingChannel } from 'node:diagnostics_channel';
import type { ClientSource } from './event-source.js';
import type { CallEvent, RequestEvent, RetryEvent } from './hooks.js';

export interface Trace {
  /** The `fleet.source` of the client, shared by its `forUser()` and `fork()` clients. */
  readonly source: ClientSource;
  /**
   * Runs the call or request. The message is complete when its promise settles. A listener of
   * `start` may replace it with a function that calls it: to run the task in a context, or to add
   * headers to a request.
   */
  run: <Result>(task: (headers?: AddedHeaders) => Promise<Result>) => Promise<Result>;
}

/** Headers to add; ignored if already set, or if no client option may set them. */
type AddedHeaders = Readonly<Record<string, string>>;

/**
 * The message of the tracing channel `fleet-telematics:request`: one object for all events of a
 * request. `start` and `end` when it is sent, `asyncStart` and `asyncEnd` when it is over, `error`
 * before these when it failed. It contains no token, no variable and no data.
 */
export interface RequestTrace extends RequestEvent, Trace {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly path: string;
  /** HTTP status; null until a response arrives. */
  status: number | null;
  /** Until the end of the response; null until then. */
  durationMs: number | null;
  /** Size of the response text; null until it arrives. */
  bytes: number | null;
  /** The service's request id; null when unknown. */
  responseId: string | null;
  /** The reason, such as `503` or `ECONNRESET`; only when the request failed. */
  error?: Error;
}

/**
 * The message of the tracing channel `fleet-telematics:call`: one object for all events of a call.
 * `start` and `end` when it is made, `asyncStart` and `asyncEnd` when it is over, `error` before
 * these when it failed. It contains no token, no variable and no data.
 */
export interface CallTrace extends Omit<CallEvent, 'user' | 'outcome' | 'requestIds' | 'waitMs' | 'durationMs'>, Trace {
  /** As in {@link CallEvent}; null until the user is known. */
  user: string | null;
  /** `ok`, or the error code; null until the call is over. */
  outcome: CallEvent['outcome'] | null;
  /** Ids of the requests sent so far. */
  readonly requestIds: string[];
  /** Milliseconds before the first request; null until then. */
  waitMs: number | null;
  /** Milliseconds until its end; null until then. */
  durationMs: number | null;
  error?: unknown;
}

/** The message of the channel `fleet-telematics:retry`. */
export interface RetryTrace extends RetryEvent, Pick<Trace, 'source'> {}

export const requestChannel = tracingChannel<string, RequestTrace>('fleet-telematics:request');
export const callChannel = tracingChannel<string, CallTrace>('fleet-telematics:call');
export const retryChannel = channel('fleet-telematics:retry');
