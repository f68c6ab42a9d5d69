// The error that a caller gets for a failed request: what happened, what it means, what to do next. It holds nothing that the service
// said and nothing that was sent.
import {
  AmbiguousMutationError,
  AuthenticationError,
  bareCause,
  type FailedCall,
  type FleetError,
  type GraphQLErrorEntry,
  GraphQLResponseError,
  HttpError,
  NetworkError,
  ProtocolError,
  RateLimitError,
  ResponseTooLargeError,
  TimeoutError,
  TransportError,
} from '../core/errors.js';
import { isRateLimited } from '../core/http-status.js';
import { ATTEMPT_TIMEOUT, proxyStatus, unreachableReason } from '../core/network-errors.js';
import { trustProblem } from '../core/trust-problem.js';
import { codeOf, type Failure, isUnsendable } from '../transport/failure.js';
import { retryAfterMs } from '../transport/retry-after.js';
import { DRIFT_ADVICE, isContractDrift } from './contract-drift.js';
import { adviceOnTurns, type TurnsAmong } from './shared-login.js';

/** A failure in one word, for events. */
export function reasonOf(failure: Failure): string {
  switch (failure.kind) {
    case 'status':
      return String(failure.status);
    case 'unauthorized':
      return 'UNAUTHORIZED';
    case 'unreachable':
      return codeOf(failure.cause) ?? 'unreachable';
    case 'disconnected':
      return codeOf(failure.cause) ?? 'connection lost';
    case 'truncated':
      return 'cut body';
    case 'malformed':
      return 'unreadable answer';
    case 'tooLarge':
      return 'answer too large';
    case 'redirected':
      return 'followed redirect';
    case 'fault':
      return codeOf(failure.cause) ?? 'exception';
  }
}

/** A request that failed for good. Each of its callers gets an error of its own, which names its own operation. */
export class FailedRequest extends Error {
  readonly failure: Failure;
  /** Requests sent. */
  readonly attempts: number;
  /** Whether a mutation may have been carried out. */
  readonly inDoubt: boolean;
  /** When it failed by the service's clock, to read a Retry-After date. */
  readonly wallTime: number;
  readonly turns: TurnsAmong;

  constructor(failure: Failure, attempts: number, inDoubt: boolean, wallTime: number, turns: TurnsAmong = 'process') {
    super(reasonOf(failure));
    this.failure = failure;
    this.attempts = attempts;
    this.inDoubt = inDoubt;
    this.wallTime = wallTime;
    this.turns = turns;
  }

  /** The error for a caller of this operation. `attemptsBefore`: requests that were sent for it before this one. */
  errorFor(operation: string, attemptsBefore = 0): FleetError {
    const details: FailedCall = { operation, attempts: attemptsBefore + this.attempts };
    const error = errorFor(this, operation, details);
    if (!this.inDoubt) return error;
    return new AmbiguousMutationError(
      `${operation} ${arrived(this.failure)}, so it is not known whether the change was made. Check before you send it again; { idempotent: true } lets a call that may be repeated be sent again.`,
      { ...details, status: 'status' in this.failure ? this.failure.status : null, cause: error },
    );
  }
}

/** What arrived in answer to a change that may have been made. */
function arrived(failure: Failure): string {
  switch (failure.kind) {
    case 'status':
      return `was answered with HTTP ${failure.status}`;
    case 'malformed':
      return `was answered with HTTP ${failure.status}, but not with a GraphQL answer`;
    case 'unauthorized':
      return 'was sent more than once, and at last its token was refused';
    case 'truncated':
      return 'was answered, but the answer ended too early';
    case 'tooLarge':
      return 'was answered, but the answer was too large and was given up';
    case 'redirected':
      return 'was answered from another address, after a redirect';
    default:
      return `was sent, but no answer arrived (${reasonOf(failure)})`;
  }
}

