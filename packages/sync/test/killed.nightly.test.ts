// Kills syncs by signal 9, makes the service fail and restarts the database. After the next sync,
// the copy has the rows of an undisturbed one.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { nodeOf } from '../../../scripts/node-binaries.mjs';
import type { Listening, MockService } from '../../../src/mock/service.js';
import { makeClient, makeService, START } from '../../../test/request/setup.js';
import { postgresTarget, type SyncTarget, sqliteTarget, syncFleet, syncParts } from '../src/index.js';
import { postgresTargetOf } from '../src/postgres/postgres-target.js';
import { contentOf, tempFile } from './copies.js';
import { anyPostgres, dropDatabase, hasOwnCluster, newDatabase, ownCluster, skipped } from './server.js';
import { buildSyncProgram, SyncProcess } from './sync-process.js';

let program = '';
beforeAll(async () => {
  program = await buildSyncProgram();
});

const since = new Date(START - 3_600_000);
const until = new Date(START);
const options = { since, until, parts: syncParts };
const kills = ['before', 'transaction', 'outside'] as const;
/** Moments of 30 kills: each kind at ten batches. */
const batches = [1, 2, 3, 5, 8, 9, 10, 11, 12, 13];
const moments = (of: readonly number[]) => kills.flatMap((killPoint) => of.map((at) => ({ way: killPoint, at })));

/** A service and its undisturbed copy. Services run one request of a user at a time. */
interface Lane {
  readonly service: MockService;
  readonly listening: Listening;
  readonly expected: Readonly<Record<string, string>>;
}

const lanes: Lane[] = [];
beforeAll(async () => {
  for (let count = 0; count < 3; count++) {
    const service = makeService({ vehicles: 3 });
    const listening = await service.listen();
    const file = tempFile('suite');
    await syncFleet(clientOf({ service, listening }), sqliteTarget(file), options);
    lanes.push({ service, listening, expected: await contentOf(sqliteTarget(file)) });
  }
});
afterAll(() => Promise.all(lanes.map(({ listening }) => listening.close())));

/** Returns a client of the processes' address, because a copy belongs to one service. */
function clientOf({ service, listening }: Pick<Lane, 'service' | 'listening'>) {
  return makeClient(service, { baseUrl: listening.url });
}

function firstLane(): Lane {
  const [lane] = lanes;
  if (lane === undefined) throw new Error('no service was started');
  return lane;
}

/** Runs the work for each item; the lanes work in parallel. */
async function inLanes<Item>(items: readonly Item[], work: (item: Item, lane: Lane) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const one = async (lane: Lane) => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item, lane);
  };
  await Promise.all(lanes.map(one));
}

/** Runs a sync in a process until it is killed or ends, and returns the outcome. */
async function runKilled(
  { listening }: Lane,
  target: string,
  killPoint: (typeof kills)[number],
  at: number,
  node = process.execPath,
): Promise<'killed' | 'ended'> {
  const child = new SyncProcess(program, node);
  const job = {
    ...{ baseUrl: listening.url, target, since: since.toISOString(), until: until.toISOString(), now: START },
    ...(killPoint === 'outside' ? {} : { killAt: at, killIn: killPoint }),
  };
  // It may write the batch, wait for the service, or have ended.
  const end = await child.run(job, (batch) => {
    if (killPoint === 'outside' && batch === at) child.kill();
  });
  await child.close();
  return end === null ? 'killed' : 'ended';
}

describe('SQLite', () => {
  test('is killed at 30 moments, and has the rows of an undisturbed sync after the next one', {
    timeout: 300_000,
  }, async () => {
    let killed = 0;
    await inLanes(moments(batches), async ({ way: killPoint, at }, lane) => {
      const file = tempFile();
      if ((await runKilled(lane, file, killPoint, at)) === 'killed') killed++;
      await syncFleet(clientOf(lane), sqliteTarget(file), options);
      expect({ way: killPoint, at, ...(await contentOf(sqliteTarget(file))) }).toEqual({
        way: killPoint,
        at,
        ...lane.expected,
      });
    });
    expect(killed).toBeGreaterThan(25);
  });

  test('is killed again and again, each time a batch further', { timeout: 120_000 }, async () => {
    const lane = firstLane();
    const file = tempFile();
    for (let at = 1; at <= 6; at++) await runKilled(lane, file, at % 2 === 0 ? 'before' : 'transaction', at);
    await syncFleet(clientOf(lane), sqliteTarget(file), options);
    expect(await contentOf(sqliteTarget(file))).toEqual(lane.expected);
  });
});

