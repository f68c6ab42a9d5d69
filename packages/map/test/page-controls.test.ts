// The controls of the map page that need no browser: the days, and the sheet of a small screen.
import { expect, test } from 'vitest';
import { neighbour } from '../src/page/days.js';
import { stateAfterDrag } from '../src/page/sheet-state.js';

test('a day has neighbours, across months and changes of the clock, and none after today', () => {
  const days = { kind: 'any', latest: () => '2026-04-01' } as const;
  expect(neighbour(days, '2026-03-29', 1)).toBe('2026-03-30');
  expect(neighbour(days, '2026-03-01', -1)).toBe('2026-02-28');
  expect(neighbour(days, '2026-03-31', 1)).toBe('2026-04-01');
  expect(neighbour(days, '2026-04-01', 1)).toBe(null);
});

test('in a file the days are its own, and the last one comes before all of them', () => {
  const days = { kind: 'some', days: ['2026-03-01', '2026-03-02'] } as const;
  expect(neighbour(days, null, -1)).toBe('2026-03-02');
  expect(neighbour(days, null, 1)).toBe(null);
  expect(neighbour(days, '2026-03-02', -1)).toBe('2026-03-01');
  expect(neighbour(days, '2026-03-01', -1)).toBe(null);
  expect(neighbour(days, '2026-03-02', 1)).toBe(null);
});

test('a sheet that is thrown goes on, and one that is laid down stays at the nearest height', () => {
  // 93 pixels in 50 ms.
  expect(stateAfterDrag('half', 0.62, 93 / 50)).toBe('full');
  expect(stateAfterDrag('half', 0.4, -93 / 50)).toBe('closed');
  expect(stateAfterDrag('closed', 0.1, 93 / 50)).toBe('half');
  expect(stateAfterDrag('full', 0.95, -1)).toBe('half');
  expect(stateAfterDrag('closed', 0.9, 1)).toBe('full');
  expect(stateAfterDrag('full', 1, 2)).toBe('full');
  expect(stateAfterDrag('half', 0.62, 0.1)).toBe('half');
  expect(stateAfterDrag('half', 0.8, 0)).toBe('full');
  expect(stateAfterDrag('full', 0.2, -0.1)).toBe('closed');
});
