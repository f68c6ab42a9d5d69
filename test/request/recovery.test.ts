// The modes for a failing service, and their end: shared turns, merging, retries during an outage.
import { describe, expect, test } from 'vitest';
import type { WarningEvent } from '../../src/core/hooks.js';
import type { FetchResponse } from '../../src/core/ports.js';
import { operations } from '../../src/generated/operation-table.js';
import type { Call } from '../../src/request/call.js';
import { HandTimers } from './hand-timers.js';
import { makePipeline, sendFor, type World } from './inner.js';

const MINUTE = 60_000;

interface ReceivedRequest {
  readonly ids: readonly string[];
  readonly at: number;
  readonly userId: string;
}

function answered(status: number, text: string, retryAfter: string | null = null): FetchResponse {
  const get = (name: string) => (name === 'retry-after' ? retryAfter : null);
  const ok = status < 300;
  return { ok, status, headers: { get }, text: async () => text, json: async () => JSON.parse(text) };
}

function rowsFor(ids: readonly string[]): FetchResponse {
  const names = ids.length === 1 ? ['getVehicleById'] : ids.map((_, at) => `q${at}`);
  return answered(200, JSON.stringify({ data: Object.fromEntries(names.map((name, at) => [name, { id: ids[at] }])) }));
}

const broken = (code: string) => Object.assign(new Error('simulated'), { code });

/** Returns a client of a service with these answers; a request takes 20 ms. */
function world(
  respond: (receivedRequest: ReceivedRequest) => FetchResponse,
  options: Partial<World> = {},
  refuseLogin: (() => FetchResponse) | null = null,
) {
  const time = new HandTimers();
  const sent: ReceivedRequest[] = [];
  const warnings: WarningEvent[] = [];
  let active = 0;
  let mostActive = 0;
  const pipeline = makePipeline({
    http: {
      async fetch(url, { headers, body, beforeSend }) {
        beforeSend?.();
        if (!url.endsWith('/graphql')) {
          if (refuseLogin && url.endsWith('/login/token')) {
            await new Promise<void>((resolve) => void time.after(20, resolve));
            return refuseLogin();
          }
          return answered(200, '{"access_token":"t","refresh_token":"r","expires_in":1000000}');
        }
        const ids = Object.values(JSON.parse(body ?? '').variables).map(String);
        const receivedRequest = { ids, at: time.now(), userId: headers.userId ?? '' };
        sent.push(receivedRequest);
        mostActive = Math.max(mostActive, ++active);
        await new Promise<void>((resolve) => void time.after(20, resolve));
        active--;
        return respond(receivedRequest);
      },
      async close() {},
    },
    clock: { now: () => time.now() },
    timers: time,
    hooks: { onWarning: (event) => void warnings.push(event) },
    ...options,
  });
  const call = (id: string): Call => {
    const { name, kind, document } = operations.getVehicleById;
    return { name, kind, document, variables: { id }, idempotent: false, field: operations.getVehicleById };
  };
  /** Requests these ids at once; resolves to `fine` or the error's code for each. */
  const ask = async (ids: readonly string[], users: readonly string[] = ['user'], timeouts: readonly number[] = []) => {
    const outcomes: string[] = [];
    let settled = 0;
    for (const [at, id] of ids.entries()) {
      sendFor(pipeline, users[at % users.length] ?? '', call(id), { timeoutMs: timeouts[at] })
        .then(
          () => 'fine',
          (error) => String(error.code),
        )
        .then((outcome) => {
          outcomes[at] = outcome;
          settled++;
        });
    }
    await time.passUntil(() => settled === ids.length);
    return outcomes;
  };
  return {
    time,
    sent,
    warnings,
    ask,
    codes: () => warnings.map(({ code }) => code),
    /** Most concurrent requests since its last call. */
    mostActive: () => {
      const most = mostActive;
      mostActive = 0;
      return most;
    },
  };
}

const numbers = (count: number) => Array.from({ length: count }, (_, at) => `v${at}`);
const fine = (count: number) => numbers(count).map(() => 'fine');

