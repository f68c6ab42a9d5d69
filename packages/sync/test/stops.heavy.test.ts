// Tests that a copy has the service's stops, after late rows and any number of syncs.
import { describe, expect, test } from 'vitest';
import type { Stop } from '../../../src/index.js';
import type { MockService } from '../../../src/mock/service.js';
import { makeClient, makeService, START } from '../../../test/request/setup.js';
import { parquetTarget, type SyncOptions, type SyncTarget, syncFleet } from '../src/index.js';
import { contentOf, tempFile } from './copies.js';
import { databases } from './databases.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const since = new Date(START - 6 * HOUR);
const parts = ['vehicles', 'latest', 'stops'] as const;

function syncOnce(service: MockService, target: SyncTarget, options: SyncOptions = {}) {
  return syncFleet(makeClient(service), target, { since, parts, ...options });
}

/** A snapshot some minutes after START, at a distance in metres. */
const row = (minutes: number, metres: number, speed: number, ignition = false) => ({
  at: START + minutes * MINUTE,
  ignition,
  gps: { state: true, latitude: 52 + metres / 111_195, longitude: 13, speed },
});

async function oneVehicle(now: () => number) {
  const service = makeService({ vehicles: 1, clock: { now } });
  const [vehicle] = await makeClient(service).getVehicles();
  return { service, vehicleId: String(vehicle?.id) };
}

const kinds = [...databases, ['Parquet', async () => ({ target: parquetTarget(`${tempFile()}.parquet`) })] as const];

describe.each(kinds)('%s', (_name, make) => {
  test('has the stops of the service, after many syncs as after one', async () => {
    let now = START;
    const service = makeService({ vehicles: 8, clock: { now: () => now } });
    const [{ target }, { target: undisturbed }] = [await make(), await make()];
    for (let round = 0; round < 8; round++, now += 23 * MINUTE) await syncOnce(service, target);
    now -= 23 * MINUTE;
    await syncOnce(service, undisturbed);
    const { stops } = await contentOf(target);
    expect(stops).toEqual((await contentOf(undisturbed)).stops);
    const fleet = makeClient(service);
    const vehicleIds = (await fleet.getVehicles()).flatMap(({ id }) => id ?? []);
    const expected: Stop[] = [];
    for await (const stop of fleet.streamStops({ vehicleIds, from: since, to: new Date(now) })) expected.push(stop);
    const open = await target.open();
    try {
      const cells = await open.read('stops', ['id', 'ended_at', 'is_open', 'idle_s', 'duration_s']);
      const inOrder = (rows: readonly (readonly unknown[])[]) => rows.map(String).sort();
      expect(inOrder(cells)).toEqual(
        inOrder(
          expected.map(({ id, endedAt, isOpen, idleSeconds, durationSeconds }) => [
            ...[id, endedAt, isOpen, idleSeconds, isOpen ? null : durationSeconds],
          ]),
        ),
      );
      expect(cells.length).toBeGreaterThan(10);
    } finally {
      await open.close();
    }
  });

  test('late snapshots split, extend and begin stops', async () => {
    let now = START + 61 * MINUTE;
    const { service, vehicleId } = await oneVehicle(() => now);
    const { target } = await make();
    const drive = [row(-60, -5000, 60, true), row(0, 0, 0), row(60, 0, 0)];
    const spans = async () => {
      const open = await target.open();
      try {
        const minutes = (cell: unknown) => (cell === null ? null : (Date.parse(String(cell)) - START) / MINUTE);
        const cells = await open.read('stops', ['started_at', 'ended_at']);
        return cells.map((row) => row.map(minutes)).sort((a, b) => Number(a[0]) - Number(b[0]));
      } finally {
        await open.close();
      }
    };
    const then = async (minutes: number, rows: Parameters<typeof service.telemetry.script>[1]) => {
      now = START + minutes * MINUTE;
      service.telemetry.script(vehicleId, rows);
      await syncOnce(service, target);
      return spans();
    };
    expect(await then(61, drive)).toEqual([[0, null]]);
    const split = [...drive.slice(0, 2), row(20, 700, 40, true), row(30, 0, 0), ...drive.slice(2)];
    expect(await then(62, split)).toEqual([
      [0, 20],
      [30, null],
    ]);
    const extended = [...split.slice(0, 3), row(24, 0, 0), ...split.slice(3)];
    expect(await then(64, extended)).toEqual([
      [0, 20],
      [24, null],
    ]);
    expect(await then(75, [...extended, row(70, 900, 50, true), row(73, 2000, 0, true)])).toEqual([
      [0, 20],
      [24, 70],
    ]);
    // No rows have come since: time alone makes it a stop.
    expect((await then(90, [...extended, row(70, 900, 50, true), row(73, 2000, 0, true)])).at(-1)).toEqual([73, null]);
  });

  test('a vehicle that is gone has no open stop', async () => {
    const { service, vehicleId } = await oneVehicle(() => START + 30 * MINUTE);
    const { target } = await make();
    service.telemetry.script(vehicleId, [row(0, 0, 0, true), row(10, 0, 0, true)]);
    await syncOnce(service, target);
    const gone: typeof service.fetch = async (url, init) => {
      const answer = await service.fetch(url, init);
      if (!String(init?.body).includes('getVehicles')) return answer;
      const { data } = Object(await answer.json());
      const without = Object.entries(data).map(([name, value]) => [name, Array.isArray(value) ? [] : value]);
      return Response.json({ data: Object.fromEntries(without) });
    };
    await syncFleet(makeClient(service, { fetch: gone }), target, { since, parts, allowDeletions: true });
    const open = await target.open();
    try {
      const [stop] = await open.read('stops', ['is_open', 'ended_by', 'duration_s', 'idle_s']);
      expect(stop).toEqual([false, 'unfinished', 600, 600]);
    } finally {
      await open.close();
    }
  });
});
