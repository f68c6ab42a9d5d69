// The events of a client, and the hooks that get them. No event holds a token, a password or the value of a variable. Messages of the
// service are only in `errors` of a PARTIAL_DATA warning, which is not enumerable, so that logging an event leaks nothing.
import type { FleetErrorCode, GraphQLErrorEntry } from './errors.js';
import { type EventSource, eventSource } from './event-source.js';
import type { Priority } from './priority.js';
import { quietly } from './quietly.js';

/** A request is about to be sent. */
export interface RequestEvent {
  /** Id of this request, made by the client. A request that is sent again has another one. */
  readonly requestId: string;
  /** The client's `label`; its base URL when it has none. */
  readonly label: string;
  /**
   * The user that the request acts for: the userId, or `fleet:` and the fleetId when the service lists no user for that fleet. Null for
   * a login request, and for an id that is no UUID.
   */
  readonly user: string | null;
  /** Ids of the calls that the request answers, in the order of the calls; empty for a login request. */
  readonly callIds: readonly string[];
  /** Operations in the request, or the login step: `login`, `refresh`, `userinfo`. */
  readonly operations: readonly string[];
  readonly kind: 'query' | 'mutation' | 'login';
  /** 1 for the first request of a call. */
  readonly attempt: number;
  /** How many calls the request answers: 1, or more when queries are merged. */
  readonly merged: number;
  /** How long the first of them waited for its turn, in milliseconds. */
  readonly waitMs: number;
}

/** A request is over. */
export interface ResponseEvent extends RequestEvent {
  /** HTTP status; null when there was no response. */
  readonly status: number | null;
  /** From the start of the request to the end of its response, in milliseconds. */
  readonly durationMs: number;
  /** Size of the response's text; null when none arrived. */
  readonly bytes: number | null;
  /** What the service calls the request: its header x-request-id, x-correlation-id, request-id or x-amzn-requestid; null without one. */
  readonly responseId: string | null;
}

/** A call is over: it has its result or its error. */
export interface CallEvent {
  /** Id of the call, made by the client; `callIds` of its requests contain it. */
  readonly callId: string;
  /** As in {@link RequestEvent}. */
  readonly label: string;
  /** As in {@link RequestEvent}; null also when the call ended before its user was known. */
  readonly user: string | null;
  readonly operation: string;
  readonly kind: 'query' | 'mutation';
  readonly priority: Priority;
  /** `ok`, or the code of the error that the caller got. */
  readonly outcome: 'ok' | FleetErrorCode;
  /** Ids of the requests that were sent for it, in order. Empty when the call ended while it waited. */
  readonly requestIds: readonly string[];
  /** How long it waited for its first request, in milliseconds; all of its time when none was sent. */
  readonly waitMs: number;
  /** From the call to its end, in milliseconds. */
  readonly durationMs: number;
}

/** A request failed and will be sent again. */
export interface RetryEvent extends Omit<RequestEvent, 'merged' | 'waitMs'> {
  /** What happened, such as `429`, `503`, `ECONNRESET`, `cut body`, `401`. */
  readonly reason: string;
  /** The pause before it is sent again, in milliseconds. */
  readonly waitMs: number;
}

/** The session has a new token. */
export interface SessionEvent {
  /** `login`: with credentials. `refresh`: with the refresh token. `adopt`: another process has stored a newer one. */
  readonly how: 'login' | 'refresh' | 'adopt';
  /** As in {@link RequestEvent}. */
  readonly label: string;
}

/** Something a user should know that is not a failure. */
export interface Warning {
  readonly code:
    | 'PARTIAL_DATA'
    | 'NULL_LIST'
    | 'NULL_ROWS'
    | 'SESSION_FILE_CORRUPT'
    | 'SESSION_FILE_MODE'
    | 'SESSION_STORE'
    | 'SHARED_LOGIN'
    | 'SHARED_LOGIN_ENDED'
    | 'GATE_LOST'
    | 'GATE_RESTORED'
    | 'MERGING_STOPPED'
    | 'MERGING_RESUMED'
    | 'UNKNOWN_MEMBER'
    | 'UNREADABLE_VALUES'
    | 'SERVICE_CLOCK'
    | 'ROWS_OUT_OF_ORDER'
    | 'NO_IGNITION'
    | 'DEVICE_CLOCK'
    | 'NOT_WATCHED'
    | 'WORK_SCHEDULE';
  readonly message: string;
  readonly operation?: string;
  /** PARTIAL_DATA: the errors of the service. Not enumerable. */
  readonly errors?: readonly GraphQLErrorEntry[];
}

/** A warning of a client. Those of a gate, a token store and `tripsFrom` have no label. */
export interface WarningEvent extends Warning {
  /** As in {@link RequestEvent}. */
  readonly label: string;
}

/** Functions that the SDK calls while it works. What they throw, or reject with, is ignored: a hook must not break a call. */
export interface ClientHooks {
  readonly onRequest?: ((event: RequestEvent) => void) | undefined;
  readonly onResponse?: ((event: ResponseEvent) => void) | undefined;
  readonly onRetry?: ((event: RetryEvent) => void) | undefined;
  /** Called for every call, also for one that ended while it waited and for which nothing was sent. */
  readonly onCall?: ((event: CallEvent) => void) | undefined;
  readonly onSession?: ((event: SessionEvent) => void) | undefined;
  readonly onWarning?: ((event: WarningEvent) => void) | undefined;
}

/** Passes events on to hooks. */
export interface Notifier extends EventSource {
  /** True when there are hooks for requests or calls. */
  readonly watchesRequests: boolean;
  request(event: RequestEvent): void;
  response(event: ResponseEvent): void;
  retry(event: RetryEvent): void;
  call(event: CallEvent): void;
  refresh(event: Omit<SessionEvent, 'label'>): void;
  warning(event: Warning): void;
}

/** Never throws. */
export function notifierFor(hooks: ClientHooks, source: EventSource = eventSource('', Math.random)): Notifier {
  const { label } = source;
  const refresh = quietly(hooks.onSession);
  const warning = quietly(hooks.onWarning);
  return {
    ...source,
    watchesRequests: Boolean(hooks.onRequest || hooks.onResponse || hooks.onRetry || hooks.onCall),
    request: quietly(hooks.onRequest),
    response: quietly(hooks.onResponse),
    retry: quietly(hooks.onRetry),
    call: quietly(hooks.onCall),
    refresh: ({ how }) => refresh({ how, label }),
    // A copy that keeps hidden what is hidden.
    warning: (event) =>
      warning(
        Object.create(Object.prototype, {
          ...Object.getOwnPropertyDescriptors(event),
          label: { value: label, enumerable: true },
        }),
      ),
  };
}

/** The notifier of one call, whose options say who gets its warnings. */
export function notifierOfCall(notifier: Notifier, onWarning: NonNullable<ClientHooks['onWarning']>): Notifier {
  return { ...notifier, warning: notifierFor({ onWarning }, notifier).warning };
}