describe('turns of the whole login', () => {
  const tenants = ['north', 'south', 'west'];

  test('end after a minute without a 429, and last twice as long when that was too soon', async () => {
    let refusals = 0;
    const { ask, time, codes, mostActive } = world((receivedRequest) =>
      refusals-- > 0 ? answered(429, '{}') : rowsFor(receivedRequest.ids),
    );
    const together = async () => {
      await ask(numbers(3), tenants);
      return mostActive();
    };
    expect(await together()).toBe(3);
    refusals = 1;
    await together();
    expect(codes()).toEqual(['SHARED_LOGIN']);
    expect(await together()).toBe(1);
    await time.pass(MINUTE);
    expect(await together()).toBe(3);
    expect(codes()).toEqual(['SHARED_LOGIN', 'SHARED_LOGIN_ENDED']);

    refusals = 1;
    await together();
    await time.pass(1.5 * MINUTE);
    expect(await together()).toBe(1);
    await time.pass(2 * MINUTE);
    expect(await together()).toBe(3);
    expect(codes()).toEqual(['SHARED_LOGIN', 'SHARED_LOGIN_ENDED', 'SHARED_LOGIN', 'SHARED_LOGIN_ENDED']);

    // The faster mode worked for longer than the quiet time, so the next 429 is a new problem.
    await time.pass(3 * MINUTE);
    refusals = 1;
    await together();
    await time.pass(MINUTE);
    expect(await together()).toBe(3);
  });

  test('last while 429s go on', async () => {
    let isRefusing = true;
    const { ask, time, codes, mostActive } = world((receivedRequest) => {
      isRefusing = !isRefusing;
      return isRefusing ? rowsFor(receivedRequest.ids) : answered(429, '{}');
    });
    for (let i = 0; i < 5; i++) {
      await ask(['v1']);
      await time.pass(MINUTE / 2);
    }
    mostActive();
    await ask(numbers(3), tenants);
    expect(mostActive()).toBe(1);
    expect(codes()).toEqual(['SHARED_LOGIN']);
  });

  test.each([
    ['process', /share: 'machine'/],
    ['machine', /another machine/],
    ['custom', /the gate that was given/],
  ] as const)('the advice fits a client that takes turns by %s', async (turns, advice) => {
    const { ask, warnings } = world(() => answered(429, '{}'), { among: turns });
    expect(await ask(['v1'])).toEqual(['RATE_LIMIT']);
    expect(warnings[0]?.message).toMatch(advice);
    if (turns !== 'process') expect(warnings[0]?.message).not.toContain('share:');
  });
});

describe('a merged document that is refused', () => {
  const refusing =
    (answer: () => FetchResponse, isRefused: (ids: readonly string[]) => boolean) =>
    ({ ids }: ReceivedRequest) =>
      isRefused(ids) ? answer() : rowsFor(ids);
  const badRequest = () => answered(400, '{}');

  test('is split by halves until what spoils it stands alone', async () => {
    const { ask, sent, codes } = world(refusing(badRequest, (ids) => ids.includes('v17')));
    const outcomes = await ask(numbers(25));
    expect(outcomes.filter((outcome) => outcome === 'fine')).toHaveLength(24);
    expect(outcomes[17]).toBe('HTTP');
    // Not 26: the whole, and two halves for each split.
    expect(sent.map(({ ids }) => ids.length)).toEqual([25, 13, 12, 6, 6, 3, 3, 2, 1, 1, 1]);
    expect(codes()).toEqual([]);
    await ask(numbers(10));
    expect(sent.at(-1)?.ids).toHaveLength(10);
  });

  test('and whose queries all succeed alone: no merging for 10 minutes, then it is tried again', async () => {
    let isRefusing = true;
    const { ask, sent, codes, time } = world(refusing(badRequest, (ids) => isRefusing && ids.length > 1));
    const largest = async () => {
      sent.length = 0;
      expect(await ask(numbers(4))).toEqual(fine(4));
      return sent.map(({ ids }) => ids.length).join(' ');
    };
    expect(await largest()).toBe('4 2 2 1 1 1 1');
    expect(await largest()).toBe('1 1 1 1');
    await time.pass(9 * MINUTE);
    expect(await largest()).toBe('1 1 1 1');
    await time.pass(MINUTE);
    expect(await largest()).toBe('4 2 2 1 1 1 1');
    expect(codes()).toEqual(['MERGING_STOPPED', 'MERGING_RESUMED', 'MERGING_STOPPED']);
    // Twice as long, because the first time was not enough.
    await time.pass(19 * MINUTE);
    expect(await largest()).toBe('1 1 1 1');
    isRefusing = false;
    await time.pass(MINUTE);
    expect(await largest()).toBe('4');
    expect(codes().at(-1)).toBe('MERGING_RESUMED');
  });

  test('only when it is large: three times in a row, and then no larger one is sent', async () => {
    const { ask, sent, warnings } = world(
      refusing(
        () => answered(413, '{}'),
        (ids) => ids.length > 20,
      ),
    );
    for (let i = 0; i < 3; i++) expect(await ask(numbers(40))).toEqual(fine(40));
    expect(sent.map(({ ids }) => ids.length)).toEqual([40, 20, 20, 40, 20, 20, 40, 20, 20]);
    expect(warnings.map(({ message }) => message)).toEqual([expect.stringContaining('At most 20 queries')]);
    sent.length = 0;
    expect(await ask(numbers(40))).toEqual(fine(40));
    expect(sent.map(({ ids }) => ids.length)).toEqual([20, 20]);
  });

  test.each<[string, () => FetchResponse]>([
    ['500', () => answered(500, '{}')],
    ['403', () => answered(403, '<html>')],
    ['a page of the network', () => answered(200, '<html>')],
  ])('by %s: no proof against merging', async (_name, answer) => {
    let refusals = 0;
    const { ask, sent, codes } = world(refusing(answer, (ids) => ids.length > 1 && refusals-- > 0));
    for (let i = 0; i < 5; i++) {
      // Enough failures until each field is alone, with all retries.
      refusals = 99;
      const trouble = ask(numbers(2));
      expect(await trouble).toEqual(fine(2));
      refusals = 0;
      sent.length = 0;
      expect(await ask(numbers(2))).toEqual(fine(2));
      expect(sent.map(({ ids }) => ids.length)).toEqual([2]);
    }
    expect(codes()).toEqual([]);
  });

  test('by 500 again and again, while each query succeeds alone: it is the merging after all', async () => {
    const { ask, sent, codes } = world(
      refusing(
        () => answered(500, '{}'),
        (ids) => ids.length > 1,
      ),
    );
    for (let i = 0; i < 3; i++) expect(await ask(numbers(2))).toEqual(fine(2));
    expect(codes()).toEqual(['MERGING_STOPPED']);
    sent.length = 0;
    await ask(numbers(2));
    expect(sent.map(({ ids }) => ids.length)).toEqual([1, 1]);
  });
});