function errorFor({ failure, wallTime, turns }: FailedRequest, name: string, details: FailedCall): FleetError {
  const after = details.attempts === 1 ? '' : ` after ${details.attempts} requests`;
  switch (failure.kind) {
    case 'unauthorized':
      return new AuthenticationError(
        `The service refused the token of ${name}, and a new one too. The login may lack the right for this operation, or was withdrawn: log in again, then ask the administrator of the account.`,
        details,
      );
    case 'unreachable':
      return new NetworkError(unreachableText(failure, name, after), {
        ...details,
        cause: bareCause(failure.cause),
        retryable: failure.retryable,
      });
    case 'disconnected':
      if (codeOf(failure.cause) === ATTEMPT_TIMEOUT) {
        return new TimeoutError(
          `No byte of the answer to ${name} arrived for so long that the request was given up${after} (attemptTimeoutMs). Try again later, or allow more time.`,
          { ...details, cause: bareCause(failure.cause) },
        );
      }
      if (reasonOf(failure).startsWith('HPE_')) {
        return new NetworkError(
          `What answered ${name}${after} does not speak HTTP (${reasonOf(failure)}). Check the port, and whether the base URL must begin with https:// instead of http://.`,
          { ...details, cause: bareCause(failure.cause) },
        );
      }
      return new NetworkError(
        `The connection was lost before the answer to ${name} arrived${after} (${reasonOf(failure)}). Try again; if it happens again, check the network and any proxy${failure.isPlainHttp ? ', and whether the base URL must begin with https:// instead of http://' : ''}.`,
        { ...details, cause: bareCause(failure.cause) },
      );
    case 'truncated':
      return new NetworkError(
        `The answer to ${name} ended too early${after}. Try again; if it happens again, check any proxy in between.`,
        details,
      );
    case 'malformed':
      return new ProtocolError(
        `The answer to ${name} (HTTP ${failure.status}) is not a GraphQL answer. Check that the base URL is right and that no proxy answers instead of the service.`,
        details,
      );
    case 'tooLarge':
      return new ResponseTooLargeError(
        `The answer to ${name} is larger than ${failure.limitBytes} bytes, decompressed, so it was given up; it was not asked for again. Ask for less: a shorter period, fewer fields (select), or streamSnapshots. If it must be so large, raise maxResponseBytes.`,
        failure.limitBytes,
        details,
      );
    case 'redirected':
      return new ProtocolError(
        `The fetch given to the client followed a redirect of ${name} to ${failure.origin ?? 'another address'}, although it gets redirect: 'manual': the password or the token of the request may have gone along. Its answer was not used. Make the fetch stop at redirects, and give the service's own address as base URL.`,
        details,
      );
    case 'fault':
      return new TransportError(
        `An exception that is no network failure ended the request for ${name}: error.cause says where it was thrown, without its message, which may quote the request. Nothing was repeated. Check the fetch that the client was given; a bundler must leave undici and the modules of node: external.`,
        { ...details, cause: failure.cause },
      );
    case 'status':
      return isRateLimited(failure.status)
        ? new RateLimitError(
            `The service still refused ${name} with 429${after}: another request of the same user is active. ${adviceOnTurns(turns)} Or allow more time.`,
            retryAfterMs(failure.retryAfter, wallTime),
            details,
          )
        : statusError(failure, name, details, after);
  }
}

function unreachableText(failure: Failure & { kind: 'unreachable' }, name: string, after: string): string {
  const code = reasonOf(failure);
  const status = proxyStatus(code);
  if (status !== null)
    return `The proxy refused the request for ${name} (HTTP ${status})${after}, so it did not reach the service. ${proxyAdvice(status)}`;
  if (failure.retryable) {
    const reason = unreachableReason(code);
    const why = reason === null ? ` (${code})` : `: ${reason} (${code})`;
    return `The service could not be reached for ${name}${after}${why}. Check the base URL, the network and any proxy.`;
  }
  if (isUnsendable(failure.cause)) {
    return `The request for ${name} could not be built (${code}), so nothing was sent. Check the base URL, any proxy and the user's id.`;
  }
  const { what, next, isUnknownAuthority } = trustProblem(code);
  const option = isUnknownAuthority ? ' Or give the client tls: { ca }.' : '';
  return `No trusted connection could be made for ${name}: ${what} (${code}). ${next}${option}`;
}

function proxyAdvice(status: number): string {
  if (status === 407)
    return 'It demands a login: put user name and password into HTTPS_PROXY or HTTP_PROXY, as in http://user:password@host:3128.';
  if (status === 403)
    return "It does not allow this address: ask the proxy's administrator, or list the host in NO_PROXY.";
  return 'Check HTTPS_PROXY and HTTP_PROXY, or list the host in NO_PROXY.';
}

function statusError(
  failure: Failure & { kind: 'status' },
  name: string,
  details: FailedCall,
  after: string,
): FleetError {
  const { status, errors } = failure;
  if (status === 401) {
    return new AuthenticationError(
      `The service refused the token of ${name} (HTTP 401), and a new one too. Log in again; if it happens again, ask the administrator of the account.`,
      details,
    );
  }
  if ((status === 400 || status === 422) && errors.length > 0) {
    return new GraphQLResponseError(graphqlErrorText(name, errors), errors, null, details);
  }
  return new HttpError(
    `The service answered ${name} with HTTP ${status}${after}. ${adviceFor(status)}`,
    status,
    details,
    errors,
  );
}

function adviceFor(status: number): string {
  if (status === 403) return 'The login may not act for this user, or lacks the right for this operation.';
  if (status === 407) return proxyAdvice(status);
  if (status === 404 || (status >= 300 && status < 400)) return 'Check that the base URL is right.';
  if (status >= 500) return 'The service is in trouble; try again later.';
  return 'The service does not accept the request; its explanation, if any, is in error.serviceErrors.';
}

/** Says how many GraphQL errors there are, without repeating what they say. */
export function graphqlErrorText(name: string, errors: readonly GraphQLErrorEntry[]): string {
  const count = errors.length === 1 ? 'a GraphQL error' : `${errors.length} GraphQL errors`;
  const advice = isContractDrift(errors) ? ` ${DRIFT_ADVICE}` : '';
  return `The service answered ${name} with ${count}: see error.serviceErrors for its messages and error.data for the data that arrived.${advice}`;
}
