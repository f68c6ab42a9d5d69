// The headers that a program adds to every request, beside those of the contract: which names and values are allowed, and what a request
// carries in the end.
import { HeadersError } from '../core/errors.js';
import type { RequestEvent } from '../core/hooks.js';
import { quietly } from '../core/quietly.js';
import { defaultUserAgent } from '../core/version.js';

/** Headers, or a function that returns those of a request. */
export type HeadersOption = HeaderMap | ((request: RequestEvent) => HeaderMap);

export type HeaderMap = Readonly<Record<string, string>>;

export interface AddedHeaders {
  /** The header that no other option sets. */
  readonly agent: HeaderMap;
  /** The headers of all requests. */
  readonly constant: HeaderMap;
  /** Returns further headers of a request; null when there are none. @throws {HeadersError} when it gives no valid headers */
  readonly ofRequest: ((request: RequestEvent) => HeaderMap) | null;
}

export function addedHeaders(headers: HeadersOption = {}, userAgent = defaultUserAgent): AddedHeaders {
  const agent = { 'user-agent': userAgent };
  if (typeof headers !== 'function') return { agent, constant: { ...headers }, ofRequest: null };
  return { agent, constant: {}, ofRequest: (request) => headersFrom(headers, request) };
}

/** Returns the headers of the program: those of the call in place of those of the client. */
export function programHeaders(
  { constant, ofRequest }: AddedHeaders,
  event: RequestEvent | null,
  ofCall?: HeaderMap,
): HeaderMap {
  const ofClient = (event && ofRequest?.(event)) ?? constant;
  return ofCall === undefined ? ofClient : withHeaders(ofClient, ofCall);
}

/** Returns the headers with others in place of those of the same name, in any letter case. */
function withHeaders(headers: HeaderMap, others: HeaderMap): HeaderMap {
  const names = new Set(Object.keys(others).map((name) => name.toLowerCase()));
  const kept = Object.entries(headers).filter(([name]) => !names.has(name.toLowerCase()));
  return { ...Object.fromEntries(kept), ...others };
}

function headersFrom(headers: (request: RequestEvent) => HeaderMap, request: RequestEvent): HeaderMap {
  // A merged request is for several operations: each of its callers gets an error of its own.
  const details = { operation: request.kind === 'login' ? (request.operations[0] ?? null) : null };
  let given: unknown;
  let problem: string | null;
  try {
    given = headers(request);
    problem = headersProblem(given, 'What the headers function of the client returns');
  } catch (error) {
    const message =
      'The headers function of the client failed, so the request was not sent: error.cause is what it threw. Make the call again when the function works.';
    throw new HeadersError(message, { ...details, cause: error });
  }
  // headersProblem has looked at every name and value.
  if (problem === null) return given as HeaderMap;
  // Nobody waits for a promise: what it rejects with must not end the process.
  quietly(() => given)(undefined);
  throw new HeadersError(`${problem}. The request was not sent.`, { ...details, retryable: false });
}

/**
 * Returns the headers of a request with those that listeners of its channel add. Their values come from the propagators
 * of a program. Headers that the program may not set, or that the request has already, are left out.
 */
export function withTracing(added: Readonly<Record<string, unknown>>, headers: HeaderMap): HeaderMap {
  const valid = Object.entries(added).filter(([name, value]) => headerProblem(name, value) === null);
  if (valid.length === 0) return headers;
  return withHeaders(Object.fromEntries(valid.map(([name, value]) => [name.toLowerCase(), String(value)])), headers);
}

/** The client sets these itself, or the connection does. */
const reserved = new Set([
  ...['authorization', 'userid', 'fleetid', 'content-type', 'accept', 'accept-encoding', 'content-length', 'host'],
  ...['connection', 'keep-alive', 'transfer-encoding', 'te', 'trailer', 'upgrade', 'expect'],
]);

/** What is wrong with headers, as a sentence that shows no value; null when nothing is. `owner` says whose they are. */
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

/** The same for one header, as the rest of the sentence. */
function headerProblem(name: string, value: unknown): string | null {
  const lowerCase = name.toLowerCase();
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return 'must have header names that HTTP allows';
  if (lowerCase === 'user-agent') return 'must not have user-agent: the option userAgent sets it';
  if (reserved.has(lowerCase)) return `must not have ${lowerCase}: the client sets it`;
  return isHeaderValue(value) ? null : 'must have values that are strings and fit in a header';
}

/** Of any library: of one that is not awaited, the headers would silently be left out. */
function isPromise(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

/** Whether HTTP can carry it. */
export function isHeaderValue(value: unknown): boolean {
  return typeof value === 'string' && /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
}
