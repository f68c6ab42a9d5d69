// The gate while Redis does not answer (killed and restarted, or stopped), and its recovery.
import { afterEach, describe, expect, test } from 'vitest';
import { localGate } from '../../src/index.js';
import { type RedisGate, type RedisGateOptions, redisGate } from '../../src/redis/redis.js';
import { createDeferred, rejection } from '../request/setup.js';
import { until } from '../until.js';
import { clientMakers, hasRedisServer, type OwnServer, ownServer, skipped } from './server.js';

const isMissing = !hasRedisServer && skipped('the tests of an outage of Redis');

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

describe.skipIf(isMissing).each(clientMakers)('while Redis is away, over %s', (_name, connect) => {
  async function setUp(options: RedisGateOptions) {
    const server = await ownServer();
    cleanups.push(() => server.remove());
    const codes: string[] = [];
    const texts: string[] = [];
    const gate = await gateOn(server, {
      ...options,
      onWarning: ({ code, message }) => {
        codes.push(code);
        texts.push(message);
      },
    });
    return { server, gate, codes, texts };
  }

  async function gateOn(server: OwnServer, options: RedisGateOptions): Promise<RedisGate> {
    const { client, close } = await connect(server.port);
    cleanups.push(close);
    return redisGate(client, { leaseMs: 400, answerTimeoutMs: 150, ...options });
  }

  const fencingTokenOf = (gate: RedisGate) => gate.hold('key', async ({ fencingToken }) => fencingToken);

  /** Calls until one has a turn of Redis again. */
  async function untilShared(gate: RedisGate): Promise<void> {
    await until(async () => (await fencingTokenOf(gate)) !== null);
  }

  test('local: calls take turns in this process, one warning is given, and turns are shared again when it is back', async () => {
    const { server, gate, codes, texts } = await setUp({});
    expect(await fencingTokenOf(gate)).not.toBeNull();
    await server.kill();
    let active = 0;
    const tasks = Array.from({ length: 5 }, () =>
      gate.hold('key', async ({ fencingToken }) => {
        expect(++active).toBe(1);
        await new Promise((resolve) => setImmediate(resolve));
        active--;
        return fencingToken;
      }),
    );
    expect(await Promise.all(tasks)).toEqual([null, null, null, null, null]);
    expect(codes).toEqual(['GATE_LOST']);
    expect(texts[0]).toContain('only within this process');
    expect(texts[0]).not.toContain(String(server.port));
    await server.start();
    await untilShared(gate);
    expect(codes).toEqual(['GATE_LOST', 'GATE_RESTORED']);
  });

  test('local: what onWarning throws breaks no call', async () => {
    const server = await ownServer();
    cleanups.push(() => server.remove());
    const gate = await gateOn(server, {
      onWarning: () => {
        throw new Error('a broken hook');
      },
    });
    await server.kill();
    expect(await fencingTokenOf(gate)).toBeNull();
  });

  test('local: with a fallback, that gate gives the turns', async () => {
    const keys: string[] = [];
    const inner = localGate();
    const { server, gate } = await setUp({
      fallback: {
        hold(key, task, options) {
          keys.push(key);
          return inner.hold(key, task, options);
        },
      },
    });
    await fencingTokenOf(gate);
    expect(keys).toEqual([]);
    await server.kill();
    expect(await fencingTokenOf(gate)).toBeNull();
    expect(keys).toEqual(['key']);
  });

  test('local: a turn without Redis and one with it exclude each other in the process', async () => {
    const { server, gate } = await setUp({});
    const work = createDeferred();
    let active = 0;
    const held = gate.hold('key', async () => {
      active++;
      await work.promise;
      active--;
    });
    while (active === 0) await new Promise((resolve) => setImmediate(resolve));
    await server.kill();
    let started = false;
    const local = gate.hold('key', async () => {
      started = true;
      expect(active).toBe(0);
    });
    // A turn of another key, requested later, has been granted by then.
    await gate.hold('other', async () => undefined);
    expect(started).toBe(false);
    work.resolve();
    await Promise.all([held, local]);
  });

  test('fail: calls fail with an error that names no server, and work again when it is back', async () => {
    const { server, gate, codes } = await setUp({ whenUnavailable: 'fail' });
    await server.kill();
    const errors = await Promise.all([rejection(fencingTokenOf(gate)), rejection(fencingTokenOf(gate))]);
    for (const error of errors) {
      expect(error).toMatchObject({ code: 'GATE', retryable: true });
      expect(String(error)).toContain('nothing was sent');
      expect(String(error)).not.toMatch(/127\.0\.0\.1|localhost/);
    }
    await server.start();
    await until(() =>
      fencingTokenOf(gate).then(
        () => true,
        () => false,
      ),
    );
    expect(codes).toEqual(['GATE_LOST', 'GATE_RESTORED']);
  });

  test('wait: calls wait for Redis, and for their signal', async () => {
    const { server, gate } = await setUp({ whenUnavailable: 'wait' });
    const impatient = await gateOn(server, { whenUnavailable: 'fail' });
    await server.kill();
    const leaving = new AbortController();
    const left = rejection(gate.hold('key', async () => 'never', { signal: leaving.signal }));
    const stays = fencingTokenOf(gate);
    // This later call has timed out; the others could have too.
    await rejection(fencingTokenOf(impatient));
    leaving.abort(new Error('left'));
    expect(await left).toEqual(new Error('left'));
    await server.start();
    expect(await stays).toBeGreaterThan(0);
  });
});
