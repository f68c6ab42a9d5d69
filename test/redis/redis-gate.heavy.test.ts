// The gate in Redis, with both clients: one holder per key on all machines, first come first
// served, priorities, pauses, takeover. Each gate has its own client, as on its own machine.
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { type RedisClient, type RedisGate, type RedisGateOptions, redisGate } from '../../src/redis/redis.js';
import { connectionOver } from '../../src/redis/redis-client.js';
import { gateOver } from '../../src/redis/redis-gate.js';
import { HandTimers } from '../request/hand-timers.js';
import { createDeferred, rejection } from '../request/setup.js';
import { until } from '../until.js';
import { anyRedis, ask, clientMakers, skipped, timePasses } from './server.js';

const redis = await anyRedis();
const port = redis?.port ?? 0;
const isMissing = redis === null && skipped('the tests of redisGate');
afterAll(() => redis?.stop());

/** Long enough that only Redis itself can wake a waiter. */
const LONG_LEASE_MS = 3_600_000;

const USER_KEY = 'https://fleet.example.com user 4711';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function untilWaiting(gate: RedisGate, key: string, count: number): Promise<void> {
  await until(async () => (await gate.state(key)).waiting === count);
}

async function untilHeld(gate: RedisGate, key: string): Promise<void> {
  await until(async () => (await gate.state(key)).isHeld);
}

