// `fleet mock` as an unusual service: variants by name, a base path, and allowed host names.
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { service, shell } from './harness.js';

/** A port that nothing listens on. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** Returns the first response, as soon as the service listens. */
async function firstResponse(url: string): Promise<Response> {
  for (;;) {
    try {
      return await fetch(url);
    } catch {
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

test('--variant, --base-path and --allow-host', async () => {
  const interrupt = new AbortController();
  const port = String(await freePort());
  const words = ['mock', '--port', port, '--variant', 'refresh-rotates, turns-by-login', '--base-path', '/api/'];
  const running = shell(service().fetch)([...words, '--allow-host', 'mock,fleet.test', '--allow-host', '[::2]'], {
    signal: interrupt.signal,
    answers: [],
  });
  const base = `http://127.0.0.1:${port}`;
  const variant = await firstResponse(`${base}/api/__mock/variant`);
  expect(await variant.json()).toEqual({ refreshTokens: 'rotate', turns: 'by-login' });
  expect((await fetch(`${base}/__mock/variant`)).status).toBe(404);
  interrupt.abort();
  const { code, stderr } = await running;
  expect(code).toBe(0);
  expect(stderr).toContain(`Reference service at ${base}/api (`);
});

test('--help lists every variant with its line', async () => {
  const { code, stdout } = await shell(service().fetch)(['mock', '--help', '--all']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/\n {2}rows-descending {2,}snapshots of a period come newest first\n/);
});

test.each([
  [['--variant', 'tidy'], 'there is no variant "tidy"'],
  [['--variant', 'rows-descending,rows-shuffled'], 'rows-descending and rows-shuffled exclude each other'],
  [['--base-path', 'api'], '"api" is not a path'],
  [['--allow-host', 'http://x'], '"http://x" is not a host name'],
])('%j is 2', async (flags, why) => {
  const outcome = await shell(service().fetch)(['mock', '--port', '0', ...flags]);
  expect(outcome).toMatchObject({ code: 2, stdout: '' });
  expect(outcome.stderr).toContain(why);
});
