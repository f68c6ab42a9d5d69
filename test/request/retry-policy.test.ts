// The retry table, cell by cell.
import { describe, expect, test } from 'vitest';
import { type Failure, failureOf } from '../../src/request/failure.js';
import {
  decideRetry,
  type RetryableCall,
  type RetryConditions,
  retryPolicy,
  type Tries,
} from '../../src/request/retry-policy.js';
import { retryAfterMs } from '../../src/transport/response-headers.js';

const status = (code: number, retryAfter: string | null = null): Failure => ({
  kind: 'status',
  status: code,
  retryAfter,
  errors: [],
});
const refusedConnection: Failure = { kind: 'unreachable', retryable: true, cause: null };
const untrusted: Failure = { kind: 'unreachable', retryable: false, cause: null };
const reset: Failure = { kind: 'disconnected', cause: null };
const cut: Failure = { kind: 'truncated' };
const garbled: Failure = { kind: 'malformed', status: 200 };
const unauthorized: Failure = { kind: 'unauthorized', errors: [], data: null, mayHaveRun: false };

const NOW = Date.parse('2026-03-01T12:00:00Z');

type Situation = RetryableCall & Tries & RetryConditions;

function situation(over: Partial<Situation> = {}): Situation {
  return {
    kind: 'query',
    idempotent: false,
    attempts: 1,
    rateLimited: 0,
    sameFailures: 1,
    failingForMs: 0,
    tokenReplaced: false,
    mayHaveLostToken: false,
    hasAnswered: true,
    answerMs: 0,
    remainingMs: 60_000,
    wallTime: NOW,
    policy: retryPolicy(undefined),
    random: () => 0.5,
    ...over,
  };
}

const decide = (failure: Failure, context: Situation) => decideRetry(failure, context, context, context);

const wait = expect.objectContaining({ action: 'wait' });
const stop = { action: 'stop' };
const replaceToken = { action: 'replaceToken' };

