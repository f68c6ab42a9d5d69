// The headers that a program adds to every request: validation, and precedence over each other.
import { HeadersError } from '../core/errors.js';
import type { RequestEvent } from '../core/hooks.js';
import { quietly } from '../core/safe-read.js';
import { defaultUserAgent } from '../core/version.js';

/** Headers, or a function that returns those of a request. */
export type HeadersOption = HeaderMap | ((request: RequestEvent) => HeaderMap);

export type HeaderMap = Readonly<Record<string, string>>;

export interface AddedHeaders {
  readonly agent: HeaderMap;
  readonly constant: HeaderMap;
  /**
   * Returns further headers of a request; null when there are none.
   * @throws {HeadersError} when the function returns no valid headers
   */
  readonly ofRequest: ((request: RequestEvent) => HeaderMap) | null;
}

export function addedHeaders(headers: HeadersOption = {}, userAgent = defaultUserAgent): AddedHeaders {
  const agent = { 'user-agent': userAgent };
  if (typeof headers !== 'function') return { agent, constant: { ...headers }, ofRequest: null };
  return { agent, constant: {}, ofRequest: (request) => headersFrom(headers, request) };
}

/** Returns the headers of the program: those of the call override those of the client. */
export function programHeaders(
  { constant, ofRequest }: AddedHeaders,
  event: RequestEvent | null,
  ofCall?: HeaderMap,
): HeaderMap {
  const ofClient = (event && ofRequest?.(event)) ?? constant;
  return ofCall === undefined ? ofClient : withHeaders(ofClient, ofCall);
}

function withHeaders(headers: HeaderMap, others: HeaderMap): HeaderMap {
  const names = new Set(Object.keys(others).map((name) => name.toLowerCase()));
  const remaining = Object.entries(headers).filter(([name]) => !names.has(name.toLowerCase()));
  return { ...Object.fromEntries(remaining), ...others };
}

function headersFrom(headers: (request: RequestEvent) => HeaderMap, request: RequestEvent): HeaderMap {
  // A merged request has several operations: each of its callers gets its own error.
  const details = { operation: request.kind === 'login' ? (request.operations[0] ?? null) : null };
  let returned: unknown;
  let problem: string | null;
  try {
    returned = headers(request);
    problem = headersProblem(returned, 'The result of the headers function of the client');
  } catch (error) {
    const message =
      'The headers function of the client failed, so the request was not sent: error.cause is what it threw. Make the call again when the function works.';
    throw new HeadersError(message, { ...details, cause: error });
  }
  // headersProblem has checked every name and value.
  if (problem === null) return returned as HeaderMap;
  // A returned promise is refused and not awaited: its rejection must not end the process.
  quietly(() => returned)(undefined);
  throw new HeadersError(`${problem}. The request was not sent.`, { ...details, retryable: false });
}

/**
 * Adds headers of channel listeners, such as tracing propagators, unless reserved, invalid or set.
 */
export function addTracingHeaders(added: Readonly<Record<string, unknown>>, headers: HeaderMap): HeaderMap {
  const valid = Object.entries(added).filter(([name, value]) => headerProblem(name, value) === null);
  if (valid.length === 0) return headers;
  return withHeaders(Object.fromEntries(valid.map(([name, value]) => [name.toLowerCase(), String(value)])), headers);
}

/** The client or the connection sets these. */
const reserved = new Set([
  ...['authorization', 'userid', 'fleetid', 'content-type', 'accept', 'accept-encoding', 'content-length', 'host'],
  ...['connection', 'keep-alive', 'transfer-encoding', 'te', 'trailer', 'upgrade', 'expect'],
]);

/** Returns the problem as a sentence without values, about `owner`; null when all are valid. */
export function headersProblem(headers: unknown, owner: string): string | null {
  if (isPromise(headers)) return `${owner} must be headers, not a promise of them`;
  // A Headers object has no members of its own: its headers would silently be left out.
  if (typeof headers !== 'object' || headers === null || Symbol.iterator in headers) {
    return `${owner} must be a plain object of header names and strings`;
  }
  for (const [name, value] of Object.entries(headers)) {
    const problem = headerProblem(name, value);
    if (problem !== null) return `${owner} ${problem}`;
  }
  return null;
}

function headerProblem(name: string, value: unknown): string | null {
  const lowerCase = name.toLowerCase();
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return 'must have header names that HTTP allows';
  if (lowerCase === 'user-agent') return 'must not have user-agent: the option userAgent sets it';
  if (reserved.has(lowerCase)) return `must not have ${lowerCase}: the client sets it`;
  return isHeaderValue(value) ? null : 'must have values that are strings and fit in a header';
}

/** Accepts promises of any library: their headers would silently be left out. */
function isPromise(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

export function isHeaderValue(value: unknown): boolean {
  return typeof value === 'string' && /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
}
