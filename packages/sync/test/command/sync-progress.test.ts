// The progress line of `fleet sync`.
import { expect, test } from 'vitest';
import { progressTexts } from '../../src/command/run-sync.js';

test('rate and time left are of the part that is read, not of the parts before it', () => {
  let now = 0;
  const describe = progressTexts(() => now);
  now = 600_000;
  describe({ part: 'trips', rows: 900, fraction: 1, isDone: true });
  now += 10_000;
  const progressState = { part: 'snapshots', rows: 5000, isDone: false } as const;
  expect(describe({ ...progressState, fraction: 0.25 })).toBe(
    'snapshots: 5000 rows, 500 rows/s, 25 %, about 30 s left',
  );
  now += 300_000;
  expect(describe({ ...progressState, rows: 31_000, fraction: 0.5 })).toBe(
    'snapshots: 31000 rows, 100 rows/s, 50 %, about 5 min left',
  );
});

test('nothing is said of the time left while too little has been read to say it', () => {
  let now = 0;
  const describe = progressTexts(() => now);
  now = 1000;
  const progressState = { part: 'trips', rows: 10, isDone: false } as const;
  expect(describe({ ...progressState, fraction: 0.5 })).toBe('trips: 10 rows, 10 rows/s, 50 %');
  now = 60_000;
  expect(describe({ ...progressState, fraction: 0.01 })).toBe('trips: 10 rows, 0 rows/s, 1 %');
});
