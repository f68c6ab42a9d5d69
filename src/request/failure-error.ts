// The error that a caller gets for a failed request: what happened, what it means, what to do next. It holds nothing that the service
// said and nothing that was sent.
import {
  AmbiguousMutationError,
  AuthenticationError,
  bareCause,
  type FailedCall,
  type FleetError,
  GraphQLResponseError,
  HttpError,
  NetworkError,
  ProtocolError,
  RateLimitError,
} from '../core/errors.js';
import { isRateLimited } from '../core/http-status.js';
import { unreachableReason } from '../core/network-errors.js';
import { codeOf, type Failure, isUnsendable } from '../transport/failure.js';
import { readRetryAfter } from './retry-policy.js';

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

  constructor(failure: Failure, attempts: number, inDoubt: boolean, wallTime: number) {
    super(reasonOf(failure));
    this.failure = failure;
    this.attempts = attempts;
    this.inDoubt = inDoubt;
    this.wallTime = wallTime;
  }

  /** The error for a caller of this operation. `attemptsBefore`: requests that were sent for it before this one. */
  errorFor(operation: string, attemptsBefore = 0): FleetError {
    const details: FailedCall = { operation, attempts: attemptsBefore + this.attempts };
    const error = errorFor(this.failure, operation, details, this.wallTime);
    if (!this.inDoubt) return error;
    return new AmbiguousMutationError(
      `${operation} was sent, but its answer never arrived (${reasonOf(this.failure)}): the change may or may not have been made. Check whether it was before you send it again; { idempotent: true } lets a call that may be repeated be sent again.`,
      { ...details, cause: error },
    );
  }
}

function errorFor(failure: Failure, name: string, details: FailedCall, wallTime: number): FleetError {
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
      return new NetworkError(
        `The connection was lost before the answer to ${name} arrived${after} (${reasonOf(failure)}). Try again; if it happens again, check the network and any proxy.`,
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
    case 'status':
      return statusError(failure, name, details, after, wallTime);
  }
}

function unreachableText(failure: Failure & { kind: 'unreachable' }, name: string, after: string): string {
  const code = reasonOf(failure);
  if (failure.retryable) {
    const reason = unreachableReason(code);
    const why = reason === null ? ` (${code})` : `: ${reason} (${code})`;
    return `The service could not be reached for ${name}${after}${why}. Check the base URL, the network and any proxy.`;
  }
  if (isUnsendable(failure.cause)) {
    return `The request for ${name} could not be built (${code}), so nothing was sent. Check the base URL, any proxy and the user's id.`;
  }
  return `No trusted connection could be made for ${name} (${code}). Check the base URL and the certificates that this machine trusts.`;
}

function statusError(
  failure: Failure & { kind: 'status' },
  name: string,
  details: FailedCall,
  after: string,
  wallTime: number,
): FleetError {
  const { status, errors } = failure;
  if (isRateLimited(status)) {
    return new RateLimitError(
      `The service still refused ${name} with 429${after}: another request of the same user is active. Send one request at a time for a user, from all processes (share: 'machine'), or allow more time.`,
      readRetryAfter(failure.retryAfter, wallTime),
      details,
    );
  }
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
  if (status === 404 || (status >= 300 && status < 400)) return 'Check that the base URL is right.';
  if (status >= 500) return 'The service is in trouble; try again later.';
  return 'The service does not accept the request; its explanation, if any, is in error.errors.';
}

/** Says how many GraphQL errors there are, without repeating what they say. */
export function graphqlErrorText(name: string, errors: readonly unknown[]): string {
  const count = errors.length === 1 ? 'a GraphQL error' : `${errors.length} GraphQL errors`;
  return `The service answered ${name} with ${count}: see error.errors for its messages and error.data for the data that arrived.`;
}
