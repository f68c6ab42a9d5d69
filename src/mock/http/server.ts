// The service over HTTP. A request stays active until its response is written, or until it is
// processed if the client disconnects. The control endpoints and GraphiQL, which need no login, are
// protected from web pages of other sites: a page can send requests here or point its own name
// here, and both show in Host or Origin.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { pipeline, Readable, type Transform } from 'node:stream';
import { brotliCompressSync, constants, createBrotliCompress, createGzip, gzipSync } from 'node:zlib';
import {
  bodyTooLarge,
  errorResponse,
  type Handle,
  type HandledRequest,
  maxBodyBytes,
  type ServiceRequest,
  type ServiceResponse,
} from '../core/messages.js';
import { parseQualityValues } from '../core/quality-values.js';
import { yieldToEventLoop } from '../core/real-time.js';

export interface ListenOptions {
  /** Default 0: any free port. */
  readonly port?: number | undefined;
  /** Default 127.0.0.1: only reachable locally. */
  readonly host?: string | undefined;
  /**
   * Extra host names for `/__mock/` and GraphiQL, besides loopback and `host`. Other Host or Origin
   * headers get 403 there: any web page can send requests to this machine.
   */
  readonly allowHosts?: readonly string[] | undefined;
}

export interface Listening {
  readonly url: string;
  readonly port: number;
  /** Stops the server and closes every connection. */
  close(): Promise<void>;
}

export async function listen(
  handle: Handle,
  /** Milliseconds until an idle connection is closed without notice; undefined: never. */
  idleConnectionMs: () => number | undefined,
  { port = 0, host = '127.0.0.1', allowHosts = [] }: ListenOptions = {},
): Promise<Listening> {
  const allowed = [host, ...allowHosts];
  const idleTimers = new WeakMap<Socket, NodeJS.Timeout>();
  const server = createServer((incoming, outgoing) => {
    const { socket } = incoming;
    clearTimeout(idleTimers.get(socket));
    // A broken connection also emits 'close', which handles it.
    incoming.on('error', () => {});
    outgoing.on('error', () => {});
    collectBody(incoming, (body) => {
      outgoing.once('finish', () => {
        const ms = idleConnectionMs();
        if (ms !== undefined) idleTimers.set(socket, setTimeout(() => socket.destroy(), ms).unref());
      });
      if (body === null) return sendTooLarge(outgoing);
      const request = toServiceRequest(incoming, body);
      const refusal = foreignHostResponse(request.path, request.headers, allowed);
      if (refusal !== null) return sendString(refusal, String(refusal.body), null, outgoing);
      const handled = handle(request, someTurns);
      if (handled instanceof Promise) handled.then((result) => sendHandled(result, incoming, outgoing));
      else sendHandled(handled, incoming, outgoing);
    });
  });
  // Node's close() waits for connections whose client left before the response: closed here.
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('clientError', (_error, socket) => {
    if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
    else socket.destroy();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  // Only a pipe's address is a string.
  const address = server.address() as AddressInfo;
  const hostname = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    url: `http://${hostname}:${address.port}`,
    port: address.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/**
 * Waits for three turns of the event loop, a fraction of a millisecond. Otherwise simultaneous
 * requests would be answered one by one and never get 429.
 */
async function someTurns(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await yieldToEventLoop();
}

/** Collects the body; null when it is too large. Never calls back if the client disconnects. */
function collectBody(incoming: IncomingMessage, onBody: (body: Uint8Array | null) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  incoming.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= maxBodyBytes) chunks.push(chunk);
    else if (size - chunk.length <= maxBodyBytes) onBody(null);
  });
  incoming.on('end', () => {
    if (size > maxBodyBytes) return;
    const [only] = chunks;
    onBody(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks));
  });
}

function toServiceRequest(incoming: IncomingMessage, body: Uint8Array): ServiceRequest {
  const url = incoming.url ?? '/';
  const query = url.indexOf('?');
  // Node joins repeated headers to one string, except set-cookie, which requests do not have.
  const headers = incoming.headers as Record<string, string | undefined>;
  return { method: incoming.method ?? 'GET', path: query < 0 ? url : url.slice(0, query), headers, body };
}

function sendTooLarge(outgoing: ServerResponse): void {
  // Node's Date header would show this machine's clock.
  outgoing.sendDate = false;
  const { status, headers, body } = bodyTooLarge();
  outgoing.writeHead(status, { ...headers, connection: 'close' });
  outgoing.end(body);
}

function sendHandled(handled: HandledRequest, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { response, connectionFault } = handled;
  if (connectionFault === 'reset' || outgoing.destroyed || incoming.socket.destroyed) {
    handled.release();
    incoming.socket.destroy();
    return;
  }
  outgoing.once('finish', handled.release);
  outgoing.once('close', handled.release);
  const encoding = preferredEncoding(incoming.headers['accept-encoding']);
  try {
    if (connectionFault === 'truncate') sendHalf(response, outgoing);
    else if (typeof response.body === 'string') sendString(response, response.body, encoding, outgoing);
    else sendChunks(response, response.body, encoding, outgoing);
  } catch {
    // Creating the body failed: the client sees a broken connection, and the process continues.
    outgoing.destroy();
  }
}

