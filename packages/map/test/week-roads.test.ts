// The roads of a week: a day at a time, and never mixed from two readings of the server.
import { expect, test } from 'vitest';
import type { Source } from '../src/page/source.js';
import { WEEK_DAYS, WeekRoads } from '../src/page/week-roads.js';
import type { MapRoads } from '../src/shapes.js';

const end = Date.parse('2026-03-02T09:30:00Z');
const day = 86_400_000;
const hour = 3_600_000;

/** The line of a day is one degree longer than that of the following day. */
function weekOf(onDay: (days: number) => void = () => undefined) {
  const state = { end };
  const daysRead: number[] = [];
  const source: Source = {
    roads: async (daysAgo = 0, signal): Promise<MapRoads> => {
      daysRead.push(daysAgo);
      signal?.throwIfAborted();
      return { to: state.end - daysAgo * day, lines: [[0, 0, (daysAgo + 1) * 100_000, 0]] };
    },
    day: () => Promise.reject(new Error('not asked for')),
    geofences: () => Promise.reject(new Error('not asked for')),
    start: () => undefined,
  };
  const week: WeekRoads = new WeekRoads(source, () => onDay(week.days));
  return { week, state, asked: daysRead };
}

test('a week that has been read is not read again, until the program has newer roads', async () => {
  const { week, state, asked: daysRead } = weekOf();
  await week.read();
  expect(daysRead).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect({ days: week.days, end: week.end, lines: week.lines.length }).toEqual({ days: 7, end, lines: WEEK_DAYS });
  await week.read();
  expect(daysRead.slice(7)).toEqual([0]);
  expect(week.lines).toHaveLength(WEEK_DAYS);
  state.end += hour;
  await week.read();
  expect(daysRead.slice(8)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect({ end: week.end, lines: week.lines.length }).toEqual({ end: end + hour, lines: WEEK_DAYS });
});

test('one that was stopped goes on where it was; when the roads are read again meanwhile, it begins anew', async () => {
  let stopAt = 3;
  const { week, state, asked: daysRead } = weekOf((days) => days === stopAt && week.stop());
  await week.read();
  expect(daysRead).toEqual([0, 1, 2, 3]);
  stopAt = 5;
  await week.read();
  expect(daysRead.slice(4)).toEqual([0, 3, 4, 5]);
  stopAt = 0;
  state.end += hour;
  await week.read();
  expect(daysRead.slice(8)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  // Each day once.
  expect(new Set(week.lines.map((line) => line[2]))).toHaveProperty('size', WEEK_DAYS);
  expect({ days: week.days, end: week.end }).toEqual({ days: 7, end: end + hour });
});

test('the roads are read again while a week is read: the days before are given up', async () => {
  const {
    week,
    state,
    asked: daysRead,
  } = weekOf((days) => {
    if (days === 4 && state.end === end) state.end += hour;
  });
  await week.read();
  expect(daysRead).toEqual([0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 5, 6]);
  expect({ end: week.end, lines: week.lines.length }).toEqual({ end: end + hour, lines: WEEK_DAYS });
});
