// Tests `keepMs`: only older rows are deleted, despite interruptions, and are not read again.
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { MockService, ScriptedRow } from '../../../src/mock/service.js';
import { makeClient, makeService, rejection, START } from '../../../test/request/setup.js';
import { parquetTarget, type SyncOptions, type SyncTarget, syncFleet } from '../src/index.js';
import type { Cell } from '../src/rows.js';
import { partTables } from '../src/tables.js';
import { contentOf, tempFile } from './copies.js';
import { databases } from './databases.js';
import { targetWith } from './target-with.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const text = (ms: number) => new Date(ms).toISOString();
/** The retention of three days begins here at START. */
const BEGIN = Date.parse('2026-02-26T00:00:00Z');
const parts = ['trips', 'snapshots'] as const;
const options: SyncOptions = { parts, since: new Date(START - 6 * DAY) };

/** Returns a drive with a harsh event at its begin and a row every five minutes. */
function drive(begin: number, end: number): ScriptedRow[] {
  const rows: ScriptedRow[] = [];
  for (let at = begin; at <= end; at += 5 * MINUTE) {
    const gps = { state: true, latitude: 59 + (at - begin) / (1000 * HOUR), longitude: 24, speed: at < end ? 50 : 0 };
    const driverBehaviour = { driverBehaviourType: 'HARSH_BRAKING', driverBehaviourValue: 1 };
    rows.push({ at: text(at), gps, ignition: at < end, ...(at === begin ? { driverBehaviour } : {}) });
  }
  return rows;
}

/** Returns two vehicles that drive every day, one at the midnight where the retention begins. */
async function makeFleet(now = { time: START }): Promise<MockService> {
  const service = makeService({ vehicles: 2, clock: { now: () => now.time } });
  const vehicles = await makeClient(service).getVehicles({}, { select: { id: true } });
  for (const [at, { id }] of vehicles.entries()) {
    const daily = Array.from({ length: 7 }, (_, days) => START - days * DAY - 3 * HOUR);
    const rows = daily.flatMap((begin) => drive(begin, begin + 20 * MINUTE));
    if (at === 0) rows.push(...drive(BEGIN - 20 * MINUTE, BEGIN + 20 * MINUTE));
    service.telemetry.script(
      String(id),
      rows.sort((one, other) => Date.parse(String(one.at)) - Date.parse(String(other.at))),
    );
  }
  return service;
}

async function rowsOf(target: SyncTarget, table: string, columns: readonly string[]) {
  const looked = await target.look();
  const rows = (await looked?.read(table, columns)) ?? [];
  await looked?.close();
  return rows;
}

const kinds: readonly (readonly [name: string, make: () => Promise<SyncTarget>])[] = [
  ...databases.map(([name, make]) => [name, async () => (await make()).target] as const),
  ['Parquet', async () => parquetTarget(join(dirname(tempFile()), 'copy'))],
];

describe.each(kinds)('%s', (_name, make) => {
  test('what is older goes, with its parts; a trip that ended later stays, and nothing is read again', async () => {
    const now = { time: START };
    const service = await makeFleet(now);
    const target = await make();
    const first = await syncFleet(makeClient(service), target, options);
    expect(first.deleted).toBeNull();
    const snapshots = async () => (await rowsOf(target, 'snapshots', ['recorded_at'])).map(([time]) => String(time));
    const ends = async () => (await rowsOf(target, 'trips', ['ended_at'])).map(([time]) => String(time));
    const [allTimes, allEnds] = [await snapshots(), await ends()];
    const keptTimes = allTimes.filter((time) => time >= text(BEGIN));
    const keptEnds = allEnds.filter((time) => time >= text(BEGIN));
    expect(keptTimes.length).toBeGreaterThan(20);
    expect(keptTimes.length).toBeLessThan(allTimes.length);

    now.time += MINUTE;
    const { deleted } = await syncFleet(makeClient(service), target, { parts, keepMs: 3 * DAY });
    expect(await snapshots()).toEqual(keptTimes);
    expect(await ends()).toEqual(keptEnds);
    expect(keptEnds).toContain(text(BEGIN + 20 * MINUTE));
    expect(deleted).toMatchObject({ before: text(BEGIN), snapshots: allTimes.length - keptTimes.length });
    // Each trip has at least one part of a day and an event.
    expect(deleted?.trips).toBeGreaterThanOrEqual(3 * (allEnds.length - keptEnds.length));
    const ids = (await rowsOf(target, 'trips', ['id'])).flat();
    for (const { name } of partTables('trips')) {
      for (const [id] of await rowsOf(target, name, ['trip_id'])) expect(ids).toContain(id);
    }
    const runs = await rowsOf(target, 'sync_runs', ['rows_deleted']);
    expect(runs.at(-1)).toEqual([(deleted?.trips ?? 0) + (deleted?.snapshots ?? 0)]);
    const begins = (await rowsOf(target, 'sync_cursors', ['begins_at'])).flat();
    expect(new Set(begins)).toEqual(new Set([text(BEGIN)]));

    const before = await contentOf(target);
    const again = await syncFleet(makeClient(service), target, { parts, keepMs: 3 * DAY });
    expect(again.deleted).toEqual({ before: text(BEGIN), trips: 0, stops: 0, snapshots: 0 });
    expect(await contentOf(target)).toEqual(before);
  });

  test('ended at any batch, the next sync brings the copy to what an undisturbed one has', async () => {
    const service = await makeFleet();
    const run = (target: SyncTarget, more: SyncOptions) =>
      syncFleet(makeClient(service), target, { ...options, ...more });
    const keep = { since: undefined, keepMs: 3 * DAY };
    const whole = await make();
    await run(whole, {});
    const { deleted } = await run(whole, keep);
    const expected = await contentOf(whole);
    const target = await make();
    await run(target, {});
    // At first, all rows to delete are there; each next time, those that the last one has left.
    const stopped: boolean[] = [];
    for (const stop of [0, 1, 2, 3]) {
      let left = stop;
      const failing = targetWith(target, (open) => ({
        async apply(batch) {
          const { steps, cursors } = batch;
          const ofKeep = steps.some(({ kind }) => kind === 'deleteBefore') || cursors.length > 0;
          if (ofKeep && left-- === 0) throw new Error('stopped');
          return open.apply(batch);
        },
      }));
      stopped.push(
        await run(failing, keep).then(
          () => false,
          () => true,
        ),
      );
    }
    expect(stopped).toEqual([true, true, true, true]);
    const last = await run(target, keep);
    expect(last.deleted?.snapshots).toBeLessThan(deleted?.snapshots ?? 0);
    expect(await contentOf(target)).toEqual(expected);
  });
});

