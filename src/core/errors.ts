// All errors of the SDK. No message holds a token, a password or the value of a variable, and nor does anything else that a log would
// show: what the service said is in non-enumerable properties, and a cause is reduced to its name and code.
import { isRateLimited, isTransient } from './http-status.js';

/** Identifies the class without `instanceof`. */
export type FleetErrorCode =
  | 'AUTHENTICATION'
  | 'SESSION_EXPIRED'
  | 'USER_SELECTION'
  | 'RATE_LIMIT'
  | 'GRAPHQL'
  | 'AMBIGUOUS_MUTATION'
  | 'HTTP'
  | 'NETWORK'
  | 'TIMEOUT'
  | 'ABORTED'
  | 'INVALID_INPUT'
  | 'PROTOCOL';

/** The call that failed. */
export interface FailedCall {
  /** Name of the operation, or of the login step (`login`, `refresh`, `userinfo`); null when the error belongs to no call. */
  readonly operation?: string | null | undefined;
  /** How many requests were sent for it, and connections that could not be made. */
  readonly attempts?: number | undefined;
  readonly cause?: unknown;
}

/** An entry of `errors` in a GraphQL answer, as the service sent it. */
export interface GraphQLErrorEntry {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly locations?: readonly { readonly line: number; readonly column: number }[];
  readonly extensions?: { readonly [key: string]: unknown };
}

/** A user that a login may act for, as `GET /login/userinfo` lists it. */
export interface FleetUser {
  readonly userId: string;
  readonly userName: string | null;
  readonly fleetName: string | null;
  /** Not in the contract, but sent by services of this kind. Null when absent. */
  readonly fleetId: string | null;
}

/** The base class of all errors of this package. */
export abstract class FleetError extends Error {
  abstract readonly code: FleetErrorCode;
  /** Name of the operation that failed, or of the login step; null when the error belongs to no call. */
  readonly operation: string | null;
  /** How many requests were sent for it, and connections that could not be made; 0: nothing was tried. */
  readonly attempts: number;
  /** Whether the same call may succeed when it is made again, without doing anything twice. */
  readonly retryable: boolean;

  protected constructor(message: string, call: FailedCall, retryable: boolean) {
    super(message, call.cause === undefined ? undefined : { cause: call.cause });
    this.operation = call.operation ?? null;
    this.attempts = call.attempts ?? 0;
    this.retryable = retryable;
    // Without this, `name` would be "Error".
    Object.defineProperty(this, 'name', { value: new.target.name, configurable: true, writable: true });
  }

  /** util.inspect would show `errors` even though it is not enumerable; this shows only what may be logged. */
  [Symbol.for('nodejs.util.inspect.custom')](
    _depth: number,
    options: object,
    inspect: (value: unknown, options: object) => string,
  ): string {
    const shown = { ...this, ...(this.cause === undefined ? {} : { cause: this.cause }) };
    return `${this.stack ?? String(this)} ${inspect(shown, options)}`;
  }

  /** Only what may be logged: no answer of the service, no request, no stack. */
  toJSON(): Record<string, unknown> {
    return Object.fromEntries([['name', this.name], ['message', this.message], ...Object.entries(this)]);
  }
}

/** Adds a property that logs, JSON and `util.inspect` do not show. */
function hide(error: FleetError, name: string, value: unknown): void {
  Object.defineProperty(error, name, { value, enumerable: false, configurable: false, writable: false });
}

/** Not logged in: wrong credentials, no credentials, or a new token that the service refuses. */
export class AuthenticationError extends FleetError {
  readonly code = 'AUTHENTICATION';
  constructor(message: string, call: FailedCall = {}) {
    super(message, call, false);
  }
}

/** The session can no longer be refreshed (12 hours after the login, or refused), and there are no credentials. */
export class SessionExpiredError extends FleetError {
  readonly code = 'SESSION_EXPIRED';
  constructor(message: string, call: FailedCall = {}) {
    super(message, call, false);
  }
}

/** The login may act for several users, or none of them matches: choose one. */
export class UserSelectionError extends FleetError {
  readonly code = 'USER_SELECTION';
  /** The users to choose from. */
  readonly choices: readonly FleetUser[];
  constructor(message: string, choices: readonly FleetUser[], call: FailedCall = {}) {
    super(message, call, false);
    this.choices = choices;
  }
}

