// An hour of 429 for every request: the client's requests, the outcome of its calls, its memory,
// and its recovery time. docs/limits.md has the figures. Time is moved by hand.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Fetch } from '../../src/core/ports.js';
import { realTimers } from '../../src/core/ports.js';
import { FleetError } from '../../src/index.js';
import { HandTimers } from './hand-timers.js';
import { makeClient, makeService } from './setup.js';

const SECOND = 1000;
const HOUR = 3_600 * SECOND;
/** A program that polls every ten seconds, with a timeout of half a minute. */
const EVERY_MS = 10 * SECOND;
const TIMEOUT_MS = 30 * SECOND;

let time: HandTimers;
beforeEach(() => {
  time = new HandTimers();
  vi.spyOn(realTimers, 'now').mockImplementation(time.now);
  vi.spyOn(realTimers, 'after').mockImplementation(time.after);
  // The middle of each random pause.
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => void vi.restoreAllMocks());

test.each([
  { retryAfter: null, requests: 2800, wellAfterMs: SECOND },
  { retryAfter: '5', requests: 1300, wellAfterMs: 5 * SECOND },
  { retryAfter: '60', requests: 950, wellAfterMs: 10 * SECOND },
])('an hour of 429 with Retry-After $retryAfter', async ({ retryAfter, requests, wellAfterMs }) => {
  const service = makeService();
  let isRefusing = false;
  let refused = 0;
  const fetch: Fetch = async (url, init) => {
    if (!isRefusing || !url.endsWith('/graphql')) return service.fetch(url, init);
    refused++;
    return new Response('', { status: 429, headers: retryAfter === null ? {} : { 'retry-after': retryAfter } });
  };
  const warnings: string[] = [];
  const fleet = makeClient(service, {
    fetch,
    timeoutMs: TIMEOUT_MS,
    retry: {},
    hooks: { onWarning: ({ code }) => void warnings.push(code) },
  });
  const outcomes: Record<string, number> = {};
  let longestMs = 0;
  let open = 0;
  const look = async () => {
    const begun = time.now();
    open++;
    const outcome = await fleet.getRoles().then(
      () => 'ok',
      (error) => (FleetError.is(error) ? error.code : String(error)),
    );
    open--;
    longestMs = Math.max(longestMs, time.now() - begun);
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  };
  await fleet.connect();
  isRefusing = true;
  let mostTimers = 0;
  for (let past = 0; past < HOUR; past += EVERY_MS) {
    void look();
    await time.pass(EVERY_MS);
    mostTimers = Math.max(mostTimers, time.pending);
  }
  expect(refused).toBeLessThan(requests);
  expect(Object.keys(outcomes)).toEqual(['RATE_LIMIT']);
  expect(longestMs).toBeLessThanOrEqual(TIMEOUT_MS);
  // A deadline for each open call, and a pause.
  expect(mostTimers).toBeLessThanOrEqual(TIMEOUT_MS / EVERY_MS + 1);
  expect(warnings).toEqual(['SHARED_LOGIN']);

  isRefusing = false;
  const wellSince = time.now();
  const next = fleet.getRoles();
  await time.passUntil(() => open === 0);
  expect(await next).not.toEqual([]);
  expect(time.now() - wellSince).toBeLessThanOrEqual(wellAfterMs);
  expect(time.pending).toBe(0);
  await fleet.close();
});
