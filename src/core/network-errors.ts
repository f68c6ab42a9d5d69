// What the error codes of Node, TLS and undici say of a request that failed: whether it was sent, and why not.
import type { ErrorFacts } from './error-facts.js';

/** The connection was never made, so nothing was sent. A later try may succeed. */
const UNREACHABLE: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'connection refused'],
  ['ENOTFOUND', 'unknown host name'],
  ['EAI_AGAIN', 'host name lookup failed for now'],
  ['EAI_FAIL', 'host name lookup failed'],
  ['EHOSTUNREACH', 'host unreachable'],
  ['ENETUNREACH', 'network unreachable'],
  ['EHOSTDOWN', 'host down'],
  ['ENETDOWN', 'network down'],
  ['EADDRNOTAVAIL', 'no local address or port available'],
  ['UND_ERR_CONNECT_TIMEOUT', 'connection timed out'],
]);
/** The system's own timeout: of a connection that was never made when it says so, else of one that broke. */
const SYSTEM_TIMEOUT = 'ETIMEDOUT';
/** TLS does not trust the server: nothing was sent, and another try changes nothing. */
const UNTRUSTED = /^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|EPROTO$)/;
/** The request could not be built: its address, a header or the proxy is invalid. */
const UNSENDABLE = new Set(['ERR_INVALID_URL', 'UND_ERR_INVALID_ARG', 'ERR_INVALID_CHAR']);
/** The body ended before its announced length, or in the middle of its compression. */
const CUT = new Set(['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'Z_BUF_ERROR', 'ERR_STREAM_PREMATURE_CLOSE']);

/** A body in a compression that was not asked for. */
export const UNKNOWN_ENCODING = 'UNKNOWN_CONTENT_ENCODING';
/** A body that is not in the compression that its header names. The codes are those of zlib, Brotli and Zstandard. */
const UNDECODABLE = /^(UNKNOWN_CONTENT_ENCODING|Z_DATA_ERROR|ERR__ERROR_\w+|ZSTD_error_\w+)$/;
/** A request that was given up because it brought no byte in time. */
export const ATTEMPT_TIMEOUT = 'ATTEMPT_TIMEOUT';
/** Codes of the system, TLS, undici, the parsers of HTTP and zlib, HTTP/2, and Bun; TIMEOUT and ABORTED are this package's own. */
const NETWORK =
  /^(E(?!RR_)[A-Z0-9_]+|UND_ERR_\w+|HPE_\w+|Z_\w+|ERR_(HTTP2|STREAM|SOCKET|NETWORK|QUIC)\w*|PROXY_\d+|Connection[A-Z]\w*|FailedToOpenSocket|ATTEMPT_TIMEOUT|TIMEOUT|ABORTED|UNKNOWN_CONTENT_ENCODING)$/;

/** Whether a code is of a network failure; other errors are bugs. */
export function isNetworkCode(code: string): boolean {
  return UNTRUSTED.test(code) || UNSENDABLE.has(code) || CUT.has(code) || NETWORK.test(code) || UNDECODABLE.test(code);
}

/** Whether the body arrived, but cannot be decompressed. */
export function isUndecodable(code: string): boolean {
  return UNDECODABLE.test(code);
}

/** The status with which a proxy refused to carry a request; null when the code is of something else. */
export function proxyStatus(code: string): number | null {
  const status = /^PROXY_(\d{3})$/.exec(code)?.[1];
  return status === undefined ? null : Number(status);
}

/** `unknown`: the request may have arrived. */
export type NetworkErrorKind = 'unreachable' | 'refused by proxy' | 'untrusted' | 'unsendable' | 'cut' | 'unknown';

/** `whileConnecting`: the system call that failed was the one that connects. */
export function networkErrorKind(code: string, whileConnecting: boolean): NetworkErrorKind {
  if (UNREACHABLE.has(code) || (code === SYSTEM_TIMEOUT && whileConnecting)) return 'unreachable';
  if (proxyStatus(code) !== null) return 'refused by proxy';
  if (UNTRUSTED.test(code)) return 'untrusted';
  if (UNSENDABLE.has(code)) return 'unsendable';
  return CUT.has(code) ? 'cut' : 'unknown';
}

/** Whether the parser of HTTP gave up, because what answered does not speak it. */
export function isNotHttp(code: string): boolean {
  return code.startsWith('HPE_');
}

/** What is known of a failure of which there is only this code: a timeout of the system counts as one of connecting. */
export function networkFacts(reason: string): ErrorFacts {
  const status = proxyStatus(reason);
  if (status !== null) return { kind: 'refusedByProxy', reason, status };
  if (isNotHttp(reason)) return { kind: 'notHttp', reason };
  const kind = networkErrorKind(reason, true);
  return kind === 'unreachable' || kind === 'untrusted' || kind === 'unsendable'
    ? { kind, reason }
    : { kind: 'connectionLost', reason, isPlainHttp: false };
}

/** Why a connection was not made, in words; null when the code is of something else. */
export function unreachableReason(code: string): string | null {
  return UNREACHABLE.get(code) ?? (code === SYSTEM_TIMEOUT ? 'connection timed out' : null);
}