/** The service still answered 429 when the time for the call ran out: another request of the same user was active. */
export class RateLimitError extends FleetError {
  readonly code = 'RATE_LIMIT';
  /** The Retry-After of the service in milliseconds; null when it sent none. */
  readonly retryAfterMs: number | null;
  constructor(message: string, retryAfterMs: number | null, call: FailedCall = {}) {
    super(message, call, true);
    this.retryAfterMs = retryAfterMs;
  }
}

/** The service answered with GraphQL errors. Its messages are in `errors` and not in the message of this error. */
export class GraphQLResponseError extends FleetError {
  readonly code = 'GRAPHQL';
  /** The errors as the service sent them. Not enumerable, because they may quote variables. */
  declare readonly errors: readonly GraphQLErrorEntry[];
  /** The `data` that arrived, or null. Not enumerable. */
  declare readonly data: unknown;
  /** The first error's `extensions.classification`, such as `BAD_REQUEST`; null when there is none. */
  readonly classification: string | null;
  constructor(message: string, errors: readonly GraphQLErrorEntry[], data: unknown, call: FailedCall = {}) {
    super(message, call, false);
    hide(this, 'errors', errors);
    hide(this, 'data', data);
    this.classification = errors.map(classificationOf).find((classification) => classification !== null) ?? null;
  }
}

/** A mutation may or may not have been carried out: its answer never arrived. Check before you send it again. */
export class AmbiguousMutationError extends FleetError {
  readonly code = 'AMBIGUOUS_MUTATION';
  constructor(message: string, call: FailedCall = {}) {
    super(message, call, false);
  }
}

/** The service, or a proxy before it, answered with an HTTP status that means failure. */
export class HttpError extends FleetError {
  readonly code = 'HTTP';
  readonly status: number;
  /** The GraphQL errors that came with the status, if any. Not enumerable. */
  declare readonly errors: readonly GraphQLErrorEntry[];
  constructor(message: string, status: number, call: FailedCall = {}, errors: readonly GraphQLErrorEntry[] = []) {
    super(message, call, isRateLimited(status) || isTransient(status));
    this.status = status;
    hide(this, 'errors', errors);
  }
}

/** The service could not be reached, or the connection broke before a query's answer had arrived. */
export class NetworkError extends FleetError {
  readonly code = 'NETWORK';
  constructor(message: string, call: FailedCall & { readonly retryable?: boolean } = {}) {
    super(message, call, call.retryable ?? true);
  }
}

/** The time for the call (`timeoutMs`) ran out. */
export class TimeoutError extends FleetError {
  readonly code = 'TIMEOUT';
  /** What the call waited for before it could be sent; null when it was sent. */
  readonly waitedFor: string | null;
  constructor(message: string, call: FailedCall & { readonly waitedFor?: string } = {}) {
    super(message, call, true);
    this.waitedFor = call.waitedFor ?? null;
  }
}

/** The caller's signal was aborted, or the client was closed, before the answer arrived. */
export class AbortError extends FleetError {
  readonly code = 'ABORTED';
  constructor(message: string, call: FailedCall = {}) {
    super(message, call, false);
  }
}

/** Invalid input of the caller, found before anything was sent. Also: a token store that cannot remove the session at logout. */
export class InvalidInputError extends FleetError {
  readonly code = 'INVALID_INPUT';
  constructor(message: string, call: FailedCall = {}) {
    super(message, call, false);
  }
}

/** The answer is not what the contract promises: not JSON, without `data`, or without a token. */
export class ProtocolError extends FleetError {
  readonly code = 'PROTOCOL';
  constructor(message: string, call: FailedCall = {}) {
    super(message, call, false);
  }
}

/** `extensions.classification` if it is a plain word; other text may quote a value. */
export function classificationOf(error: GraphQLErrorEntry): string | null {
  const text = error.extensions?.classification;
  return typeof text === 'string' && /^[A-Za-z_]{1,64}$/.test(text) ? text : null;
}

/**
 * Reduces an error from outside this package to what is safe as a cause: its name and its code. Messages of HTTP libraries quote headers,
 * addresses and bodies.
 */
export function bareCause(error: unknown): Error {
  const name = plainWord(property(error, 'name')) ?? 'Error';
  const code = plainWord(property(error, 'code'));
  const bare = new Error(code ?? name);
  bare.name = name;
  // The stack would only show this function.
  delete bare.stack;
  return code === null ? bare : Object.assign(bare, { code });
}

function property(of: unknown, name: string): unknown {
  return typeof of === 'object' && of !== null ? Reflect.get(of, name) : undefined;
}

function plainWord(value: unknown): string | null {
  return typeof value === 'string' && /^[A-Za-z][A-Za-z0-9_]{0,63}$/.test(value) ? value : null;
}
