// @ts-check
// The cost of a turn with the gate of a process, of a machine, and of many machines over Redis.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { latencyMs, startFleet } from '../lib/fleet-with-latency.mjs';
import { countByStatus, takeJournal } from '../lib/mock-control.mjs';
import { loadProduct, productFile } from '../lib/product.mjs';
import { demo } from '../lib/scenario.mjs';
import { byTurns, median } from '../lib/stats.mjs';

export const title = 'A turn: one process, one machine, many machines';

const turns = 500;
const rounds = 9;
const workers = 20;
const callsEach = 10;

/** @typedef {import('../../dist/esm/sdk/index.js').Gate} Gate */

/** @type {import('../lib/scenario.mjs').Scenario['run']} */
export async function run(report) {
  const { localGate, fileGate, FleetClient } = await loadProduct();
  /** @type {typeof import('../../dist/esm/redis/redis.js')} */
  const { redisGate, redisTokenStore } = await import(productFile('dist/esm/redis/redis.js'));
  const connected = await connect();
  if (connected === null) {
    report.text('Not measured: no Redis listens on 127.0.0.1:6379.');
    return [];
  }
  const { open, close } = connected;
  const folder = await mkdtemp(join(tmpdir(), 'fleet-bench-'));
  const prefix = `bench-${randomUUID()}`;
  const options = { prefix };
  const [overRedis, overIoRedis] = [await open('redis'), await open('ioredis')];
  const others = await Promise.all(Array.from({ length: workers }, () => open('ioredis')));

  /** @type {Record<string, { alone: () => Promise<number>, passed: () => Promise<number> }>} */
  const gates = {
    localGate: measured(localGate(), localGate()),
    fileGate: measured(fileGate({ directory: folder }), fileGate({ directory: folder })),
    'redisGate, redis 6': measured(redisGate(overRedis, options), redisGate(await open('redis'), options)),
    'redisGate, ioredis 6': measured(redisGate(overIoRedis, options), redisGate(await open('ioredis'), options)),
  };
  const names = Object.keys(gates);
  const alone = await byTurns(rounds, Object.fromEntries(names.map((name) => [name, gates[name]?.alone ?? none])));
  const passed = await byTurns(
    rounds,
    Object.fromEntries(names.filter((name) => name !== 'localGate').map((name) => [name, gates[name]?.passed ?? none])),
  );
  const us = (/** @type {readonly number[] | undefined} */ values) =>
    values ? `${Math.round(median(values) * 1000)} µs` : 'not shared';
  report.text(
    `Medians of ${rounds} rounds of ${turns} turns with a task that does nothing. "Passed on": two gates that both always want`,
  );
  report.text('the turn, so that every turn goes to the other one. Redis listens on loopback.');
  report.table(
    ['', 'a turn that is free', 'a turn passed on'],
    names.map((name) => [name, us(alone[name]), us(passed[name])]),
  );

  const fleet = await startFleet();
  const { url } = fleet.target;
  const [id = ''] = fleet.ids;
  const client = (/** @type {import('../../dist/esm/redis/redis.js').RedisClient} */ redis) =>
    new FleetClient({
      baseUrl: url,
      credentials: demo,
      gate: redisGate(redis, options),
      tokenStore: redisTokenStore(redis, { prefix, unencrypted: true }),
    });
  const crew = others.map((redis) => client(redis));
  await Promise.all(crew.map((one) => one.connect()));
  await takeJournal(url);
  const rate = async (/** @type {readonly (typeof crew)[number][]} */ clients, /** @type {number} */ calls) => {
    const begun = performance.now();
    await Promise.all(
      clients.map(async (one) => {
        for (let call = 0; call < calls; call += 1) await one.getVehicleById({ id });
      }),
    );
    return (clients.length * calls * 1000) / (performance.now() - begun);
  };
  const rates = await byTurns(3, {
    one: () => rate(crew.slice(0, 1), workers * callsEach),
    many: () => rate(crew, callsEach),
  });
  const refused = countByStatus(await takeJournal(url), 429);
  await Promise.all(crew.map((one) => one.close()));
  await fleet.stop();
  close();
  await rm(folder, { recursive: true, force: true });

  const [one, many] = [median(rates.one), median(rates.many)];
  const part = many / one;
  report.text(
    `${workers} clients of one user, each with a Redis connection of its own, make ${callsEach} calls each, ${latencyMs} ms a request:`,
  );
  report.text(`${many.toFixed(1)} requests a second; one client alone makes ${one.toFixed(1)}.`);
  return [
    {
      what: `${workers} machines of one user against one`,
      bar: '0.9 of the requests a second, no 429',
      reached: `${part.toFixed(2)}, ${refused} of 429`,
      met: part >= 0.9 && refused === 0,
    },
  ];
}

const none = async () => Number.NaN;

/**
 * Returns milliseconds per turn.
 * @param {Gate} gate
 * @param {Gate} other
 */
function measured(gate, other) {
  const task = async () => undefined;
  const many = async (/** @type {Gate} */ each) => {
    for (let turn = 0; turn < turns; turn += 1) await each.hold('bench', task);
  };
  const timed = async (/** @type {() => Promise<unknown>} */ work, /** @type {number} */ count) => {
    const begun = performance.now();
    await work();
    return (performance.now() - begun) / count;
  };
  return {
    alone: () => timed(() => many(gate), turns),
    passed: () => timed(() => Promise.all([many(gate), many(other)]), 2 * turns),
  };
}

/** Returns null without Redis. */
async function connect() {
  const { createClient } = await import('redis');
  const { Redis } = await import('ioredis');
  const probe = new Redis({ lazyConnect: true, retryStrategy: () => null });
  probe.on('error', () => undefined);
  try {
    await probe.connect();
  } catch {
    return null;
  }
  /** @type {(() => void)[]} */
  const closers = [() => probe.disconnect()];
  return {
    open: async (/** @type {'redis' | 'ioredis'} */ library) => {
      if (library === 'ioredis') {
        const client = new Redis();
        closers.push(() => client.disconnect());
        return client;
      }
      const client = createClient();
      await client.connect();
      closers.push(() => client.destroy());
      return client;
    },
    close() {
      for (const closer of closers) closer();
    },
  };
}
