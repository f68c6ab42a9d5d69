// The interface of an HTTP transport: the part of fetch that this package needs. The full fetch API
// (Request, Headers, Response, web streams) makes a small call about three times slower.
import type { AbortFlag } from '../core/deadline.js';
import type { FetchInit, FetchResponse } from '../core/ports.js';
import type { ResponseLimit } from './response-limits.js';

/** A server that accepts no connection in this time is unreachable. */
export const CONNECT_TIMEOUT_MS = 10_000;
/** A socket that was idle for this long, sleep of the machine included, is not reused. */
export const IDLE_SOCKET_MS = 4_000;
/** TCP keep-alive probes start after this idle time. */
export const TCP_KEEP_ALIVE_MS = 5_000;

export interface HttpRequestInit extends Omit<FetchInit, 'signal' | 'redirect'> {
  readonly signal?: AbortSignal | AbortFlag;
  /**
   * Gets the chunks of a successful body as they arrive, still compressed; `text()` is then empty.
   * When it returns a promise, which must not reject, reading is paused until the promise settles.
   */
  readonly onData?: (chunk: Uint8Array, contentEncoding: string | null) => Promise<void> | undefined;
  /**
   * Called when the connection is open, right before the first byte is written, with no await in
   * between. When it throws, nothing is sent, and the request rejects with that error.
   */
  readonly beforeSend?: () => void;
  readonly onHead?: (head: Pick<HttpResponse, 'status' | 'headers'>) => void;
  /** Called when the response begins, and whenever bytes of it arrive. */
  readonly onActivity?: () => void;
  /** For a body that is read as a whole. Default: 256 MiB. */
  readonly limit?: ResponseLimit;
}

export interface HttpResponse extends FetchResponse {
  /** Size of the body when `text` is only a part of it; available once `text` has settled. */
  readonly bytes?: number | undefined;
}

/** Settles with the complete response, or rejects when aborted. It follows no redirects. */
export type HttpFetch = (url: string, init: HttpRequestInit) => Promise<HttpResponse>;

export interface HttpTransport {
  /**
   * Loads the modules for a request to this URL; null when all are loaded. When loading fails, the
   * request rejects with that error.
   */
  prepare?(url: string): Promise<unknown> | null;
  /** Opens a connection to this URL, unless one is idle. Sends nothing, reports no failure. */
  open?(url: string): void;
  fetch: HttpFetch;
  close(): Promise<void>;
}

/** The settings of TLS connections. */
export interface TlsSettings {
  /** PEM certificates of the trusted authorities. Default: those of Node. */
  readonly ca?: string | Buffer | readonly (string | Buffer)[] | undefined;
}

/** Returns an error in the form of the system's own connect timeout: nothing was sent. */
export function connectTimeoutError(): Error {
  return Object.assign(new Error('connect ETIMEDOUT'), { code: 'ETIMEDOUT', syscall: 'connect' });
}

export function trustOptions({ ca }: TlsSettings): { ca?: string | Buffer | (string | Buffer)[] } {
  if (ca === undefined) return {};
  return { ca: typeof ca === 'string' || Buffer.isBuffer(ca) ? ca : [...ca] };
}
