// The behaviour of the undici transport that other transports do not have: proxies.
import { createServer, get } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { InvalidInputError } from '../../src/core/errors.js';
import { failureOf } from '../../src/request/failure.js';
import { FailedRequest } from '../../src/request/failure-error.js';
import { undiciTransport } from '../../src/transport/undici-transport.js';
import { serve, testAuthority } from '../request/http-server.js';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const asking = { method: 'GET', headers: {} } as const;

/** Starts a proxy that sends everything to one server, whatever host is requested. */
async function proxyTo(port: number): Promise<{ address: string; seen: (string | undefined)[] }> {
  const seen: (string | undefined)[] = [];
  const proxy = createServer((request, response) => {
    seen.push(request.url);
    const { pathname } = new URL(request.url ?? '');
    get(`http://127.0.0.1:${port}${pathname}`, (answer) => answer.pipe(response));
  });
  proxy.on('connect', (request, socket) => {
    seen.push(request.url);
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
  return { address: `127.0.0.1:${(proxy.address() as AddressInfo).port}`, seen };
}

test.each(['http://', ''])(
  'goes through the proxy (%j) that the environment names, and past it where NO_PROXY says so',
  async (scheme) => {
    const served = await serve((request, response) => response.end(`served ${request.url}`));
    closing.push(served.close);
    const { address, seen } = await proxyTo(served.port);
    const thin = undiciTransport({ HTTP_PROXY: `${scheme}${address}`, NO_PROXY: '127.0.0.1' });
    closing.push(() => thin.close());
    expect(await (await thin.fetch(`${served.url}/past`, asking)).text()).toBe('served /past');
    expect(seen).toEqual([]);
    expect(await (await thin.fetch('http://service.invalid/through', asking)).text()).toBe('served /through');
    expect(seen).toEqual(['http://service.invalid/through']);
  },
);

test('trusts the given authority through a tunnel and past the proxy, and nobody else', async () => {
  const served = await serve((_request, response) => response.end('secret'), { tls: true });
  closing.push(served.close);
  const { address, seen } = await proxyTo(served.port);
  for (const noProxy of ['', '127.0.0.1']) {
    const env = { HTTPS_PROXY: address, NO_PROXY: noProxy };
    const trusting = undiciTransport(env, { ca: testAuthority });
    const careful = undiciTransport(env);
    closing.push(
      () => trusting.close(),
      () => careful.close(),
    );
    expect(await (await trusting.fetch(served.url, asking)).text()).toBe('secret');
    const error = await careful.fetch(served.url, asking).catch((thrown: unknown) => thrown);
    expect(failureOf(error)).toMatchObject({ kind: 'unreachable', retryable: false });
  }
  expect(seen).toHaveLength(2);
});

test.each([
  ['http_proxy', 'http://user:hunter2@'],
  ['HTTPS_PROXY', 'user:hunter2@host name'],
  ['https_proxy', 'hunter2:port'],
])('%s that is no address is an InvalidInputError that names it and quotes nothing', (name, value) => {
  expect(() => undiciTransport({ [name]: value })).toThrow(InvalidInputError);
  expect(() => undiciTransport({ [name]: value })).toThrow(name);
  expect(() => undiciTransport({ [name]: value })).not.toThrow(/hunter2/);
});

test.each(['ERR_INVALID_URL', 'UND_ERR_INVALID_ARG', 'ERR_INVALID_CHAR'])('%s: nothing was sent', (code) => {
  const failure = failureOf(Object.assign(new TypeError('hunter2'), { code }));
  expect(failure).toMatchObject({ kind: 'unreachable', retryable: false });
  const callError = new FailedRequest(failure, 1, false, 0).errorFor('createGroup');
  expect(callError).toMatchObject({ code: 'NETWORK', retryable: false });
  expect(callError.message).toMatch(/nothing was sent/);
});

test('a connection that takes too long was never sent, in the words of the system and of undici', () => {
  const system = Object.assign(new Error('connect ETIMEDOUT'), { code: 'ETIMEDOUT', syscall: 'connect' });
  const undici = Object.assign(new Error('timeout'), { code: 'UND_ERR_CONNECT_TIMEOUT' });
  const several = Object.assign(new AggregateError([system, system]), { code: 'ETIMEDOUT' });
  for (const error of [system, undici, several]) {
    expect(failureOf(error)).toMatchObject({ kind: 'unreachable', retryable: true });
  }
  const whileReading = Object.assign(new Error('read ETIMEDOUT'), { code: 'ETIMEDOUT', syscall: 'read' });
  expect(failureOf(whileReading)).toMatchObject({ kind: 'disconnected' });
  expect(failureOf(Object.assign(new AggregateError([system, whileReading]), { code: 'ETIMEDOUT' }))).toMatchObject({
    kind: 'disconnected',
  });
});
