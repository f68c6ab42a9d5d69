// The service over HTTP. A request stays active until its response has been written to the socket. A client that disconnects does
// not stop its request, which stays active until it has been processed.
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
import { turnOfEventLoop } from '../core/real-time.js';
import { compress, compressionStream, type Encoding, preferredEncoding } from './compression.js';
import { foreignHostResponse } from './foreign-hosts.js';

export interface ListenOptions {
  /** Default 0: any free port. */
  readonly port?: number | undefined;
  /** Default 127.0.0.1: reachable from this machine only. */
  readonly host?: string | undefined;
  /**
   * Host names, besides those of loopback and `host`, under which `/__mock/` and GraphiQL answer. Requests with another name in
   * their Host or Origin header get 403 there, because any web page can send requests to this machine.
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
  /** After how many milliseconds an idle connection is closed without notice; undefined: not. */
  idleConnectionMs: () => number | undefined,
  { port = 0, host = '127.0.0.1', allowHosts = [] }: ListenOptions = {},
): Promise<Listening> {
  const allowed = [host, ...allowHosts];
  const idleTimers = new WeakMap<Socket, NodeJS.Timeout>();
  const server = createServer((incoming, outgoing) => {
    const { socket } = incoming;
    clearTimeout(idleTimers.get(socket));
    // A broken connection also emits 'close', which is where it is handled.
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
  // Node's close() waits for a connection whose client disconnected before its response, so sockets are closed here.
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
  // The address of a server that listens on a port is an object; only a pipe's is a string.
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
 * Takes three turns of the event loop, a fraction of a millisecond. Without them each request would be answered before the service
 * looks at the next one, and requests sent at the same time would never meet 429.
 */
async function someTurns(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await turnOfEventLoop();
}

/** Collects the body; null when it is too large. Never calls back when the client disconnects before the end. */
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
    // The body could not be made. The client sees a broken connection, and the process runs on.
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

/** Announces the length of the whole body, sends half of it and breaks the connection. */
function sendHalf({ status, headers, body }: ServiceResponse, outgoing: ServerResponse): void {
  const bytes = Buffer.from(typeof body === 'string' ? body : [...body].join(''));
  outgoing.writeHead(status, { ...headers, 'content-length': bytes.length });
  outgoing.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => outgoing.destroy());
}

/**
 * Makes the next chunks when the client has taken the last ones. With a fast client 'drain' comes before any other event, so
 * each chunk waits for a turn of the event loop: other requests are answered in between.
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
        outgoing.once('drain', () => void turnOfEventLoop().then(writeNext));
        return;
      }
    }
  };
  writeNext();
}

/** The next chunk; null when making it fails, so that an error of the service does not end the process. */
function nextChunk(chunks: Iterator<string>): IteratorResult<string> | null {
  try {
    return chunks.next();
  } catch {
    return null;
  }
}
