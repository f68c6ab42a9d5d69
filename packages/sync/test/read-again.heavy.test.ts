// Tests that a period has the service's rows when it is read again: after withdrawn and changed
// rows, after kills, and after failed or incomplete answers.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Fetch } from '../../../src/index.js';
import type { MockService } from '../../../src/mock/service.js';
import { makeClient, makeService, START } from '../../../test/request/setup.js';
import { runs } from '../../../test/runs.js';
import { type SyncOptions, type SyncTarget, sqliteTarget, syncFleet } from '../src/index.js';
import { sqliteTargetOf } from '../src/sqlite/sqlite-target.js';
import { contentOf, query, tempFile } from './copies.js';
import { databases } from './databases.js';
import { targetWith } from './target-with.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const since = new Date(START - 3 * HOUR);
const parts = ['trips', 'snapshots'] as const;

/** A snapshot some seconds before START, identified by its speed. */
const row = (secondsAgo: number, speed: number, ignition = true) => ({
  at: START - secondsAgo * 1000,
  ignition,
  gps: { state: true, latitude: 52, longitude: 13, speed },
});

function syncOnce(service: MockService, target: SyncTarget, options: SyncOptions = {}) {
  return syncFleet(makeClient(service), target, { since, parts, lateEveryMs: 0, ...options });
}

async function oneVehicle(): Promise<{ readonly service: MockService; readonly vehicleId: string }> {
  const service = makeService({ vehicles: 1 });
  const [vehicle] = await makeClient(service).getVehicles();
  return { service, vehicleId: String(vehicle?.id) };
}

async function rowsOf(target: SyncTarget) {
  const { trips, snapshots } = await contentOf(target);
  return { trips, snapshots };
}

/** Returns a fetch with altered snapshots. */
function answering(service: MockService, change: (rows: unknown[]) => unknown): Fetch {
  return async (url, init) => {
    const answer = await service.fetch(url, init);
    if (!String(init.body).includes('getSnapshots')) return answer;
    const { data } = Object(await answer.json());
    const changed = Object.entries(data).map(([name, rows]) => [name, Array.isArray(rows) ? change(rows) : rows]);
    return Response.json({ data: Object.fromEntries(changed) });
  };
}

describe.each(databases)('%s', (_name, make) => {
  test('rows that the service withdrew are gone, and no neighbour is there twice', async () => {
    const { service, vehicleId } = await oneVehicle();
    const { target, run } = await make();
    const drive = [row(600, 1), row(500, 2), row(500, 3), row(500, 4), row(400, 5), row(300, 6, false)];
    service.telemetry.script(vehicleId, drive);
    await syncOnce(service, target);
    expect(await run('SELECT speed_kmh, ordinal FROM snapshots ORDER BY recorded_at, ordinal')).toHaveLength(6);
    service.telemetry.script(
      vehicleId,
      drive.filter(({ gps }) => gps.speed !== 2 && gps.speed !== 5),
    );
    await syncOnce(service, target);
    const speeds = (await run('SELECT speed_kmh, ordinal FROM snapshots ORDER BY recorded_at, ordinal')).map((cells) =>
      cells.map(Number),
    );
    expect(speeds).toEqual([
      [1, 0],
      [3, 0],
      [4, 1],
      [6, 0],
    ]);
    service.telemetry.script(vehicleId, [row(600, 1, false)]);
    await syncOnce(service, target);
    expect(await run('SELECT 1 FROM trips')).toEqual([]);
  });

  test('a row that stays is never deleted in between, so that tables of the user may refer to it', async () => {
    const { service, vehicleId } = await oneVehicle();
    const { target, run } = await make();
    service.telemetry.script(vehicleId, [row(600, 10), row(500, 20), row(400, 0, false)]);
    await syncOnce(service, target);
    const [[trip] = []] = await run('SELECT id FROM trips');
    await run('CREATE TABLE notes (trip_id TEXT PRIMARY KEY REFERENCES trips (id))');
    await run(`INSERT INTO notes VALUES ('${trip}')`);
    service.telemetry.script(vehicleId, [row(600, 10), row(500, 30), row(400, 0, false)]);
    expect((await syncOnce(service, target)).failures).toEqual([]);
    expect(await run('SELECT id FROM trips')).toEqual([[trip]]);
  });

  test('nothing is deleted of a vehicle that failed', async () => {
    const { service, vehicleId } = await oneVehicle();
    const { target } = await make();
    service.telemetry.script(vehicleId, [row(600, 1), row(500, 2, false)]);
    await syncOnce(service, target);
    const before = await rowsOf(target);
    service.telemetry.script(vehicleId, [row(600, 1, false)]);
    const broken: Fetch = async (url, init) => {
      if (!String(init.body).includes('getSnapshots')) return service.fetch(url, init);
      const { data } = Object(await (await service.fetch(url, init)).json());
      const errors = Object.keys(data).map((name) => ({ message: 'broken', path: [name] }));
      return Response.json({ data: Object.fromEntries(Object.keys(data).map((name) => [name, null])), errors });
    };
    const { failures } = await syncFleet(makeClient(service, { fetch: broken }), target, { since, parts });
    expect(failures.map(({ part }) => part)).toEqual(['trips', 'snapshots']);
    expect(await rowsOf(target)).toEqual(before);
  });

  test.each([
    ['a row that is null', (rows: unknown[]) => rows.map((one, index) => (index === 1 ? null : one)), []],
    ['null in place of all rows, which has failed', () => null, ['trips', 'snapshots']],
  ])('nothing is deleted after an answer with %s', async (_what, change, failed) => {
    const { service, vehicleId } = await oneVehicle();
    const { target, run } = await make();
    service.telemetry.script(vehicleId, [row(600, 1), row(500, 2), row(400, 3, false)]);
    await syncOnce(service, target);
    const fleet = makeClient(service, { fetch: answering(service, change) });
    const { failures } = await syncFleet(fleet, target, { since, parts });
    expect(failures.map(({ part }) => part)).toEqual(failed);
    expect(await run('SELECT 1 FROM snapshots')).toHaveLength(3);
    expect(await run('SELECT 1 FROM trips')).toHaveLength(1);
  });
});

