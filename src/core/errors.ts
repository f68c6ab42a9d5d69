// Every error that a user of the SDK can meet. Our own text never holds a token, a password or the value of a variable, and
// neither does anything that a log would pick up: what the service said hangs on non-enumerable properties, and a cause
// is reduced to its name and code.
import { isRateLimited, isTransient } from './http-status.js';

/** Tells the classes apart without `instanceof`. */
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

/** What is known of the call that failed. */
export interface FailedCall {
  /** Name of the operation, or of the login step (`login`, `refresh`, `userinfo`); null when the error belongs to no call. */
  readonly operation?: string | null | undefined;
  /** How many requests were sent for it. */
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
  /** Not named by the contract; services of this kind also send it. Null when absent. */
  readonly fleetId: string | null;
}

/** The base class: catch it to catch whatever this package throws. */
export abstract class FleetError extends Error {
  abstract readonly code: FleetErrorCode;
  /** Name of the operation that failed, or of the login step; null when the error belongs to no call. */
  readonly operation: string | null;
  /** How many requests were sent for it; 0 when none was. */
  readonly attempts: number;
  /** Whether the same call may be made again as it is, with a chance to succeed and without doing anything twice. */
  readonly retryable: boolean;

  protected constructor(message: string, call: FailedCall, retryable: boolean) {
    super(message, call.cause === undefined ? undefined : { cause: call.cause });
    this.operation = call.operation ?? null;
    this.attempts = call.attempts ?? 0;
    this.retryable = retryable;
    // On the prototype chain `name` would read "Error": new.target survives minifiers only as far as class names do.
    Object.defineProperty(this, 'name', { value: new.target.name, configurable: true, writable: true });
  }

  /** util.inspect shows an error's `errors` even when they are not enumerable; this shows what may be logged and no more. */
  [Symbol.for('nodejs.util.inspect.custom')](
    _depth: number,
    options: object,
    inspect: (value: unknown, options: object) => string,
  ): string {
    const known = { ...this, ...(this.cause === undefined ? {} : { cause: this.cause }) };
    return `${this.stack ?? String(this)} ${inspect(known, options)}`;
  }

  /** What may be logged: no answer of the service, no request, no stack. */
  toJSON(): Record<string, unknown> {
    return Object.fromEntries([['name', this.name], ['message', this.message], ...Object.entries(this)]);
  }
}

/** Keeps a property readable and out of logs, JSON and `util.inspect`. */
function hide(error: FleetError, name: string, value: unknown): void {
  Object.defineProperty(error, name, { value, enumerable: false, configurable: false, writable: false });
}

/** The service did not accept the login: wrong credentials, none given, or a fresh token that it refuses. */
export class AuthenticationError extends FleetError {
  readonly code = 'AUTHENTICATION';
  constructor(message: string, call: FailedCall = {}) {
    super(message, call, false);
  }
}

/** The kept session can no longer be refreshed (12 hours after login by contract, or refused) and no credentials are at hand. */
export class SessionExpiredError extends FleetError {
  readonly code = 'SESSION_EXPIRED';
  constructor(message: string, call: FailedCall = {}) {
    super(message, call, false);
  }
}

/** The login may act for several users, or for none that fits: say which one. */
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
  /** How long the service asked to wait, in milliseconds; null when it did not say. */
  readonly retryAfterMs: number | null;
  constructor(message: string, retryAfterMs: number | null, call: FailedCall = {}) {
    super(message, call, true);
    this.retryAfterMs = retryAfterMs;
  }
}

/** The service answered with GraphQL errors. What it said is in `errors`; it is not repeated in the message. */
export class GraphQLResponseError extends FleetError {
  readonly code = 'GRAPHQL';
  /** The errors as the service sent them. Not enumerable, because a service may quote variables in its messages. */
  declare readonly errors: readonly GraphQLErrorEntry[];
  /** What arrived of `data`, or null. Not enumerable. */
  declare readonly data: unknown;
  /** The first error's `extensions.classification`, such as `BAD_REQUEST`; null when there is none. */
  readonly classification: string | null;
  constructor(message: string, errors: readonly GraphQLErrorEntry[], data: unknown, call: FailedCall = {}) {
    super(message, call, false);
    hide(this, 'errors', errors);
    hide(this, 'data', data);
    this.classification = errors.map(classificationOf).find((one) => one !== null) ?? null;
  }
}

/** A mutation may or may not have been carried out: its answer never arrived. It is not sent again; look before you do. */
export class AmbiguousMutationError extends FleetError {
  readonly code = 'AMBIGUOUS_MUTATION';
  constructor(message: string, call: FailedCall = {}) {
    super(message, call, false);
  }
}

/** The service, or something between it and us, answered with an HTTP status that means failure. */
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
  /** What kept a call from being sent, in words; null when it was sent. */
  readonly waitedFor: string | null;
  constructor(message: string, call: FailedCall & { readonly waitedFor?: string } = {}) {
    super(message, call, true);
    this.waitedFor = call.waitedFor ?? null;
  }
}

/** The caller's signal was aborted, or the client was closed, before the answer was there. */
export class AbortError extends FleetError {
  readonly code = 'ABORTED';
  constructor(message: string, call: FailedCall = {}) {
    super(message, call, false);
  }
}

/** What the caller gave cannot be used: found out before anything was sent. A token store that keeps what a logout should remove, too. */
export class InvalidInputError extends FleetError {
  readonly code = 'INVALID_INPUT';
  constructor(message: string, call: FailedCall = {}) {
    super(message, call, false);
  }
}

/** The answer is not what the contract promises: no JSON, no `data`, no token. */
export class ProtocolError extends FleetError {
  readonly code = 'PROTOCOL';
  constructor(message: string, call: FailedCall = {}) {
    super(message, call, false);
  }
}

/** `extensions.classification` where it is a plain word; anything else might be a quoted value. */
export function classificationOf(error: GraphQLErrorEntry): string | null {
  const found = error.extensions?.classification;
  return typeof found === 'string' && /^[A-Za-z_]{1,64}$/.test(found) ? found : null;
}

/**
 * An error met outside this package, reduced to what is safe to keep as a cause: its name and its code. Messages of HTTP
 * libraries quote headers, addresses and bodies.
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
