// The channels of node:diagnostics_channel on which every client of the process reports its calls, requests and retries.
import { channel, tracingChannel } from 'node:diagnostics_channel';
import type { ClientSource } from './event-source.js';
import type { CallEvent, RequestEvent, RetryEvent } from './hooks.js';

/** The members that each call and request on the channels has. */
export interface Trace {
  /** `fleet.source` of the client, and of those that `forUser()` and `fork()` make of it. */
  readonly source: ClientSource;
  /**
   * Runs the call or request. The message is complete when its promise settles. A listener of `start` may replace it
   * with a function that calls it, to run the task in a context, or to add headers to a request.
   */
  run: <Result>(task: (headers?: AddedHeaders) => Promise<Result>) => Promise<Result>;
}

/** Headers that the request has already, or that no option of a client may set, are left out. */
type AddedHeaders = Readonly<Record<string, string>>;

/**
 * The message of the tracing channel `fleet-telematics:request`, one object for all events of a request: `start` and `end` when it leaves,
 * `asyncStart` and `asyncEnd` when it is over, `error` before these when it failed. It holds no token, no variable and no data.
 */
export interface RequestTrace extends RequestEvent, Trace {
  readonly method: 'GET' | 'POST';
  /** The URL without its query. */
  readonly url: string;
  /** The part of the URL after the base URL. */
  readonly path: string;
  /** HTTP status; null until the response arrives, and when none does. */
  status: number | null;
  /** From the start of the request to the end of its response, in milliseconds; null until then. */
  durationMs: number | null;
  /** Size of the response's text; null until it arrives, and when it does not. */
  bytes: number | null;
  /** The service's id of the request; null until the response arrives, and without one. */
  responseId: string | null;
  /** The reason, such as `503` or `ECONNRESET`; only when the request failed. */
  error?: Error;
}

/**
 * The message of the tracing channel `fleet-telematics:call`, one object for all events of a call: `start` and `end` when it is made,
 * `asyncStart` and `asyncEnd` when it is over, `error` before these when it failed. It holds no token, no variable and no data.
 */
export interface CallTrace extends Omit<CallEvent, 'user' | 'outcome' | 'requestIds' | 'waitMs' | 'durationMs'>, Trace {
  /** As in {@link CallEvent}; null until the user is known. */
  user: string | null;
  /** `ok`, or the code of the error; null until the call is over. */
  outcome: CallEvent['outcome'] | null;
  /** Ids of the requests that were sent for it so far. */
  readonly requestIds: string[];
  /** The time before its first request, in milliseconds; null until then. */
  waitMs: number | null;
  /** From the call to its end, in milliseconds; null until then. */
  durationMs: number | null;
  /** The error of the caller; only when the call failed. */
  error?: unknown;
}

/** The message of the channel `fleet-telematics:retry`. */
export interface RetryTrace extends RetryEvent, Pick<Trace, 'source'> {}

export const requestChannel = tracingChannel<string, RequestTrace>('fleet-telematics:request');
export const callChannel = tracingChannel<string, CallTrace>('fleet-telematics:call');
export const retryChannel = channel('fleet-telematics:retry');
