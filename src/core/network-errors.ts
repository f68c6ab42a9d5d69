// Classifies the error codes of Node, TLS and undici: was the request sent, and why not?
import type { ErrorFacts } from './error-facts.js';

/** Codes of connections that were never made: nothing was sent, and a later try may succeed. */
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
/** The system's timeout: while connecting it means unreachable, otherwise a lost connection. */
const SYSTEM_TIMEOUT = 'ETIMEDOUT';
/** TLS does not trust the server: nothing was sent, and a retry does not help. */
const UNTRUSTED = /^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|EPROTO$)/;
/** The request could not be built: its address, a header or the proxy is invalid. */
const UNSENDABLE = new Set(['ERR_INVALID_URL', 'UND_ERR_INVALID_ARG', 'ERR_INVALID_CHAR']);
/** The body ended before its announced length, or in the middle of its compression. */
const CUT = new Set(['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'Z_BUF_ERROR', 'ERR_STREAM_PREMATURE_CLOSE']);

/** The code of a body in a compression that was not requested. */
export const UNKNOWN_ENCODING = 'UNKNOWN_CONTENT_ENCODING';
/** A body that does not have its declared compression: codes of zlib, Brotli and Zstandard. */
const UNDECODABLE = /^(UNKNOWN_CONTENT_ENCODING|Z_DATA_ERROR|ERR__ERROR_\w+|ZSTD_error_\w+)$/;
/** The code of a request that was cancelled because no byte arrived in time. */
export const ATTEMPT_TIMEOUT = 'ATTEMPT_TIMEOUT';
/** Codes of the system and libraries; TIMEOUT and ABORTED are this package's own. */
const NETWORK =
  /^(E(?!RR_)[A-Z0-9_]+|UND_ERR_\w+|HPE_\w+|Z_\w+|ERR_(HTTP2|STREAM|SOCKET|NETWORK|QUIC)\w*|PROXY_\d+|Connection[A-Z]\w*|FailedToOpenSocket|ATTEMPT_TIMEOUT|TIMEOUT|ABORTED|UNKNOWN_CONTENT_ENCODING)$/;

/** True for the code of a network failure; other errors are bugs. */
export function isNetworkCode(code: string): boolean {
  return UNTRUSTED.test(code) || UNSENDABLE.has(code) || CUT.has(code) || NETWORK.test(code) || UNDECODABLE.test(code);
}

/** True when the body arrived, but cannot be decompressed. */
export function isUndecodable(code: string): boolean {
  return UNDECODABLE.test(code);
}

/** Returns the HTTP status of a proxy that refused the request; null for other codes. */
export function proxyStatus(code: string): number | null {
  const status = /^PROXY_(\d{3})$/.exec(code)?.[1];
  return status === undefined ? null : Number(status);
}

/** The kind of a network failure. `unknown`: the request may have arrived. */
export type NetworkErrorKind = 'unreachable' | 'refused by proxy' | 'untrusted' | 'unsendable' | 'cut' | 'unknown';

/** `whileConnecting`: the failed system call was `connect`. */
export function networkErrorKind(code: string, whileConnecting: boolean): NetworkErrorKind {
  if (UNREACHABLE.has(code) || (code === SYSTEM_TIMEOUT && whileConnecting)) return 'unreachable';
  if (proxyStatus(code) !== null) return 'refused by proxy';
  if (UNTRUSTED.test(code)) return 'untrusted';
  if (UNSENDABLE.has(code)) return 'unsendable';
  return CUT.has(code) ? 'cut' : 'unknown';
}

/** True when the HTTP parser failed, because the server does not speak HTTP. */
export function isNotHttp(code: string): boolean {
  return code.startsWith('HPE_');
}

/** Returns the facts for a bare code. A system timeout counts as one of connecting. */
export function networkFacts(reason: string): ErrorFacts {
  const status = proxyStatus(reason);
  if (status !== null) return { kind: 'refusedByProxy', reason, status };
  if (isNotHttp(reason)) return { kind: 'notHttp', reason };
  const kind = networkErrorKind(reason, true);
  return kind === 'unreachable' || kind === 'untrusted' || kind === 'unsendable'
    ? { kind, reason }
    : { kind: 'connectionLost', reason, isPlainHttp: false };
}

/** Returns why a connection was not made, in words; null for other codes. */
export function unreachableReason(code: string): string | null {
  return UNREACHABLE.get(code) ?? (code === SYSTEM_TIMEOUT ? 'connection timed out' : null);
}

export interface TrustProblem {
  /** End of a sentence: "the certificate …". */
  readonly what: string;
  readonly next: string;
  readonly isUnknownAuthority?: true;
}

/** Explains the error code of a connection that TLS refused. */
export function trustProblem(code: string): TrustProblem {
  switch (code) {
    case 'CERT_HAS_EXPIRED':
      return {
        what: "the service's certificate has expired",
        next: "Ask the operator of the service to renew it. If it is still valid elsewhere, check this machine's clock.",
      };
    case 'CERT_NOT_YET_VALID':
      return { what: "the service's certificate is not valid yet", next: "Check this machine's clock." };
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
    case 'HOSTNAME_MISMATCH':
      return {
        what: "the service's certificate is for another host name",
        next: 'Check the host name in the address; if it is right, the operator of the service must add it to the certificate.',
      };
  }
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) {
    return {
      what: 'what answers there does not speak this TLS',
      next: 'Check the port and whether the address must begin with http:// instead of https://.',
    };
  }
  return {
    what: "the authority that signed the service's certificate is not trusted here",
    next: 'If it is your own authority, name its file in NODE_EXTRA_CA_CERTS.',
    isUnknownAuthority: true,
  };
}
