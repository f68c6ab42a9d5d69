// All errors of the SDK. No message holds a token, a password or the value of a variable, and nor does anything else that a log would
// show: what the service said is kept apart from the error and read through accessors, and the cause of a network failure is reduced to
// its name and code.
import type { ErrorFacts } from './error-facts.js';
import { isRateLimited, isTransient } from './http-status.js';
import { networkFacts } from './network-errors.js';
import { readMember } from './odd-values.js';

/** Identifies the class without `instanceof`. */
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

/** The call that failed. */
export interface FailedCall {
  /** Name of the operation, or of the login step (`login`, `refresh`, `userinfo`); null when the error belongs to no call. */
  readonly operation?: string | null | undefined;
  /** How many requests were sent for it, and connections that could not be made. */
  readonly attempts?: number | undefined;
  /** The id that the client gave the last request that was sent for it, as in the events of hooks; null when there is none. */
  readonly requestId?: string | null | undefined;
  /** What the service calls that request, as in `onResponse`; null when it did not say. */
  readonly responseId?: string | null | undefined;
  readonly cause?: unknown;
  /**
   * What is known of the failure; without them, what the class of the error says.
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

/** What the service said, by error. Loggers print an error's properties, and `errors` even when it is not enumerable. */
const wordsOfService = new WeakMap<
  object,
  { readonly serviceErrors: readonly GraphQLErrorEntry[]; readonly data: unknown }
>();

/** Marks errors of every copy of this package: a program may hold several, or a bundle of one. */
const BRAND = Symbol.for('fleet-telematics.error');

/** A class of errors. */
interface ErrorClass<Instance> extends NewableFunction {
  readonly prototype: Instance;
}

/** What all errors of this package have. Programs know it as {@link FleetError}. */
export abstract class BaseError extends Error {
  // Given here, because a minifier gives a class another name.
  static override readonly name: string = 'FleetError';
  static {
    Object.defineProperty(BaseError.prototype, BRAND, { value: true });
  }
  abstract readonly code: FleetErrorCode;
  /** Name of the operation that failed, or of the login step; null when the error belongs to no call. */
  readonly operation: string | null;
  /** How many requests were sent for it, and connections that could not be made; 0: nothing was tried. */
  readonly attempts: number;
  /** Whether the same call may succeed when it is made again, without doing anything twice. */
  readonly retryable: boolean;
  /**
   * Id of the last request that was sent for the call, as in the events of hooks, on the channels, and as a `headers` function gets it. Null
   * when none was sent, and when nobody would know the id: without hooks, channels and such a function the client gives none.
   */
  readonly requestId: string | null;
  /**
   * What the service calls that request, to be named to its operators: the header x-request-id, x-correlation-id, request-id or
   * x-amzn-requestid of its answer. Null without an answer, or one that does not say.
   */
  readonly responseId: string | null;
  /** Only from a stream: how many rows (of `streamTrips`: trips) the caller got before the error. */
  declare readonly rowsGiven?: number;
  /**
   * Only from a stream: the `from` of a stream that brings the rest, as RFC 3339 text. Rows of exactly this time, and an open trip, may
   * come again.
   */
  declare readonly resumeFrom?: string;
  /**
   * What is known of the failure, without words. Not enumerable: the properties above are what users and logs see of it.
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
    // Without this, `name` would be "Error".
    Object.defineProperty(this, 'name', { value: new.target.name, configurable: true, writable: true });
  }

  /** Whether a value is an error of this class, of whichever installed or bundled copy of this package. */
  static is<Instance extends BaseError>(this: ErrorClass<Instance>, value: unknown): value is Instance {
    if (readMember(value, BRAND) !== true) return false;
    // biome-ignore lint/complexity/noThisInStatic: it is the class that was asked; none for `errors.filter(FleetError.is)`.
    const asked: ErrorClass<BaseError> = this ?? BaseError;
    return asked.name === BaseError.name || readMember(value, 'name') === asked.name;
  }

  /**
   * Of a proxy that cannot be looked at, `instanceof` would throw.
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

  /** util.inspect with `getters` would show what the service said; this shows only what may be logged. */
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
      // The cause is the program's own, and so is the code that shows it.
      return `${words} ${inspect({ ...this, cause: 'cannot be shown: its own code threw' }, options)}`;
    }
  }

  /** Only what may be logged: no answer of the service, no request, no stack. */
  toJSON(): Record<string, unknown> {
    return Object.fromEntries([['name', this.name], ['message', this.message], ...Object.entries(this)]);
  }
}

