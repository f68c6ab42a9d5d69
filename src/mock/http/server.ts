// The service over real HTTP. A request stays active until its answer has been handed to the socket; a client that hangs up
// does not stop the work, and its turn ends when the work does.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { errorResponse } from '../graphql/errors.js';
import { compressed, compressor, type Encoding, preferredEncoding } from './compression.js';
import type { Exchange, Handler, ServiceRequest, ServiceResponse } from './messages.js';

export interface ListenOptions {
  /** 0 or left out: any free port. */
  readonly port?: number | undefined;
  /** 127.0.0.1 when left out: reachable from this machine only. */
  readonly host?: string | undefined;
}

export interface Listening {
  readonly url: string;
  readonly port: number;
  /** Ends the server and every connection. */
  close(): Promise<void>;
}

const largestBody = 8 * 1024 * 1024;

export async function listen(
  handle: Handler,
  { port = 0, host = '127.0.0.1' }: ListenOptions = {},
): Promise<Listening> {
  const server = createServer((incoming, outgoing) => {
    // Errors of a broken connection: 'close' follows, and that is where they are dealt with.
    incoming.on('error', () => {});
    outgoing.on('error', () => {});
    receive(incoming, (body) => {
      if (body === null) return tooLarge(outgoing);
      const handled = handle(translated(incoming, body));
      if (handled instanceof Promise) handled.then((exchange) => send(exchange, incoming, outgoing));
      else send(handled, incoming, outgoing);
    });
  });
  // Node does not count a connection whose client has hung up while its answer is awaited, and would wait for it to the end.
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
  // A server that listens on a port has an address of this form; only pipes have a string.
  const bound = server.address() as AddressInfo;
  const name = bound.family === 'IPv6' ? `[${bound.address}]` : bound.address;
  return {
    url: `http://${name}:${bound.port}`,
    port: bound.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Collects the body; null when it is larger than it may be. Never calls back when the client hangs up before its end. */
function receive(incoming: IncomingMessage, then: (body: Uint8Array | null) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  incoming.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= largestBody) chunks.push(chunk);
    else if (size - chunk.length <= largestBody) then(null);
  });
  incoming.on('end', () => {
    if (size > largestBody) return;
    const [only] = chunks;
    then(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks));
  });
}

function translated(incoming: IncomingMessage, body: Uint8Array): ServiceRequest {
  const url = incoming.url ?? '/';
  const query = url.indexOf('?');
  // Node joins repeated headers with commas, except set-cookie, which no request has.
  const headers = incoming.headers as Record<string, string | undefined>;
  return { method: incoming.method ?? 'GET', path: query < 0 ? url : url.slice(0, query), headers, body };
}

function tooLarge(outgoing: ServerResponse): void {
  // Node's own would be of this machine's clock.
  outgoing.sendDate = false;
  const { status, headers, body } = errorResponse(413, 'BAD_REQUEST', `The body is larger than ${largestBody} bytes.`);
  outgoing.writeHead(status, { ...headers, connection: 'close' });
  outgoing.end(body);
}

function send(exchange: Exchange, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { response, spoil } = exchange;
  if (spoil === 'reset' || outgoing.destroyed || incoming.socket.destroyed) {
    exchange.done();
    incoming.socket.destroy();
    return;
  }
  outgoing.once('finish', exchange.done);
  outgoing.once('close', exchange.done);
  const encoding = preferredEncoding(incoming.headers['accept-encoding']);
  try {
    if (spoil === 'truncate') sendHalf(response, outgoing);
    else if (typeof response.body === 'string') sendWhole(response, response.body, encoding, outgoing);
    else sendPieces(response, response.body, encoding, outgoing);
  } catch {
    // An answer that cannot be made after all: the client sees a broken connection, and the process goes on.
    outgoing.destroy();
  }
}

function encoded(headers: ServiceResponse['headers'], encoding: Encoding): Record<string, string> {
  return { ...headers, 'content-encoding': encoding, vary: 'accept-encoding' };
}

function sendWhole(
  { status, headers }: ServiceResponse,
  body: string,
  encoding: Encoding | null,
  outgoing: ServerResponse,
): void {
  const small = encoding === null ? null : compressed(body, encoding);
  if (small !== null && encoding !== null) {
    outgoing.writeHead(status, { ...encoded(headers, encoding), 'content-length': small.length });
    outgoing.end(small);
    return;
  }
  const length = status === 204 ? {} : { 'content-length': Buffer.byteLength(body) };
  outgoing.writeHead(status, { ...headers, ...length });
  outgoing.end(body);
}

/** Announces the whole body, sends half of it and breaks the connection. */
function sendHalf({ status, headers, body }: ServiceResponse, outgoing: ServerResponse): void {
  const bytes = Buffer.from(typeof body === 'string' ? body : [...body].join(''));
  outgoing.writeHead(status, { ...headers, 'content-length': bytes.length });
  outgoing.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => outgoing.destroy());
}

/**
 * Makes the next pieces only when the client has taken the last ones. To a fast client 'drain' comes before the event loop
 * gets to anything else, so every piece waits for a turn of the loop: others are answered meanwhile.
 */
function sendPieces(
  { status, headers }: ServiceResponse,
  body: Iterable<string>,
  encoding: Encoding | null,
  outgoing: ServerResponse,
): void {
  if (encoding !== null) {
    outgoing.writeHead(status, encoded(headers, encoding));
    // A client that hangs up ends the pipeline with an error; 'close' is where that is dealt with.
    pipeline(Readable.from(body), compressor(encoding), outgoing, () => {});
    return;
  }
  const pieces = body[Symbol.iterator]();
  outgoing.writeHead(status, headers);
  const more = (): void => {
    while (!outgoing.destroyed) {
      const next = nextOf(pieces);
      if (next === null) {
        outgoing.destroy();
        return;
      }
      if (next.done === true) {
        outgoing.end();
        return;
      }
      if (!outgoing.write(next.value)) {
        outgoing.once('drain', () => setImmediate(more));
        return;
      }
    }
  };
  more();
}

/** The next piece; null when it cannot be made: no fault of the service's own may end the process. */
function nextOf(pieces: Iterator<string>): IteratorResult<string> | null {
  try {
    return pieces.next();
  } catch {
    return null;
  }
}
