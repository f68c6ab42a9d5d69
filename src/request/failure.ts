// What can go wrong with one request, in the terms of the retry policy.
import type { GraphQLErrorEntry } from '../core/errors.js';
import { isRateLimited, isTransient } from '../core/http-status.js';
import { isUndecodable, type NetworkErrorKind, networkErrorKind, proxyStatus } from '../core/network-errors.js';
import { FollowedRedirect } from '../transport/followed-redirect.js';
import type { HttpResponse } from '../transport/http-transport.js';
import { ResponseTooLarge } from '../transport/response-limits.js';
import { causeOfFault, isTransportFault } from '../transport/transport-fault.js';

export type Failure =
  /** An HTTP status that means failure. */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly retryAfter: string | null;
      readonly errors: readonly GraphQLErrorEntry[];
    }
  /** Status 200 or 403, and the response says that the token is not valid. `mayHaveRun`: it does not prove that nothing was done. */
  | {
      readonly kind: 'unauthorized';
      readonly errors: readonly GraphQLErrorEntry[];
      readonly data: unknown;
      readonly mayHaveRun: boolean;
    }
  /** The request was not sent. `retryable` is false where another try cannot help: certificates, invalid addresses. */
  | { readonly kind: 'unreachable'; readonly retryable: boolean; readonly cause: unknown }
  /** The connection broke when the request may have arrived. */
  | { readonly kind: 'disconnected'; readonly cause: unknown; readonly isPlainHttp?: boolean }
  /** The response ended too early. */
  | { readonly kind: 'truncated' }
  /** The response is complete, but it is no GraphQL answer. */
  | { readonly kind: 'malformed'; readonly status: number }
  /** The response is larger than it may be, and was given up. */
  | { readonly kind: 'tooLarge'; readonly limitBytes: number }
  /** A fetch of the program followed a redirect; the answer is from another address. */
  | { readonly kind: 'redirected'; readonly origin: string | null }
  /** An exception in the transport that no network explains. The request may have arrived. */
  | { readonly kind: 'fault'; readonly cause: unknown };

/** What became of a request. */
export type SendOutcome<Value> =
  | { readonly value: Value }
  | {
      readonly failure: Failure;
      /** What the service calls the request; null without a response, or one that does not say. */
      readonly responseId?: (() => string | null) | undefined;
      /** A caller has rows of the answer that arrived before the failure: a repeat would give them twice. */
      readonly isPartlyRead?: boolean;
    };

/** The same, with what events tell of the response. */
export type TransportOutcome<Value> = SendOutcome<Value> & {
  /** Null when there was none. */
  readonly response: HttpResponse | null;
  /** Size of the response's text; null when it did not arrive in full. */
  readonly bytes: number | null;
  /** What the service calls the request. It is read only for events and errors. */
  readonly responseId?: (() => string | null) | undefined;
};

/**
 * Reads what a fetch threw, or the reading of its response, of which `status` is known then. In doubt the request may have arrived.
 * `isPlainHttp`: the address begins with http:, which may be the mistake.
 */
export function failureOf(thrown: unknown, status: number | null = null, isPlainHttp = false): Failure {
  if (thrown instanceof ResponseTooLarge) return { kind: 'tooLarge', limitBytes: thrown.limitBytes };
  if (thrown instanceof FollowedRedirect) return { kind: 'redirected', origin: thrown.origin };
  const coded = codedErrors(thrown);
  const codes = coded.map(({ code }) => code);
  if (isTransportFault(thrown, codes)) return { kind: 'fault', cause: causeOfFault(thrown) };
  // A status shows that the request arrived: only a part of the response is missing.
  if (status !== null) return codes.some(isUndecodable) ? { kind: 'malformed', status } : { kind: 'truncated' };
  const refusal = codes.map(proxyStatus).find((code) => code !== null);
  if (refusal) return { kind: 'unreachable', retryable: isRateLimited(refusal) || isTransient(refusal), cause: thrown };
  const kinds = coded.map(kindOf);
  if (kinds.includes('untrusted') || kinds.includes('unsendable')) {
    return { kind: 'unreachable', retryable: false, cause: thrown };
  }
  if (kinds.length > 0 && kinds.every((kind) => kind === 'unreachable')) {
    return { kind: 'unreachable', retryable: true, cause: thrown };
  }
  return kinds.includes('cut') ? { kind: 'truncated' } : { kind: 'disconnected', cause: thrown, isPlainHttp };
}

/** Whether the request itself could not be built; what else is unreachable for good has to do with certificates. */
export function isUnsendable(thrown: unknown): boolean {
  return codedErrors(thrown).map(kindOf).includes('unsendable');
}

interface CodedError {
  readonly code: string;
  /** The system call that failed. */
  readonly syscall: unknown;
}

function kindOf({ code, syscall }: CodedError): NetworkErrorKind {
  return networkErrorKind(code, syscall === 'connect');
}

/** The errors with a code among an error, its causes, and the errors it collects (for a host with several addresses). */
function codedErrors(thrown: unknown, depth = 0): CodedError[] {
  if (typeof thrown !== 'object' || thrown === null || depth > 4) return [];
  const collected: unknown = Reflect.get(thrown, 'errors');
  const inner = [
    ...codedErrors(Reflect.get(thrown, 'cause'), depth + 1),
    ...(Array.isArray(collected) ? collected.flatMap((error) => codedErrors(error, depth + 1)) : []),
  ];
  const code: unknown = Reflect.get(thrown, 'code');
  // An error that collects others repeats the code of the first of them.
  const isOwnCode = typeof code === 'string' && !(Array.isArray(collected) && inner.length > 0);
  return isOwnCode ? [{ code, syscall: Reflect.get(thrown, 'syscall') }, ...inner] : inner;
}

/** The first code of an error that is a plain word, for events and messages; null when it has none. */
export function codeOf(thrown: unknown): string | null {
  return codedErrors(thrown).find(({ code }) => /^[A-Z][A-Z0-9_]{0,63}$/.test(code))?.code ?? null;
}
