// A paused response is not silent: attemptTimeoutMs counts only while bytes could arrive.
import { expect, test } from 'vitest';
import { withAttemptTimeout } from '../../src/transport/attempt-timeout.js';
import type { HttpFetch, HttpRequestInit } from '../../src/transport/http-transport.js';
import { HandTimers } from '../request/hand-timers.js';
import { createDeferred } from '../request/setup.js';

test('attemptTimeoutMs stands still while a response is held back, and begins anew after that', async () => {
  const timers = new HandTimers();
  let init: HttpRequestInit = { method: 'POST', headers: {} };
  const fetch: HttpFetch = (_url, requestInit) => {
    init = requestInit;
    return new Promise((_resolve, reject) => {
      requestInit.signal?.addEventListener('abort', () => reject(requestInit.signal?.reason));
    });
  };
  const held = createDeferred();
  const sending = withAttemptTimeout(
    fetch,
    timers,
    100,
  )('http://service.test', {
    method: 'POST',
    headers: {},
    onData: () => held.promise,
  });
  let error: unknown = null;
  sending.catch((thrown: unknown) => {
    error = thrown;
  });
  init.beforeSend?.();
  init.onActivity?.();
  expect(init.onData?.(Buffer.from('x'), null)).toBe(held.promise);
  await timers.pass(1_000);
  await timers.pass(1_000);
  expect(error).toBeNull();
  held.resolve();
  await timers.pass(0);
  await timers.pass(99);
  expect(error).toBeNull();
  await timers.pass(100);
  await timers.pass(100);
  expect(String(error)).toContain('No byte arrived');
});
