// The roads of the last days: which requests are sent, and which are cached.
import { expect, test } from 'vitest';
import { daysAgoOf, RecentRoads } from '../src/command/recent-roads.js';
import type { MapRoads } from '../src/shapes.js';

const start = Date.parse('2026-03-02T09:30:00Z');
const day = 86_400_000;
const idle = new AbortController().signal;

function roadsOf(read?: (from: number, signal: AbortSignal) => Promise<MapRoads>) {
  const state = { now: start, ids: ['a', 'b'] };
  const reads: { readonly ids: readonly string[]; readonly days: readonly number[] }[] = [];
  const roads = new RecentRoads({
    now: () => state.now,
    vehicleIds: () => state.ids,
    read: (ids, { from, to }, signal) => {
      reads.push({ ids, days: [(from - start) / day, (to - start) / day] });
      return read?.(from, signal) ?? Promise.resolve({ to, lines: [[from]] });
    },
    signal: idle,
  });
  return { roads, state, asked: reads };
}

test('a day is asked for once in half an hour, and all days end at the same time of day', async () => {
  const { roads, state, asked: reads } = roadsOf();
  await roads.day(0, idle);
  state.now += 600_000;
  state.ids = ['c'];
  expect(await roads.day(1, idle)).toEqual({ to: start - day, lines: [[start - 2 * day]] });
  await roads.day(0, idle);
  await roads.day(1, idle);
  expect(reads).toEqual([
    { ids: ['a', 'b'], days: [-1, 0] },
    { ids: ['a', 'b'], days: [-2, -1] },
  ]);
  state.now = start + 1_800_001;
  await roads.day(1, idle);
  expect(reads.slice(2).map(({ ids }) => ids)).toEqual([['c'], ['c']]);
});

test('a page that goes away ends the reading of an earlier day, and the next page reads it again', async () => {
  const left = new AbortController();
  const { roads, asked: reads } = roadsOf((_, signal) =>
    signal === left.signal
      ? new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      : Promise.resolve({ to: start, lines: [] }),
  );
  const gone = roads.day(3, left.signal);
  left.abort(new Error('left'));
  await expect(gone).rejects.toThrow('left');
  expect(await roads.day(3, idle)).toEqual({ to: start, lines: [] });
  expect(reads.map(({ days: [from] }) => from)).toEqual([-1, -4, -4]);
});

test('reports the last day that fails, and reads it again for the next page', async () => {
  let fails = true;
  const { roads } = roadsOf(() =>
    fails ? Promise.reject(new Error('no roads')) : Promise.resolve({ to: start, lines: [] }),
  );
  await expect(roads.day(0, idle)).rejects.toThrow('no roads');
  fails = false;
  expect(await roads.day(0, idle)).toEqual({ to: start, lines: [] });
});

test('an address names one of seven days', () => {
  expect([null, '', '0', '1', '6', '7', '-1', '1.5', 'x'].map(daysAgoOf)).toEqual([0, 0, 0, 1, 6, 0, 0, 0, 0]);
});
