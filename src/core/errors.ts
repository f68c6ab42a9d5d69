// All errors of the SDK. Nothing that a log would show contains a token, a password or the value of
// a variable. Texts of the service are stored apart from the error and read through accessors; the
// cause of a network failure is reduced to its name and code.
import type { ErrorFacts } from './error-facts.js';
import { isRateLimited, isTransient } from './http-status.js';
import { networkFacts } from './network-errors.js';
import { readMember } from './safe-read.js';

/** The code of an error, to identify its class without `instanceof`. */
export type FleetErrorCode =
  | 'AUTHENTICATION'
  | 'CREDENTIALS'
  | 'SESSION_EXPIRED'
  | 'USER_SELECTION'
  | 'RATE_LIMIT'
  | 'GRAPHQL'
  | 'AMBIGUOUS_MUTATION'
  | 'HTTP'
  | 'NETWORK'
  | 'TRANSPORT'
  | 'TIMEOUT'
  | 'ABORTED'
  | 'CLOSED'
  | 'QUEUE_FULL'
  | 'GATE'
  | 'HEADERS'
  | 'TOKEN_STORE'
  | 'INVALID_INPUT'
  | 'PROTOCOL'
  | 'RESPONSE_TOO_LARGE'
  | 'INCOMPLETE_STREAM'
  | 'SYNC_TARGET';

export interface FailedCall {
  /** The operation or login step (`login`, `refresh`, `userinfo`); null without a call. */
  readonly operation?: string | null | undefined;
  /** Requests sent, and connections that failed. */
  readonly attempts?: number | undefined;
  /** Id that the client gave the last request, as in hook events; null when unknown. */
  readonly requestId?: string | null | undefined;
  /** The service's id of that request, as in `onResponse`; null when unknown. */
  readonly responseId?: string | null | undefined;
  readonly cause?: unknown;
  /**
   * The facts of the failure; by default those of the error class.
   * @internal
   */
  readonly facts?: ErrorFacts;
}

/** An entry of `errors` in a GraphQL answer, as the service sent it. */
export interface GraphQLErrorEntry {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly locations?: readonly { readonly line: number; readonly column: number }[];
  readonly extensions?: { readonly [key: string]: unknown };
}

/** A user that a login may act for, as `GET /login/userinfo` lists it. */
export interface LoginUser {
  readonly userId: string;
  readonly userName: string | null;
  readonly fleetName: string | null;
  /** Not in the contract, but sent by services of this kind. Null when absent. */
  readonly fleetId: string | null;
}

/** Texts of the service. Kept apart, because loggers print all properties of an error. */
const serviceTexts = new WeakMap<
  object,
  { readonly serviceErrors: readonly GraphQLErrorEntry[]; readonly data: unknown }
>();

/** The mark of errors of every copy of this package, installed or bundled. */
const BRAND = Symbol.for('fleet-telematics.error');

interface ErrorClass<Instance> extends NewableFunction {
  readonly prototype: Instance;
}

/** The base of all errors of this package, exported as {@link FleetError}. */
export abstract class BaseError extends Error {
  // Explicit, because a minifier renames classes.
  static override readonly name: string = 'FleetError';
  static {
    Object.defineProperty(BaseError.prototype, BRAND, { value: true });
  }
  abstract readonly code: FleetErrorCode;
  /** Name of the failed operation or login step; null when the error belongs to no call. */
  readonly operation: string | null;
  /** Requests sent for the call, and connections that failed; 0 when nothing was tried. */
  readonly attempts: number;
  /** True when the same call may succeed later, and repeating it does nothing twice. */
  readonly retryable: boolean;
  /**
   * Id of the last request of the call, as in hook events, on the channels and in a `headers`
   * function. Null when no request was sent, or when no hook, channel or `headers` function uses
   * ids.
   */
  readonly requestId: string | null;
  /**
   * The service's id of that request, for its operators: the response header x-request-id,
   * x-correlation-id, request-id or x-amzn-requestid. Null without an answer or such a header.
   */
  readonly responseId: string | null;
  /** Only from a stream: rows (of `streamTrips`: trips) delivered before the error. */
  declare readonly rowsGiven?: number;
  /**
   * Only from a stream: the `from` that continues it, as RFC 3339 text. Rows of exactly this time,
   * and an open trip, may be delivered again.
   */
  declare readonly resumeFrom?: string;
  /**
   * The facts of the failure. Not enumerable: users and logs see the properties above.
   * @internal
   */
  declare readonly facts: ErrorFacts;

