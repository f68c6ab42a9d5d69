// What an HTTP transport is: the part of fetch that this package needs. The whole fetch API (Request, Headers, Response, web streams)
// makes a small call about three times slower.
import type { AbortFlag } from '../core/deadline.js';
import type { FetchInit, FetchResponse } from '../core/ports.js';
import type { ResponseLimit } from './response-limits.js';

/** The init of a fetch, with a signal that may be an AbortFlag, and two callbacks. */
export interface HttpRequestInit extends Omit<FetchInit, 'signal' | 'redirect'> {
  readonly signal?: AbortSignal | AbortFlag;
  /**
   * Gets the body of a successful response in pieces as they arrive, still compressed; `text()` is empty then. After it has returned a
   * promise, which never rejects, no more is read from the connection until the promise settles.
   */
  readonly onData?: (chunk: Uint8Array, contentEncoding: string | null) => Promise<void> | undefined;
  /**
   * Called when the connection is open, right before the first byte is written: nothing is awaited in between. When it throws, nothing
   * is sent, and the request is rejected with what it threw.
   */
  readonly beforeSend?: () => void;
  /** Called with status and headers when they arrive, before the body. */
  readonly onHead?: (head: Pick<HttpResponse, 'status' | 'headers'>) => void;
  /** Called when the response begins, and whenever bytes of it arrive. */
  readonly onActivity?: () => void;
  /** Of a body that is read as a whole. Default: 256 MiB. */
  readonly limit?: ResponseLimit;
}

/** A complete response. */
export interface HttpResponse extends FetchResponse {
  /** Size of the body, when `text` is only a part of it; known when `text` has settled. */
  readonly bytes?: number | undefined;
}

/** Settles when the response is complete. Rejects when there is none, or as soon as the signal fires. Redirects are not followed. */
export type HttpFetch = (url: string, init: HttpRequestInit) => Promise<HttpResponse>;

export interface HttpTransport {
  /** Loads what a request to this URL needs. Null when there is nothing left to load. When loading fails, the request fails too and says so. */
  prepare?(url: string): Promise<unknown> | null;
  /** Opens a connection for the next request to this URL, unless there is one that is free. Sends nothing, and tells no failure. */
  open?(url: string): void;
  fetch: HttpFetch;
  /** Closes idle sockets and gives up the requests under way. */
  close(): Promise<void>;
}

/** How TLS connections are made. */
export interface TlsSettings {
  /** Certificates of the authorities to trust, as PEM. Default: those that Node trusts. */
  readonly ca?: string | Buffer | readonly (string | Buffer)[] | undefined;
}

/** The TLS options of Node for these settings. */
export function trustOptions({ ca }: TlsSettings): { ca?: string | Buffer | (string | Buffer)[] } {
  if (ca === undefined) return {};
  return { ca: typeof ca === 'string' || Buffer.isBuffer(ca) ? ca : [...ca] };
}
