// Many machines that share a login: real processes, a real Redis, a service that answers 429 to a
// second active request. Faults: processes killed and stopped, Redis restarted and stopped, clocks
// apart, the network cut.
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Listening, MockService } from '../../src/mock/service.js';
import { held, untilHeld } from '../held.js';
import { makeService, statusesOf } from '../request/setup.js';
import { until } from '../until.js';
import { buildProgram, type Job, Machine, type Network, network, type Report } from './machines.js';
import { ask, hasRedisServer, type OwnServer, ownServer, skipped, timePasses } from './server.js';

const isMissing = !hasRedisServer && skipped('the tests of many machines');
const LEASE_MS = 2_000;
const FIVE_MINUTES = 300_000;
const MACHINES = 20;

let program: Awaited<ReturnType<typeof buildProgram>>;
let net: Network | null;
beforeAll(async () => {
  program = await buildProgram();
  net = network(MACHINES);
  if (net === null) {
    process.stderr.write(
      '\n!!! No network namespaces here (Linux and root are needed): all machines are processes of one network, and cuts are not tested.\n\n',
    );
  }
});
afterAll(() => {
  program?.remove();
  net?.remove();
});

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

interface World {
  readonly service: MockService;
  readonly redis: OwnServer;
  readonly job: Omit<Job, 'name'>;
}

async function makeWorld(latencyMs: number, redisSettings: readonly string[] = []): Promise<World> {
  const redis = await ownServer([
    '--bind',
    '127.0.0.1',
    ...(net ? [net.redisHost] : []),
    '--protected-mode',
    'no',
    ...redisSettings,
  ]);
  cleanups.push(() => redis.remove());
  const service = makeService({ clock: Date, latencyMs });
  const listening: Listening = await service.listen({ host: net?.serviceHost ?? '127.0.0.1' });
  cleanups.push(() => listening.close());
  const job: World['job'] = {
    calls: 40,
    changeEvery: 4,
    serviceUrl: listening.url,
    redisHost: net?.redisHost ?? '127.0.0.1',
    redisPort: redis.port,
    library: 'ioredis',
    prefix: randomUUID(),
    leaseMs: LEASE_MS,
    whenUnavailable: 'wait',
    encryptionKey: randomBytes(32).toString('base64'),
    aheadMs: 0,
  };
  return { service, redis, job };
}

/** Starts machines that call when all are ready, half of them with each client library. */
async function startMachines(
  world: World,
  count: number,
  ownJob: (index: number) => Partial<Job> = () => ({}),
): Promise<Machine[]> {
  const machines = Array.from({ length: count }, (_, index) => {
    const library = index % 2 ? ('redis' as const) : ('ioredis' as const);
    const job = { ...world.job, name: `machine ${index}`, library, ...ownJob(index) };
    const machine = new Machine(program.file, job, net?.namespaces[index] ?? null);
    cleanups.push(() => machine.kill());
    return machine;
  });
  await Promise.all(machines.map(({ ready }) => ready));
  for (const machine of machines) machine.start();
  return machines;
}

async function untilAnswered(service: MockService, count: number): Promise<void> {
  const goal = service.requests.length + count;
  await until(() => service.requests.length >= goal);
}

async function holdNext(service: MockService): Promise<void> {
  service.faults.add({ ...held, path: '/graphql' });
  await untilHeld(service);
}

/** Expects that every call succeeded and each acknowledged change was made exactly once. */
async function expectNothingLost(
  world: World,
  reports: readonly Report[],
  killed: readonly string[] = [],
): Promise<void> {
  expect(reports.flatMap(({ failures }) => failures)).toEqual([]);
  const groups = await groupsOf(world);
  const changed = reports.flatMap((report) => report.changed);
  const made = groups.filter((name) => name.startsWith('machine '));
  const madeByOthers = made.filter((name) => !killed.some((machine) => name.startsWith(`${machine} `)));
  expect([...madeByOthers].sort()).toEqual([...changed].sort());
  // A killed machine made no change twice either.
  expect(made).toHaveLength(new Set(made).size);
}

