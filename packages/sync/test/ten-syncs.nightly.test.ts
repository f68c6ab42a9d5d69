// Counts the writes, requests and dead rows of ten syncs, a minute apart. An early version wrote
// two hours of rows each time: 225,000 rows for 1,900 new ones, and 30 requests for 48 MB each.
import { expect, onTestFinished, test } from 'vitest';
import { makeClient, makeService, START } from '../../../test/request/setup.js';
import { postgresTarget, type SyncPart, syncFleet, syncParts } from '../src/index.js';
import { defaultParts } from '../src/parts.js';
import { anyPostgres, dropDatabase, inDatabase, newDatabase, skipped } from './server.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const server = await anyPostgres();
if (server === null) skipped('what ten syncs write, counted by PostgreSQL');
process.once('exit', () => server?.stop());

/** Returns the written rows and dead tuples of all tables, and the rows of snapshots. */
async function countsOf(url: string) {
  // The server updates its counts when the session that made them has ended.
  await inDatabase(url, 'SELECT pg_stat_force_next_flush()');
  const [[written, dead, snapshots] = []] = await inDatabase(
    url,
    `SELECT sum(n_tup_ins + n_tup_upd + n_tup_del), sum(n_dead_tup),
       sum(n_tup_ins) FILTER (WHERE relname ~ '^snapshots') FROM pg_stat_user_tables`,
  );
  return { written: Number(written), dead: Number(dead), snapshots: Number(snapshots) };
}

interface Measured {
  readonly requests: readonly number[];
  readonly bytes: number;
  readonly written: number;
  readonly dead: number;
  readonly newSnapshots: number;
}

async function tenSyncs(port: number, vehicles: number, parts: readonly SyncPart[], rounds = 10): Promise<Measured> {
  const service = makeService({ vehicles });
  const url = await newDatabase(port);
  onTestFinished(() => dropDatabase(url));
  let bytes = 0;
  const syncOnce = async () => {
    // Each sync is a process of its own, without cached vehicles.
    const fleet = makeClient(service, {
      async fetch(path, init) {
        const answer = await service.fetch(path, init);
        bytes += (await answer.clone().arrayBuffer()).byteLength;
        return answer;
      },
    });
    const { failures } = await syncFleet(fleet, postgresTarget(url), { parts, since: new Date(START - 3 * HOUR) });
    expect(failures).toEqual([]);
  };
  await syncOnce();
  // Vacuum would reduce the count of dead tuples.
  const tables = await inDatabase(
    url,
    "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace",
  );
  for (const [table] of tables) await inDatabase(url, `ALTER TABLE ${table} SET (autovacuum_enabled = off)`);
  const before = await countsOf(url);
  bytes = 0;
  const requests: number[] = [];
  for (let round = 0; round < rounds; round++) {
    service.clock.advance(MINUTE);
    service.clearRequests();
    await syncOnce();
    // The login is not counted: a process that continues logs in once.
    requests.push(service.requests.filter(({ operations }) => operations.length > 0).length);
  }
  const after = await countsOf(url);
  return {
    requests,
    bytes,
    written: after.written - before.written,
    dead: after.dead - before.dead,
    newSnapshots: after.snapshots - before.snapshots,
  };
}

test.skipIf(server === null)('of all parts write at most two rows for each new snapshot', async () => {
  const { written, dead, bytes, newSnapshots } = await tenSyncs(server?.port ?? 0, 25, syncParts);
  expect(newSnapshots).toBeGreaterThan(900);
  expect(written).toBeLessThanOrEqual(2 * newSnapshots);
  expect(dead).toBeLessThanOrEqual(newSnapshots / 2);
  expect(bytes).toBeLessThanOrEqual(100_000_000);
});

test.skipIf(server === null)(
  'of trips and newest snapshots of 25 vehicles take fewer than five requests each',
  async () => {
    const { requests, bytes } = await tenSyncs(server?.port ?? 0, 25, defaultParts);
    expect(Math.max(...requests)).toBeLessThan(5);
    expect(bytes).toBeLessThanOrEqual(60_000_000);
  },
);

test.skipIf(server === null)('and those of 1,000 vehicles fewer than 200', async () => {
  const { requests } = await tenSyncs(server?.port ?? 0, 1000, defaultParts, 2);
  expect(Math.max(...requests)).toBeLessThan(200);
});