describe('what happened, and what follows for a query, a mutation, an idempotent mutation, a login step', () => {
  test.each<[string, Failure, unknown, unknown, unknown, unknown]>([
    ['429', status(429), wait, wait, wait, wait],
    ['401', status(401), replaceToken, replaceToken, replaceToken, stop],
    ['UNAUTHORIZED', unauthorized, replaceToken, replaceToken, replaceToken, stop],
    ['connection refused', refusedConnection, wait, wait, wait, wait],
    ['untrusted certificate', untrusted, stop, stop, stop, stop],
    ['reset', reset, wait, stop, wait, wait],
    ['502', status(502), wait, stop, wait, wait],
    ['503', status(503), wait, stop, wait, wait],
    ['504', status(504), wait, stop, wait, wait],
    ['408', status(408), wait, stop, wait, wait],
    ['425', status(425), wait, stop, wait, wait],
    ['520', status(520), wait, stop, wait, wait],
    ['529', status(529), wait, stop, wait, wait],
    ['530', status(530), stop, stop, stop, stop],
    ['cut body', cut, wait, stop, wait, wait],
    ['no GraphQL answer', garbled, stop, stop, stop, stop],
    ['500', status(500), wait, stop, wait, wait],
    ['501', status(501), stop, stop, stop, stop],
    ['400', status(400), stop, stop, stop, stop],
    ['403', status(403), stop, stop, stop, stop],
    ['404', status(404), stop, stop, stop, stop],
  ])('%s', (_name, failure, query, mutation, idempotent, login) => {
    expect(decide(failure, situation())).toEqual(query);
    expect(decide(failure, situation({ kind: 'mutation' }))).toEqual(mutation);
    expect(decide(failure, situation({ kind: 'mutation', idempotent: true }))).toEqual(idempotent);
    expect(decide(failure, situation({ kind: 'login', idempotent: true }))).toEqual(login);
  });

  test('a token is replaced once', () => {
    for (const kind of ['query', 'mutation'] as const) {
      expect(decide(status(401), situation({ kind, tokenReplaced: true }))).toEqual(stop);
      expect(decide(unauthorized, situation({ kind, tokenReplaced: true }))).toEqual(stop);
    }
  });

  test.each<[string, Failure, number]>([
    ['reset', reset, 5],
    ['cut body', cut, 5],
    ['500', status(500), 3],
  ])('%s is met so often, and then the call fails', (_name, failure, most) => {
    expect(decide(failure, situation({ attempts: 50, sameFailures: most - 1 }))).toEqual(wait);
    expect(decide(failure, situation({ attempts: 50, sameFailures: most }))).toEqual(stop);
  });

  test.each<[string, Failure]>([
    ['502', status(502)],
    ['503', status(503)],
    ['504', status(504)],
    ['connection refused by a service that answered before', refusedConnection],
  ])('%s is waited out: for 40 s, however often', (_name, failure) => {
    expect(decide(failure, situation({ attempts: 50, sameFailures: 50, failingForMs: 39_999 }))).toEqual(wait);
    expect(decide(failure, situation({ attempts: 2, sameFailures: 2, failingForMs: 40_000 }))).toEqual(stop);
    const policy = retryPolicy({ forMs: 1000 });
    expect(decide(failure, situation({ failingForMs: 1000, policy }))).toEqual(stop);
  });

  test('a service that never answered may be at another address: the call does not wait for it', () => {
    expect(decide(refusedConnection, situation({ hasAnswered: false, sameFailures: 4 }))).toEqual(wait);
    expect(decide(refusedConnection, situation({ hasAnswered: false, sameFailures: 5 }))).toEqual(stop);
  });

  test('attempts limits failures of any kind; answers of 429 do not count', () => {
    const policy = retryPolicy({ attempts: 5 });
    for (const failure of [reset, status(503), refusedConnection]) {
      expect(decide(failure, situation({ policy, attempts: 4 }))).toEqual(wait);
      expect(decide(failure, situation({ policy, attempts: 5 }))).toEqual(stop);
      expect(decide(failure, situation({ policy, attempts: 105, rateLimited: 101 }))).toEqual(wait);
    }
    expect(decide(status(429), situation({ policy, attempts: 500, rateLimited: 500 }))).toEqual(wait);
  });

  test('retry: false repeats nothing', () => {
    const rule = retryPolicy(false);
    expect(decide(status(429), situation({ policy: rule }))).toEqual(stop);
    expect(decide(reset, situation({ policy: rule }))).toEqual(stop);
    expect(decide(status(401), situation({ policy: rule }))).toEqual(replaceToken);
  });
});

describe('how long', () => {
  const ms = (failure: Failure, over: Partial<Situation>) => {
    const decision = decide(failure, situation(over));
    return decision.action === 'wait' ? decision.ms : null;
  };

  test('full jitter over a step that doubles up to a cap', () => {
    const steps = [1, 2, 3, 4].map((attempts) => ms(reset, { attempts, random: () => 1 }));
    expect(steps).toEqual([100, 200, 400, 800]);
    expect(ms(reset, { attempts: 3, random: () => 0 })).toBe(0);
    expect(ms(status(429), { attempts: 40, rateLimited: 40, random: () => 1 })).toBe(5000);
  });

  test('Retry-After wins, and is capped by the deadline', () => {
    expect(ms(status(429, '7'), {})).toBe(7000);
    expect(ms(status(429, 'Sun, 01 Mar 2026 12:00:05 GMT'), {})).toBe(5000);
    expect(ms(status(503, '2'), {})).toBe(2000);
    expect(ms(status(429, '3600'), { remainingMs: 10_000 })).toBe(9000);
    expect(ms(status(429, '3600'), { remainingMs: 10 })).toBeNull();
    expect(ms(status(429, 'soon'), { rateLimited: 1, random: () => 1 })).toBe(100);
  });

  test.each([['0'], ['Sun, 01 Mar 2026 11:59:00 GMT'], ['0.05']])(
    'Retry-After %j is no reason to ask at once: the pauses grow as without it',
    (retryAfter) => {
      const refused = (rateLimited: number) => ({ attempts: rateLimited, rateLimited, random: () => 1 });
      expect([1, 2, 3, 9].map((times) => ms(status(429, retryAfter), refused(times)))).toEqual([100, 200, 400, 5000]);
      expect([1, 2, 3].map((attempts) => ms(status(503, retryAfter), { attempts, random: () => 1 }))).toEqual([
        100, 200, 400,
      ]);
    },
  );

  test('a mutation that was refused is not sent again when the deadline would leave its outcome in doubt', () => {
    const refused = (remainingMs: number) => ms(status(429, '3600'), { kind: 'mutation', remainingMs });
    expect(refused(10_000)).toBe(9000);
    expect(refused(1000)).toBe(750);
    expect(refused(251)).toBe(1);
    expect(refused(250)).toBeNull();
    expect(ms(status(429), { kind: 'mutation', remainingMs: 200 })).toBeNull();
    expect(ms(status(429), { kind: 'query', remainingMs: 200 })).not.toBeNull();
  });

  test('what is refused to the end is not sent again when the answer would come too late', () => {
    expect(ms(status(429, '3600'), { remainingMs: 1000, answerMs: 100 })).toBe(700);
    expect(ms(status(429), { remainingMs: 300, answerMs: 100 })).toBeNull();
    expect(ms(status(503), { remainingMs: 300, answerMs: 100 })).toBeNull();
    // A gateway that needed half a minute to answer may be faster next time: it gets a second.
    expect(ms(status(504, '3600'), { remainingMs: 3_000, answerMs: 30_000 })).toBe(2_000);
    expect(ms(status(504), { remainingMs: 30_000, answerMs: 30_000 })).not.toBeNull();
  });

  test.each<[string | null, number | null]>([
    [null, null],
    ['0', 0],
    ['1.5', 1500],
    ['-3', null],
    ['Sun, 01 Mar 2026 11:59:00 GMT', 0],
    ['', null],
  ])('Retry-After %j is %j ms', (text, expected) => {
    expect(retryAfterMs(text, NOW)).toBe(expected);
  });
});

