// A failover between two real servers, behind one address that moves like a DNS name.
import { randomUUID } from 'node:crypto';
import { type AddressInfo, connect as connectTo, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { redisGate } from '../../src/redis/redis.js';
import { connectionOver } from '../../src/redis/redis-client.js';
import { gateOver } from '../../src/redis/redis-gate.js';
import { HandTimers } from '../request/hand-timers.js';
import { createDeferred } from '../request/setup.js';
import { until } from '../until.js';
import { ask, clientMakers, hasRedisServer, ownServer, skipped, timePasses } from './server.js';

const isMissing = !hasRedisServer && skipped('the tests of a failover');
const LEASE_MS = 6_000;

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const infoOf = async (port: number, name: string) =>
  new RegExp(`^${name}:(.*?)\r?$`, 'm').exec(String(await ask(port, 'INFO')))?.[1] ?? '';

async function movingAddress(port: number) {
  let target = port;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const other = connectTo(target, '127.0.0.1');
    for (const [one, end] of [
      [socket, other],
      [other, socket],
    ] as const) {
      sockets.add(one);
      one.on('error', () => undefined).on('close', () => end.destroy());
      one.pipe(end);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  cleanups.push(() => {
    cut();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    moveTo(next: number) {
      target = next;
      cut();
    },
  };
}

/** Starts a primary and its replica, both older than half a lease. */
async function makePair() {
  const [primary, replica] = [await ownServer(), await ownServer()];
  cleanups.push(
    () => primary.remove(),
    () => replica.remove(),
  );
  const copy = async () => {
    await ask(replica.port, 'REPLICAOF', '127.0.0.1', String(primary.port));
    await until(async () => (await infoOf(replica.port, 'master_link_status')) === 'up');
  };
  const promote = () => ask(replica.port, 'REPLICAOF', 'NO', 'ONE');
  await until(async () => Number(await infoOf(replica.port, 'uptime_in_seconds')) * 1000 > LEASE_MS / 2);
  return { primary, replica, copy, promote };
}

describe.skipIf(isMissing).each(clientMakers)(
  'when a replica takes over, over %s',
  { timeout: 60_000 },
  (_name, connect) => {
    /** Returns a gate that has never had an answer, as in a new process. */
    async function machine(prefix: string, port: number) {
      const { client, close } = await connect(port);
      const gate = redisGate(client, { prefix, leaseMs: LEASE_MS, whenUnavailable: 'wait' });
      cleanups.push(close, () => gate.close());
      return gate;
    }

    test.each([
      ['has everything', 'everything'],
      ['was copied before the turn was taken', 'record'],
      ['was never copied the prefix', 'nothing'],
    ] as const)('that %s, the holder keeps its turn', async (_what, has) => {
      const { primary, replica, copy, promote } = await makePair();
      const address = await movingAddress(primary.port);
      const prefix = `test-${randomUUID()}`;
      const holder = await machine(prefix, address.port);
      if (has === 'record') await holder.hold('another key', async () => undefined);
      await copy();
      // Replication stops here.
      if (has !== 'everything') await promote();
      const work = createDeferred();
      let active = 0;
      let most = 0;
      const begin = () => {
        most = Math.max(most, ++active);
      };
      const held = holder.hold('key', async ({ lost }) => {
        begin();
        await work.promise;
        expect(lost.aborted).toBe(false);
        active--;
      });
      await until(async () => active === 1);
      if (has === 'everything') {
        const offset = await infoOf(primary.port, 'master_repl_offset');
        await until(async () => Number(await infoOf(replica.port, 'slave_repl_offset')) >= Number(offset));
        await promote();
      }
      await primary.kill();
      // Another process asks before the holder.
      const next = (await machine(prefix, replica.port)).hold('key', async () => begin());
      const onlooker = await machine(prefix, replica.port);
      await until(async () => (await onlooker.state('key')).waiting === 1 || active === 2);
      address.moveTo(replica.port);
      await until(async () => (await onlooker.state('key')).isHeld || active === 2);
      work.resolve();
      await Promise.all([held, next]);
      expect(most).toBe(1);
    });

    test('whoever has had an answer waits when the data have been deleted', async () => {
      const { primary } = await makePair();
      const prefix = `test-${randomUUID()}`;
      const { client, close } = await connect(primary.port);
      cleanups.push(close);
      // Its timers stand still, so it does not report.
      const holder = gateOver(connectionOver(client), { prefix, leaseMs: LEASE_MS }, new HandTimers());
      const other = await machine(prefix, primary.port);
      await other.hold('another key', async () => undefined);
      const work = createDeferred();
      const held = holder.hold('key', () => work.promise);
      await until(async () => (await other.state('key')).isHeld);
      await ask(primary.port, 'FLUSHALL');
      let isServed = false;
      const next = other.hold('key', async () => {
        isServed = true;
      });
      await until(async () => (await other.state('key')).waiting === 1 || isServed);
      expect(isServed).toBe(false);
      work.resolve();
      await Promise.all([held, next]);
    });

    test('a holder whose connection is cut and that connects again keeps its turn', async () => {
      const { primary } = await makePair();
      const address = await movingAddress(primary.port);
      const prefix = `test-${randomUUID()}`;
      const holder = await machine(prefix, address.port);
      const other = await machine(prefix, primary.port);
      let isOver = false;
      let hasBegun = false;
      const work = createDeferred();
      const held = holder.hold('key', async ({ lost }) => {
        hasBegun = true;
        await work.promise;
        expect(lost.aborted).toBe(false);
        isOver = true;
      });
      await until(async () => hasBegun);
      const next = other.hold('key', async () => isOver);
      await until(async () => (await other.state('key')).waiting === 1);
      for (let cuts = 0; cuts < 3; cuts++) {
        address.cut();
        // Longer than an absent holder keeps the turn.
        await timePasses(primary.port, 2_000);
      }
      work.resolve();
      await held;
      expect(await next).toBe(true);
    });
  },
);
