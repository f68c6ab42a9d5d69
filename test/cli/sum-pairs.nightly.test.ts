// `--sum-by` with every key and every pair of keys, over weeks.
import { test } from 'vitest';
import { expectPairsToAddUp } from './sum-pairs.js';

test.each([
  ['seven days with a change of the clocks', '2026-03-23', '2026-03-30', 'Europe/Tallinn', 7],
  ['four weeks in two months', '2026-02-16', '2026-03-16', 'America/New_York', 28],
] as const)('%s', async (_name, from, to, zone, days) => {
  await expectPairsToAddUp(from, to, zone, days);
});
