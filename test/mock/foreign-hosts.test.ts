// Web pages of other sites cannot use the endpoints without login; only the base path answers.
import { request as httpRequest } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import type { Listening, ListenOptions } from '../../src/mock/service.js';
import { frozenService } from './caller.js';

let server: Listening;
afterEach(() => server.close());

const listen = async (options: ListenOptions = {}) => {
  server = await frozenService().listen(options);
};
const get = (path: string, headers: Record<string, string>): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = httpRequest({ port: server.port, host: '127.0.0.1', path, headers, agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    sent.on('error', reject);
    sent.end();
  });
const health = '/__mock/health';

describe('foreign Host and Origin headers', () => {
  test('loopback names are answered, others are not, whatever the path in front', async () => {
    await listen();
    const own = [
      'localhost',
      `localhost:${server.port}`,
      '127.0.0.1:80',
      '127.9.9.9',
      '[::1]:7',
      'a.localhost',
      'LOCALHOST',
    ];
    for (const host of own) expect([host, await get(health, { host })]).toEqual([host, 200]);
    const foreign = ['evil.example', 'localhost.evil.example', '127.0.0.1.nip.io', '10.0.0.7', 'a@b@c', '[::2]'];
    for (const host of foreign) {
      for (const path of [health, '/api/__mock/snapshot', '/graphiql', '/graphiql/assets/main.js'])
        expect([host, path, await get(path, { host })]).toEqual([host, path, 403]);
    }
  });

  test('a page of another site is refused though it uses the right host', async () => {
    await listen();
    const host = `127.0.0.1:${server.port}`;
    for (const origin of ['https://evil.example', 'null', 'http://localhost.evil.example', 'nonsense'])
      expect([origin, await get(health, { host, origin })]).toEqual([origin, 403]);
    for (const origin of ['http://localhost:3000', `http://${host}`, 'http://[::1]:9'])
      expect([origin, await get(health, { host, origin })]).toEqual([origin, 200]);
  });

  test('names that are allowed are answered; the service itself answers any name, because it needs a token', async () => {
    await listen({ allowHosts: ['mock', 'fleet.test', '::2'] });
    for (const host of ['mock:4010', 'FLEET.test', '[::2]:80']) expect(await get(health, { host })).toBe(200);
    expect(await get(health, { host: 'other' })).toBe(403);
    expect(await get('/login/userinfo', { host: 'other', origin: 'https://evil.example' })).toBe(401);
  });
});

test('with a base path, nothing else answers', async () => {
  const service = frozenService({ basePath: '/api/' });
  server = await service.listen();
  const headers = { host: 'localhost' };
  const statuses = async (base: string) => [
    await get(`${base}/login/userinfo`, headers),
    await get(`${base}/graphql`, headers),
    await get(`${base}/__mock/health`, headers),
  ];
  expect(await statuses('/api')).toEqual([401, 405, 200]);
  for (const base of ['', '/other', '/api/login', '/x/api', '/api/'])
    expect([base, ...(await statuses(base))]).toEqual([base, 404, 404, 404]);
  for (const basePath of ['api', '/a?b', '', 7]) {
    // @ts-expect-error: one is no text
    expect(() => frozenService({ basePath })).toThrow('basePath must be');
  }
  const root = frozenService({ basePath: '/' });
  expect((await root.fetch('http://mock.test/login/userinfo')).status).toBe(401);
  expect((await root.fetch('http://mock.test/api/login/userinfo')).status).toBe(404);
});
