// Proxies and gateways: they refuse, carry plain http, and send unexpected answers.
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { failureOf } from '../../src/request/failure.js';
import type { HttpTransport } from '../../src/transport/http-transport.js';
import { undiciTransport } from '../../src/transport/undici-transport.js';
import { answerFrom } from '../request/http-server.js';
import { ClientOver, makeService, rejection } from '../request/setup.js';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(async () => void server.close());
  // a listening TCP server has one
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Starts a proxy that answers CONNECT with this status; the listener answers the rest. */
async function proxy(status: number, listener: RequestListener = (_request, response) => response.end()) {
  const requestLines: string[] = [];
  const server = createHttpServer((request, response) => {
    requestLines.push(`${request.method} ${request.url}`);
    listener(request, response);
  });
  server.on('connect', (request, socket) => {
    requestLines.push(`CONNECT ${request.url}`);
    socket.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`);
  });
  const address = await listening(server);
  closing.push(async () => server.closeAllConnections());
  return { address, asked: requestLines };
}

function clientThrough(transport: HttpTransport, baseUrl: string): ClientOver {
  const credentials = { username: 'demo', password: 'demo' };
  const tokenStore = keptSession();
  const options = { baseUrl, credentials, tokenStore, user: { userId: '7' }, retry: { baseDelayMs: 0, attempts: 3 } };
  const fleet = new ClientOver(() => transport, options);
  closing.push(() => fleet.close());
  return fleet;
}

/** A stored session, so that the change itself is the first request. */
function keptSession() {
  const session = {
    username: 'demo',
    accessToken: 'token',
    accessIssuedAt: Date.now(),
    accessLifetimeMs: 300_000,
    refreshToken: null,
    refreshIssuedAt: Date.now(),
  };
  const load = async () => session;
  const none = async () => undefined;
  return { load, save: none, clear: none, withLock: <T>(_key: string, task: () => Promise<T>) => task() };
}

describe('a proxy that refuses a tunnel', () => {
  test.each([
    [407, 1, 'user:password@'],
    [403, 1, 'does not allow this address'],
    [502, 3, 'HTTPS_PROXY'],
  ])('with %i is told as that, also for a change: nothing was sent', async (status, attempts, advice) => {
    const { address, asked: requestLines } = await proxy(status);
    const fleet = clientThrough(undiciTransport({ HTTPS_PROXY: address }), 'https://service.invalid');
    const error = await rejection(fleet.createGroup({ createGroupInput: { name: 'x' } }));
    expect(error).toMatchObject({ code: 'NETWORK', attempts, retryable: status === 502 });
    expect(error).toHaveProperty(
      'message',
      expect.stringContaining(`The proxy refused the request for createGroup (HTTP ${status})`),
    );
    expect(error).toHaveProperty('message', expect.stringContaining(advice));
    expect(requestLines).toEqual(Array(attempts).fill('CONNECT service.invalid:443'));
  });
});

describe('plain http through a proxy', () => {
  test('is a plain request to the proxy, not a tunnel', async () => {
    const service = makeService();
    const { address, asked: requestLines } = await proxy(405, (request, response) => {
      request.url = new URL(request.url ?? '').pathname;
      void answerFrom(service, request, response);
    });
    const transport = undiciTransport({ HTTP_PROXY: address });
    const credentials = { username: 'demo', password: 'demo' };
    const fleet = new ClientOver(() => transport, { baseUrl: 'http://service.invalid/api', credentials });
    closing.push(() => fleet.close());
    expect(await fleet.getRoles()).not.toEqual([]);
    await fleet.createGroup({ createGroupInput: { name: 'x' } });
    expect(requestLines).toEqual([
      'POST http://service.invalid/api/login/token',
      'GET http://service.invalid/api/login/userinfo',
      'POST http://service.invalid/api/graphql',
      'POST http://service.invalid/api/graphql',
    ]);
  });

  test('that demands a login is told so, also for a change', async () => {
    const { address, asked: requestLines } = await proxy(407, (_request, response) => {
      response.writeHead(407, { 'proxy-authenticate': 'Basic' }).end('<html>');
    });
    const fleet = clientThrough(undiciTransport({ HTTP_PROXY: address }), 'http://service.invalid');
    const error = await rejection(fleet.createGroup({ createGroupInput: { name: 'x' } }));
    expect(error).toMatchObject({ code: 'NETWORK', attempts: 1, message: expect.stringContaining('user:password@') });
    expect(requestLines).toHaveLength(1);
  });
});

test('100 Continue that nobody asked for is a lost connection, never an answer', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', () =>
      socket.write('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'),
    );
  });
  const url = await listening(server);
  const transport = undiciTransport({});
  closing.push(() => transport.close());
  const thrown = await rejection(transport.fetch(url, { method: 'POST', headers: {}, body: '{}' }));
  expect(failureOf(thrown)).toMatchObject({ kind: 'disconnected' });
});