test('the rows of one moment are written together, however the batches fall', async () => {
  const { service, vehicleId } = await oneVehicle();
  // There are three rows each, and a batch has 2,000.
  const all = Array.from({ length: 1500 }, (_, index) => [1, 2, 3].map((speed) => row(7000 - index * 4, speed))).flat();
  service.telemetry.script(vehicleId, all);
  const file = tempFile();
  await syncOnce(service, sqliteTarget(file), { parts: ['snapshots'] });
  const target = sqliteTarget(file);
  const moments = new Map<unknown, Set<number>>();
  let batches = 0;
  const watched = targetWith(target, (open) => ({
    apply(batch) {
      batches++;
      for (const step of batch.steps) {
        if (step.kind !== 'replace') continue;
        for (const [, time] of step.rows) moments.set(time, (moments.get(time) ?? new Set()).add(batches));
      }
      return open.apply(batch);
    },
  }));
  await syncOnce(service, watched, { parts: ['snapshots'] });
  expect(moments.size).toBe(1500);
  expect([...moments.values()].filter((of) => of.size > 1)).toEqual([]);
  expect(await query(file, 'SELECT count(*), max(ordinal) FROM snapshots')).toEqual([[4500, 2]]);
});

test('whatever is withdrawn, changed or added, and wherever a sync is killed: the copy is one that was made at the end', async () => {
  const { service, vehicleId } = await oneVehicle();
  const some = fc.array(fc.record({ slot: fc.integer({ min: 1, max: 9 }), speed: fc.nat(3), ignition: fc.boolean() }), {
    maxLength: 14,
  });
  const state = fc.record({ rows: some, killAt: fc.option(fc.integer({ min: 1, max: 4 })) });
  await fc.assert(
    fc.asyncProperty(fc.array(state, { minLength: 2, maxLength: 4 }), some, async (states, last) => {
      const [followed, fresh] = [tempFile('suite'), tempFile('suite')];
      for (const { rows, killAt } of [...states, { rows: last, killAt: null }]) {
        const script = rows.map(({ slot, speed, ignition }) => row(slot * 90, speed, ignition));
        service.telemetry.script(vehicleId, script.length === 0 ? [row(6000, 0, false)] : script);
        let commits = 0;
        const target = sqliteTargetOf(followed, {
          beforeCommit() {
            if (++commits === killAt) throw new Error('killed');
          },
        });
        await syncOnce(service, target).catch(() => undefined);
      }
      await syncOnce(service, sqliteTarget(fresh));
      expect(await rowsOf(sqliteTarget(followed))).toEqual(await rowsOf(sqliteTarget(fresh)));
    }),
    { numRuns: runs(25) },
  );
});

