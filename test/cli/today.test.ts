// `fleet today`: the day of the fleet on one screen, in a pipe, and past days.
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { type Place, service, shellOf } from './harness.js';

const plain = { NO_COLOR: '1' };

const fleet = service({ vehicles: 4 });

function today(words: readonly string[] = [], place: Place = {}) {
  return shellOf('demo', fleet.fetch)(['today', ...words], place);
}

describe('fleet today', () => {
  test.each([
    [80, 40],
    [120, 15],
  ])('on a terminal of %i columns and %i rows', async (columns, rows) => {
    const { code, stdout, stderr } = await today([], { terminal: columns, rows, env: plain });
    expect(code).toBe(0);
    // Only the text after the progress lines, which overwrite each other.
    const remarks = stderr.slice(stderr.lastIndexOf('\r\u001b[2K') + 5);
    await expect(`${stdout}--\n${remarks}`).toMatchFileSnapshot(`golden/today.terminal-${columns}.txt`);
    for (const line of stdout.trimEnd().split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
  });

  test('in a pipe', async () => {
    const { code, stdout, stderr } = await today();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    await expect(stdout).toMatchFileSnapshot('golden/today.tsv.txt');
  });

  test('an empty fleet and an unknown group', async () => {
    const empty = shellOf('demo', service({ vehicles: 0 }).fetch);
    expect(await empty(['today'], { terminal: 80, env: plain })).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'No vehicle is visible to this user.\n',
    });
    expect((await today(['--group', 'Nowhere'])).code).not.toBe(0);
  });

  test.each([
    [['--on', 'last week'], '--on "last week" is not one day.'],
    [['--watch', '--on', 'yesterday'], '--watch shows today, and --on another day.'],
  ])('refuses %j before anything is sent', async (words, message) => {
    const before = fleet.requests.length;
    const { code, stderr } = await today(words);
    expect({ code, requests: fleet.requests.length - before }).toEqual({ code: 2, requests: 0 });
    expect(stderr).toContain(message);
  });
});
