import { isRateLimited, isTransient } from "./http-status.js";
import { networkFacts } from "./network-errors.js";
import { readMember } from "./odd-values.js";
const wordsOfService = /* @__PURE__ */ new WeakMap();
const BRAND = /* @__PURE__ */ Symbol.for("fleet-telematics.error");
class BaseError extends Error {
  // Given here, because a minifier gives a class another name.
  static name = "FleetError";
  static {
    Object.defineProperty(BaseError.prototype, BRAND, { value: true });
  }
  /** Name of the operation that failed, or of the login step; null when the error belongs to no call. */
  operation;
  /** How many requests were sent for it, and connections that could not be made; 0: nothing was tried. */
  attempts;
  /** Whether the same call may succeed when it is made again, without doing anything twice. */
  retryable;
  /**
   * Id of the last request that was sent for the call, as in the events of hooks, on the channels, and as a `headers` function gets it. Null
   * when none was sent, and when nobody would know the id: without hooks, channels and such a function the client gives none.
   */
  requestId;
  /**
   * What the service calls that request, to be named to its operators: the header x-request-id, x-correlation-id, request-id or
   * x-amzn-requestid of its answer. Null without an answer, or one that does not say.
   */
  responseId;
  constructor(message, call, retryable) {
    super(message, call.cause === void 0 ? void 0 : { cause: call.cause });
    this.operation = call.operation ?? null;
    this.attempts = call.attempts ?? 0;
    this.retryable = retryable;
    this.requestId = call.requestId ?? null;
    this.responseId = call.responseId ?? null;
    Object.defineProperty(this, "facts", { value: call.facts ?? { kind: "other" } });
    Object.defineProperty(this, "name", { value: new.target.name, configurable: true, writable: true });
  }
  /** Whether a value is an error of this class, of whichever installed or bundled copy of this package. */
  static is(value) {
    if (readMember(value, BRAND) !== true) return false;
    const asked = this ?? BaseError;
    return asked.name === BaseError.name || readMember(value, "name") === asked.name;
  }
  /**
   * Of a proxy that cannot be looked at, `instanceof` would throw.
   * @internal
   */
  static [Symbol.hasInstance](value) {
    try {
      return Function.prototype[Symbol.hasInstance].call(this, value);
    } catch {
      return false;
    }
  }
  /** util.inspect with `getters` would show what the service said; this shows only what may be logged. */
  [/* @__PURE__ */ Symbol.for("nodejs.util.inspect.custom")](_depth, options, inspect) {
    const words = this.stack ?? String(this);
    if (this.cause === void 0) return `${words} ${inspect({ ...this }, options)}`;
    try {
      return `${words} ${inspect({ ...this, cause: this.cause }, options)}`;
    } catch {
      return `${words} ${inspect({ ...this, cause: "cannot be shown: its own code threw" }, options)}`;
    }
  }
  /** Only what may be logged: no answer of the service, no request, no stack. */
  toJSON() {
    return Object.fromEntries([["name", this.name], ["message", this.message], ...Object.entries(this)]);
  }
}
class AuthenticationError extends BaseError {
  static name = "AuthenticationError";
  code = "AUTHENTICATION";
  constructor(message, call = {}) {
    super(message, { facts: refusal(call), ...call }, false);
  }
}
class CredentialsError extends BaseError {
  static name = "CredentialsError";
  code = "CREDENTIALS";
  constructor(message, call = {}) {
    super(message, call, true);
  }
}
class SessionExpiredError extends BaseError {
  static name = "SessionExpiredError";
  code = "SESSION_EXPIRED";
  constructor(message, call = {}) {
    super(message, { facts: { kind: "sessionEnded", wasInterrupted: false }, ...call }, false);
  }
}
class UserSelectionError extends BaseError {
  static name = "UserSelectionError";
  code = "USER_SELECTION";
  /** The users to choose from. */
  choices;
  constructor(message, choices, call = {}) {
    super(message, { facts: { kind: "userNotChosen", users: choices.length }, ...call }, false);
    this.choices = choices;
  }
}
class RateLimitError extends BaseError {
  static name = "RateLimitError";
  code = "RATE_LIMIT";
  /** The Retry-After of the service in milliseconds; null when it sent none. */
  retryAfterMs;
  constructor(message, retryAfterMs, call = {}) {
    super(message, { facts: { kind: "rateLimited", turns: null }, ...call }, true);
    this.retryAfterMs = retryAfterMs;
  }
}
class GraphQLResponseError extends BaseError {
  static name = "GraphQLResponseError";
  code = "GRAPHQL";
  /** The first error's `extensions.classification`, such as `BAD_REQUEST`; null when there is none. */
  classification;
  constructor(message, errors, data, call = {}) {
    super(message, { facts: { kind: "graphqlErrors", count: errors.length, mayBeDrift: false }, ...call }, false);
    wordsOfService.set(this, { serviceErrors: errors, data });
    this.classification = errors.map(classificationOf).find((classification) => classification !== null) ?? null;
  }
  /** The errors as the service sent them. They may quote variables, so no log, JSON or `util.inspect` shows them. */
  get serviceErrors() {
    return wordsOfService.get(this)?.serviceErrors ?? [];
  }
  /** The `data` that arrived, or null. Shown nowhere, as `serviceErrors`. */
  get data() {
    return wordsOfService.get(this)?.data ?? null;
  }
}
class AmbiguousMutationError extends BaseError {
  static name = "AmbiguousMutationError";
  code = "AMBIGUOUS_MUTATION";
  /** The HTTP status of the answer; null when no complete answer arrived. */
  status;
  constructor(message, call = {}) {
    const { status = null } = call;
    super(message, { facts: { kind: "inDoubt", status, because: null }, ...call }, false);
    this.status = status;
  }
}
class HttpError extends BaseError {
  static name = "HttpError";
  code = "HTTP";
  status;
  constructor(message, status, call = {}, errors = []) {
    super(message, { facts: { kind: "status", status }, ...call }, isRateLimited(status) || isTransient(status));
    this.status = status;
    wordsOfService.set(this, { serviceErrors: errors, data: null });
  }
  /** The GraphQL errors that came with the status, if any. They may quote variables, so no log, JSON or `util.inspect` shows them. */
  get serviceErrors() {
    return wordsOfService.get(this)?.serviceErrors ?? [];
  }
}
class NetworkError extends BaseError {
  static name = "NetworkError";
  code = "NETWORK";
  constructor(message, call = {}) {
    super(message, { facts: lostWay(call), ...call }, call.retryable ?? true);
  }
}
class TransportError extends BaseError {
  static name = "TransportError";
  code = "TRANSPORT";
  constructor(message, call = {}) {
    super(message, { facts: { kind: "exception", reason: null }, ...call }, false);
  }
}
class TimeoutError extends BaseError {
  static name = "TimeoutError";
  code = "TIMEOUT";
  /** What the call waited for before it could be sent; null when it was sent. */
  waitedFor;
  constructor(message, call = {}) {
    const { waitedFor = null } = call;
    const facts = waitedFor === null ? { kind: "timeRanOut", limit: "timeoutMs" } : { kind: "notSentInTime", waitedFor, isSentBefore: false, limit: "timeoutMs" };
    super(message, { facts, ...call }, true);
    this.waitedFor = waitedFor;
  }
}
class AbortError extends BaseError {
  static name = "AbortError";
  code = "ABORTED";
  constructor(message, call = {}) {
    super(message, { facts: { kind: "aborted", waitedFor: null, isSentBefore: false }, ...call }, false);
  }
}
class ClosedError extends BaseError {
  static name = "ClosedError";
  code = "CLOSED";
  constructor(message, call = {}) {
    super(message, { facts: { kind: "closed", waitedFor: null, isSentBefore: false }, ...call }, false);
  }
}
class QueueFullError extends BaseError {
  static name = "QueueFullError";
  code = "QUEUE_FULL";
  /** How many calls waited. */
  waiting;
  /** The limit of the client. */
  maxWaiting;
  constructor(message, waiting, maxWaiting, call = {}) {
    super(message, { facts: { kind: "queueFull", waiting, maxWaiting }, ...call }, true);
    this.waiting = waiting;
    this.maxWaiting = maxWaiting;
  }
}
class GateError extends BaseError {
  static name = "GateError";
  code = "GATE";
  constructor(message, call = {}) {
    super(message, call, true);
  }
}
class HeadersError extends BaseError {
  static name = "HeadersError";
  code = "HEADERS";
  constructor(message, call = {}) {
    super(message, call, call.retryable ?? true);
  }
}
class TokenStoreError extends BaseError {
  static name = "TokenStoreError";
  code = "TOKEN_STORE";
  constructor(message, call = {}) {
    super(message, call, true);
  }
}
class InvalidInputError extends BaseError {
  static name = "InvalidInputError";
  code = "INVALID_INPUT";
  constructor(message, call = {}) {
    super(message, call, false);
  }
}
class ProtocolError extends BaseError {
  static name = "ProtocolError";
  code = "PROTOCOL";
  constructor(message, call = {}) {
    super(message, { facts: { kind: "oddAnswer" }, ...call }, false);
  }
}
class ResponseTooLargeError extends BaseError {
  static name = "ResponseTooLargeError";
  code = "RESPONSE_TOO_LARGE";
  /** The limit that it exceeded, in bytes of the decompressed answer. */
  limitBytes;
  constructor(message, limitBytes, call = {}) {
    super(message, { facts: { kind: "tooLarge", limitBytes }, ...call }, false);
    this.limitBytes = limitBytes;
  }
}
class IncompleteStreamError extends BaseError {
  static name = "IncompleteStreamError";
  code = "INCOMPLETE_STREAM";
  /** The vehicles that failed, each with its error. */
  vehicles;
  constructor(message, vehicles, call = {}) {
    super(
      message,
      call,
      vehicles.every(({ error }) => error.retryable)
    );
    this.vehicles = vehicles;
  }
}
class SyncTargetError extends BaseError {
  static name = "SyncTargetError";
  code = "SYNC_TARGET";
  reason;
  /** What to do next. */
  hint;
  constructor(reason, message, hint, cause) {
    super(message, { cause }, reason === "UNREACHABLE" || reason === "IN_USE");
    this.reason = reason;
    this.hint = hint;
  }
}
const FleetError = BaseError;
function refusal({ operation = null }) {
  if (operation === null) return { kind: "notLoggedIn" };
  if (operation === "refresh") return { kind: "notRenewed" };
  return operation === "login" ? { kind: "loginRefused", status: null } : { kind: "tokenRefused", status: null };
}
function lostWay({ cause }) {
  const code = readMember(cause, "code");
  return typeof code === "string" ? networkFacts(code) : { kind: "connectionLost", reason: null, isPlainHttp: false };
}
function errorForCaller(error, message = error.message) {
  const copy = new Error(message);
  Object.setPrototypeOf(copy, Object.getPrototypeOf(error));
  const { stack: _stack, message: _message, ...properties } = Object.getOwnPropertyDescriptors(error);
  Object.defineProperties(copy, properties);
  const own = copy;
  const words = wordsOfService.get(error);
  if (words) wordsOfService.set(own, words);
  Error.captureStackTrace?.(own, errorForCaller);
  return own;
}
function streamError(error, message, { rowsGiven, resumeFrom }) {
  return Object.assign(errorForCaller(error, message), { rowsGiven, resumeFrom });
}
function classificationOf(error) {
  const text = error.extensions?.classification;
  return typeof text === "string" && /^[A-Za-z_]{1,64}$/.test(text) ? text : null;
}
function bareCause(error) {
  const name = plainWord(readMember(error, "name")) ?? "Error";
  const code = plainWord(readMember(error, "code"));
  const bare = new Error(code ?? name);
  bare.name = name;
  delete bare.stack;
  return code === null ? bare : Object.assign(bare, { code });
}
function plainWord(value) {
  return typeof value === "string" && /^[A-Za-z][A-Za-z0-9_]{0,63}$/.test(value) ? value : null;
}
export {
  AbortError,
  AmbiguousMutationError,
  AuthenticationError,
  BaseError,
  ClosedError,
  CredentialsError,
  FleetError,
  GateError,
  GraphQLResponseError,
  HeadersError,
  HttpError,
  IncompleteStreamError,
  InvalidInputError,
  NetworkError,
  ProtocolError,
  QueueFullError,
  RateLimitError,
  ResponseTooLargeError,
  SessionExpiredError,
  SyncTargetError,
  TimeoutError,
  TokenStoreError,
  TransportError,
  UserSelectionError,
  bareCause,
  classificationOf,
  errorForCaller,
  streamError
};