const [[, makeSqlite] = ['', () => Promise.reject(new Error('no SQLite'))]] = kinds;

test('a trip that is under way stays whole, and its vehicle is read from its begin', async () => {
  const now = { time: START };
  const service = await makeFleet(now);
  const [vehicle] = await makeClient(service).getVehicles({}, { select: { id: true } });
  const begin = START - 50 * HOUR;
  service.telemetry.script(String(vehicle?.id), drive(begin, START + 10 * HOUR));
  const target = await makeSqlite();
  const open = () => rowsOf(target, 'trips', ['started_at', 'is_open']);
  await syncFleet(makeClient(service), target, { ...options, parts: ['trips'] });
  for (const _ of [1, 2]) {
    now.time += MINUTE;
    await syncFleet(makeClient(service), target, { parts: ['trips'], keepMs: DAY });
    expect((await open()).filter(([, isOpen]) => isOpen)).toEqual([[text(begin), true]]);
  }
  const begins = await rowsOf(target, 'sync_cursors', ['vehicle_id', 'begins_at']);
  expect(begins).toContainEqual([vehicle?.id, text(begin)]);
});

test('a new vehicle is read from where rows are kept', async () => {
  const service = await makeFleet();
  const target = await makeSqlite();
  await syncFleet(makeClient(service), target, { parts, keepMs: 2 * DAY });
  const [[first] = []] = (await rowsOf(target, 'snapshots', ['recorded_at'])).toSorted(byFirst);
  expect(String(first) >= text(BEGIN + DAY)).toBe(true);
  expect((await rowsOf(target, 'sync_cursors', ['begins_at'])).flat()).toContain(text(BEGIN + DAY));
});

function byFirst([one]: readonly (Cell | undefined)[], [other]: readonly (Cell | undefined)[]): number {
  return String(one) < String(other) ? -1 : 1;
}

test.each([
  ['this machine', true],
  ['this machine, and the service names no time', false],
])('a clock that is a year ahead deletes nothing: %s', async (_name, hasDate) => {
  const service = await makeFleet();
  const target = await makeSqlite();
  await syncFleet(makeClient(service), target, options);
  const before = await rowsOf(target, 'snapshots', ['recorded_at']);
  const { deleted } = await syncFleet(
    makeClient(service, {
      clock: { now: () => START + 365 * DAY },
      async fetch(url, init) {
        const answer = await service.fetch(url, init);
        if (!hasDate) answer.headers.delete('date');
        return answer;
      },
    }),
    target,
    { parts, keepMs: 7 * DAY },
  );
  expect(deleted).toMatchObject({ trips: 0, snapshots: 0 });
  expect(await rowsOf(target, 'snapshots', ['recorded_at'])).toEqual(before);
});

test.each([
  [{ keepMs: DAY - 1 }, /keepMs .*86400000/],
  [{ keepMs: DAY, lateMs: 2 * DAY }, /--keep.* is less than lateMs/],
  [{ keepMs: 3 * DAY, since: text(BEGIN - 1) }, /since \(--since\) is before 2026-02-26T00:00:00\.000Z, and keepMs/],
])('refuses %j', async (invalidOptions, message) => {
  const service = await makeFleet();
  const error = await rejection(syncFleet(makeClient(service), await makeSqlite(), { parts, ...invalidOptions }));
  expect(error).toMatchObject({ code: 'INVALID_INPUT', message: expect.stringMatching(message) });
});

test('does not take the begin of the kept time for a refusal', async () => {
  const service = await makeFleet();
  await syncFleet(makeClient(service), await makeSqlite(), { parts, keepMs: 3 * DAY, since: text(BEGIN) });
});
