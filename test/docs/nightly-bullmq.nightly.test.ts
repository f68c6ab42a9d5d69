// The BullMQ example as processes, against the reference service, Redis and PostgreSQL: workers are
// killed or suspended during a read, and the service fails. Afterwards the database has each row of
// the service once. Nightly, because BullMQ is installed for it.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { FleetClient, toDate } from 'fleet-telematics';
import { createMockService, type Listening } from 'fleet-telematics/mock';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { anyPostgres, dropDatabase, inDatabase, newDatabase, skipped } from '../../packages/sync/test/server.js';
import { redisGate, redisTokenStore } from '../../src/redis/redis.js';
import { held, untilHeld } from '../held.js';
import { anyRedis, ask, skipped as redisSkipped } from '../redis/server.js';
import { until } from '../until.js';
import { root } from './markdown.js';
import { openWorkshop, type Workshop } from './workshop.js';

const MINUTE = 60_000;
const nights = ['2026-03-02', '2026-03-03', '2026-03-04'] as const;
const since = '2026-03-01';
const at = (night: string, minutes: number) => Date.parse(night) + minutes * MINUTE;
const names = ['north', 'south', 'west', 'east', 'harbour', 'hills'];
const login = (name: string) => `${name}@example.com`;
const passwordOf = (name: string) => `secret of ${name}`;
/** The last login has two users. */
const users = names.map((name) => ({
  username: login(name),
  password: passwordOf(name),
  entries: [name, ...(name === 'hills' ? ['valleys'] : [])].map((fleet) => ({ fleet })),
}));
const exec = promisify(execFile);
const postgres = await anyPostgres();
const redis = await anyRedis();
const port = redis?.port ?? 0;
const isMissing =
  (postgres === null && skipped('the BullMQ recipe')) || (redis === null && redisSkipped('the BullMQ recipe'));

const position = { state: true, latitude: 52, longitude: 13 };
const sorted = (rows: unknown[][]) =>
  rows.sort((one, other) => (String(one.slice(0, 4)) < String(other.slice(0, 4)) ? -1 : 1));

interface Started {
  readonly child: ChildProcess;
  readonly lines: string[];
  readonly ended: Promise<unknown>;
}

