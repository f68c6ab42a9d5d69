// The transport of programs: undici, fetch in Bun, and the error without undici.
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Runtime, runtimeTransport } from '../../src/transport/runtime-transport.js';
import { serve, testAuthority } from '../request/http-server.js';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const get = { method: 'GET', headers: {} } as const;

function runtimeWith(versions: Runtime['versions']): { runtime: Runtime; fetchCalls: [string, unknown][] } {
  const fetchCalls: [string, unknown][] = [];
  const runtime: Runtime = {
    versions,
    env: {},
    fetch: async (url, { tls }) => {
      fetchCalls.push([url, tls]);
      return new Response('from the runtime');
    },
  };
  return { runtime, fetchCalls };
}

test('in Bun the requests go through its own fetch, with the authorities to trust', async () => {
  const { runtime, fetchCalls } = runtimeWith({ node: '24.3.0', bun: '1.4.5' });
  const plain = runtimeTransport(runtime, {});
  expect(await (await plain.fetch('https://service.example/', get)).text()).toBe('from the runtime');
  await runtimeTransport(runtime, { ca: testAuthority }).fetch('https://service.example/trusted', get);
  expect(fetchCalls).toEqual([
    ['https://service.example/', undefined],
    ['https://service.example/trusted', { ca: testAuthority }],
  ]);
});

test('elsewhere they go through undici', async () => {
  const served = await serve((_request, response) => response.end('from the server'));
  closing.push(served.close);
  const { runtime, fetchCalls } = runtimeWith({ node: '24.3.0' });
  const http = runtimeTransport(runtime, {});
  closing.push(() => http.close());
  expect(await (await http.fetch(served.url, get)).text()).toBe('from the server');
  expect(fetchCalls).toEqual([]);
});

describe('a program whose bundle has left undici out', () => {
  const names = ['undici', 'undici/lib/dispatcher/client.js'];
  afterEach(() => {
    for (const name of names) vi.doUnmock(name);
  });
  const withoutUndici = (env: Runtime['env'] = {}) => {
    for (const name of names)
      vi.doMock(name, () => {
        throw new Error("Cannot find package 'undici'");
      });
    const http = runtimeTransport({ ...runtimeWith({ node: '24.3.0' }).runtime, env }, {});
    closing.push(() => http.close());
    return http;
  };

  test.each([true, false])('sends through node:http, prepared %s', async (isPrepared) => {
    const served = await serve((_request, response) => response.end('from the server'));
    closing.push(served.close);
    const http = withoutUndici();
    if (isPrepared) await http.prepare?.(served.url);
    for (let request = 0; request < 2; request++) {
      http.open?.(served.url);
      expect(await (await http.fetch(served.url, get)).text()).toBe('from the server');
    }
    expect(served.sockets).toHaveLength(1);
  });

  test('is told so when it needs undici for a proxy', async () => {
    const http = withoutUndici({ http_proxy: 'http://127.0.0.1:9' });
    const failed = await http.fetch('http://service.example/', get).catch((error: unknown) => error);
    expect(failed).toMatchObject({
      message: expect.stringMatching(
        /^undici, .* could not be loaded\. .*mark undici as external.*fetch: globalThis\.fetch/,
      ),
      cause: expect.anything(),
    });
  });

  test('hears of a connection that fails as of any other', async () => {
    const http = withoutUndici();
    const failed = await http.fetch('http://127.0.0.1:9/', get).catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: 'ECONNREFUSED' });
  });
});
