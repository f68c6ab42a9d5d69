// The speed chart: its axes, and the time under the pointer.
import { expect, test } from 'vitest';
import { timeNear } from '../src/page/nearest-on-track.js';
import { speedTicks, timeTicks } from '../src/page/speed-axis.js';
import { decodeTrack } from '../src/page/track.js';

const start = Date.parse('2026-03-02T00:00:00Z');
const hour = 3_600_000;

test('the axes have round values, in the unit that is shown', () => {
  const values = (top: number, units: 'metric' | 'imperial') => speedTicks(top, units).map(({ value }) => value);
  expect(values(95, 'metric')).toEqual([0, 50, 100]);
  expect(values(20, 'metric')).toEqual([0, 10, 20]);
  expect(values(95, 'imperial')).toEqual([0, 20, 40, 60]);
  expect(values(900, 'metric').at(-1)).toBe(1_000);
  expect(speedTicks(95, 'imperial').at(-1)?.kmh).toBeCloseTo(96.6, 1);
  const hours = (ticks: readonly number[]) => ticks.map((time) => (time - start) / hour);
  expect(hours(timeTicks(start, start + 24 * hour - 1, 8, 0))).toEqual([3, 6, 9, 12, 15, 18, 21]);
  // In a zone where the day begins at 22:00, round times differ.
  expect(hours(timeTicks(start, start + 24 * hour - 1, 8, 22 * 60))).toEqual([2, 5, 8, 11, 14, 17, 20, 23]);
  expect(hours(timeTicks(start, start + 2.2 * hour, 5, 0))).toEqual([0.5, 1, 1.5, 2]);
  expect(timeTicks(start, start + 7 * 24 * hour, 7, 0)).toHaveLength(6);
  expect(timeTicks(start, start + 300 * 24 * hour, 10, 0).length).toBeLessThanOrEqual(10);
});

test('a point beside the track is a moment between two positions, and one away from it is none', () => {
  const columns = { start, times: [0, 600, 7_200], latitudes: [0, 0, 0], longitudes: [0, 100_000, 100_000] };
  const track = decodeTrack({ ...columns, speeds: [50, 50, 50], breaks: [2] });
  const view = { scale: 36_000, left: 18_000 - 100, top: 18_000 - 100, width: 400, height: 200 };
  const near = (x: number, y: number) => timeNear(track, { from: start, to: start + 24 * hour }, view, { x, y });
  expect(near(150, 105)).toBeCloseTo(start + 300_000, -3);
  expect(near(150, 130)).toBe(null);
  // The line ends at a gap.
  expect(near(250, 100)).toBe(null);
  expect(timeNear(track, { from: start + hour, to: start + 24 * hour }, view, { x: 150, y: 105 })).toBe(null);
});
