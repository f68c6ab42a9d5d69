// Possibly dead connections: idle ones are not reused, and TCP probes silent ones.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { Clock } from '../../src/core/ports.js';
import type { HttpTransport } from '../../src/transport/http-transport.js';
import { nodeTransport } from '../../src/transport/node-transport.js';
import { undiciTransport } from '../../src/transport/undici-transport.js';
import { serve } from '../request/http-server.js';
import { createDeferred } from '../request/setup.js';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const get = { method: 'GET', headers: {} } as const;

/** Starts a proxy that sends everything to one server. */
async function proxyTo(port: number): Promise<string> {
  const proxy = createServer((_request, response) => response.end('plain'));
  proxy.on('connect', (_request, socket) => {
    const upstream = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    upstream.on('error', () => socket.destroy());
    socket.on('error', () => upstream.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  closing.push(async () => {
    proxy.closeAllConnections();
    proxy.close();
  });
  // a listening TCP server has one
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

type Make = (clock: Clock, port: number) => Promise<HttpTransport>;
const transports: readonly (readonly [string, Make, tls: boolean])[] = [
  ['undici', async (clock) => undiciTransport({}, {}, clock), false],
  ['node:http', async (clock) => nodeTransport({}, clock), false],
  [
    'undici through a proxy',
    async (clock, port) => undiciTransport({ HTTPS_PROXY: await proxyTo(port) }, { ca: authority() }, clock),
    true,
  ],
];
const authority = () => readFileSync(new URL('../request/tls/ca.pem', import.meta.url), 'utf8');

describe.each(transports)('over %s', (_name, make, tls) => {
  async function setUp() {
    const served = await serve((_request, response) => response.writeHead(200, { 'keep-alive': 'timeout=600' }).end(), {
      tls,
    });
    closing.push(served.close);
    const clock = { time: 1_000_000, now: () => clock.time };
    const transport = await make(clock, served.port);
    closing.push(() => transport.close());
    const ask = async () => (await transport.fetch(served.url, get)).text();
    return { served, clock, ask, transport };
  }

  test('a request that is aborted before it is sent leaves its connection to the next one', async () => {
    const { served, ask, transport } = await setUp();
    await ask();
    const signal = AbortSignal.abort();
    await expect(transport.fetch(served.url, { ...get, signal })).rejects.toBe(signal.reason);
    await ask();
    expect(served.sockets).toHaveLength(1);
  });

  test('a connection is used again within seconds', async () => {
    const { served, clock, ask } = await setUp();
    await ask();
    clock.time += 3_000;
    await ask();
    expect(served.sockets).toHaveLength(1);
  });

  test.each([
    ['that was idle for longer, as after sleep', 5_000],
    ['that was idle for an unknown time, because the clock was set back', -60_000],
  ])('a connection %s is not', async (_why, passed) => {
    const { served, clock, ask } = await setUp();
    await ask();
    clock.time += passed;
    await ask();
    expect(served.sockets).toHaveLength(2);
    await ask();
    expect(served.sockets).toHaveLength(2);
  });
});

describe('a connection that is opened in advance', () => {
  async function setUp() {
    const requested: (string | undefined)[] = [];
    const served = await serve((request, response) => {
      requested.push(request.url);
      response.end('answer');
    });
    closing.push(served.close);
    const clock = { time: 0, now: () => clock.time };
    const transport = undiciTransport({}, {}, clock);
    closing.push(() => transport.close());
    await transport.prepare?.(served.url);
    return { asked: requested, served, clock, transport };
  }

  test('carries the next request, and nothing before', async () => {
    const { asked: requested, served, transport } = await setUp();
    transport.open?.(served.url);
    while (served.sockets.length === 0) await new Promise((resolve) => setImmediate(resolve));
    transport.open?.(served.url);
    expect(await (await transport.fetch(`${served.url}/first`, get)).text()).toBe('answer');
    transport.open?.(served.url);
    expect(await (await transport.fetch(`${served.url}/second`, get)).text()).toBe('answer');
    expect(requested).toEqual(['/first', '/second']);
    expect(served.sockets).toHaveLength(1);
  });

  test('is waited for by a request that comes while it is made', async () => {
    const { served, transport } = await setUp();
    transport.open?.(served.url);
    expect(await (await transport.fetch(served.url, get)).text()).toBe('answer');
    expect(served.sockets).toHaveLength(1);
  });

  test('is not used when it was idle for too long', async () => {
    const { served, clock, transport } = await setUp();
    transport.open?.(served.url);
    clock.time += 5_000;
    expect(await (await transport.fetch(served.url, get)).text()).toBe('answer');
    while (served.sockets.length < 2) await new Promise((resolve) => setImmediate(resolve));
  });

  test('and cannot be is told by the request that needs it', async () => {
    const { served, transport } = await setUp();
    await served.close();
    transport.open?.(served.url);
    await expect(transport.fetch(served.url, get)).rejects.toThrow('ECONNREFUSED');
  });

  test('is not for tracers: they would show a request that was never sent', async () => {
    const { served, transport } = await setUp();
    const created: unknown[] = [];
    const note = (message: unknown) => created.push(message);
    subscribe('undici:request:create', note);
    try {
      transport.open?.(served.url);
      await (await transport.fetch(served.url, get)).text();
    } finally {
      unsubscribe('undici:request:create', note);
    }
    expect(created).toHaveLength(1);
  });
});

test('a proxied request under way is not given up when the next one gets new connections', async () => {
  const held = createDeferred();
  const served = await serve(
    async (request, response) => {
      if (request.url === '/slow') await held.promise;
      response.end(`answer to ${request.url}`);
    },
    { tls: true },
  );
  closing.push(served.close);
  const clock = { time: 0, now: () => clock.time };
  const transport = undiciTransport({ HTTPS_PROXY: await proxyTo(served.port) }, { ca: authority() }, clock);
  closing.push(() => transport.close());
  const sent = createDeferred();
  const slow = transport.fetch(`${served.url}/slow`, { ...get, beforeSend: () => sent.resolve() });
  await sent.promise;
  clock.time += 60_000;
  expect(await (await transport.fetch(`${served.url}/quick`, get)).text()).toBe('answer to /quick');
  held.resolve();
  expect(await (await slow).text()).toBe('answer to /slow');
});

/** Returns the kernel's timer of a socket (02: keep-alive). The local port alone may be reused. */
function timerOf(localPort: number, remotePort: number): string | undefined {
  const [local, remote] = [localPort, remotePort].map((port) => port.toString(16).toUpperCase().padStart(4, '0'));
  const line = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .find((row) => row.includes(`0100007F:${local} 0100007F:${remote}`));
  return line?.trim().split(/\s+/)[5]?.slice(0, 2);
}

test.runIf(process.platform === 'linux').each([
  ['undici', () => undiciTransport({})],
  ['node:http', () => nodeTransport()],
])('TCP keep-alive is on while %s waits for an answer', async (_name, make) => {
  const arrived = createDeferred();
  const answered = createDeferred();
  const served = await serve(async (_request, response) => {
    arrived.resolve();
    await answered.promise;
    response.end();
  });
  closing.push(served.close);
  const transport = make();
  closing.push(() => transport.close());
  const requested = transport.fetch(served.url, get);
  await arrived.promise;
  expect(timerOf(served.sockets[0]?.remotePort ?? 0, served.port)).toBe('02');
  answered.resolve();
  await requested;
});
