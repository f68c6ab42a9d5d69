// The thin layer as its users see it: as much of fetch as this package needs, and no more. The whole fetch API (Request, Headers,
// Response, web streams) is what makes other clients about three times slower on a small call.

import type { AbortFlag } from '../core/abort-flag.js';
import type { FetchInit, FetchResponse } from '../core/ports.js';

/** A request as the thin layer takes it: fetch's own init, and a signal that need not be a whole AbortSignal. */
export interface HttpRequestInit extends Omit<FetchInit, 'signal'> {
  readonly signal?: AbortSignal | AbortFlag;
  /** Gets the body of a good answer piece by piece, as it arrives, still compressed as the second argument says; `text()` is empty then. */
  readonly onData?: (chunk: Uint8Array, contentEncoding: string | null) => void;
  /**
   * Called when the connection is open, right before the first byte is written: nothing is awaited in between. When it throws, nothing
   * is sent, and the request is rejected with what it threw.
   */
  readonly beforeSend?: () => void;
}

export interface HttpTransport {
  /** Settles when the answer is over. Rejects when there was none, or as soon as the signal fires. Redirects are answers like others. */
  fetch(url: string, init: HttpRequestInit): Promise<FetchResponse>;
  /** Closes the sockets that are kept alive; requests on the wire are given up. */
  close(): Promise<void>;
}

/** How TLS connections are made. */
export interface TlsSettings {
  /** Certificates of the authorities to trust, PEM. Left out: those that Node trusts. */
  readonly ca?: string | Buffer | readonly (string | Buffer)[] | undefined;
}

/** A server that takes longer than this to accept a connection is taken for unreachable. */
export const CONNECT_TIMEOUT_MS = 10_000;

/** The part of TLS options that says whom to trust. */
export function trustOptions({ ca }: TlsSettings): { ca?: string | Buffer | (string | Buffer)[] } {
  if (ca === undefined) return {};
  return { ca: typeof ca === 'string' || Buffer.isBuffer(ca) ? ca : [...ca] };
}