async function groupsOf({ service }: World): Promise<string[]> {
  const { FleetClient } = await import('../../src/index.js');
  await using fleet = new FleetClient({
    baseUrl: 'http://service.test',
    credentials: { username: 'demo', password: 'demo' },
    fetch: service.fetch,
  });
  return (await fleet.getGroups()).map(({ name }) => name ?? '');
}

/** Returns the longest time without an answer of the service, in ms. */
function longestGap({ service }: World): number {
  const ends = service.requests
    .filter(({ path }) => path.endsWith('/graphql'))
    .map(({ at, ms }) => Date.parse(at) + ms)
    .sort((a, b) => a - b);
  return ends.reduce((longest, end, index) => Math.max(longest, end - (ends[index - 1] ?? end)), 0);
}

describe.skipIf(isMissing)('many machines', { timeout: 180_000 }, () => {
  test('20 machines make 500 calls each: no 429, one login, equal shares', async () => {
    // A millisecond is long enough to meet a second request, and short enough for 10,000 of them.
    const world = await makeWorld(1);
    const machines = await startMachines(world, MACHINES, () => ({ calls: 500, changeEvery: 0, leaseMs: 10_000 }));
    const begun = Date.now();
    const reports = await Promise.all(machines.map(({ report }) => report));
    const tookMs = Date.now() - begun;
    expect(reports.flatMap(({ failures }) => failures)).toEqual([]);
    expect(reports.flatMap(({ warnings }) => warnings)).toEqual([]);
    expect(statusesOf(world.service, '/login/token').length).toBeLessThanOrEqual(1);
    // A second active request would have been answered with 429.
    expect(new Set(statusesOf(world.service, '/graphql'))).toEqual(new Set([200]));
    const firstEnd = Math.min(...reports.map(({ answeredAt }) => answeredAt.at(-1) ?? 0));
    const shares = reports.map(({ answeredAt }) => answeredAt.filter((at) => at <= firstEnd).length);
    expect(Math.min(...shares)).toBeGreaterThanOrEqual(0.8 * Math.max(...shares));
    process.stderr.write(
      `20 machines: 10000 calls in ${tookMs} ms, shares ${Math.min(...shares)} to ${Math.max(...shares)}\n`,
    );
  }, 600_000);

  test('a holder is killed: the next one goes on within two leases', async () => {
    const world = await makeWorld(20);
    const machines = await startMachines(world, 5);
    await untilAnswered(world.service, 30);
    // It dies while it holds the turn or waits for it; usually it holds it.
    await holdNext(world.service);
    const [first, second, ...others] = machines;
    first?.kill();
    second?.kill();
    world.service.faults.clear();
    const reports = await Promise.all(others.map(({ report }) => report));
    await expectNothingLost(world, reports, ['machine 0', 'machine 1']);
    expect(longestGap(world)).toBeLessThan(2 * LEASE_MS);
  });

  test('holders are killed again and again', async () => {
    const world = await makeWorld(5);
    const machines = await startMachines(world, 8);
    const killed: string[] = [];
    for (let index = 0; index < 5; index++) {
      await untilAnswered(world.service, 10);
      machines[index]?.kill();
      killed.push(`machine ${index}`);
    }
    const reports = await Promise.all(machines.slice(5).map(({ report }) => report));
    await expectNothingLost(world, reports, killed);
    expect(longestGap(world)).toBeLessThan(2 * LEASE_MS);
  });

  test.each<[string, readonly string[]]>([
    ['with its data', ['--appendonly', 'yes', '--appendfsync', 'always']],
    ['without its data', []],
  ])(
    'Redis is killed and started again %s: nothing is lost, and no two requests are active',
    async (_how, settings) => {
      const world = await makeWorld(20, settings);
      // Enough for half a lease of waiting after a restart, plus a second to reconnect.
      const leaseMs = 3 * LEASE_MS;
      const machines = await startMachines(world, 6, () => ({ leaseMs }));
      for (let round = 0; round < 2; round++) {
        await untilAnswered(world.service, 25);
        await holdNext(world.service);
        await world.redis.kill();
        await world.redis.start();
        await timePasses(world.redis.port, 1.5 * leaseMs);
        world.service.faults.clear();
      }
      const reports = await Promise.all(machines.map(({ report }) => report));
      await expectNothingLost(world, reports);
      expect(new Set(statusesOf(world.service, '/graphql'))).toEqual(new Set([200]));
    },
  );

  test.each(['wait', 'local'] as const)('Redis stands still for longer than a lease (%s)', async (whenUnavailable) => {
    const world = await makeWorld(20);
    const machines = await startMachines(world, 6, () => ({ whenUnavailable }));
    await untilAnswered(world.service, 25);
    await holdNext(world.service);
    world.redis.process.kill('SIGSTOP');
    await new Promise((resolve) => setTimeout(resolve, 2.5 * LEASE_MS));
    world.redis.process.kill('SIGCONT');
    await timePasses(world.redis.port, 1.5 * LEASE_MS);
    world.service.faults.clear();
    const reports = await Promise.all(machines.map(({ report }) => report));
    await expectNothingLost(world, reports);
    if (whenUnavailable === 'wait') expect(new Set(statusesOf(world.service, '/graphql'))).toEqual(new Set([200]));
    // The calls continued without Redis, and share turns again: the last ones got no 429.
    else expect(statusesOf(world.service, '/graphql').slice(-10)).toEqual(Array.from({ length: 10 }, () => 200));
  });

  test('all connections to Redis are cut again and again: nothing is lost, and no two requests are active', async () => {
    const world = await makeWorld(20);
    const machines = await startMachines(world, 6, () => ({ leaseMs: 10_000 }));
    for (let round = 0; round < 4; round++) {
      await untilAnswered(world.service, 10);
      // A request is active all the time, for longer than a turn outlives an absent holder.
      await holdNext(world.service);
      for (let cut = 0; cut < 3; cut++) {
        await ask(world.redis.port, 'CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
        await timePasses(world.redis.port, 1_300);
      }
      world.service.faults.clear();
    }
    const reports = await Promise.all(machines.map(({ report }) => report));
    await expectNothingLost(world, reports);
    expect(new Set(statusesOf(world.service, '/graphql'))).toEqual(new Set([200]));
  });

  test('a machine is stopped while it holds the turn, and comes back after others have taken over', async () => {
    const world = await makeWorld(20);
    // At 20 ms each, more calls than can end before the third stop.
    const machines = await startMachines(world, 4, () => ({ calls: 120 }));
    for (const machine of machines.slice(0, 3)) {
      await untilAnswered(world.service, 10);
      machine.process.kill('SIGSTOP');
      await timePasses(world.redis.port, 1.5 * LEASE_MS);
      machine.process.kill('SIGCONT');
    }
    const reports = await Promise.all(machines.map(({ report }) => report));
    await expectNothingLost(world, reports);
    expect(longestGap(world)).toBeLessThan(2 * LEASE_MS);
  });

  test('clocks are five minutes apart: one login, no 429', async () => {
    const world = await makeWorld(5);
    const machines = await startMachines(world, 6, (index) => ({ aheadMs: ((index % 3) - 1) * FIVE_MINUTES }));
    const reports = await Promise.all(machines.map(({ report }) => report));
    await expectNothingLost(world, reports);
    expect(new Set(statusesOf(world.service, '/graphql'))).toEqual(new Set([200]));
    // Includes the login of the test itself, which reads the groups.
    expect(statusesOf(world.service, '/login/token')).toEqual([200, 200]);
    expect(statusesOf(world.service, '/login/refresh')).toEqual([]);
  });

  test.each(['redis', 'everything'] as const)(
    'the network of machines is cut from %s for longer than a lease',
    async (from) => {
      if (net === null) {
        skipped('the cut network');
        return;
      }
      const world = await makeWorld(20);
      // Only reads: a machine that is cut off cannot know if its change was made.
      const machines = await startMachines(world, 5, (index) => ({
        changeEvery: index < 2 && from === 'everything' ? 0 : 4,
      }));
      const [one = '', other = ''] = net.namespaces;
      await untilAnswered(world.service, 25);
      for (const name of [one, other]) net.cutOff(name, from, true);
      await timePasses(world.redis.port, 2.5 * LEASE_MS);
      for (const name of [one, other]) net.cutOff(name, from, false);
      const reports = await Promise.all(machines.map(({ report }) => report));
      await expectNothingLost(world, reports);
      expect(longestGap(world)).toBeLessThan(2 * LEASE_MS);
    },
    120_000,
  );
});
