// The headers that a program adds to every request, beside those of the contract: which names and values are allowed, and what a request
// carries in the end.
import { HeadersError } from '../core/errors.js';
import type { RequestEvent } from '../core/hooks.js';
import { defaultUserAgent } from '../core/version.js';

/** Headers, or a function that returns those of a request. */
export type HeadersOption =
  | Readonly<Record<string, string>>
  | ((request: RequestEvent) => Readonly<Record<string, string>>);

export interface AddedHeaders {
  /** Headers that all requests have. */
  readonly constant: Readonly<Record<string, string>>;
  /** Returns further headers of a request; null when there are none. @throws {HeadersError} when it gives no valid headers */
  readonly ofRequest: ((request: RequestEvent) => Readonly<Record<string, string>>) | null;
}

export function addedHeaders(headers: HeadersOption = {}, userAgent = defaultUserAgent): AddedHeaders {
  const agent = { 'user-agent': userAgent };
  if (typeof headers !== 'function') return { constant: { ...headers, ...agent }, ofRequest: null };
  return { constant: agent, ofRequest: (request) => headersFrom(headers, request) };
}

function headersFrom(
  headers: (request: RequestEvent) => Readonly<Record<string, string>>,
  request: RequestEvent,
): Readonly<Record<string, string>> {
  // A merged request is for several operations: each of its callers gets an error of its own.
  const details = { operation: request.kind === 'login' ? (request.operations[0] ?? null) : null };
  let given: unknown;
  try {
    given = headers(request);
  } catch (error) {
    const message =
      'The headers function of the client failed, so the request was not sent: error.cause is what it threw. Make the call again when the function works.';
    throw new HeadersError(message, { ...details, cause: error });
  }
  const problem = headersProblem(given, 'What the headers function of the client returns');
  if (problem !== null) throw new HeadersError(`${problem}. The request was not sent.`, details);
  // headersProblem has looked at every name and value.
  return given as Readonly<Record<string, string>>;
}

/** The client sets these itself, or the connection does. */
const reserved = new Set([
  ...['authorization', 'userid', 'fleetid', 'content-type', 'accept', 'accept-encoding', 'content-length', 'host'],
  ...['connection', 'keep-alive', 'transfer-encoding', 'te', 'trailer', 'upgrade', 'expect'],
]);

/** What is wrong with headers, as a sentence that shows no value; null when nothing is. `owner` says whose they are. */
export function headersProblem(headers: unknown, owner: string): string | null {
  if (headers instanceof Promise) return `${owner} must be headers, not a promise of them`;
  // A Headers object has no members of its own: its headers would silently be left out.
  if (typeof headers !== 'object' || headers === null || Symbol.iterator in headers) {
    return `${owner} must be a plain object of header names and strings`;
  }
  for (const [name, value] of Object.entries(headers)) {
    const lowerCase = name.toLowerCase();
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return `${owner} must have header names that HTTP allows`;
    if (lowerCase === 'user-agent') return `${owner} must not have user-agent: the option userAgent sets it`;
    if (reserved.has(lowerCase)) return `${owner} must not have ${lowerCase}: the client sets it`;
    if (!isHeaderValue(value)) return `${owner} must have values that are strings and fit in a header`;
  }
  return null;
}

/** Whether HTTP can carry it. */
export function isHeaderValue(value: unknown): boolean {
  return typeof value === 'string' && /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
}
