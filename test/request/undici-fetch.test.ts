// The thin layer over undici, against a real HTTP server.
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { InvalidInputError } from '../../src/errors.js';
import { failureOf } from '../../src/request/failure.js';
import { FailedRequest } from '../../src/request/failure-error.js';
import type { ThinFetch } from '../../src/request/thin-fetch.js';
import { undiciFetch } from '../../src/request/undici-fetch.js';
import { rejection } from './setup.js';

const open: { server: Server; thin: ThinFetch }[] = [];
afterEach(async () => {
  for (const { server, thin } of open.splice(0)) {
    await thin.close();
    server.closeAllConnections();
    server.close();
  }
});

async function serve(listener: RequestListener, env: NodeJS.ProcessEnv = {}) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const thin = undiciFetch(env);
  open.push({ server, thin });
  // A listening TCP server has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  return { thin, server, url: `http://127.0.0.1:${port}` };
}

const get = { method: 'GET', headers: {} } as const;

test('sends method, path, headers and body, and reads status, headers and body', async () => {
  const { thin, url } = await serve(async (request, response) => {
    const body = await textOf(request);
    response.writeHead(201, { 'X-Two': ['a', 'b'], 'content-type': 'application/json' });
    response.end(JSON.stringify({ method: request.method, url: request.url, own: request.headers['x-own'], body }));
  });
  const init = { method: 'POST', headers: { 'x-own': 'yes' }, body: 'Grüße' } as const;
  const response = await thin.fetch(`${url}/a/b?c=d`, init);
  expect(response).toMatchObject({ ok: true, status: 201 });
  expect(response.headers.get('X-Two')).toBe('a, b');
  expect(response.headers.get('x-none')).toBeNull();
  expect(await response.json()).toEqual({ method: 'POST', url: '/a/b?c=d', own: 'yes', body: 'Grüße' });
});

describe('asks for compression and undoes', () => {
  const text = JSON.stringify({ rows: Array.from({ length: 500 }, (_, id) => ({ id, name: 'ä' })) });
  test.each([
    ['gzip', gzipSync(text)],
    ['br', brotliCompressSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['gzip, br', brotliCompressSync(gzipSync(text))],
    ['identity', Buffer.from(text)],
  ])('%s', async (encoding, body) => {
    let accepted: unknown;
    const { thin, url } = await serve((request, response) => {
      accepted = request.headers['accept-encoding'];
      response.writeHead(200, { 'content-encoding': encoding });
      response.end(body);
    });
    expect(await (await thin.fetch(url, get)).text()).toBe(text);
    expect(accepted).toBe('gzip, deflate, br');
  });

  test('a compressed body that just stops is a cut one', async () => {
    const whole = gzipSync(text);
    const { thin, url } = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(whole.subarray(0, whole.length - 20));
    });
    const response = await thin.fetch(url, get);
    expect(failureOf(await rejection(response.text()))).toEqual({ what: 'cut' });
  });
});

test('uses one socket for requests that follow each other', async () => {
  const sockets = new Set<unknown>();
  const { thin, url } = await serve((request, response) => {
    sockets.add(request.socket);
    response.end('ok');
  });
  for (let i = 0; i < 5; i++) await (await thin.fetch(url, get)).text();
  expect(sockets.size).toBe(1);
});

test('a body shorter than announced, a reset and a refused connection are told apart', async () => {
  const { thin, url, server } = await serve((request, response) => {
    if (request.url === '/reset') {
      request.socket.resetAndDestroy();
      return;
    }
    response.writeHead(200, { 'content-length': '100' });
    response.write('half');
    setImmediate(() => request.socket.destroy());
  });
  const half = await thin.fetch(`${url}/short`, get);
  await rejection(half.text());
  expect(failureOf(await rejection(thin.fetch(`${url}/reset`, get)))).toMatchObject({ what: 'broken' });
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  expect(failureOf(await rejection(thin.fetch(url, get)))).toMatchObject({ what: 'unreachable', again: true });
});

test('an abort destroys the socket', async () => {
  const closed = new Promise<void>((resolve) => {
    void serve((request) => {
      request.socket.on('close', () => resolve());
      controller.abort();
    }).then(async ({ thin, url }) => {
      expect(await rejection(thin.fetch(url, { ...get, signal: controller.signal }))).toBeInstanceOf(Error);
    });
  });
  const controller = new AbortController();
  await closed;
});

test.each(['http://', ''])(
  'goes through the proxy (%j) that the environment names, and past it where NO_PROXY says so',
  async (scheme) => {
    const seen: (string | undefined)[] = [];
    const { url } = await serve((request, response) => response.end(`served ${request.url}`));
    const proxy = createServer();
    // Whatever host is asked for, the tunnel leads to the one server there is.
    proxy.on('connect', (request, socket) => {
      seen.push(request.url);
      const upstream = connect(Number(new URL(url).port), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        upstream.pipe(socket).pipe(upstream);
      });
      upstream.on('error', () => socket.destroy());
      socket.on('error', () => upstream.destroy());
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const { port } = proxy.address() as AddressInfo; // a listening TCP server has one
    const thin = undiciFetch({ HTTP_PROXY: `${scheme}127.0.0.1:${port}`, NO_PROXY: '127.0.0.1' });
    expect(await (await thin.fetch(`${url}/past`, get)).text()).toBe('served /past');
    expect(seen).toEqual([]);
    expect(await (await thin.fetch('http://service.invalid/through', get)).text()).toBe('served /through');
    expect(seen).toEqual(['service.invalid:80']);
    await thin.close();
    proxy.closeAllConnections();
    proxy.close();
  },
);

test.each([
  ['http_proxy', 'http://user:hunter2@'],
  ['HTTPS_PROXY', 'user:hunter2@host name'],
  ['https_proxy', 'hunter2:port'],
])('%s that is no address is an InvalidInputError that names it and quotes nothing', (name, value) => {
  expect(() => undiciFetch({ [name]: value })).toThrow(InvalidInputError);
  expect(() => undiciFetch({ [name]: value })).toThrow(name);
  expect(() => undiciFetch({ [name]: value })).not.toThrow(/hunter2/);
});

test('what no client can send was never sent, and is not sent again', async () => {
  const { thin, url } = await serve((_request, response) => response.end());
  const error = await rejection(thin.fetch(url, { method: 'POST', headers: { 'x-own': 'a\nb' } }));
  expect(failureOf(error)).toMatchObject({ what: 'unreachable', again: false });
  for (const code of ['ERR_INVALID_URL', 'UND_ERR_INVALID_ARG', 'ERR_INVALID_CHAR']) {
    const failure = failureOf(Object.assign(new TypeError('hunter2'), { code }));
    expect(failure).toMatchObject({ what: 'unreachable', again: false });
    const told = new FailedRequest(failure, 1, false, 0).errorFor('createGroup');
    expect(told).toMatchObject({ code: 'NETWORK', retryable: false });
    expect(told.message).toMatch(/nothing was sent/);
  }
});

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}