test('two users who read side by side are killed at 10 moments', { timeout: 300_000 }, async () => {
  const fleet = 'Demo Fleet';
  const entries = ['first', 'second'].map((userName) => ({ fleet, userName }));
  const service = makeService({ vehicles: 6, users: [{ username: 'demo', password: 'demo', entries }] });
  const listening = await service.listen();
  onTestFinished(() => listening.close());
  const [first, second] = (await makeClient(service).listLoginUsers()).map(({ userId }) => userId);
  const client = () => makeClient(service, { baseUrl: listening.url, user: { userId: String(first) } });
  const undisturbed = sqliteTarget(tempFile());
  await syncFleet(client(), undisturbed, options);
  const expected = await contentOf(undisturbed);
  let killed = 0;
  for (const at of batches) {
    const file = tempFile();
    const child = new SyncProcess(program);
    const end = await child.run({
      ...{ baseUrl: listening.url, target: file, since: since.toISOString(), until: until.toISOString(), now: START },
      users: [String(first), String(second)],
      killAt: at,
      killIn: at % 2 === 0 ? 'before' : 'transaction',
    });
    await child.close();
    if (end === null) killed++;
    await syncFleet(client(), sqliteTarget(file), {
      ...options,
      users: at % 2 === 0 ? [{ userId: String(second) }] : [],
    });
    expect({ at, ...(await contentOf(sqliteTarget(file))) }).toEqual({ at, ...expected });
  }
  expect(killed).toBeGreaterThan(8);
});

describe('Node 24', () => {
  const node = nodeOf('24');

  test.skipIf('missing' in node)(
    'writes the same rows with its own SQLite, and the two go on with the file of each other',
    { timeout: 300_000 },
    async () => {
      if ('missing' in node) return;
      const lane = firstLane();
      const [alone, begun] = [tempFile(), tempFile()];
      expect(await runKilled(lane, alone, 'before', 0, node.binary)).toBe('ended');
      expect(await contentOf(sqliteTarget(alone))).toEqual(lane.expected);
      for (const at of [9, 11]) {
        const file = tempFile();
        expect(await runKilled(lane, file, 'transaction', at, node.binary)).toBe('killed');
        await syncFleet(clientOf(lane), sqliteTarget(file), options);
        expect(await contentOf(sqliteTarget(file))).toEqual(lane.expected);
      }
      expect(await runKilled(lane, begun, 'transaction', 11)).toBe('killed');
      expect(await runKilled(lane, begun, 'before', 0, node.binary)).toBe('ended');
      expect(await contentOf(sqliteTarget(begun))).toEqual(lane.expected);
    },
  );
});

const server = await anyPostgres();
describe.skipIf(server === null && skipped('killed syncs into PostgreSQL'))('PostgreSQL', () => {
  afterAll(() => server?.stop());

  test('is killed at 9 moments, and has the rows of an undisturbed sync after the next one', {
    timeout: 300_000,
  }, async () => {
    await inLanes(moments([2, 9, 12]), async ({ way: killPoint, at }, lane) => {
      const url = await newDatabase(server?.port ?? 0);
      try {
        await runKilled(lane, url, killPoint, at);
        await syncWhenFree(lane, postgresTarget(url));
        expect({ way: killPoint, at, ...(await contentOf(postgresTarget(url))) }).toEqual({
          way: killPoint,
          at,
          ...lane.expected,
        });
      } finally {
        await dropDatabase(url);
      }
    });
  });
});

/** PostgreSQL notices within milliseconds that the process with the lock has ended. */
async function syncWhenFree(lane: Lane, target: SyncTarget): Promise<void> {
  for (;;) {
    try {
      await syncFleet(clientOf(lane), target, options);
      return;
    } catch (error) {
      if (!(error instanceof Error) || Reflect.get(error, 'reason') !== 'IN_USE') throw error;
    }
  }
}

describe.skipIf(!hasOwnCluster && skipped('a PostgreSQL that is restarted'))('a PostgreSQL that is restarted', () => {
  test('ends the sync, and the next one completes it', { timeout: 120_000 }, async () => {
    const cluster = await ownCluster();
    const lane = firstLane();
    try {
      for (const at of [2, 10, 12]) {
        const url = await newDatabase(cluster.port);
        let commits = 0;
        const restarted = postgresTargetOf(url, {
          beforeCommit: () => {
            if (++commits === at) cluster.restart();
          },
        });
        await expect(syncFleet(clientOf(lane), restarted, options)).rejects.toMatchObject({ reason: 'UNREACHABLE' });
        await syncFleet(clientOf(lane), postgresTarget(url), options);
        expect(await contentOf(postgresTarget(url))).toEqual(lane.expected);
      }
    } finally {
      cluster.remove();
    }
  });
});

test('503s, resets and expired tokens in between do not change the copy', { timeout: 120_000 }, async () => {
  const { listening, expected } = firstLane();
  const fault = fc.constantFrom('status', 'reset', 'token', 'none');
  await fc.assert(
    fc.asyncProperty(fc.array(fault, { minLength: 10, maxLength: 10 }), async (faults) => {
      const own = makeService({ vehicles: 3 });
      const next = [...faults];
      const file = tempFile('suite');
      const disturb = () => {
        const kind = next.shift();
        if (kind === 'status' || kind === 'reset') own.faults.add({ kind, times: 2 });
        if (kind === 'token') own.clock.advance(301_000);
      };
      for (;;) {
        try {
          await syncFleet(clientOf({ service: own, listening }), sqliteTarget(file), {
            ...options,
            onProgress: disturb,
          });
          break;
        } catch {
          disturb();
        }
      }
      // The service's time has passed, so vehicles have driven on.
      const timeless = ({ vehicle_counters: _, latest_snapshots: __, ...others }: Readonly<Record<string, string>>) =>
        others;
      expect(timeless(await contentOf(sqliteTarget(file)))).toEqual(timeless(expected));
    }),
    { numRuns: 5 },
  );
});