describe('a service that is down for a moment', () => {
  const RESTART = 30_000;

  test.each([0.1, 0.5, 0.9])('a call waits until it is back after 30 s (jitter %d)', async (random) => {
    const downFrom = 100;
    const { ask, sent, time } = world(
      ({ ids, at }) => {
        if (at < downFrom || at >= downFrom + RESTART) return rowsFor(ids);
        // First its connections are lost, then refused, then a gateway answers.
        if (at < downFrom + 50) throw broken('ECONNRESET');
        if (at < downFrom + 5000) throw broken('ECONNREFUSED');
        return answered(503, '{}');
      },
      { random: () => random },
    );
    expect(await ask(['before'])).toEqual(['fine']);
    await time.pass(downFrom);
    expect(await ask(['v1'])).toEqual(['fine']);
    expect(time.now()).toBeLessThan(RESTART + 6000);
    expect(sent.length).toBeLessThan(80);
  });

  test('a call ends 40 s after its first failure, or at its deadline', async () => {
    const { ask, time, sent } = world(() => answered(503, '{}'));
    expect(await ask(['v1'])).toEqual(['HTTP']);
    expect(time.now()).toBeGreaterThan(40_000);
    expect(time.now()).toBeLessThan(46_000);
    expect(sent).toHaveLength(22);
  });

  test('repeats of many users stay within a budget, and go on at once when it is back', async () => {
    const users = Array.from({ length: 100 }, (_, at) => `user${at}`);
    const { ask, time, sent } = world(({ ids, at }) => (at < RESTART ? answered(503, '{}') : rowsFor(ids)));
    expect(await ask(numbers(100), users)).toEqual(fine(100));
    // 100 calls, 30 retries at once, one more each second.
    const before = sent.filter(({ at }) => at < RESTART).length;
    expect(before).toBeLessThanOrEqual(160);
    expect(before).toBeGreaterThan(155);
    expect(time.now()).toBeLessThan(RESTART + 6000);
    expect(time.pending).toBe(0);
  });

  test('a query that got 500 is sent again twice', async () => {
    let failures = 2;
    const { ask, sent } = world(({ ids }) => (failures-- > 0 ? answered(500, '{}') : rowsFor(ids)));
    expect(await ask(['v1'])).toEqual(['fine']);
    failures = 99;
    expect(await ask(['v1'])).toEqual(['HTTP']);
    expect(sent).toHaveLength(6);
  });
});

describe('a login that is refused to the deadline', () => {
  test.each([
    [429, 'RATE_LIMIT'],
    [503, 'HTTP'],
  ] as const)('with %d ends in the same way at any time', async (status, code) => {
    for (let timeoutMs = 400; timeoutMs < 3000; timeoutMs += 97) {
      for (const random of [0.1, 0.5, 0.99]) {
        const refuse = () => answered(status, '{}');
        const { ask } = world(({ ids }) => rowsFor(ids), { timeoutMs, random: () => random }, refuse);
        expect(await ask(['v1', 'v2']), `${timeoutMs} ms, ${random}`).toEqual([code, code]);
      }
    }
  });

  test('is reported to every caller at its own deadline, whoever began it', async () => {
    for (let timeoutMs = 100; timeoutMs < 1000; timeoutMs += 37) {
      const { ask } = world(
        ({ ids }) => rowsFor(ids),
        { timeoutMs: 5000 },
        () => answered(503, '{}'),
      );
      expect(await ask(['v1', 'v2'], ['north', 'south'], [5000, timeoutMs])).toEqual(['HTTP', 'HTTP']);
    }
  });
});