describe.skipIf(isMissing).each(clientMakers)('redisGate over %s', (_name, connect) => {
  /** Uses each key once: a new Redis grants no turn of a new key in its first half lease. */
  async function makeKnown(client: RedisClient, prefix: string): Promise<void> {
    const gate = redisGate(client, { prefix, leaseMs: 100 });
    for (const key of ['key', 'a', 'b', USER_KEY]) await gate.pause(key, 0);
    await gate.close();
  }

  /** Returns a gate with its own client, as on another machine. */
  async function machine(prefix: string, options: RedisGateOptions = {}): Promise<RedisGate> {
    const { client, close } = await connect(port);
    const gate = redisGate(client, { prefix, leaseMs: LONG_LEASE_MS, ...options });
    cleanups.push(close, () => gate.close());
    await makeKnown(client, prefix);
    return gate;
  }

  const newPrefix = () => `test-${randomUUID()}`;

  test('gives a turn back, and the outcome, while a fake clock stands still', async () => {
    const gate = await machine(newPrefix());
    vi.useFakeTimers({ toFake: ['setImmediate', 'clearImmediate'] });
    cleanups.push(() => vi.useRealTimers());
    expect(await gate.hold('key', async () => 'done')).toBe('done');
  });

  test('runs the tasks of a key one after the other on all machines, and gives their outcomes', async () => {
    const prefix = newPrefix();
    const gates = [await machine(prefix), await machine(prefix), await machine(prefix)];
    let active = 0;
    const tasks = Array.from({ length: 60 }, (_, index) =>
      gates[index % 3]?.hold('key', async () => {
        expect(++active).toBe(1);
        await new Promise((resolve) => setImmediate(resolve));
        active--;
        if (index === 3) throw new Error('three');
        return index;
      }),
    );
    const outcomes = await Promise.allSettled(tasks);
    expect(outcomes[3]).toMatchObject({ status: 'rejected', reason: new Error('three') });
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(59);
    expect(outcomes[59]).toEqual({ status: 'fulfilled', value: 59 });
  });

  test('serves first who came first, on whichever machine', async () => {
    const prefix = newPrefix();
    const first = await machine(prefix);
    const gates = await Promise.all(Array.from({ length: 6 }, () => machine(prefix)));
    const work = createDeferred();
    const held = first.hold('key', () => work.promise);
    await untilHeld(first, 'key');
    const order: number[] = [];
    const waiting: Promise<unknown>[] = [];
    for (let index = 0; index < 12; index++) {
      waiting.push(gates[index % 6]?.hold('key', async () => order.push(index)) ?? Promise.reject());
      await untilWaiting(first, 'key', index + 1);
    }
    work.resolve();
    await Promise.all([held, ...waiting]);
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  test('a higher priority goes first, and every eighth turn goes to the oldest', async () => {
    const prefix = newPrefix();
    const gate = await machine(prefix);
    const other = await machine(prefix);
    const work = createDeferred();
    const held = gate.hold('key', () => work.promise);
    await untilHeld(gate, 'key');
    const order: string[] = [];
    const waiting: Promise<unknown>[] = [];
    const queue = async (priority: 'high' | 'normal' | 'low', name: string) => {
      const target = waiting.length % 2 ? gate : other;
      waiting.push(target.hold('key', async () => order.push(name), { priority }));
      await untilWaiting(gate, 'key', waiting.length);
    };
    await queue('low', 'low');
    await queue('normal', 'normal');
    for (let index = 1; index <= 8; index++) await queue('high', `high ${index}`);
    work.resolve();
    await Promise.all([held, ...waiting]);
    // The held turn was the first of the key, so these are turns 2 to 11.
    const highs = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, index) => `high ${from + index}`);
    expect(order).toEqual([...highs(1, 6), 'low', ...highs(7, 8), 'normal']);
  });

  test('keys and prefixes do not wait for each other', async () => {
    const prefix = newPrefix();
    const gate = await machine(prefix);
    const elsewhere = await machine(newPrefix());
    const work = createDeferred();
    const held = gate.hold('a', () => work.promise);
    await untilHeld(gate, 'a');
    expect(await gate.hold('b', async () => 'b')).toBe('b');
    expect(await elsewhere.hold('a', async () => 'elsewhere')).toBe('elsewhere');
    work.resolve();
    await held;
  });

  test('an abort ends the wait before the task, and not the hold during it', async () => {
    const prefix = newPrefix();
    const gate = await machine(prefix);
    const other = await machine(prefix);
    const running = new AbortController();
    const leaving = new AbortController();
    const work = createDeferred<string>();
    const first = gate.hold('key', () => work.promise, { signal: running.signal });
    await untilHeld(gate, 'key');
    const second = rejection(other.hold('key', async () => 'never', { signal: leaving.signal }));
    await untilWaiting(gate, 'key', 1);
    let started = false;
    const third = other.hold('key', async () => {
      started = true;
      return 'third';
    });
    await untilWaiting(gate, 'key', 2);
    leaving.abort(new Error('left'));
    expect(await second).toEqual(new Error('left'));
    await untilWaiting(gate, 'key', 1);
    running.abort(new Error('too late'));
    expect(started).toBe(false);
    work.resolve('first');
    expect(await first).toBe('first');
    expect(await third).toBe('third');
  });

  test('a signal that has fired already means that nothing runs', async () => {
    const gate = await machine(newPrefix());
    const gone = rejection(gate.hold('key', async () => 'ran', { signal: AbortSignal.abort(new Error('gone')) }));
    expect(await gone).toEqual(new Error('gone'));
  });

  test('gives each turn of a key a higher fencing token', async () => {
    const prefix = newPrefix();
    const gates = [await machine(prefix), await machine(prefix)];
    const tokens: number[] = [];
    for (let index = 0; index < 6; index++) {
      await gates[index % 2]?.hold('key', async ({ fencingToken }) => tokens.push(fencingToken ?? 0));
    }
    expect(tokens).toEqual([...new Set(tokens)].sort((a, b) => a - b));
    expect(tokens[0]).toBeGreaterThan(0);
  });

  test('a pause stops everybody who does not have the turn yet, and ends by itself', async () => {
    const prefix = newPrefix();
    const gate = await machine(prefix);
    const other = await machine(prefix);
    const work = createDeferred();
    const held = gate.hold('key', () => work.promise);
    await untilHeld(gate, 'key');
    const served = other.hold('key', async () => (await other.state('key')).pausedMs);
    await untilWaiting(gate, 'key', 1);
    await gate.pause('key', 300);
    work.resolve();
    await held;
    expect(await gate.state('key')).toMatchObject({ isHeld: false, waiting: 1 });
    expect((await gate.state('key')).pausedMs).toBeGreaterThan(0);
    expect(await served).toBe(0);
  });

  test('takes over the turn of a machine that is gone, and notifies a late holder', async () => {
    const prefix = newPrefix();
    const leaseMs = 400;
    const { client, close } = await connect(port);
    cleanups.push(close);
    // Its timers stand still, so it renews nothing, like a stopped process.
    const stopped = new HandTimers();
    const warnings: string[] = [];
    const gone = gateOver(
      connectionOver(client),
      { prefix, leaseMs, onWarning: ({ code }) => warnings.push(code) },
      stopped,
    );
    const work = createDeferred();
    const lost = createDeferred();
    let token = 0;
    const held = gone.hold('key', async (turn) => {
      token = turn.fencingToken ?? 0;
      turn.lost.addEventListener('abort', () => lost.resolve());
      await work.promise;
    });
    const gate = await machine(prefix, { leaseMs });
    await untilHeld(gate, 'key');
    const later = await gate.hold('key', async ({ fencingToken }) => fencingToken ?? 0);
    expect(later).toBeGreaterThan(token);
    void stopped.pass(leaseMs);
    await lost.promise;
    expect(warnings).toEqual(['GATE_LOST']);
    work.resolve();
    await held;
    // The late holder does not release the turn of another one.
    await gate.hold('key', async () => {
      await gone.close();
      expect((await gate.state('key')).isHeld).toBe(true);
    });
  });

  test('a holder that works for longer than a lease keeps the turn', async () => {
    const prefix = newPrefix();
    // A busy machine may renew it late.
    const leaseMs = 1_500;
    const gate = await machine(prefix, { leaseMs });
    const other = await machine(prefix, { leaseMs });
    let isOver = false;
    const held = gate.hold('key', async ({ lost }) => {
      await timePasses(port, 2 * leaseMs);
      expect(lost.aborted).toBe(false);
      isOver = true;
    });
    await untilHeld(gate, 'key');
    expect(await other.hold('key', async () => isOver)).toBe(true);
    await held;
  });

  test('a waiter that died is passed over', async () => {
    const prefix = newPrefix();
    const gate = await machine(prefix);
    const work = createDeferred();
    const held = gate.hold('key', () => work.promise);
    await untilHeld(gate, 'key');
    const { client, close } = await connect(port);
    const leaseMs = 200;
    const dead = gateOver(connectionOver(client), { prefix, leaseMs }, new HandTimers());
    dead.hold('key', async () => 'never').catch(() => undefined);
    await untilWaiting(gate, 'key', 1);
    close();
    const next = gate.hold('key', async () => 'served');
    await untilWaiting(gate, 'key', 2);
    await timePasses(port, leaseMs);
    work.resolve();
    expect(await next).toBe('served');
    await held;
  });

  test('leaves nothing behind that does not expire, and no key in clear', async () => {
    const prefix = newPrefix();
    const gate = await machine(prefix);
    const other = await machine(prefix);
    const key = USER_KEY;
    await Promise.all([gate.hold(key, async () => 1), other.hold(key, async () => 2), gate.hold(key, async () => 3)]);
    await gate.close();
    await other.close();
    const keys = await ask(port, 'KEYS', `{${prefix}}*`);
    expect(Array.isArray(keys) && keys.length > 0).toBe(true);
    for (const name of Array.isArray(keys) ? keys : []) {
      expect(String(name)).not.toContain('4711');
      expect(Number(await ask(port, 'PTTL', String(name)))).toBeGreaterThan(0);
    }
  });

  test('closes its second connection with the client it was given', async () => {
    const prefix = newPrefix();
    const { client, close, name } = await connect(port);
    const gate = redisGate(client, { prefix });
    const other = await machine(prefix);
    const work = createDeferred();
    const held = other.hold('key', () => work.promise);
    await untilHeld(other, 'key');
    const waiting = gate.hold('key', async () => 'served');
    const connections = async () => String(await ask(port, 'CLIENT', 'LIST')).split(`name=${name} `).length - 1;
    await until(async () => (await connections()) >= 2);
    work.resolve();
    expect(await waiting).toBe('served');
    await held;
    expect(await connections()).toBe(2);
    close();
    await until(async () => (await connections()) === 0);
  });
});

test.each([
  [{ prefix: '' }, 'redisGate: prefix must be a text without braces.'],
  [{ prefix: '{a}' }, 'redisGate: prefix must be a text without braces.'],
  [{ leaseMs: 10 }, 'redisGate: leaseMs must be a number of milliseconds, 100 or more.'],
  [{ answerTimeoutMs: 0 }, 'redisGate: answerTimeoutMs must be a positive number of milliseconds.'],
])('refuses the options %j', (options, message) => {
  const client = { call: async () => null, duplicate: () => client, disconnect: () => {}, on: () => {} };
  expect(() => redisGate(client, options)).toThrow(message);
});

test('refuses a value that is not a client', () => {
  // @ts-expect-error a URL is not a client
  expect(() => redisGate('redis://localhost')).toThrow('redisGate takes a client of redis 6');
});
