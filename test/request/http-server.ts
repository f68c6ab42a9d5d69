// Real HTTP and HTTPS servers on loopback, with records of their sockets.
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Socket, type Server as TcpServer } from 'node:net';
import type { MockService } from '../../src/mock/service.js';

/** Created with openssl, valid until 2120: an authority, and a server for localhost, 127.0.0.1. */
const pem = (name: string) => readFileSync(new URL(`tls/${name}`, import.meta.url), 'utf8');
export const testAuthority = pem('ca.pem');

export interface Served {
  readonly url: string;
  readonly port: number;
  readonly sockets: Socket[];
  close(): Promise<void>;
}

export interface ServeOptions {
  readonly tls?: boolean;
  readonly host?: string;
  /** Awaited before the server reads from a new connection. */
  readonly before?: () => Promise<void>;
}

export async function serve(
  listener: RequestListener,
  { tls = false, host = '127.0.0.1', before }: ServeOptions = {},
): Promise<Served> {
  const http = tls
    ? createTlsServer({ key: pem('server.key'), cert: pem('server.pem') }, listener)
    : createServer(listener);
  const sockets: Socket[] = [];
  http.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => sockets.push(socket));
  const server = before ? heldServer(http, before) : http;
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  // A listening TCP server has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls ? 'https' : 'http'}://${host}:${port}`,
    port,
    sockets,
    close() {
      http.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function heldServer(http: Server, before: () => Promise<void>): TcpServer {
  return createTcpServer(async (socket) => {
    await before();
    http.emit('connection', socket);
  });
}

export async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

export async function answerFrom(service: MockService, request: IncomingMessage, response: ServerResponse) {
  const { authorization, userid, 'content-type': type } = request.headers;
  const body = await textOf(request);
  const answer = await service.fetch(`http://service.test${request.url}`, {
    method: String(request.method),
    headers: {
      ...(type ? { 'content-type': type } : {}),
      ...(authorization ? { authorization } : {}),
      ...(userid ? { userId: String(userid) } : {}),
    },
    ...(body === '' ? {} : { body }),
  });
  response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
}