/** Not logged in: wrong credentials, no credentials, or a new token that the service refuses. */
export class AuthenticationError extends BaseError {
  static override readonly name: string = 'AuthenticationError';
  readonly code = 'AUTHENTICATION';
  constructor(message: string, call: FailedCall = {}) {
    super(message, { facts: refusal(call), ...call }, false);
  }
}

/** The `credentials` function of the client failed, or returned none; nothing was sent. `cause` is what it threw. */
export class CredentialsError extends BaseError {
  static override readonly name: string = 'CredentialsError';
  readonly code = 'CREDENTIALS';
  constructor(message: string, call: FailedCall = {}) {
    super(message, call, true);
  }
}

/** The session can no longer be refreshed (12 hours after the login, or refused), and there are no credentials. */
export class SessionExpiredError extends BaseError {
  static override readonly name: string = 'SessionExpiredError';
  readonly code = 'SESSION_EXPIRED';
  constructor(message: string, call: FailedCall = {}) {
    super(message, { facts: { kind: 'sessionEnded', wasInterrupted: false }, ...call }, false);
  }
}

/** The login may act for several users, or none of them matches: choose one. */
export class UserSelectionError extends BaseError {
  static override readonly name: string = 'UserSelectionError';
  readonly code = 'USER_SELECTION';
  /** The users to choose from. */
  readonly choices: readonly LoginUser[];
  constructor(message: string, choices: readonly LoginUser[], call: FailedCall = {}) {
    super(message, { facts: { kind: 'userNotChosen', users: choices.length }, ...call }, false);
    this.choices = choices;
  }
}

