// Future and past are those of the service, whatever the clock of the machine says. Every command
// refuses a period that has not begun there.
import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../src/core/time-zone.js';
import { moment, service, shellOf } from './harness.js';

/** Returns a shell on a machine whose clock is ahead of the service. */
function fleet(aheadMs = 0, vehicles = 1) {
  const run = shellOf('demo', service({ vehicles }).fetch);
  return (words: readonly string[]) => run(words, { clock: { now: () => moment + aheadMs } });
}

const readers: readonly (readonly string[])[] = [
  ['trips', 'list'],
  ['trips', 'list', 'Van 01'],
  ['trips', 'list', '--sum-by', 'day'],
  ['trips', 'list', '--sum-by', 'vehicle'],
  ['snapshots', 'list'],
  ['snapshots', 'list', 'Van 01'],
  ['geofences', 'visits'],
  ['map', '--file', '-'],
  ['reports', 'run', 'vehicle-distance'],
];
const day = ['2026-02-27', '2026-03-05'] as const;
/** Two months: far enough that the machine takes both days for past or future. */
const wrong = 60 * DAY_MS;

describe('a period that has not begun', () => {
  test.each([...readers, ['today']])('is refused by %s %s %s %s', async (...words) => {
    for (const aheadMs of [0, wrong, -wrong]) {
      const { code, stdout, stderr } = await fleet(aheadMs)([...words, '--on', day[1], '--quiet']);
      expect({ code, stdout }, stderr).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain(
        'The period has not begun yet: it begins 2026-03-05 00:00Z, and it is 2026-03-02 09:30Z.',
      );
    }
    const { code, stderr } = await fleet()([...words, '--on', 'tomorrow']);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('has not begun') });
  });

  test('may have assignments', async () => {
    const { code } = await fleet()(['drivers', 'assignments', 'Van 01', '--on', 'tomorrow']);
    expect(code).toBe(0);
  });
});

test.each([['trips', 'list', 'Van 01'], ['reports', 'run', 'vehicle-distance'], ['today']])(
  'a day of the past is read by %s %s %s %s whatever this machine thinks',
  async (...words) => {
    for (const aheadMs of [wrong, -wrong]) {
      const { code, stderr } = await fleet(aheadMs)([...words, '--on', day[0], '--quiet']);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    }
  },
);

test('a moment in the future of the service is refused, and one in its past is not', async () => {
  const near = (at: string, aheadMs: number) => fleet(aheadMs)(['vehicles', 'near', '59.4,24.7', '--at', at]);
  expect((await near('2026-02-27 08:00', -wrong)).code).toBe(0);
  const { code, stderr } = await near('2026-03-05 08:00', wrong);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('is in the future') });
});

describe('an assignment begins at most 10 days before the time of the service', () => {
  test.each([['--dry-run'], ['--yes']])('%s', async (flag) => {
    const assign = (from: string, aheadMs: number) =>
      fleet(aheadMs, 6)(['drivers', 'assign', 'Van 01', 'Liis Tamm', '--from', from, flag]);
    for (const aheadMs of [wrong, -wrong]) {
      const fresh = await assign('2026-02-27 08:00', aheadMs);
      expect(fresh.code, fresh.stderr).toBe(flag === '--dry-run' ? 10 : 0);
      const { code, stderr } = await assign('2026-02-18 08:00', aheadMs);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('more than 10 days ago') });
    }
  });
});