describe('what a fetch threw', () => {
  const error = (code: string) => Object.assign(new Error('x'), { code });
  const inFetch = (cause: unknown) => new TypeError('fetch failed', { cause });
  test.each<[string, unknown, Partial<Failure>]>([
    ['refused', error('ECONNREFUSED'), { kind: 'unreachable', retryable: true }],
    ['refused, in fetch', inFetch(error('ECONNREFUSED')), { kind: 'unreachable', retryable: true }],
    ['no such host', error('ENOTFOUND'), { kind: 'unreachable', retryable: true }],
    [
      'all addresses refused',
      Object.assign(new AggregateError([error('ECONNREFUSED'), error('ENETUNREACH')]), { code: 'ECONNREFUSED' }),
      { kind: 'unreachable', retryable: true },
    ],
    ['certificate', inFetch(error('DEPTH_ZERO_SELF_SIGNED_CERT')), { kind: 'unreachable', retryable: false }],
    ['reset', error('ECONNRESET'), { kind: 'disconnected' }],
    ['closed', error('UND_ERR_SOCKET'), { kind: 'disconnected' }],
    [
      'refused, then reset',
      Object.assign(error('ECONNRESET'), { cause: error('ECONNREFUSED') }),
      { kind: 'disconnected' },
    ],
    ['short body', error('UND_ERR_RES_CONTENT_LENGTH_MISMATCH'), { kind: 'truncated' }],
    ['no code, as Node says it', new TypeError('terminated'), { kind: 'disconnected' }],
    ['no code, as Safari says it', new TypeError('Load failed'), { kind: 'disconnected' }],
    ['an abort of the fetch', new DOMException('gone', 'AbortError'), { kind: 'disconnected' }],
    ['as Bun says it', error('ConnectionClosed'), { kind: 'disconnected' }],
    ['a bug', new TypeError('x is not a function'), { kind: 'fault' }],
    ['a bug, with a code', error('ERR_INVALID_ARG_TYPE'), { kind: 'fault' }],
    ['a module that is not there', error('ERR_UNKNOWN_BUILTIN_MODULE'), { kind: 'fault' }],
    ['esbuild', new Error('Dynamic require of "node:assert" is not supported'), { kind: 'fault' }],
    ['anything else', new Error('?'), { kind: 'fault' }],
    ['no error at all', 'nope', { kind: 'fault' }],
  ])('%s', (_name, thrown, expected) => {
    expect(failureOf(thrown)).toMatchObject(expected);
  });
});
