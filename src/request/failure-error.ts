// The error that a caller meets for a failure: what happened, what it means, what to do next. Holds nothing that the service said
// and nothing that was sent.
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
import { codeOf, type Failure, isUnsendable } from '../transport/failure.js';
import { readRetryAfter } from './retry-policy.js';

/** A failure in a word, for events. */
export function reasonOf(failure: Failure): string {
  switch (failure.what) {
    case 'status':
      return String(failure.status);
    case 'unauthorized':
      return 'UNAUTHORIZED';
    case 'unreachable':
      return codeOf(failure.cause) ?? 'unreachable';
    case 'broken':
      return codeOf(failure.cause) ?? 'connection lost';
    case 'cut':
      return 'cut body';
    case 'garbled':
      return 'unreadable answer';
  }
}

/** A request that failed for good. What its callers meet is an error each, which names their own operation. */
export class FailedRequest extends Error {
  readonly failure: Failure;
  /** Requests sent. */
  readonly attempts: number;
  /** Whether a mutation may have been carried out. */
  readonly inDoubt: boolean;
  /** When it failed, to read a Retry-After date. */
  readonly wallTime: number;

  constructor(failure: Failure, attempts: number, inDoubt: boolean, wallTime: number) {
    super(reasonOf(failure));
    this.failure = failure;
    this.attempts = attempts;
    this.inDoubt = inDoubt;
    this.wallTime = wallTime;
  }

  /** The error for the caller of this operation, for whom so many requests were sent before this one's. */
  errorFor(operation: string, attemptsBefore = 0): FleetError {
    return errorFor(this.failure, operation, attemptsBefore + this.attempts, this.inDoubt, this.wallTime);
  }
}

function errorFor(failure: Failure, name: string, attempts: number, inDoubt: boolean, wallTime: number): FleetError {
  const known: FailedCall = { operation: name, attempts };
  if (inDoubt) {
    const cause = errorFor(failure, name, attempts, false, wallTime);
    return new AmbiguousMutationError(
      `${name} was sent, but its answer never arrived (${reasonOf(failure)}): the change may or may not have been made. Look whether it was before you send it again; { idempotent: true } lets a call that may be repeated be sent again.`,
      { ...known, cause },
    );
  }
  const after = attempts === 1 ? '' : ` after ${attempts} requests`;
  switch (failure.what) {
    case 'unauthorized':
      return new AuthenticationError(
        `The service refused the token of ${name}, and a new one too. The login may not use this operation, or was withdrawn; log in again, then ask whoever manages the account.`,
        known,
      );
    case 'unreachable':
      return new NetworkError(unreachableText(failure, name, after), {
        ...known,
        cause: bareCause(failure.cause),
        retryable: failure.again,
      });
    case 'broken':
      return new NetworkError(
        `The connection broke before the answer to ${name} arrived${after} (${reasonOf(failure)}). Try again; if it stays so, check the network and any proxy.`,
        { ...known, cause: bareCause(failure.cause) },
      );
    case 'cut':
      return new NetworkError(
        `The answer to ${name} ended too early${after}. Try again; if it stays so, check any proxy in between.`,
        known,
      );
    case 'garbled':
      return new ProtocolError(
        `The answer to ${name} (HTTP ${failure.status}) is no GraphQL answer. Check that the base URL is the right one and that no proxy answers in its place.`,
        known,
      );
    case 'status':
      return statusError(failure, name, known, after, wallTime);
  }
}

function unreachableText(failure: Failure & { what: 'unreachable' }, name: string, after: string): string {
  const reason = reasonOf(failure);
  if (failure.again) {
    return `The service cannot be reached for ${name}${after} (${reason}). Check the base URL, the network and any proxy.`;
  }
  if (isUnsendable(failure.cause)) {
    return `${name} could not be put into a request (${reason}), so nothing was sent. Check the base URL, any proxy and the user's id.`;
  }
  return `No trusted connection can be made for ${name} (${reason}). Check the base URL and the certificates this machine trusts.`;
}

function statusError(
  failure: Failure & { what: 'status' },
  name: string,
  known: FailedCall,
  after: string,
  wallTime: number,
): FleetError {
  const { status, errors } = failure;
  if (status === 429) {
    return new RateLimitError(
      `The service still refused ${name} with 429${after}: another request of the same user is active. Send one request at a time for a user, from all processes (share: 'machine'), or allow more time.`,
      readRetryAfter(failure.retryAfter, wallTime),
      known,
    );
  }
  if (status === 401) {
    return new AuthenticationError(
      `The service refused the token of ${name} (HTTP 401), and a new one too. Log in again; if it stays so, ask whoever manages the account.`,
      known,
    );
  }
  if ((status === 400 || status === 422) && errors.length > 0) {
    return new GraphQLResponseError(refusedText(name, errors), errors, null, known);
  }
  const next =
    status === 403
      ? 'The login may not act for this user, or not do this.'
      : status === 404 || (status >= 300 && status < 400)
        ? 'Check that the base URL is the right one.'
        : status >= 500
          ? 'The service is in trouble; try again later.'
          : 'The request is not acceptable to the service; what it said, if anything, is in error.errors.';
  return new HttpError(`The service answered ${name} with HTTP ${status}${after}. ${next}`, status, known, errors);
}

/** Says that there are GraphQL errors, and of what kind, without repeating what they say. */
export function refusedText(name: string, errors: readonly { readonly message: string }[]): string {
  const count = errors.length === 1 ? 'a GraphQL error' : `${errors.length} GraphQL errors`;
  return `The service answered ${name} with ${count}. What it said is in error.errors, what data arrived in error.data.`;
}
