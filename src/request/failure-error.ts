// The error that a caller gets for a failed request: its class, and the facts for its message.

import type { Turns } from '../core/error-facts.js';
import { inDoubtError, type MessageFacts, messageOf } from '../core/error-messages.js';
import {
  AuthenticationError,
  bareCause,
  classificationOf,
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
import { ATTEMPT_TIMEOUT, isNotHttp, proxyStatus } from '../core/network-errors.js';
import { NO_IDS, type RequestIds } from '../core/request-ids.js';
import { retryAfterMs } from '../transport/response-headers.js';
import { codeOf, type Failure, isUnsendable } from './failure.js';

/** Returns the failure as one word, for events. */
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

/** A request that finally failed. Each caller gets its own error, which names its operation. */
export class FailedRequest extends Error {
  readonly failure: Failure;
  readonly attempts: number;
  readonly inDoubt: boolean;
  /** Time of the failure by the service's clock, to read a Retry-After date. */
  readonly wallTime: number;
  readonly turns: Turns;
  readonly ids: RequestIds;

  constructor(
    failure: Failure,
    attempts: number,
    inDoubt: boolean,
    wallTime: number,
    turns: Turns = 'process',
    ids: RequestIds = NO_IDS,
  ) {
    super(reasonOf(failure));
    this.failure = failure;
    this.attempts = attempts;
    this.inDoubt = inDoubt;
    this.wallTime = wallTime;
    this.turns = turns;
    this.ids = ids;
  }

  get status(): number | null {
    return 'status' in this.failure ? this.failure.status : null;
  }

  /** Returns the error for a caller. `attemptsBefore`: earlier requests for that caller. */
  errorFor(operation: string, attemptsBefore = 0): FleetError {
    const call = { operation, attempts: attemptsBefore + this.attempts, ...this.ids };
    const because = factsOf(this.failure, this.turns);
    const error = errorOfFailure(this, because, call);
    if (!this.inDoubt) return error;
    return inDoubtError(because, { ...call, status: this.status, cause: error });
  }
}

function factsOf(failure: Failure, turns: Turns): MessageFacts {
  switch (failure.kind) {
    case 'unauthorized':
      return { kind: 'tokenRefused', status: null };
    case 'unreachable':
      return unreachable(failure);
    case 'disconnected': {
      const reason = codeOf(failure.cause);
      if (reason === ATTEMPT_TIMEOUT) return { kind: 'silence', reason };
      if (reason !== null && isNotHttp(reason)) return { kind: 'notHttp', reason };
      return { kind: 'connectionLost', reason, isPlainHttp: failure.isPlainHttp ?? false };
    }
    case 'truncated':
      return { kind: 'cutAnswer' };
    case 'malformed':
      return { kind: 'notGraphQL', status: failure.status };
    case 'tooLarge':
      return { kind: 'tooLarge', limitBytes: failure.limitBytes };
    case 'redirected':
      return { kind: 'redirected', origin: failure.origin };
    case 'fault':
      return { kind: 'exception', reason: codeOf(failure.cause) };
    case 'status':
      return answered(failure, turns);
  }
}

function unreachable({ cause, retryable }: Failure & { kind: 'unreachable' }): MessageFacts {
  const reason = codeOf(cause);
  const status = reason === null ? null : proxyStatus(reason);
  if (reason !== null && status !== null) return { kind: 'refusedByProxy', reason, status };
  if (retryable) return { kind: 'unreachable', reason };
  return { kind: isUnsendable(cause) ? 'unsendable' : 'untrusted', reason };
}

function answered({ status, errors }: Failure & { kind: 'status' }, turns: Turns): MessageFacts {
  if (isRateLimited(status)) return { kind: 'rateLimited', turns };
  if (status === 401) return { kind: 'tokenRefused', status };
  if ((status === 400 || status === 422) && errors.length > 0) return graphqlErrors(errors);
  return { kind: 'status', status };
}

function graphqlErrors(errors: readonly GraphQLErrorEntry[]): MessageFacts & { readonly kind: 'graphqlErrors' } {
  return { kind: 'graphqlErrors', count: errors.length, mayBeDrift: isContractDrift(errors) };
}

export function graphqlError(errors: readonly GraphQLErrorEntry[], data: unknown, call: FailedCall): FleetError {
  const facts = graphqlErrors(errors);
  return new GraphQLResponseError(messageOf(facts, call), errors, data, { ...call, facts });
}

function errorOfFailure({ failure, wallTime }: FailedRequest, facts: MessageFacts, of: FailedCall): FleetError {
  const message = messageOf(facts, of);
  const call = { ...of, facts };
  switch (failure.kind) {
    case 'unauthorized':
      return new AuthenticationError(message, call);
    case 'unreachable':
      return new NetworkError(message, { ...call, cause: bareCause(failure.cause), retryable: failure.retryable });
    case 'disconnected': {
      const cause = bareCause(failure.cause);
      return facts.kind === 'silence'
        ? new TimeoutError(message, { ...call, cause })
        : new NetworkError(message, { ...call, cause });
    }
    case 'truncated':
      return new NetworkError(message, call);
    case 'malformed':
    case 'redirected':
      return new ProtocolError(message, call);
    case 'tooLarge':
      return new ResponseTooLargeError(message, failure.limitBytes, call);
    case 'fault':
      return new TransportError(message, { ...call, cause: failure.cause });
    case 'status':
      switch (facts.kind) {
        case 'rateLimited':
          return new RateLimitError(message, retryAfterMs(failure.retryAfter, wallTime), call);
        case 'tokenRefused':
          return new AuthenticationError(message, call);
        case 'graphqlErrors':
          return graphqlError(failure.errors, null, of);
        default:
          return new HttpError(message, failure.status, call, failure.errors);
      }
  }
}

/** Messages of common GraphQL servers about a document that does not fit their schema. */
const DRIFT =
  /cannot query field|unknown (argument|type|field)|field .*undefined|not defined by type|is not a valid|must not have a selection|must have a selection|expected type|variable .* used in position/i;

/** An invalid value of the caller is no sign of another contract. */
const INVALID_VALUE = /^variable .*invalid value/i;

function isContractDrift(errors: readonly GraphQLErrorEntry[]): boolean {
  return errors.some((error) => {
    if (INVALID_VALUE.test(error.message)) return false;
    if (classificationOf(error) === 'ValidationError' || DRIFT.test(error.message)) return true;
    return error.extensions?.code === 'GRAPHQL_VALIDATION_FAILED';
  });
}