describe.skipIf(isMissing)('nightly-bullmq', { timeout: 240_000 }, () => {
  const service = createMockService({ vehicles: 2, users, clock: { now: () => at(nights[2], 60) } });
  const clean = service.snapshot();
  let workshop: Workshop;
  let server: Listening;
  let database: string;
  let prefix: string;

  beforeAll(async () => {
    workshop = await openWorkshop({ withLibraries: true });
    copyFileSync(join(root, 'examples/nightly-bullmq.mjs'), join(workshop.folder, 'nightly-bullmq.mjs'));
    server = await service.listen();
  });
  afterAll(async () => {
    await server.close();
    await workshop.close();
    postgres?.stop();
    await redis?.stop();
  });
  beforeEach(async () => {
    service.restore(clean);
    service.faults.clear();
    prefix = `test-${randomUUID()}`;
    database = await newDatabase(postgres?.port ?? 0);
    onTestFinished(async () => {
      await dropDatabase(database);
      const keys = await keysOf(prefix);
      if (keys.length > 0) await ask(port, 'DEL', ...keys);
    });
  });

  const env = (passwords: Readonly<Record<string, string>>) => ({
    ...workshop.env,
    FLEET_BASE_URL: server.url,
    FLEET_SINCE: since,
    FLEET_PASSWORDS: JSON.stringify(passwords),
    REDIS_URL: `redis://127.0.0.1:${port}`,
    REDIS_PREFIX: prefix,
    DATABASE_URL: database,
  });

  async function keysOf(part: string): Promise<string[]> {
    const keys = await ask(port, 'KEYS', `*${part}*`);
    return Array.isArray(keys) ? keys.map(String) : [];
  }

  function startWorker(): Started {
    const passwords = Object.fromEntries(names.map((name) => [login(name), passwordOf(name)]));
    const child = spawn(process.execPath, ['nightly-bullmq.mjs', 'work'], {
      cwd: workshop.folder,
      env: env({ ...passwords, [login('stranger')]: 'wrong' }),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const lines: string[] = [];
    for (const input of [child.stdout, child.stderr]) createInterface({ input }).on('line', (line) => lines.push(line));
    onTestFinished(() => void child.kill('SIGKILL'));
    return { child, lines, ended: once(child, 'exit').then(([code, signal]): unknown => code ?? signal) };
  }

  const add = (night: string, logins: readonly string[]) =>
    exec(process.execPath, ['nightly-bullmq.mjs', 'add', night, ...logins], { cwd: workshop.folder, env: env({}) });

  async function readers() {
    const all = [];
    for (const name of names) {
      const credentials = { username: login(name), password: passwordOf(name) };
      const { clock, fetch } = service;
      const fleets = new FleetClient({ baseUrl: 'http://fleet.test', credentials, fetch, clock });
      for (const { userId } of await fleets.listLoginUsers()) {
        const fleet = fleets.forUser({ userId });
        const vehicleIds = (await fleet.getVehicles({}, { select: { id: true } })).flatMap(({ id }) => id ?? []);
        all.push({ name, userId, fleet, vehicleIds });
      }
    }
    return all;
  }

  async function expectedRows(from: number, night: string, { of = names } = {}): Promise<unknown[][]> {
    const rows: unknown[][] = [];
    const select = { timestamp: true, gps: { speed: true }, canBus: { canDistance: true } } as const;
    for (const { name, userId, fleet, vehicleIds } of await readers()) {
      if (!of.includes(name)) continue;
      const period = { vehicleIds, from: new Date(from), to: new Date(night) };
      for await (const row of fleet.streamSnapshots(period, { select }))
        rows.push([userId, row.vehicleId, toDate(row.timestamp)?.toISOString(), row.ordinal, row]);
    }
    return sorted(rows);
  }

  async function storedRows(): Promise<unknown[][]> {
    const rows = await inDatabase(database, 'SELECT reader, vehicle, at, ordinal, data FROM snapshots');
    return sorted(
      rows.map(([reader, vehicle, at, ...rest]) => [reader, vehicle, new Date(String(at)).toISOString(), ...rest]),
    );
  }

  /**
   * Scripts the vehicles: the first hour has more rows than a worker saves at once. `late`: one
   * arrives after the first night, and changes the ordinals of its millisecond.
   */
  async function script({ late = false } = {}): Promise<void> {
    for (const { vehicleIds } of await readers()) {
      for (const vehicleId of vehicleIds) {
        const times = [
          ...Array.from({ length: 600 }, (_, place) => at(since, place / 10)),
          ...Array.from({ length: 420 }, (_, place) => at(since, 70 + place * 10)),
          ...[1, 2, 3].map(() => at(nights[0], -30)),
        ];
        const rows = times.map((at, place) => ({ at, ignition: true, gps: { ...position, speed: place % 90 } }));
        if (late) rows.push({ at: at(nights[0], -30), ignition: true, gps: { ...position, speed: 0 } });
        service.telemetry.script(vehicleId, rows);
      }
    }
  }

  const statusesOf = (path: string) =>
    service.requests.filter((request) => request.path === path).map(({ status }) => status);
  const linesWith = (text: string, { lines }: Started) => lines.filter((line) => line.includes(text));
  const jobOf = (night: string, name: string) => `${night} ${encodeURIComponent(login(name))}`;

  /**
   * Starts two workers. Resolves when each job has saved 1,000 rows and waits for the next answer.
   */
  async function twoWorkersInMidRead() {
    const workers = [startWorker(), startWorker()] as const;
    const holdAll = () => {
      service.faults.clear();
      service.faults.add({ ...held, operation: 'getSnapshots', times: names.length });
      return untilHeld(service);
    };
    const areHeld = holdAll();
    // A worker has at most four of these six jobs.
    await add(nights[0], names.map(login));
    await areHeld;
    await holdAll();
    await until(async () => (await storedRows()).length === names.length * 1_000);
    return workers;
  }

  /** Makes a call of another program with a login. Resolves when it waits for the turn. */
  async function callThatWaits(name: string) {
    const connection = new Redis({ port });
    const gate = redisGate(connection, { prefix });
    let key = '';
    const fleet = new FleetClient({
      baseUrl: server.url,
      credentials: { username: login(name), password: passwordOf(name) },
      gate: {
        hold(of, task, options) {
          key = of;
          return gate.hold(of, task, options);
        },
      },
      tokenStore: redisTokenStore(connection, { prefix, encryptionKey: workshop.env.FLEET_REDIS_KEY ?? '' }),
    });
    onTestFinished(async () => {
      await Promise.all([fleet.close(), gate.close()]);
      connection.disconnect();
    });
    const answer = fleet.getRoles();
    await until(async () => (await gate.state(key)).waiting === 1);
    return { answer };
  }

  test('is exact when a worker is killed in mid-read and the service fails', async () => {
    await script();
    const expected = await expectedRows(at(since, 0), nights[0]);
    service.clearRequests();
    const [killed, worker] = await twoWorkersInMidRead();
    killed.child.kill('SIGKILL');
    await killed.ended;
    await add(nights[0], [...names, 'stranger'].map(login));
    service.faults.clear();
    service.faults.add({ kind: 'status', status: 503, operation: 'getSnapshots' });
    service.faults.add({ kind: 'truncate', operation: 'getSnapshots' });
    await until(() => linesWith('rows', worker).length === names.length);
    await until(() => linesWith('attempt', worker).length === 1);
    expect(await storedRows()).toEqual(expected);
    expect(killed.lines).toEqual([]);
    expect(linesWith('attempt', worker)[0]).toMatch(`${jobOf(nights[0], 'stranger')}: attempt 1: AUTHENTICATION: `);
    expect(service.faults.list()).toEqual([]);
    expect(statusesOf('/login/token').sort()).toEqual([...names.map(() => 200), 401]);
    expect(statusesOf('/graphql').filter((status) => status !== 200)).toEqual([503]);
    const jobs = await Promise.all((await keysOf(`:nightly:${nights[0]} `)).map((key) => ask(port, 'HGETALL', key)));
    expect(jobs).toHaveLength(names.length + 1);
    expect(JSON.stringify(jobs)).toContain(login('north'));
    expect(JSON.stringify(jobs)).not.toContain('secret');

    // The next night reads the rest, and the hour before the cursor. A vehicle whose list is null
    // twice fails, and its job runs again.
    await script({ late: true });
    const vehicleId = (await readers())[0]?.vehicleIds[0] ?? '';
    service.answer('getSnapshots', null, { when: { vehicleId }, times: 2 });
    service.clearRequests();
    worker.lines.length = 0;
    await add(nights[1], names.map(login));
    await until(() => linesWith('rows', worker).length === names.length);
    worker.child.kill('SIGTERM');
    expect(await worker.ended).toBe(0);
    expect(statusesOf('/login/token')).toEqual([]);
    expect(new Set(statusesOf('/graphql'))).toEqual(new Set([200]));
    expect(await storedRows()).toEqual(await expectedRows(at(since, 0), nights[1]));
    const attempts = linesWith('attempt', worker);
    expect(attempts).toEqual([expect.stringContaining(`${jobOf(nights[1], 'north')}: attempt 1: `)]);
    for (const name of names) {
      const { length } = await expectedRows(at(nights[0], -60), nights[1], { of: [name] });
      // The other vehicle of the first login is complete when its job runs again.
      const read = name === 'north' ? length / 2 : length;
      expect(worker.lines).toContain(`${jobOf(nights[1], name)}: ${read} rows`);
    }
  });

  test('saves nothing of a worker that was suspended, once another one has its jobs', async () => {
    await script();
    const expected = await expectedRows(at(since, 0), nights[2]);
    service.clearRequests();
    const [suspended, worker] = await twoWorkersInMidRead();
    const { answer } = await callThatWaits('north');
    suspended.child.kill('SIGSTOP');
    service.faults.clear();
    expect((await answer).length).toBeGreaterThan(0);
    await until(() => linesWith('rows', worker).length === names.length);
    suspended.child.kill('SIGCONT');
    // It has at least two jobs. They fail, and the queue refuses their results.
    await until(() => linesWith('moveToDelayed', suspended).length >= 2);
    suspended.child.kill('SIGTERM');
    expect(await suspended.ended).toBe(0);
    expect(linesWith('moveToFinished', suspended)).toEqual([]);

    // Two nights at once, as after a night without workers: the later one reads both.
    const workers = [worker, startWorker()];
    service.faults.add({ ...held, operation: 'getSnapshots', times: names.length });
    await add(nights[2], names.map(login));
    await untilHeld(service);
    await add(nights[1], names.map(login));
    service.faults.clear();
    const linesOf = (night: string) => workers.flatMap((each) => linesWith(`${night} `, each)).sort();
    const endOf = (night: string) =>
      until(() => linesOf(night).filter((line) => line.endsWith(' rows')).length === names.length);
    await Promise.all([endOf(nights[1]), endOf(nights[2])]);
    // The second user of the last login was not being read.
    const others = names.filter((name) => name !== 'hills');
    expect(linesOf(nights[1])).toEqual(
      expect.arrayContaining(others.map((name) => `${jobOf(nights[1], name)}: 0 rows`)),
    );
    expect(
      others.filter((name) => linesOf(nights[2]).some((line) => line.startsWith(`${jobOf(nights[2], name)}: attempt`))),
    ).toEqual([]);
    for (const { child, ended } of workers) {
      child.kill('SIGTERM');
      expect(await ended).toBe(0);
    }
    expect(await storedRows()).toEqual(expected);
    expect(statusesOf('/login/token')).toEqual(names.map(() => 200));
    expect(statusesOf('/graphql').filter((status) => status !== 200)).toEqual([]);
  });
});