  protected constructor(message: string, call: FailedCall, retryable: boolean) {
    super(message, call.cause === undefined ? undefined : { cause: call.cause });
    this.operation = call.operation ?? null;
    this.attempts = call.attempts ?? 0;
    this.retryable = retryable;
    this.requestId = call.requestId ?? null;
    this.responseId = call.responseId ?? null;
    Object.defineProperty(this, 'facts', { value: call.facts ?? { kind: 'other' } });
    // Otherwise `name` would be "Error".
    Object.defineProperty(this, 'name', { value: new.target.name, configurable: true, writable: true });
  }

  /** True for an error of this class, from any installed or bundled copy of this package. */
  static is<Instance extends BaseError>(this: ErrorClass<Instance>, value: unknown): value is Instance {
    if (readMember(value, BRAND) !== true) return false;
    // biome-ignore lint/complexity/noThisInStatic: `this` is the class before the dot; undefined in `errors.filter(FleetError.is)`.
    const errorClass: ErrorClass<BaseError> = this ?? BaseError;
    return errorClass.name === BaseError.name || readMember(value, 'name') === errorClass.name;
  }

  /**
   * Returns false for a revoked proxy, where the default `instanceof` throws.
   * @internal
   */
  static override [Symbol.hasInstance](value: unknown): boolean {
    try {
      // biome-ignore lint/complexity/noThisInStatic: it is the class that was asked.
      return Function.prototype[Symbol.hasInstance].call(this, value);
    } catch {
      return false;
    }
  }

  /** Shows only what may be logged: `getters` of util.inspect would show the service's texts. */
  [Symbol.for('nodejs.util.inspect.custom')](
    _depth: number,
    options: object,
    inspect: (value: unknown, options: object) => string,
  ): string {
    const words = this.stack ?? String(this);
    if (this.cause === undefined) return `${words} ${inspect({ ...this }, options)}`;
    try {
      return `${words} ${inspect({ ...this, cause: this.cause }, options)}`;
    } catch {
      // The cause is a value of the program, and its inspect code may throw.
      return `${words} ${inspect({ ...this, cause: 'cannot be shown: its own code threw' }, options)}`;
    }
  }

  /** Returns only what may be logged: no answer of the service, no request, no stack. */
  toJSON(): Record<string, unknown> {
    return Object.fromEntries([['name', this.name], ['message', this.message], ...Object.entries(this)]);
  }
}

/** The login failed: wrong credentials, no credentials, or a new token that the service refuses. */
export class AuthenticationError extends BaseError {
  static override readonly name: string = 'AuthenticationError';
  readonly code = 'AUTHENTICATION';
  constructor(message: string, call: FailedCall = {}) {
    super(message, { facts: authenticationFailureFacts(call), ...call }, false);
  }
}

/** The `credentials` function failed or returned none; nothing was sent. `cause`: what it threw. */
export class CredentialsError extends BaseError {
  static override readonly name: string = 'CredentialsError';
  readonly code = 'CREDENTIALS';
  constructor(message: string, call: FailedCall = {}) {
    super(message, call, true);
  }
}

/** The session cannot be refreshed (12 h old, or refused), and the client has no credentials. */
export class SessionExpiredError extends BaseError {
  static override readonly name: string = 'SessionExpiredError';
  readonly code = 'SESSION_EXPIRED';
  constructor(message: string, call: FailedCall = {}) {
    super(message, { facts: { kind: 'sessionEnded', wasInterrupted: false }, ...call }, false);
  }
}

