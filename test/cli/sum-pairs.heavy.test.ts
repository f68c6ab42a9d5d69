// `--sum-by` with every key and every pair of keys, over changes of the clocks and of the year.
import { test } from 'vitest';
import { expectPairsToAddUp } from './sum-pairs.js';

test.each([
  ['a day of 23 hours', '2026-03-29', '2026-03-30', 'Europe/Tallinn', 1],
  ['a day of 25 hours', '2025-10-26', '2025-10-27', 'Europe/Tallinn', 1],
  ['the end of a year', '2025-12-31', '2026-01-02', 'America/Anchorage', 2],
] as const)('%s', async (_name, from, to, zone, days) => {
  await expectPairsToAddUp(from, to, zone, days);
});