function withEncoding(headers: ServiceResponse['headers'], encoding: Encoding): Record<string, string> {
  return { ...headers, 'content-encoding': encoding, vary: 'accept-encoding' };
}

function sendString(
  { status, headers }: ServiceResponse,
  body: string,
  encoding: Encoding | null,
  outgoing: ServerResponse,
): void {
  const compressed = encoding === null ? null : compress(body, encoding);
  if (compressed !== null && encoding !== null) {
    outgoing.writeHead(status, { ...withEncoding(headers, encoding), 'content-length': compressed.length });
    outgoing.end(compressed);
    return;
  }
  const length = status === 204 ? {} : { 'content-length': Buffer.byteLength(body) };
  outgoing.writeHead(status, { ...headers, ...length });
  outgoing.end(body);
}

function sendHalf({ status, headers, body }: ServiceResponse, outgoing: ServerResponse): void {
  const bytes = Buffer.from(typeof body === 'string' ? body : [...body].join(''));
  outgoing.writeHead(status, { ...headers, 'content-length': bytes.length });
  outgoing.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => outgoing.destroy());
}

/**
 * Creates chunks as the client reads them. 'drain' can precede all other events, so each chunk
 * waits for a turn: other requests run between.
 */
function sendChunks(
  { status, headers }: ServiceResponse,
  body: Iterable<string>,
  encoding: Encoding | null,
  outgoing: ServerResponse,
): void {
  if (encoding !== null) {
    outgoing.writeHead(status, withEncoding(headers, encoding));
    // A client that disconnects ends the pipeline with an error; 'close' handles it.
    pipeline(Readable.from(body), compressionStream(encoding), outgoing, () => {});
    return;
  }
  const chunks = body[Symbol.iterator]();
  outgoing.writeHead(status, headers);
  const writeNext = (): void => {
    while (!outgoing.destroyed) {
      const next = nextChunk(chunks);
      if (next === null) {
        outgoing.destroy();
        return;
      }
      if (next.done === true) {
        outgoing.end();
        return;
      }
      if (!outgoing.write(next.value)) {
        outgoing.once('drain', () => void yieldToEventLoop().then(writeNext));
        return;
      }
    }
  };
  writeNext();
}

/** Returns null when creating the chunk fails: the error must not end the process. */
function nextChunk(chunks: Iterator<string>): IteratorResult<string> | null {
  try {
    return chunks.next();
  } catch {
    return null;
  }
}

function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/.test(hostname);
}

function hostnameOf(host: string): string | null {
  return URL.canParse(`http://${host}/`) ? new URL(`http://${host}/`).hostname : null;
}

function isProtected(path: string): boolean {
  return path.includes('/__mock/') || /\/graphiql(\/|$)/.test(path);
}

/** Refuses a protected path when Host or Origin is not local or in `allowed`; otherwise null. */
function foreignHostResponse(
  path: string,
  { host, origin }: { readonly host?: string | undefined; readonly origin?: string | undefined },
  allowed: readonly string[],
): ServiceResponse | null {
  if (!isProtected(path)) return null;
  const names = allowed.map((name) => hostnameOf(name.includes(':') && !name.startsWith('[') ? `[${name}]` : name));
  const isAllowed = (hostname: string | null): boolean =>
    hostname !== null && (isLoopback(hostname) || names.includes(hostname));
  const refuse = (header: string): ServiceResponse =>
    errorResponse(
      403,
      'FORBIDDEN',
      `Only requests with a ${header} header of this machine are answered here. Allow another host name with allowHosts or --allow-host.`,
    );
  if (!isAllowed(host === undefined ? null : hostnameOf(host))) return refuse('Host');
  if (origin === undefined) return null;
  return isAllowed(URL.canParse(origin) ? new URL(origin).hostname : null) ? null : refuse('Origin');
}

// The fastest levels: locally, compression only tests clients.
type Encoding = 'gzip' | 'br';

// For a shorter body the headers cost more than compression saves.
const minBodyLength = 1024;

// A function, so that the CLI loads node:zlib only on first use.
const brotli = () => ({ params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
const gzip = { level: 1 };

/** Returns the encoding that an Accept-Encoding header prefers, gzip on a tie, or null. */
function preferredEncoding(header: string | undefined): Encoding | null {
  const qualities = new Map(parseQualityValues(header).map(({ value, quality }) => [value, quality]));
  const qualityOf = (encoding: Encoding): number => qualities.get(encoding) ?? qualities.get('*') ?? 0;
  if (qualityOf('gzip') <= 0 && qualityOf('br') <= 0) return null;
  return qualityOf('br') > qualityOf('gzip') ? 'br' : 'gzip';
}

function compress(body: string, encoding: Encoding): Buffer | null {
  if (body.length < minBodyLength) return null;
  return encoding === 'br' ? brotliCompressSync(body, brotli()) : gzipSync(body, gzip);
}

function compressionStream(encoding: Encoding): Transform {
  return encoding === 'br' ? createBrotliCompress(brotli()) : createGzip(gzip);
}
