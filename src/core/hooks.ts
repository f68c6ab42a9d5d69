// The events of a client, and the hooks that receive them. No event contains a token, a password or
// the value of a variable. Messages of the service are only in `errors` of a PARTIAL_DATA warning,
// which is not enumerable, so logging an event is safe.
import type { FleetErrorCode, GraphQLErrorEntry } from './errors.js';
import { type EventSource, eventSource } from './event-source.js';
import type { Priority } from './priority.js';
import { quietly } from './safe-read.js';

/** A request is about to be sent. */
export interface RequestEvent {
  /** Id made by the client; a retry has a new one. */
  readonly requestId: string;
  /** The client's `label`; its base URL without one. */
  readonly label: string;
  /**
   * The user that the request acts for: the userId, or `fleet:` and the fleetId when the service
   * lists no user for that fleet. Null for a login request, and for an id that is no UUID.
   */
  readonly user: string | null;
  /** Ids of the calls that the request answers, in call order; empty for a login request. */
  readonly callIds: readonly string[];
  /** Operations in the request, or the login step: `login`, `refresh`, `userinfo`. */
  readonly operations: readonly string[];
  readonly kind: 'query' | 'mutation' | 'login';
  /** 1 for the first request of a call. */
  readonly attempt: number;
  /** Calls in the request; more than 1 when merged. */
  readonly merged: number;
  /** Milliseconds the first call waited for its turn. */
  readonly waitMs: number;
}

/** A request is over. */
export interface ResponseEvent extends RequestEvent {
  /** HTTP status; null without a response. */
  readonly status: number | null;
  /** Until the end of the response, in milliseconds. */
  readonly durationMs: number;
  /** Size of the response text; null when none arrived. */
  readonly bytes: number | null;
  /** The service's request id (x-request-id, x-correlation-id etc.); null without one. */
  readonly responseId: string | null;
}

/** A call is over, with its result or its error. */
export interface CallEvent {
  /** Id made by the client; also in `callIds` of its requests. */
  readonly callId: string;
  readonly label: string;
  /** As in {@link RequestEvent}; also null when the call ended before its user was known. */
  readonly user: string | null;
  readonly operation: string;
  readonly kind: 'query' | 'mutation';
  readonly priority: Priority;
  /** `ok`, or the code of the caller's error. */
  readonly outcome: 'ok' | FleetErrorCode;
  /** Requests of the call in order; empty when none was sent. */
  readonly requestIds: readonly string[];
  /** Milliseconds before its first request; the whole duration without one. */
  readonly waitMs: number;
  /** Until its end, in milliseconds. */
  readonly durationMs: number;
}

/** A request failed and will be sent again. */
export interface RetryEvent extends Omit<RequestEvent, 'merged' | 'waitMs'> {
  /** The failure, such as `429`, `503`, `ECONNRESET`, `cut body` or `401`. */
  readonly reason: string;
  readonly waitMs: number;
}

/** The session has a new token. */
export interface SessionEvent {
  /** `login`: credentials. `refresh`: refresh token. `adopt`: token stored by another process. */
  readonly how: 'login' | 'refresh' | 'adopt';
  readonly label: string;
}

/** A condition that a user should know about, but not a failure. */
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
  /** The service's errors for PARTIAL_DATA. Not enumerable. */
  readonly errors?: readonly GraphQLErrorEntry[];
}

/** A warning of a client. Warnings of a gate, a token store or `tripsFrom` have no label. */
export interface WarningEvent extends Warning {
  readonly label: string;
}

/** Functions that the SDK calls while it works. Their exceptions and rejections are ignored. */
export interface ClientHooks {
  readonly onRequest?: ((event: RequestEvent) => void) | undefined;
  readonly onResponse?: ((event: ResponseEvent) => void) | undefined;
  readonly onRetry?: ((event: RetryEvent) => void) | undefined;
  /** Called for every call, also when it ended while waiting and nothing was sent. */
  readonly onCall?: ((event: CallEvent) => void) | undefined;
  readonly onSession?: ((event: SessionEvent) => void) | undefined;
  readonly onWarning?: ((event: WarningEvent) => void) | undefined;
}

export interface Notifier extends EventSource {
  /** True when there are hooks for requests, retries or calls. */
  readonly watchesRequests: boolean;
  request(event: RequestEvent): void;
  response(event: ResponseEvent): void;
  retry(event: RetryEvent): void;
  call(event: CallEvent): void;
  refresh(event: Omit<SessionEvent, 'label'>): void;
  warning(event: Warning): void;
}

/** Returns the notifier of these hooks. It never throws. */
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
    // A copy that keeps non-enumerable properties non-enumerable.
    warning: (event) =>
      warning(
        Object.create(Object.prototype, {
          ...Object.getOwnPropertyDescriptors(event),
          label: { value: label, enumerable: true },
        }),
      ),
  };
}

/** Returns the notifier of one call with its own `onWarning`. */
export function notifierOfCall(notifier: Notifier, onWarning: NonNullable<ClientHooks['onWarning']>): Notifier {
  return { ...notifier, warning: notifierFor({ onWarning }, notifier).warning };
}