describe('rows that change between syncs', () => {
  /** Adds the service's time to answers. Otherwise only reports of vehicles confirm progress. */
  const syncOnce = (service: MockService, target: SyncTarget, options: SyncOptions) => {
    const fetch: Fetch = async (url, init) => {
      const answer = await service.fetch(url, init);
      const headers = new Headers(answer.headers);
      headers.set('date', new Date(service.clock.now()).toUTCString());
      return new Response(await answer.text(), { status: answer.status, headers });
    };
    return syncFleet(makeClient(service, { fetch }), target, { since, parts, ...options });
  };
  const late = { lateMs: HOUR, lateEveryMs: 15 * MINUTE, parts: ['latest', ...parts] } as const;

  test('what arrives late is there after the next look for it, and not before', async () => {
    const { service, vehicleId } = await oneVehicle();
    const file = tempFile();
    const drive = [row(3000, 1), row(2900, 2), row(2800, 3, false), row(60, 4, false)];
    service.telemetry.script(vehicleId, drive.slice(2));
    await syncOnce(service, sqliteTarget(file), late);
    service.telemetry.script(vehicleId, drive);
    service.clock.advance(14 * MINUTE);
    await syncOnce(service, sqliteTarget(file), late);
    expect(await query(file, 'SELECT count(*) FROM snapshots')).toEqual([[2]]);
    service.clock.advance(MINUTE);
    await syncOnce(service, sqliteTarget(file), late);
    expect(await query(file, 'SELECT count(*) FROM snapshots')).toEqual([[4]]);
    expect(await query(file, 'SELECT count(*) FROM trips')).toEqual([[1]]);
  });

  test('what arrived just after a look for it is there after the next one, however many syncs came in between', async () => {
    const { service, vehicleId } = await oneVehicle();
    const file = tempFile();
    const [early, parked] = [row(58 * 60, 1), row(30, 4, false)];
    service.telemetry.script(vehicleId, [parked]);
    // If the newest snapshots are not read, each sync reads the vehicle.
    const all = { ...late, parts };
    await syncOnce(service, sqliteTarget(file), all);
    service.telemetry.script(vehicleId, [early, parked]);
    const counts: unknown[] = [];
    for (const minutes of [7, 7, 2]) {
      service.clock.advance(minutes * MINUTE);
      await syncOnce(service, sqliteTarget(file), all);
      counts.push((await query(file, 'SELECT count(*) FROM snapshots')).flat()[0]);
    }
    expect(counts).toEqual([1, 1, 2]);
  });

  test('a vehicle that has reported nothing since is not read, and one on a trip is', async () => {
    const { service, vehicleId } = await oneVehicle();
    const file = tempFile();
    service.telemetry.script(vehicleId, [row(900, 1), row(60, 4)]);
    await syncOnce(service, sqliteTarget(file), late);
    const countRequests = async () => {
      service.clock.advance(MINUTE);
      service.clearRequests();
      await syncOnce(service, sqliteTarget(file), late);
      return service.requests.filter(({ operations }) => operations.includes('getSnapshots')).length;
    };
    expect(await countRequests()).toBeGreaterThan(0);
    service.telemetry.script(vehicleId, [row(900, 1), row(60, 4), row(50, 0, false)]);
    await countRequests();
    service.clock.advance(5 * MINUTE);
    await countRequests();
    expect(await query(file, 'SELECT is_open FROM trips')).toEqual([[0]]);
    expect(await countRequests()).toBe(0);
  });

  test('whatever changes within the time that may be late, and however many syncs come in between: the copy is a fresh one after the next look', async () => {
    const { service, vehicleId } = await oneVehicle();
    // Rows may be an hour late.
    const oldest = 39;
    const some = fc.array(
      fc.record({ slot: fc.integer({ min: 1, max: oldest }), speed: fc.nat(3), ignition: fc.boolean() }),
      { maxLength: 14 },
    );
    const state = fc.record({
      rows: some,
      minutes: fc.integer({ min: 6, max: 14 }),
      killAt: fc.option(fc.integer({ min: 1, max: 7 }), { freq: 2 }),
    });
    const read = fc.constantFrom(late.parts, parts);
    await fc.assert(
      fc.asyncProperty(fc.array(state, { minLength: 3, maxLength: 5 }), read, async (states, ofSync) => {
        const [followed, fresh] = [tempFile('suite'), tempFile('suite')];
        const from = new Date(service.clock.now() - 3 * HOUR);
        let sent = [{ ...row(0, 0, false), at: service.clock.now() - 100 * MINUTE }];
        for (const { rows, minutes, killAt } of states) {
          const now = service.clock.now();
          const changed = rows.map(({ slot, speed, ignition }) => ({
            ...row(0, speed, ignition),
            at: now - slot * 90_000,
          }));
          sent = [...sent.filter(({ at }) => at < now - oldest * 90_000), ...changed];
          service.telemetry.script(vehicleId, sent);
          let commits = 0;
          const target = sqliteTargetOf(followed, {
            beforeCommit() {
              if (++commits === killAt) throw new Error('killed');
            },
          });
          await syncOnce(service, target, { ...late, since: from, parts: ofSync }).catch(() => undefined);
          service.clock.advance(minutes * MINUTE);
        }
        service.clock.advance(late.lateEveryMs);
        const until = new Date(service.clock.now());
        await syncOnce(service, sqliteTarget(followed), { ...late, until });
        await syncOnce(service, sqliteTarget(fresh), { ...late, since: from, until });
        expect(await rowsOf(sqliteTarget(followed))).toEqual(await rowsOf(sqliteTarget(fresh)));
      }),
      { numRuns: runs(25) },
    );
  });
});