/** The login may act for several users, or no user matches the selection. */
export class UserSelectionError extends BaseError {
  static override readonly name: string = 'UserSelectionError';
  readonly code = 'USER_SELECTION';
  readonly choices: readonly LoginUser[];
  constructor(message: string, choices: readonly LoginUser[], call: FailedCall = {}) {
    super(message, { facts: { kind: 'userNotChosen', users: choices.length }, ...call }, false);
    this.choices = choices;
  }
}

/** The service answered 429 until the time ran out: another request of the user was active. */
export class RateLimitError extends BaseError {
  static override readonly name: string = 'RateLimitError';
  readonly code = 'RATE_LIMIT';
  /** Retry-After of the service in milliseconds; null without one. */
  readonly retryAfterMs: number | null;
  constructor(message: string, retryAfterMs: number | null, call: FailedCall = {}) {
    super(message, { facts: { kind: 'rateLimited', turns: null }, ...call }, true);
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * The service answered with GraphQL errors. Their messages are in `serviceErrors`. They are also in
 * `message` when the client has `exposeServiceMessages: true`.
 */
export class GraphQLResponseError extends BaseError {
  static override readonly name: string = 'GraphQLResponseError';
  readonly code = 'GRAPHQL';
  /** The first `extensions.classification`, such as `BAD_REQUEST`; null without one. */
  readonly classification: string | null;
  constructor(message: string, errors: readonly GraphQLErrorEntry[], data: unknown, call: FailedCall = {}) {
    super(message, { facts: { kind: 'graphqlErrors', count: errors.length, mayBeDrift: false }, ...call }, false);
    serviceTexts.set(this, { serviceErrors: errors, data });
    this.classification = errors.map(classificationOf).find((classification) => classification !== null) ?? null;
  }

  /** The errors as the service sent them. They may quote variables, so no log shows them. */
  get serviceErrors(): readonly GraphQLErrorEntry[] {
    return serviceTexts.get(this)?.serviceErrors ?? [];
  }

  /** The `data` that arrived, or null. No log shows it, as for `serviceErrors`. */
  get data(): unknown {
    return serviceTexts.get(this)?.data ?? null;
  }
}

/** A mutation may or may not have been executed. Check before you send it again. */
export class AmbiguousMutationError extends BaseError {
  static override readonly name: string = 'AmbiguousMutationError';
  readonly code = 'AMBIGUOUS_MUTATION';
  /** HTTP status of the answer; null without a complete one. */
  readonly status: number | null;
  constructor(message: string, call: FailedCall & { readonly status?: number | null } = {}) {
    const { status = null } = call;
    super(message, { facts: { kind: 'inDoubt', status, because: null }, ...call }, false);
    this.status = status;
  }
}

/** The service, or a proxy before it, answered with an HTTP error status. */
export class HttpError extends BaseError {
  static override readonly name: string = 'HttpError';
  readonly code = 'HTTP';
  readonly status: number;
  constructor(message: string, status: number, call: FailedCall = {}, errors: readonly GraphQLErrorEntry[] = []) {
    super(message, { facts: { kind: 'status', status }, ...call }, isRateLimited(status) || isTransient(status));
    this.status = status;
    serviceTexts.set(this, { serviceErrors: errors, data: null });
  }

  /** The GraphQL errors of the answer, if any. They may quote variables, so no log shows them. */
  get serviceErrors(): readonly GraphQLErrorEntry[] {
    return serviceTexts.get(this)?.serviceErrors ?? [];
  }
}

/** The service could not be reached, or the connection broke before a query's answer arrived. */
export class NetworkError extends BaseError {
  static override readonly name: string = 'NetworkError';
  readonly code = 'NETWORK';
  constructor(message: string, call: FailedCall & { readonly retryable?: boolean } = {}) {
    super(message, { facts: networkFailureFacts(call), ...call }, call.retryable ?? true);
  }
}

/**
 * The code that sends the requests threw an exception that is no network failure: the `fetch` given
 * to the client, or this package's transport, for example after bundling. Nothing was repeated,
 * because a retry would not help. `cause` has the name, code and stack, but no message: that may
 * quote the request.
 */
export class TransportError extends BaseError {
  static override readonly name: string = 'TransportError';
  readonly code = 'TRANSPORT';
  constructor(message: string, call: FailedCall = {}) {
    super(message, { facts: { kind: 'exception', reason: null }, ...call }, false);
  }
}

/**
 * The time for the call ran out: `timeoutMs`, or the caller's own signal (`AbortSignal.timeout`),
 * whose reason is then the `cause`.
 */
export class TimeoutError extends BaseError {
  static override readonly name: string = 'TimeoutError';
  readonly code = 'TIMEOUT';
  /** Reason why the call was not sent yet; null when it was sent. */
  readonly waitedFor: string | null;
  constructor(message: string, call: FailedCall & { readonly waitedFor?: string } = {}) {
    const { waitedFor = null } = call;
    const facts: ErrorFacts =
      waitedFor === null
        ? { kind: 'timeRanOut', limit: 'timeoutMs' }
        : { kind: 'notSentInTime', waitedFor, isSentBefore: false, limit: 'timeoutMs' };
    super(message, { facts, ...call }, true);
    this.waitedFor = waitedFor;
  }
}

/** The caller's signal was aborted before the answer arrived; `cause` is its reason. */
export class AbortError extends BaseError {
  static override readonly name: string = 'AbortError';
  readonly code = 'ABORTED';
  constructor(message: string, call: FailedCall = {}) {
    super(message, { facts: { kind: 'aborted', waitedFor: null, isSentBefore: false }, ...call }, false);
  }
}

/**
 * The client was closed before the call was made, or before its answer arrived. A mutation that was
 * already sent is an {@link AmbiguousMutationError}.
 */
export class ClosedError extends BaseError {
  static override readonly name: string = 'ClosedError';
  readonly code = 'CLOSED';
  constructor(message: string, call: FailedCall = {}) {
    super(message, { facts: { kind: 'closed', waitedFor: null, isSentBefore: false }, ...call }, false);
  }
}

/** More calls wait than the client's `maxWaiting` allows; nothing was sent. */
export class QueueFullError extends BaseError {
  static override readonly name: string = 'QueueFullError';
  readonly code = 'QUEUE_FULL';
  readonly waiting: number;
  readonly maxWaiting: number;
  constructor(message: string, waiting: number, maxWaiting: number, call: FailedCall = {}) {
    super(message, { facts: { kind: 'queueFull', waiting, maxWaiting }, ...call }, true);
    this.waiting = waiting;
    this.maxWaiting = maxWaiting;
  }
}

/** The `gate` of the client failed; nothing was sent. `cause` is what it threw. */
export class GateError extends BaseError {
  static override readonly name: string = 'GateError';
  readonly code = 'GATE';
  constructor(message: string, call: FailedCall = {}) {
    super(message, call, true);
  }
}

/**
 * The `headers` function of the client failed; no request was made. When it threw, `cause` is what
 * it threw, and the call is `retryable`. When it returned headers that HTTP cannot carry, the call
 * is not.
 */
export class HeadersError extends BaseError {
  static override readonly name: string = 'HeadersError';
  readonly code = 'HEADERS';
  constructor(message: string, call: FailedCall & { readonly retryable?: boolean } = {}) {
    super(message, call, call.retryable ?? true);
  }
}

/**
 * The token store cannot be used: `logout()` could not remove the session, which is still stored;
 * or the session file is a pipe or a device. `cause` has the name and the code of the failure, if
 * there was one.
 */
export class TokenStoreError extends BaseError {
  static override readonly name: string = 'TokenStoreError';
  readonly code = 'TOKEN_STORE';
  constructor(message: string, call: FailedCall = {}) {
    super(message, call, true);
  }
}

/** The caller's input is invalid; nothing was sent. */
export class InvalidInputError extends BaseError {
  static override readonly name: string = 'InvalidInputError';
  readonly code = 'INVALID_INPUT';
  constructor(message: string, call: FailedCall = {}) {
    super(message, call, false);
  }
}

/** The answer breaks the contract: not JSON, without `data`, or without a token. */
export class ProtocolError extends BaseError {
  static override readonly name: string = 'ProtocolError';
  readonly code = 'PROTOCOL';
  constructor(message: string, call: FailedCall = {}) {
    super(message, { facts: { kind: 'oddAnswer' }, ...call }, false);
  }
}

/** The answer exceeds `maxResponseBytes`, or is a decompression bomb. It was discarded. */
export class ResponseTooLargeError extends BaseError {
  static override readonly name: string = 'ResponseTooLargeError';
  readonly code = 'RESPONSE_TOO_LARGE';
  readonly limitBytes: number;
  constructor(message: string, limitBytes: number, call: FailedCall = {}) {
    super(message, { facts: { kind: 'tooLarge', limitBytes }, ...call }, false);
    this.limitBytes = limitBytes;
  }
}

/** The error of one vehicle in a stream of several vehicles. */
export interface VehicleFailure {
  readonly vehicleId: string;
  readonly error: FleetError;
  /** Rows (of `streamTrips`: trips) delivered before the error. */
  readonly rowsGiven: number;
  /** The `from` that continues this vehicle, as RFC 3339 text. */
  readonly resumeFrom: string;
}

/** A stream of several vehicles delivered all available rows, but some vehicles failed. */
export class IncompleteStreamError extends BaseError {
  static override readonly name: string = 'IncompleteStreamError';
  readonly code = 'INCOMPLETE_STREAM';
  readonly vehicles: readonly VehicleFailure[];
  constructor(message: string, vehicles: readonly VehicleFailure[], call: FailedCall = {}) {
    super(
      message,
      call,
      vehicles.every(({ error }) => error.retryable),
    );
    this.vehicles = vehicles;
  }
}

/**
 * The reason why the database of a sync cannot be written.
 *
 * - `INVALID`: the value cannot name a database, or the existing file is no database or has other
 *   content.
 * - `UNREACHABLE`: the database does not answer, or the connection was lost.
 * - `REFUSED`: a login, a right or write access is missing.
 * - `IN_USE`: another sync is writing to it, or another program has locked it.
 * - `NEWER`: a newer version of this package created the copy.
 * - `OTHER_ORIGIN`: it is a copy of the fleet of another service or user.
 * - `FULL`: there is no space left.
 * - `FAILED`: any other error of the database, or rows that no sync can have written.
 */
export type SyncTargetReason =
  | 'INVALID'
  | 'UNREACHABLE'
  | 'REFUSED'
  | 'IN_USE'
  | 'NEWER'
  | 'OTHER_ORIGIN'
  | 'FULL'
  | 'FAILED';

/**
 * From `fleet-telematics-sync`: the database of a copy cannot be used. Earlier writes are complete,
 * and the next sync continues after them. UNREACHABLE and IN_USE are `retryable`.
 */
export class SyncTargetError extends BaseError {
  static override readonly name: string = 'SyncTargetError';
  readonly code = 'SYNC_TARGET';
  readonly reason: SyncTargetReason;
  /** The next step for the user. */
  readonly hint: string;
  constructor(reason: SyncTargetReason, message: string, hint: string, cause?: unknown) {
    super(message, { cause }, reason === 'UNREACHABLE' || reason === 'IN_USE');
    this.reason = reason;
    this.hint = hint;
  }
}

/** Any error of this package. `code` identifies the class, and narrows to it in TypeScript. */
export type FleetError =
  | AuthenticationError
  | CredentialsError
  | SessionExpiredError
  | UserSelectionError
  | RateLimitError
  | GraphQLResponseError
  | AmbiguousMutationError
  | HttpError
  | NetworkError
  | TransportError
  | TimeoutError
  | AbortError
  | ClosedError
  | QueueFullError
  | GateError
  | HeadersError
  | TokenStoreError
  | InvalidInputError
  | ProtocolError
  | ResponseTooLargeError
  | IncompleteStreamError
  | SyncTargetError;

interface AnyErrorClass extends ErrorClass<FleetError> {
  /** True for an error of any installed or bundled copy; `instanceof` only for this copy. */
  is(value: unknown): value is FleetError;
  [Symbol.hasInstance](value: unknown): value is FleetError;
}

/** The class of all errors of this package. `instanceof` and `is` narrow by `code`. */
// The base class: each of its instances belongs to one of the classes above.
export const FleetError = BaseError as NewableFunction as AnyErrorClass;

/** Returns the facts of an authentication error made without facts, by its login step. */
function authenticationFailureFacts({ operation = null }: FailedCall): ErrorFacts {
  if (operation === null) return { kind: 'notLoggedIn' };
  if (operation === 'refresh') return { kind: 'notRenewed' };
  return operation === 'login' ? { kind: 'loginRefused', status: null } : { kind: 'tokenRefused', status: null };
}

/** Returns the facts of a network error made without facts, by the code of its cause. */
function networkFailureFacts({ cause }: FailedCall): ErrorFacts {
  const code = readMember(cause, 'code');
  return typeof code === 'string' ? networkFacts(code) : { kind: 'connectionLost', reason: null, isPlainHttp: false };
}

/**
 * Returns a copy of the error with the caller's line in its stack. Callers that wait for the same
 * thing each get their own. Call it right before the caller's promise is rejected: only then V8
 * knows who waits for it.
 */
export function errorForCaller(error: FleetError, message = error.message): FleetError {
  const copy = new Error(message);
  Object.setPrototypeOf(copy, Object.getPrototypeOf(error));
  const { stack: _stack, message: _message, ...properties } = Object.getOwnPropertyDescriptors(error);
  Object.defineProperties(copy, properties);
  const own = copy as FleetError;
  const words = serviceTexts.get(error);
  if (words) serviceTexts.set(own, words);
  Error.captureStackTrace?.(own, errorForCaller);
  return own;
}

export interface StreamProgress {
  readonly rowsGiven: number;
  readonly resumeFrom: string;
}

/** Returns the error of a stream for its caller, see {@link errorForCaller}. */
export function streamError(error: FleetError, message: string, { rowsGiven, resumeFrom }: StreamProgress): FleetError {
  return Object.assign(errorForCaller(error, message), { rowsGiven, resumeFrom });
}

/** Returns `extensions.classification` if it is a plain word; other text may quote a value. */
export function classificationOf(error: GraphQLErrorEntry): string | null {
  const text = error.extensions?.classification;
  return typeof text === 'string' && /^[A-Za-z_]{1,64}$/.test(text) ? text : null;
}

/**
 * Reduces an error from outside this package to its name and code, which are safe as a cause.
 * Messages of HTTP libraries quote headers, addresses and bodies.
 */
export function bareCause(error: unknown): Error {
  const name = plainWord(readMember(error, 'name')) ?? 'Error';
  const code = plainWord(readMember(error, 'code'));
  const bare = new Error(code ?? name);
  bare.name = name;
  // The stack would only show this function.
  delete bare.stack;
  return code === null ? bare : Object.assign(bare, { code });
}

function plainWord(value: unknown): string | null {
  return typeof value === 'string' && /^[A-Za-z][A-Za-z0-9_]{0,63}$/.test(value) ? value : null;
}