/** The service still answered 429 when the time for the call ran out: another request of the same user was active. */
export class RateLimitError extends BaseError {
  static override readonly name: string = 'RateLimitError';
  readonly code = 'RATE_LIMIT';
  /** The Retry-After of the service in milliseconds; null when it sent none. */
  readonly retryAfterMs: number | null;
  constructor(message: string, retryAfterMs: number | null, call: FailedCall = {}) {
    super(message, { facts: { kind: 'rateLimited', turns: null }, ...call }, true);
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * The service answered with GraphQL errors. Its messages are in `serviceErrors`, and in `message` only when the client was made with
 * `exposeServiceMessages: true`.
 */
export class GraphQLResponseError extends BaseError {
  static override readonly name: string = 'GraphQLResponseError';
  readonly code = 'GRAPHQL';
  /** The first error's `extensions.classification`, such as `BAD_REQUEST`; null when there is none. */
  readonly classification: string | null;
  constructor(message: string, errors: readonly GraphQLErrorEntry[], data: unknown, call: FailedCall = {}) {
    super(message, { facts: { kind: 'graphqlErrors', count: errors.length, mayBeDrift: false }, ...call }, false);
    wordsOfService.set(this, { serviceErrors: errors, data });
    this.classification = errors.map(classificationOf).find((classification) => classification !== null) ?? null;
  }

  /** The errors as the service sent them. They may quote variables, so no log, JSON or `util.inspect` shows them. */
  get serviceErrors(): readonly GraphQLErrorEntry[] {
    return wordsOfService.get(this)?.serviceErrors ?? [];
  }

  /** The `data` that arrived, or null. Shown nowhere, as `serviceErrors`. */
  get data(): unknown {
    return wordsOfService.get(this)?.data ?? null;
  }
}

/** A mutation may or may not have been carried out: what arrived, if anything, does not say it. Check before you send it again. */
export class AmbiguousMutationError extends BaseError {
  static override readonly name: string = 'AmbiguousMutationError';
  readonly code = 'AMBIGUOUS_MUTATION';
  /** The HTTP status of the answer; null when no complete answer arrived. */
  readonly status: number | null;
  constructor(message: string, call: FailedCall & { readonly status?: number | null } = {}) {
    const { status = null } = call;
    super(message, { facts: { kind: 'inDoubt', status, because: null }, ...call }, false);
    this.status = status;
  }
}

/** The service, or a proxy before it, answered with an HTTP status that means failure. */
export class HttpError extends BaseError {
  static override readonly name: string = 'HttpError';
  readonly code = 'HTTP';
  readonly status: number;
  constructor(message: string, status: number, call: FailedCall = {}, errors: readonly GraphQLErrorEntry[] = []) {
    super(message, { facts: { kind: 'status', status }, ...call }, isRateLimited(status) || isTransient(status));
    this.status = status;
    wordsOfService.set(this, { serviceErrors: errors, data: null });
  }

  /** The GraphQL errors that came with the status, if any. They may quote variables, so no log, JSON or `util.inspect` shows them. */
  get serviceErrors(): readonly GraphQLErrorEntry[] {
    return wordsOfService.get(this)?.serviceErrors ?? [];
  }
}

/** The service could not be reached, or the connection broke before a query's answer had arrived. */
export class NetworkError extends BaseError {
  static override readonly name: string = 'NetworkError';
  readonly code = 'NETWORK';
  constructor(message: string, call: FailedCall & { readonly retryable?: boolean } = {}) {
    super(message, { facts: lostWay(call), ...call }, call.retryable ?? true);
  }
}

/**
 * What carries the requests failed, and not the network: an exception in the `fetch` given to the client, or in this package's transport,
 * for example after bundling. `cause` has its name, its code and its stack, without its message, which may quote the request. Sending
 * again would not help, so nothing was repeated.
 */
export class TransportError extends BaseError {
  static override readonly name: string = 'TransportError';
  readonly code = 'TRANSPORT';
  constructor(message: string, call: FailedCall = {}) {
    super(message, { facts: { kind: 'exception', reason: null }, ...call }, false);
  }
}

/**
 * The time for the call ran out: `timeoutMs`, or that of the caller's own signal (`AbortSignal.timeout`), whose reason is then the `cause`.
 */
export class TimeoutError extends BaseError {
  static override readonly name: string = 'TimeoutError';
  readonly code = 'TIMEOUT';
  /** What the call waited for before it could be sent; null when it was sent. */
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

/** The caller's signal was aborted before the answer arrived; `cause` is the reason of the signal. */
export class AbortError extends BaseError {
  static override readonly name: string = 'AbortError';
  readonly code = 'ABORTED';
  constructor(message: string, call: FailedCall = {}) {
    super(message, { facts: { kind: 'aborted', waitedFor: null, isSentBefore: false }, ...call }, false);
  }
}

/**
 * The client was closed: before the call was made, or before its answer arrived. A mutation that was sent by then is an
 * {@link AmbiguousMutationError}.
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
  /** How many calls waited. */
  readonly waiting: number;
  /** The limit of the client. */
  readonly maxWaiting: number;
  constructor(message: string, waiting: number, maxWaiting: number, call: FailedCall = {}) {
    super(message, { facts: { kind: 'queueFull', waiting, maxWaiting }, ...call }, true);
    this.waiting = waiting;
    this.maxWaiting = maxWaiting;
  }
}

/** The `gate` of the client failed, so that the call had no turn; nothing was sent. `cause` is what it threw. */
export class GateError extends BaseError {
  static override readonly name: string = 'GateError';
  readonly code = 'GATE';
  constructor(message: string, call: FailedCall = {}) {
    super(message, call, true);
  }
}

/**
 * The `headers` function of the client threw (`cause` is what it threw), and the call may be made again when it works; or it returned none that
 * HTTP can carry, and the call is not `retryable`. No request was made.
 */
export class HeadersError extends BaseError {
  static override readonly name: string = 'HeadersError';
  readonly code = 'HEADERS';
  constructor(message: string, call: FailedCall & { readonly retryable?: boolean } = {}) {
    super(message, call, call.retryable ?? true);
  }
}

/**
 * The token store cannot be used: at `logout()` it could not remove the session, which is still stored; or the file of the session is a pipe
 * or a device. `cause` has the name and the code of the failure, if there was one.
 */
export class TokenStoreError extends BaseError {
  static override readonly name: string = 'TokenStoreError';
  readonly code = 'TOKEN_STORE';
  constructor(message: string, call: FailedCall = {}) {
    super(message, call, true);
  }
}

/** Invalid input of the caller, found before anything was sent. */
export class InvalidInputError extends BaseError {
  static override readonly name: string = 'InvalidInputError';
  readonly code = 'INVALID_INPUT';
  constructor(message: string, call: FailedCall = {}) {
    super(message, call, false);
  }
}

/** The answer is not what the contract promises: not JSON, without `data`, or without a token. */
export class ProtocolError extends BaseError {
  static override readonly name: string = 'ProtocolError';
  readonly code = 'PROTOCOL';
  constructor(message: string, call: FailedCall = {}) {
    super(message, { facts: { kind: 'oddAnswer' }, ...call }, false);
  }
}

/** The answer is larger than `maxResponseBytes`, or its compression is so high that it must be an attack. It was given up. */
export class ResponseTooLargeError extends BaseError {
  static override readonly name: string = 'ResponseTooLargeError';
  readonly code = 'RESPONSE_TOO_LARGE';
  /** The limit that it exceeded, in bytes of the decompressed answer. */
  readonly limitBytes: number;
  constructor(message: string, limitBytes: number, call: FailedCall = {}) {
    super(message, { facts: { kind: 'tooLarge', limitBytes }, ...call }, false);
    this.limitBytes = limitBytes;
  }
}

/** The error of one vehicle of a stream of many. */
export interface VehicleFailure {
  readonly vehicleId: string;
  readonly error: FleetError;
  /** Rows of the vehicle (of `streamTrips`: trips) that were delivered before the error. */
  readonly rowsGiven: number;
  /** The `from` of a stream that brings the rest of this vehicle, as RFC 3339 text. */
  readonly resumeFrom: string;
}

/** A stream of many vehicles delivered everything that it could get; some vehicles failed. */
export class IncompleteStreamError extends BaseError {
  static override readonly name: string = 'IncompleteStreamError';
  readonly code = 'INCOMPLETE_STREAM';
  /** The vehicles that failed, each with its error. */
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
 * Why the database of a sync cannot be written.
 *
 * - `INVALID`: this cannot name a database, or what is there is none, or holds something else.
 * - `UNREACHABLE`: the database does not answer, or the connection was lost.
 * - `REFUSED`: a login, a right or write access is missing.
 * - `IN_USE`: another sync is writing to it, or another program has locked it.
 * - `NEWER`: a newer version of this package has made the copy.
 * - `OTHER_ORIGIN`: it is a copy of the fleet of another service or user.
 * - `FULL`: there is no space left.
 * - `FAILED`: anything else that the database reports, and rows that no sync can have written.
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
 * From `fleet-telematics-sync`: the database of a copy cannot be used. What was written before is complete; the next sync goes on from there.
 * `reason` says why; UNREACHABLE and IN_USE are `retryable`.
 */
export class SyncTargetError extends BaseError {
  static override readonly name: string = 'SyncTargetError';
  readonly code = 'SYNC_TARGET';
  readonly reason: SyncTargetReason;
  /** What to do next. */
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
  /** Whether a value is an error of this package, of whichever installed or bundled copy; `instanceof` knows only those of this copy. */
  is(value: unknown): value is FleetError;
  /** That of every class. */
  [Symbol.hasInstance](value: unknown): value is FleetError;
}

/** The class of all errors of this package, for `error instanceof FleetError` and `FleetError.is(error)`. Both narrow by `code`. */
// The base class, whose instances are all of one of the classes above.
export const FleetError = BaseError as NewableFunction as AnyErrorClass;

/** What an error of authentication says that was made without facts: by a step of the login, or by a request. */
function refusal({ operation = null }: FailedCall): ErrorFacts {
  if (operation === null) return { kind: 'notLoggedIn' };
  if (operation === 'refresh') return { kind: 'notRenewed' };
  return operation === 'login' ? { kind: 'loginRefused', status: null } : { kind: 'tokenRefused', status: null };
}

/** The same for an error of the network, by the code of its cause. */
function lostWay({ cause }: FailedCall): ErrorFacts {
  const code = readMember(cause, 'code');
  return typeof code === 'string' ? networkFacts(code) : { kind: 'connectionLost', reason: null, isPlainHttp: false };
}

/**
 * The error as its caller gets it: with the caller's line in its stack, and one of its own where several callers wait for the same thing.
 * To be called right before the caller's promise is rejected, because that is when V8 knows who waits for it.
 */
export function errorForCaller(error: FleetError, message = error.message): FleetError {
  const copy = new Error(message);
  Object.setPrototypeOf(copy, Object.getPrototypeOf(error));
  const { stack: _stack, message: _message, ...properties } = Object.getOwnPropertyDescriptors(error);
  Object.defineProperties(copy, properties);
  // It has the prototype of a FleetError and everything that the constructor makes.
  const own = copy as FleetError;
  const words = wordsOfService.get(error);
  if (words) wordsOfService.set(own, words);
  Error.captureStackTrace?.(own, errorForCaller);
  return own;
}

/** How far a stream got before an error. */
export interface StreamProgress {
  readonly rowsGiven: number;
  readonly resumeFrom: string;
}

/** The error of a stream as its caller gets it, see {@link errorForCaller}. */
export function streamError(error: FleetError, message: string, { rowsGiven, resumeFrom }: StreamProgress): FleetError {
  return Object.assign(errorForCaller(error, message), { rowsGiven, resumeFrom });
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
