// The events of a client, and the hooks that get them. No event holds a token, a password or the value of a variable. Messages of the
// service are only in `errors` of a PARTIAL_DATA warning, which is not enumerable, so that logging an event leaks nothing.
import type { GraphQLErrorEntry } from './errors.js';

/** A request is about to be sent. */
export interface RequestEvent {
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
}

/** A request failed and will be sent again. */
export interface RetryEvent extends Omit<RequestEvent, 'merged' | 'waitMs'> {
  /** What happened, such as `429`, `503`, `ECONNRESET`, `cut body`, `401`. */
  readonly reason: string;
  /** The pause before it is sent again, in milliseconds. */
  readonly waitMs: number;
}

/** The session has a new token. */
export interface RefreshEvent {
  /** `login`: with credentials. `refresh`: with the refresh token. `adopt`: another process has stored a newer one. */
  readonly how: 'login' | 'refresh' | 'adopt';
}

/** Something a user should know that is not a failure. */
export interface WarningEvent {
  readonly code:
    | 'PARTIAL_DATA'
    | 'NULL_LIST'
    | 'NULL_ROWS'
    | 'SESSION_FILE_CORRUPT'
    | 'SESSION_FILE_MODE'
    | 'SESSION_STORE'
    | 'SHARED_LOGIN'
    | 'GATE_LOST'
    | 'MERGING_STOPPED';
  readonly message: string;
  readonly operation?: string;
  /** PARTIAL_DATA: the errors of the service. Not enumerable. */
  readonly errors?: readonly GraphQLErrorEntry[];
}

/** Functions that the SDK calls while it works. What they throw is ignored: a hook must not break a call. */
export interface Hooks {
  readonly onRequest?: ((event: RequestEvent) => void) | undefined;
  readonly onResponse?: ((event: ResponseEvent) => void) | undefined;
  readonly onRetry?: ((event: RetryEvent) => void) | undefined;
  readonly onRefresh?: ((event: RefreshEvent) => void) | undefined;
  readonly onWarning?: ((event: WarningEvent) => void) | undefined;
}

/** Passes events on to hooks. */
export interface Notifier {
  /** Whether there are hooks for requests and responses: without them these events are not made. */
  readonly watchesRequests: boolean;
  request(event: RequestEvent): void;
  response(event: ResponseEvent): void;
  retry(event: RetryEvent): void;
  refresh(event: RefreshEvent): void;
  warning(event: WarningEvent): void;
}

/** Never throws. */
export function notifierFor(hooks: Hooks): Notifier {
  const safely =
    <Event>(hook: ((event: Event) => void) | undefined) =>
    (event: Event) => {
      try {
        hook?.(event);
      } catch {
        // A hook must not break the call.
      }
    };
  return {
    watchesRequests: Boolean(hooks.onRequest || hooks.onResponse),
    request: safely(hooks.onRequest),
    response: safely(hooks.onResponse),
    retry: safely(hooks.onRetry),
    refresh: safely(hooks.onRefresh),
    warning: safely(hooks.onWarning),
  };
}
