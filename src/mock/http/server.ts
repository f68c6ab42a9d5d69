// The service over HTTP. A request stays active until its response is written, or until it is
// processed if the client disconnects.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import {
  bodyTooLarge,
  type Handle,
  type HandledRequest,
  maxBodyBytes,
  type ServiceRequest,
  type ServiceResponse,
} from '../core/messages.js';
import { yieldToEventLoop } from '../core/real-time.js';
import { compress, compressionStream, type Encoding, preferredEncoding } from './compression.js';
import { foreignHostResponse } from './foreign-hosts.js';

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
