// What can go wrong with one request, in the words of the repeat table.
import type { GraphQLErrorEntry } from '../core/errors.js';

export type Failure =
  /** An HTTP status that means failure. */
  | {
      readonly what: 'status';
      readonly status: number;
      readonly retryAfter: string | null;
      readonly errors: readonly GraphQLErrorEntry[];
    }
  /** 200, but the GraphQL errors say that the token is no good, and nothing was done. */
  | { readonly what: 'unauthorized'; readonly errors: readonly GraphQLErrorEntry[]; readonly data: unknown }
  /** The request never left: no such host, connection refused. `again` is false where a repeat cannot help (certificates, addresses). */
  | { readonly what: 'unreachable'; readonly again: boolean; readonly cause: unknown }
  /** The connection broke when the request may have arrived. */
  | { readonly what: 'broken'; readonly cause: unknown }
  /** The answer ended too early. */
  | { readonly what: 'cut' }
  /** The answer is whole and no GraphQL answer. */
  | { readonly what: 'garbled'; readonly status: number };

/** What became of a request that was sent. */
export type SendOutcome<Value> = { readonly value: Value } | { readonly failure: Failure };

/** The same, and what there is to say of the response. */
export type TransportOutcome<Value> = SendOutcome<Value> & {
  /** HTTP status; null when there was no response. */
  readonly status: number | null;
  readonly text: string | null;
  /** Size of the body when the text is only part of it. */
  readonly bytes?: number;
};

/** System and undici codes of a connection that was never made. */
const NEVER_LEFT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
]);
/** What TLS says of a server it does not trust: nothing was sent, and asking again changes nothing. */
const UNTRUSTED = /^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|EPROTO$)/;
/** What was to be sent could not even be put together: an address, a header or a proxy that no client takes. */
const UNSENDABLE = new Set(['ERR_INVALID_URL', 'UND_ERR_INVALID_ARG', 'ERR_INVALID_CHAR']);
/** The body ended before its announced length, or in the middle of its compression. */
const CUT = new Set(['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'Z_BUF_ERROR', 'ERR_STREAM_PREMATURE_CLOSE']);

/** Reads what a fetch threw. What cannot be told may have arrived: the careful reading. */
export function failureOf(thrown: unknown): Failure {
  const errors = errorsIn(thrown);
  const codes = errors.map(({ code }) => code);
  if (codes.some((code) => UNTRUSTED.test(code) || UNSENDABLE.has(code)))
    return { what: 'unreachable', again: false, cause: thrown };
  if (errors.length > 0 && errors.every(neverLeft)) {
    return { what: 'unreachable', again: true, cause: thrown };
  }
  if (codes.some((code) => CUT.has(code))) return { what: 'cut' };
  return { what: 'broken', cause: thrown };
}

/** Whether a failure that was never sent has to do with what was to be sent, and not with certificates. */
export function isUnsendable(thrown: unknown): boolean {
  return errorsIn(thrown).some(({ code }) => UNSENDABLE.has(code));
}

interface CodedError {
  readonly code: string;
  /** What the system was asked to do. */
  readonly syscall: unknown;
}

/** The system's patience may also end while an answer is awaited. */
function neverLeft({ code, syscall }: CodedError): boolean {
  return NEVER_LEFT.has(code) || (code === 'ETIMEDOUT' && syscall === 'connect');
}

/** What has a code among an error, its causes, and the errors it collects (a host with several addresses). */
function errorsIn(thrown: unknown, depth = 0): CodedError[] {
  if (typeof thrown !== 'object' || thrown === null || depth > 4) return [];
  const collected: unknown = Reflect.get(thrown, 'errors');
  const inside = [
    ...errorsIn(Reflect.get(thrown, 'cause'), depth + 1),
    ...(Array.isArray(collected) ? collected.flatMap((one) => errorsIn(one, depth + 1)) : []),
  ];
  const code: unknown = Reflect.get(thrown, 'code');
  // One that collects others repeats the code of the first of them.
  const isOwn = typeof code === 'string' && !(Array.isArray(collected) && inside.length > 0);
  return isOwn ? [{ code, syscall: Reflect.get(thrown, 'syscall') }, ...inside] : inside;
}

/** The most telling code of an error, for events and messages; null when it has none. */
export function codeOf(thrown: unknown): string | null {
  return errorsIn(thrown).find(({ code }) => /^[A-Z][A-Z0-9_]{0,63}$/.test(code))?.code ?? null;
}

/** Whether JSON text just stops: it is good until its end, and not whole. An empty text is no JSON that was cut. */
export function isCutJson(text: string): boolean {
  if (!/^\s*[{[]/.test(text)) return false;
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    const said = error instanceof SyntaxError ? error.message : '';
    if (/^(Unexpected end of JSON input$|Unterminated string in JSON at position \d)/.test(said)) return true;
    // Where the text is quoted instead of the position, the parser met something that cannot stand there.
    const position = / in JSON at position (\d+)( \(line \d+ column \d+\))?$/.exec(said)?.[1];
    return position !== undefined && Number(position) >= text.length;
  }
}
