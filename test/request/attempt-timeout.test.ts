// Requests that receive no byte: given up after the limit, and sent again where that is safe.
import { afterEach, describe, expect, test, vi } from 'vitest';
import { AbortFlag } from '../../src/core/deadline.js';
import { realTimers } from '../../src/core/ports.js';
import { type Fetch, FleetClient } from '../../src/index.js';
import { failureOf } from '../../src/request/failure.js';
import { withAttemptTimeout } from '../../src/transport/attempt-timeout.js';
import type { HttpFetch, HttpRequestInit } from '../../src/transport/http-transport.js';
import { HandTimers } from './hand-timers.js';
import { answerFrom, serve } from './http-server.js';
import { countRuns, createDeferred, makeClient, makeService, rejection } from './setup.js';

afterEach(() => void vi.restoreAllMocks());

describe('the limit', () => {
  /** Returns a transport whose requests end only with their signal, and its last request. */
  function silent() {
    const timers = new HandTimers();
    const lastRequest: { init?: HttpRequestInit } = {};
    const fetch: HttpFetch = (_url, init) => {
      lastRequest.init = init;
      return new Promise((_resolve, reject) => {
        init.signal?.addEventListener('abort', () => reject(init.signal?.reason));
      });
    };
    const send = (attemptTimeoutMs: number, signal = new AbortFlag()) =>
      withAttemptTimeout(
        fetch,
        timers,
        attemptTimeoutMs,
      )('http://service.test', {
        method: 'POST',
        headers: {},
        signal,
      });
    return { timers, given: lastRequest, send };
  }

  test('ends a request that brings no byte: it may have arrived', async () => {
    const { timers, given: lastRequest, send } = silent();
    const ended = rejection(send(1_000));
    lastRequest.init?.beforeSend?.();
    await timers.pass(1_000);
    expect(failureOf(await ended)).toMatchObject({ kind: 'disconnected', cause: { code: 'ATTEMPT_TIMEOUT' } });
  });

  test('counts from the last byte', async () => {
    const { timers, given: lastRequest, send } = silent();
    let isOver = false;
    const ended = rejection(send(1_000)).finally(() => {
      isOver = true;
    });
    lastRequest.init?.beforeSend?.();
    for (let at = 0; at < 5; at++) {
      await timers.pass(900);
      lastRequest.init?.onActivity?.();
    }
    expect(isOver).toBe(false);
    await timers.pass(1_000);
    await timers.pass(1_000);
    await ended;
  });

  test('ends a connection that is never made: nothing was sent', async () => {
    const { timers, send } = silent();
    const ended = rejection(send(1_000));
    await timers.pass(1_000);
    expect(failureOf(await ended)).toMatchObject({ kind: 'unreachable', retryable: true });
  });

  test('does not hide the end of its caller', async () => {
    const { send } = silent();
    const signal = new AbortFlag();
    const ended = rejection(send(1_000, signal));
    const reason = new Error('enough');
    signal.abort(reason);
    expect(await ended).toBe(reason);
  });
});

describe('a client with attemptTimeoutMs', () => {
  function withSilence(silences = 1) {
    const service = makeService();
    let left = silences;
    const fetch: Fetch = (url, init) => {
      if (!url.endsWith('/graphql') || left-- <= 0) return service.fetch(url, init);
      return new Promise((_resolve, reject) => {
        init.signal?.addEventListener('abort', () => reject(init.signal?.reason));
      });
    };
    return { service, fetch };
  }

  test('repeats a query', async () => {
    const { service, fetch } = withSilence();
    expect(await makeClient(service, { fetch, attemptTimeoutMs: 20 }).getRoles()).not.toEqual([]);
    expect(countRuns(service, 'getRoles')).toBe(1);
  });

  test('does not repeat a change: its outcome is in doubt', async () => {
    const { service, fetch } = withSilence();
    const fleet = makeClient(service, { fetch, attemptTimeoutMs: 20 });
    const change = { createGroupInput: { name: 'x' } };
    const error = await rejection(fleet.createGroup(change));
    expect(error).toMatchObject({ code: 'AMBIGUOUS_MUTATION', attempts: 1, cause: { code: 'TIMEOUT' } });
    const { service: other, fetch: silentFetch } = withSilence();
    await makeClient(other, { fetch: silentFetch, attemptTimeoutMs: 20 }).createGroup(change, { idempotent: true });
  });

  test('says so when no attempt brought a byte', async () => {
    const { service, fetch } = withSilence(99);
    const fleet = makeClient(service, { fetch, retry: { attempts: 2, baseDelayMs: 0 } });
    const error = await rejection(fleet.getRoles({}, { attemptTimeoutMs: 20 }));
    expect(error).toMatchObject({ code: 'TIMEOUT', attempts: 2, message: expect.stringContaining('attemptTimeoutMs') });
  });
});

test('a login request that brings no byte for 10 s is sent again, on a new connection', async () => {
  const service = makeService();
  const firstArrived = createDeferred();
  let requests = 0;
  const served = await serve((request, response) => {
    requests++;
    if (requests > 1) void answerFrom(service, request, response);
    else firstArrived.resolve();
  });
  // The 10 s of the first attempt pass as soon as its request arrives; no other time passes.
  const { after, now } = realTimers;
  let skippedMs = 0;
  vi.spyOn(realTimers, 'now').mockImplementation(() => now() + skippedMs);
  vi.spyOn(realTimers, 'after').mockImplementation((ms, run) => {
    if (ms < 9_000 || ms > 10_000 || skippedMs > 0) return after(ms, run);
    let isGivenUp = false;
    void firstArrived.promise.then(() => {
      if (isGivenUp || skippedMs > 0) return;
      skippedMs = ms;
      run();
    });
    return () => {
      isGivenUp = true;
    };
  });
  const credentials = { username: 'demo', password: 'demo' };
  await using fleet = new FleetClient({ baseUrl: served.url, credentials, clock: service.clock });
  await fleet.login();
  expect(served.sockets).toHaveLength(2);
  await served.close();
});
