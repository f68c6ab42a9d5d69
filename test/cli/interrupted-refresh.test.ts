// Ctrl-C during a session refresh: the new tokens are stored for the next command.
import { expect, test } from 'vitest';
import type { Fetch } from '../../src/core/ports.js';
import { createMockService } from '../../src/mock/service.js';
import { createDeferred } from '../request/setup.js';
import { moment, shell } from './harness.js';

test('an interrupted command keeps the tokens of a refresh that was sent', async () => {
  let now = moment;
  const clock = { now: () => now };
  const service = createMockService({ seed: 1, vehicles: 6, clock, variant: { refreshTokens: 'rotate' } });
  const sent = createDeferred();
  const released = createDeferred();
  let isHeld = false;
  const fetch: Fetch = async (url, init) => {
    const response = await service.fetch(url, init);
    if (!isHeld || !url.endsWith('/login/refresh')) return response;
    sent.resolve();
    await new Promise<void>((resolve, reject) => {
      void released.promise.then(resolve);
      init.signal?.addEventListener('abort', () => reject(init.signal?.reason));
    });
    return response;
  };
  const fleet = shell(fetch);
  const login = ['login', '--username', 'demo', '--password-stdin'];
  expect(await fleet(login, { input: 'demo\n', clock })).toMatchObject({ code: 0 });

  now += 301_000;
  isHeld = true;
  const interrupt = new AbortController();
  let isOver = false;
  const command = fleet(['vehicles', 'list'], { clock, signal: interrupt.signal }).finally(() => {
    isOver = true;
  });
  await sent.promise;
  interrupt.abort();
  await new Promise((resolve) => setImmediate(resolve));
  expect(isOver).toBe(false);
  released.resolve();
  expect(await command).toMatchObject({ code: 130, stdout: '' });

  isHeld = false;
  now += 301_000;
  expect(await fleet(['vehicles', 'list'], { clock })).toMatchObject({ code: 0 });
  const paths = service.requests.map(({ path, status }) => `${path.replace(/^.*\/login/, '/login')} ${status}`);
  expect(paths.filter((path) => path.startsWith('/login/token'))).toEqual(['/login/token 200']);
  expect(paths.filter((path) => path.startsWith('/login/refresh'))).toEqual([
    '/login/refresh 200',
    '/login/refresh 200',
  ]);
});
