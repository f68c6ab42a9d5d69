// The failures of one request, in the terms of the retry policy.
import { bareCause, type GraphQLErrorEntry } from '../core/errors.js';
import { isRateLimited, isTransient } from '../core/http-status.js';
import {
  isNetworkCode,
  isUndecodable,
  type NetworkErrorKind,
  networkErrorKind,
  proxyStatus,
} from '../core/network-errors.js';
import { FollowedRedirect } from '../transport/custom-fetch.js';
import type { HttpResponse } from '../transport/http-transport.js';
import { ResponseTooLarge } from '../transport/response-limits.js';
import { UndiciNotLoaded } from '../transport/undici-dispatchers.js';

export type Failure =
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly retryAfter: string | null;
      readonly errors: readonly GraphQLErrorEntry[];
    }
  /** Status 200 or 403 with a refused token. `mayHaveRun`: the request may have had effects. */
  | {
      readonly kind: 'unauthorized';
      readonly errors: readonly GraphQLErrorEntry[];
      readonly data: unknown;
      readonly mayHaveRun: boolean;
    }
  /** The request was not sent. `retryable` is false for certificates and invalid addresses. */
  | { readonly kind: 'unreachable'; readonly retryable: boolean; readonly cause: unknown }
  /** The connection broke when the request may have arrived. */
  | { readonly kind: 'disconnected'; readonly cause: unknown; readonly isPlainHttp?: boolean }
  | { readonly kind: 'truncated' }
  /** The response is complete, but it is no GraphQL answer. */
  | { readonly kind: 'malformed'; readonly status: number }
  /** The response exceeds the limit, and its reading was stopped. */
  | { readonly kind: 'tooLarge'; readonly limitBytes: number }
  /** A fetch of the program followed a redirect; the answer is from another address. */
  | { readonly kind: 'redirected'; readonly origin: string | null }
  /** An exception in the transport that is no network error. The request may have arrived. */
  | { readonly kind: 'fault'; readonly cause: unknown };

export type SendOutcome<Value> =
  | { readonly value: Value }
  | {
      readonly failure: Failure;
      /** The service's id of the request; null without one. */
      readonly responseId?: (() => string | null) | undefined;
      /** True when a caller has read rows before the failure: a retry would deliver them twice. */
      readonly isPartlyRead?: boolean;
    };

/** The outcome with the facts of the response for events. */
export type TransportOutcome<Value> = SendOutcome<Value> & {
  readonly response: HttpResponse | null;
  /** Size of the response's text; null when incomplete. */
  readonly bytes: number | null;
  /** The service's id of the request. Read only for events and errors. */
  readonly responseId?: (() => string | null) | undefined;
};

/**
 * Classifies an exception of a fetch, or of reading its response. In doubt, the request may have
 * arrived. `status` is known after the response head. `isPlainHttp`: the address begins with http:,
 * which may be the mistake.
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

/** True when the request could not be built. Other permanent failures concern certificates. */
export function isUnsendable(thrown: unknown): boolean {
  return codedErrors(thrown).map(kindOf).includes('unsendable');
}

interface CodedError {
  readonly code: string;
  readonly syscall: unknown;
}

function kindOf({ code, syscall }: CodedError): NetworkErrorKind {
  return networkErrorKind(code, syscall === 'connect');
}

/** Returns the error, its causes and the errors of an AggregateError that have a code. */
function codedErrors(thrown: unknown, depth = 0): CodedError[] {
  if (typeof thrown !== 'object' || thrown === null || depth > 4) return [];
  const collected: unknown = Reflect.get(thrown, 'errors');
  const inner = [
    ...codedErrors(Reflect.get(thrown, 'cause'), depth + 1),
    ...(Array.isArray(collected) ? collected.flatMap((error) => codedErrors(error, depth + 1)) : []),
  ];
  const code: unknown = Reflect.get(thrown, 'code');
  // An AggregateError repeats the code of its first error.
  const isOwnCode = typeof code === 'string' && !(Array.isArray(collected) && inner.length > 0);
  return isOwnCode ? [{ code, syscall: Reflect.get(thrown, 'syscall') }, ...inner] : inner;
}

/** Returns the first error code that is a plain word, for events and messages; null without one. */
export function codeOf(thrown: unknown): string | null {
  return codedErrors(thrown).find(({ code }) => /^[A-Z][A-Z0-9_]{0,63}$/.test(code))?.code ?? null;
}

/** Messages of network failures without a code, in the fetch of all runtimes. */
const NETWORK_MESSAGE =
  /^(fetch failed|failed to fetch|load failed|terminated|networkerror when attempting|network request failed|network connection lost|error sending request|socket hang up|premature close)/i;
const NETWORK_NAME = /^(AbortError|TimeoutError|FetchError|NetworkError|HTTPParserError)$/;

/**
 * True when this is no network failure, but a bug in a custom fetch, or a module that a bundler
 * left out. It is not retried. `codes`: those of the error and its causes.
 */
function isTransportFault(thrown: unknown, codes: readonly string[]): boolean {
  if (codes.some(isNetworkCode)) return false;
  if (!(thrown instanceof Error)) return true;
  return !NETWORK_NAME.test(thrown.name) && !NETWORK_MESSAGE.test(thrown.message);
}

/**
 * Returns the name, code and place of the exception. Its message may quote a token, a password or
 * the value of a variable. This package's own exceptions are returned unchanged.
 */
function causeOfFault(thrown: unknown): Error {
  if (thrown instanceof UndiciNotLoaded) return thrown;
  const cause = bareCause(thrown);
  const frames = framesOf(thrown);
  const { name, message } = cause;
  if (frames.length > 0) cause.stack = [message === name ? name : `${name}: ${message}`, ...frames].join('\n');
  return cause;
}

/** A stack line of V8 that names a place; other lines belong to the message. */
const FRAME = /^ +at .*(:\d+:\d+|<anonymous>|native|index \d+)\)?$/;

function framesOf(thrown: unknown): readonly string[] {
  const stack = thrown instanceof Error ? thrown.stack : undefined;
  return typeof stack === 'string' ? stack.split('\n').filter((line) => FRAME.test(line)) : [];
}
