// The common behaviour of all transports, over real HTTP: the same requests, answers and failures.
import type { RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { AbortFlag } from '../../src/core/deadline.js';
import { failureOf } from '../../src/request/failure.js';
import type { HttpTransport, TlsSettings } from '../../src/transport/http-transport.js';
import { nodeTransport } from '../../src/transport/node-transport.js';
import { undiciTransport } from '../../src/transport/undici-transport.js';
import { answerFrom, type Served, serve as serveHttp, testAuthority, textOf } from '../request/http-server.js';
import { ClientOver, countRuns, createDeferred, makeService, rejection } from '../request/setup.js';

const wires: readonly (readonly [string, (tls?: TlsSettings) => HttpTransport])[] = [
  ['undici', (tls) => undiciTransport({}, tls)],
  ['node:http(s)', nodeTransport],
];

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function serve(listener: RequestListener, options: Parameters<typeof serveHttp>[1] = {}): Promise<Served> {
  const served = await serveHttp(listener, options);
  closing.push(served.close);
  return served;
}

const get = { method: 'GET', headers: {} } as const;
const post = { method: 'POST', headers: {}, body: '{}' } as const;

describe.each(wires)('over %s', (_name, make) => {
  function thin(tls?: TlsSettings): HttpTransport {
    const made = make(tls);
    closing.push(() => made.close());
    return made;
  }

  describe('a request and its answer', () => {
    test('carry method, path, headers and body one way, and status, headers and body back', async () => {
      const { url } = await serve(async (request, response) => {
        const body = await textOf(request);
        const {
          'x-own': own,
          'content-length': length,
          'transfer-encoding': transfer,
          connection,
          host,
        } = request.headers;
        response.writeHead(201, { 'X-Two': ['a', 'b'], 'content-type': 'application/json' });
        response.end(
          JSON.stringify({ method: request.method, url: request.url, own, length, transfer, connection, host, body }),
        );
      });
      const init = { method: 'POST', headers: { 'x-own': 'yes' }, body: 'Grüße' } as const;
      const response = await thin().fetch(`${url}/a/b?c=d%20e`, init);
      expect(response).toMatchObject({ ok: true, status: 201 });
      expect(response.headers.get('X-Two')).toBe('a, b');
      expect(response.headers.get('x-TWO')).toBe('a, b');
      expect(response.headers.get('Content-Type')).toBe('application/json');
      expect(response.headers.get('x-none')).toBeNull();
      expect(await response.json()).toEqual({
        method: 'POST',
        url: '/a/b?c=d%20e',
        own: 'yes',
        length: '7',
        connection: 'keep-alive',
        host: new URL(url).host,
        body: 'Grüße',
      });
    });

    test.each([200, 204, 299, 301, 302, 307, 400, 401, 404, 429, 500, 503])(
      'of status %i are answers',
      async (status) => {
        const paths: unknown[] = [];
        const { url } = await serve((request, response) => {
          paths.push(request.url);
          request.resume();
          response.writeHead(status, { location: '/elsewhere', 'retry-after': '7' });
          response.end(status === 204 ? undefined : '{"a":1}');
        });
        const response = await thin().fetch(`${url}/here`, post);
        expect(response).toMatchObject({ status, ok: status < 300 });
        expect(response.headers.get('retry-after')).toBe('7');
        expect(await response.text()).toBe(status === 204 ? '' : '{"a":1}');
        // A redirect is not followed: the token is not sent elsewhere.
        expect(paths).toEqual(['/here']);
      },
    );

    test('may have informational answers before it', async () => {
      const { url } = await serve((_request, response) => {
        response.writeEarlyHints({ link: '</style.css>; rel=preload' });
        response.end('final');
      });
      const response = await thin().fetch(url, get);
      expect(response.status).toBe(200);
      expect(await response.text()).toBe('final');
    });

    test('of many chunks, split inside a character, is one text', async () => {
      const text = 'äöü€😀'.repeat(1000);
      const { url } = await serve(async (_request, response) => {
        const bytes = Buffer.from(text);
        for (let at = 0; at < bytes.length; at += 777) response.write(bytes.subarray(at, at + 777));
        response.end();
      });
      expect(await (await thin().fetch(url, get)).text()).toBe(text);
    });

    test('of 32 MiB arrives whole, and so does a request of 4 MiB', async () => {
      const piece = Buffer.alloc(1 << 20, 'x');
      let received = 0;
      const { url } = await serve(async (request, response) => {
        received = (await textOf(request)).length;
        for (let sent = 0; sent < 32; sent++) response.write(piece);
        response.end();
      });
      const response = await thin().fetch(url, { ...post, body: 'y'.repeat(4 << 20) });
      expect((await response.text()).length).toBe(32 << 20);
      expect(received).toBe(4 << 20);
    });

    test('can be read piece by piece when it is good, and as text when it is not', async () => {
      const { url } = await serve((request, response) => {
        response.writeHead(request.url === '/good' ? 200 : 503, { 'content-encoding': 'gzip' });
        response.end(gzipSync('{"a":1}'));
      });
      const pieces: Buffer[] = [];
      const encodings = new Set<string | null>();
      const onData = (chunk: Uint8Array, contentEncoding: string | null) => {
        pieces.push(Buffer.from(chunk));
        encodings.add(contentEncoding);
        return undefined;
      };
      const wire = thin();
      const good = await wire.fetch(`${url}/good`, { ...get, onData });
      expect(Buffer.concat(pieces)).toEqual(gzipSync('{"a":1}'));
      expect([...encodings]).toEqual(['gzip']);
      expect(await good.text()).toBe('');
      pieces.length = 0;
      const bad = await wire.fetch(`${url}/bad`, { ...get, onData });
      expect(await bad.text()).toBe('{"a":1}');
      expect(pieces).toEqual([]);
    });
  });

  describe('compression is asked for and undone:', () => {
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
      const { url } = await serve((request, response) => {
        accepted = request.headers['accept-encoding'];
        response.writeHead(200, { 'content-encoding': encoding });
        response.end(body);
      });
      expect(await (await thin().fetch(url, get)).text()).toBe(text);
      expect(accepted).toBe('gzip, deflate, br');
    });

    test('a compressed body that just stops is a cut one', async () => {
      const whole = gzipSync(text);
      const { url } = await serve((_request, response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' });
        response.end(whole.subarray(0, whole.length - 20));
      });
      const response = await thin().fetch(url, get);
      expect(failureOf(await rejection(response.text()))).toEqual({ kind: 'truncated' });
    });
  });

  describe('sockets', () => {
    test('are used again: one for requests that follow each other, whatever they were answered', async () => {
      const { url, sockets } = await serve(async (request, response) => {
        await textOf(request);
        response.writeHead(request.url === '/bad' ? 500 : 200);
        response.end('ok');
      });
      const wire = thin();
      for (const path of ['/', '/bad', '/', '/', '/']) await (await wire.fetch(`${url}${path}`, post)).text();
      expect(sockets).toHaveLength(1);
    });

    test('are one for each request that is under way, and rest afterwards', async () => {
      const both = createDeferred();
      let waiting = 0;
      const { url, sockets } = await serve(async (_request, response) => {
        if (++waiting === 2) both.resolve();
        await both.promise;
        response.end('ok');
      });
      const wire = thin();
      await Promise.all([wire.fetch(url, get), wire.fetch(url, get)]);
      await wire.fetch(url, get);
      expect(sockets).toHaveLength(2);
    });

    test('that the server closed while they rested are not used again', async () => {
      const { url, sockets } = await serve((_request, response) => response.end('ok'));
      const wire = thin();
      await wire.fetch(url, get);
      const [first] = sockets;
      const closed = new Promise((resolve) => first?.on('close', resolve));
      first?.end();
      await closed;
      expect(await (await wire.fetch(url, get)).text()).toBe('ok');
      expect(sockets).toHaveLength(2);
    });

    test('that the server closes at the next request break it, and a client sends its query again', async () => {
      const service = makeService();
      // The server closes the socket of the first query when the socket is used again.
      const stale = new Map<Socket, number>();
      const front = await serve((request, response) => {
        const uses = (stale.get(request.socket) ?? 0) + 1;
        stale.set(request.socket, uses);
        if (uses < 4) void answerFrom(service, request, response);
        else request.socket.destroy();
      });
      await using fleet = new ClientOver(make, {
        baseUrl: front.url,
        credentials: { username: 'demo', password: 'demo' },
        clock: service.clock,
        retry: { attempts: 5, baseDelayMs: 1, maxDelayMs: 2 },
      });
      // Login, users, first query; the next one meets the closed socket.
      expect(await fleet.getLabels()).not.toHaveLength(0);
      expect(await fleet.getVehicleTypes()).not.toHaveLength(0);
      expect(front.sockets.length).toBeGreaterThan(1);
      expect(countRuns(service, 'getVehicleTypes')).toBe(1);
    });

    test('are closed by close(), and requests under way are given up', async () => {
      const requested = createDeferred();
      const { url, sockets } = await serve((request, response) => {
        if (request.url === '/slow') requested.resolve();
        else response.end('ok');
      });
      const wire = thin();
      await wire.fetch(url, get);
      const slow = rejection(wire.fetch(`${url}/slow`, get));
      await requested.promise;
      const gone = Promise.all(sockets.map((socket) => new Promise((resolve) => socket.on('close', resolve))));
      await wire.close();
      expect(await slow).toBeInstanceOf(Error);
      await gone;
      await wire.close();
    });
  });

  describe('a failure', () => {
    test('of a connection that is refused was never sent', async () => {
      const served = await serve((_request, response) => response.end());
      await served.close();
      const error = await rejection(thin().fetch(served.url, post));
      expect(failureOf(error)).toMatchObject({ kind: 'unreachable', retryable: true });
      // localhost may have two addresses, both of which refuse.
      const both = await rejection(thin().fetch(`http://localhost:${served.port}`, post));
      expect(failureOf(both)).toMatchObject({ kind: 'unreachable', retryable: true });
    });

    test('of a name that nobody has was never sent', async () => {
      const error = await rejection(thin().fetch('http://service.invalid/', post));
      expect(failureOf(error)).toMatchObject({ kind: 'unreachable', retryable: true });
    });

    test('of what no client can send was never sent, and is not tried again', async () => {
      const { url, sockets } = await serve((_request, response) => response.end());
      const error = await rejection(thin().fetch(url, { ...post, headers: { 'x-own': 'a\nb' } }));
      expect(failureOf(error)).toMatchObject({ kind: 'unreachable', retryable: false });
      expect(sockets.length).toBeLessThan(2);
    });

    test('by a reset before the answer may have arrived', async () => {
      const { url } = await serve((request) => request.socket.resetAndDestroy());
      expect(failureOf(await rejection(thin().fetch(url, post)))).toMatchObject({ kind: 'disconnected' });
    });

    test('by a quiet end before the answer may have arrived', async () => {
      const { url } = await serve((request) => request.socket.end());
      expect(failureOf(await rejection(thin().fetch(url, post)))).toMatchObject({ kind: 'disconnected' });
    });

    test.each([
      ['HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf', 'shorter than announced'],
      ['HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n', 'whose last chunk is missing'],
      ['HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\nnope\r\n', 'whose chunks are none'],
    ])('%j: a body %s breaks off, after its status', async (answer) => {
      const wire = thin();
      const { port } = await tcp((socket) => {
        socket.once('data', () => socket.end(answer));
      });
      const response = await wire.fetch(`http://127.0.0.1:${port}/`, get);
      expect(response.status).toBe(200);
      expect(await rejection(response.text())).toBeInstanceOf(Error);
    });

    test('by a server that does not speak HTTP may have arrived', async () => {
      const { port } = await tcp((socket) => {
        socket.once('data', () => socket.end('220 mail.example ESMTP\r\n'));
      });
      expect(failureOf(await rejection(thin().fetch(`http://127.0.0.1:${port}/`, post)))).toMatchObject({
        kind: 'disconnected',
      });
    });
  });

  describe('an abort', () => {
    const reason = new Error('enough');

    test('before the request sends nothing', async () => {
      const { url, sockets } = await serve((_request, response) => response.end());
      const wire = thin();
      const stop = new AbortFlag();
      stop.abort(reason);
      expect(await rejection(wire.fetch(url, { ...post, signal: stop }))).toBe(reason);
      expect(await rejection(wire.fetch(url, { ...post, signal: AbortSignal.abort(reason) }))).toBe(reason);
      expect(sockets).toHaveLength(0);
    });

    test('while the connection is made ends it, and nothing is sent', async () => {
      let bytes = 0;
      const { port } = await tcp((socket) => socket.on('data', (chunk) => (bytes += chunk.length)));
      const wire = thin();
      await rejection(wire.fetch('http://service.invalid/', get)); // all modules are loaded now
      const controller = new AbortController();
      const sending = rejection(wire.fetch(`http://127.0.0.1:${port}/`, { ...post, signal: controller.signal }));
      controller.abort(reason);
      expect(await sending).toBe(reason);
      expect(bytes).toBe(0);
    });

    test.each(['before', 'after'])('%s the answer has begun destroys the socket', async (when) => {
      const requested = createDeferred();
      const closed = createDeferred();
      const { url } = await serve((request, response) => {
        request.socket.on('close', () => closed.resolve());
        if (when === 'after') response.writeHead(200).write('{"a":');
        requested.resolve();
      });
      const stop = new AbortFlag();
      const arrived = createDeferred();
      const onData = () => {
        arrived.resolve();
        return undefined;
      };
      const sending = rejection(thin().fetch(url, { ...post, signal: stop, onData }));
      await requested.promise;
      if (when === 'after') await arrived.promise;
      stop.abort(reason);
      expect(await sending).toBe(reason);
      await closed.promise;
    });

    test('after the answer changes nothing, and leaves the socket for the next', async () => {
      const { url, sockets } = await serve((_request, response) => response.end('ok'));
      const wire = thin();
      const stop = new AbortFlag();
      const response = await wire.fetch(url, { ...get, signal: stop });
      stop.abort(reason);
      expect(await response.text()).toBe('ok');
      await wire.fetch(url, get);
      expect(sockets).toHaveLength(1);
    });

    test('of one request leaves the others alone', async () => {
      const requested = createDeferred();
      const { url } = await serve((request, response) => {
        if (request.url === '/slow') requested.resolve();
        else requested.promise.then(() => response.end('ok'));
      });
      const wire = thin();
      const stop = new AbortFlag();
      const other = wire.fetch(`${url}/other`, get);
      const slow = rejection(wire.fetch(`${url}/slow`, { ...get, signal: stop }));
      await requested.promise;
      stop.abort(reason);
      expect(await slow).toBe(reason);
      expect(await (await other).text()).toBe('ok');
    });
  });

  describe('beforeSend', () => {
    const refusal = new Error('the caller is gone');
    const refuse = () => {
      throw refusal;
    };

    test('is called once the connection is open, and decides then whether the request leaves', async () => {
      for (const isRefused of [true, false]) {
        let requests = 0;
        const connected = createDeferred();
        const shake = createDeferred();
        const before = () => {
          connected.resolve();
          return shake.promise;
        };
        const { url, sockets } = await serve(
          (_request, response) => {
            requests++;
            response.end('ok');
          },
          { tls: true, before },
        );
        const events: string[] = [];
        const beforeSend = () => {
          events.push(`${requests} requests`);
          if (isRefused) refuse();
        };
        const sending = thin({ ca: testAuthority }).fetch(url, { ...post, beforeSend });
        const outcome = sending.then(
          (response) => response.text(),
          (error: unknown) => error,
        );
        await connected.promise;
        expect(events).toEqual([]);
        shake.resolve();
        expect(await outcome).toBe(isRefused ? refusal : 'ok');
        expect(events).toEqual(['0 requests']);
        expect(requests).toBe(isRefused ? 0 : 1);
        expect(sockets.length).toBeLessThanOrEqual(1);
      }
    });

    test('is asked for each request on a socket that is kept alive, and a refusal sends nothing over it', async () => {
      const paths: unknown[] = [];
      const { url } = await serve((request, response) => {
        paths.push(request.url);
        response.end('ok');
      });
      const wire = thin();
      let requested = 0;
      const beforeSend = () => void requested++;
      await (await wire.fetch(`${url}/first`, { ...post, beforeSend })).text();
      expect(await rejection(wire.fetch(`${url}/refused`, { ...post, beforeSend: refuse }))).toBe(refusal);
      await (await wire.fetch(`${url}/last`, { ...post, beforeSend })).text();
      expect(paths).toEqual(['/first', '/last']);
      expect(requested).toBe(2);
    });
  });

  describe('https', () => {
    test('with an authority of its own is trusted when that is given, as text, bytes or list', async () => {
      const { url, sockets } = await serve((_request, response) => response.end('secret'), { tls: true });
      for (const ca of [testAuthority, Buffer.from(testAuthority), [testAuthority]]) {
        const wire = thin({ ca });
        for (let i = 0; i < 2; i++) expect(await (await wire.fetch(url, post)).text()).toBe('secret');
      }
      expect(sockets).toHaveLength(3);
    });

    test('is refused otherwise, before anything is sent, and not tried again', async () => {
      let requests = 0;
      const { url } = await serve(
        (_request, response) => {
          requests++;
          response.end('secret');
        },
        { tls: true },
      );
      const error = await rejection(thin().fetch(url, post));
      expect(failureOf(error)).toMatchObject({ kind: 'unreachable', retryable: false });
      expect(requests).toBe(0);
    });

    // On other systems no server can listen on 127.0.0.2.
    test.runIf(process.platform === 'linux')('of a server with another name is refused', async () => {
      const { url } = await serve((_request, response) => response.end('secret'), { tls: true, host: '127.0.0.2' });
      const error = await rejection(thin({ ca: testAuthority }).fetch(url, post));
      expect(failureOf(error)).toMatchObject({ kind: 'unreachable', retryable: false });
    });

    test('of a server that speaks plain HTTP was never sent', async () => {
      const { port } = await serve((_request, response) => response.end('plain'));
      const error = await rejection(thin().fetch(`https://127.0.0.1:${port}`, post));
      expect(failureOf(error)).toMatchObject({ kind: 'unreachable', retryable: false });
    });
  });
});

/** Starts a TCP server whose protocol the test defines. */
async function tcp(listener: (socket: Socket) => void): Promise<{ port: number }> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    listener(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port }; // a listening TCP server has one
}
