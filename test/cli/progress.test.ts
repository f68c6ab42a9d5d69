// The progress line: only on a terminal, and never with a pipe, whose reader may draw there too.
import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import { run } from '../../src/cli/run/run.js';
import { clock, service, shellOf } from './harness.js';
import { Sink } from './sink.js';

/** Returns the stderr of a long command on a terminal, with stdout at this file descriptor. */
async function progressWithStdout(fd: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-progress-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const stdout = Object.assign(new Sink(), { fd });
  const stderr = Object.assign(new Sink(), { isTTY: true, columns: 80 });
  const code = await run(['trips', 'list', 'Van 01', '--from', '-1d', '-o', 'json'], {
    stdin: new PassThrough(),
    stdout,
    stderr,
    env: {
      FLEET_CONFIG_DIR: folder,
      FLEET_BASE_URL: 'https://fleet.test',
      FLEET_USERNAME: 'demo',
      FLEET_PASSWORD: 'demo',
      TERM: 'xterm',
    },
    signal: new AbortController().signal,
    fetch: service().fetch,
    clock,
  });
  expect(code).toBe(0);
  return stderr.text;
}

test.skipIf(process.platform === 'win32')('is shown beside a file, and not beside a pipe', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-pipe-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [file, pipe] = [join(folder, 'file'), join(folder, 'pipe')];
  execFileSync('mkfifo', [pipe]);
  const written: string[] = [];
  for (const [path, flags] of [
    [file, 'w'],
    [pipe, constants.O_RDWR],
  ] as const) {
    const fd = openSync(path, flags);
    written.push(await progressWithStdout(fd));
    closeSync(fd);
  }
  expect(written[0]).toContain(' trips, until ');
  expect(written[1]).toBe('');
});

describe('tells how much of a period has been read', () => {
  // The trucks drive around midnight.
  const period = ['--from', '2026-03-01T21:00Z', '--to', '2026-03-02T02:00Z'];
  /** Returns all progress lines in order. */
  const drawn = async (words: readonly string[], of = period) => {
    const { code, stderr } = await shellOf('demo', service().fetch)([...words, ...of], { terminal: 100 });
    expect(code).toBe(0);
    return stderr.split('\r\u001b[2K').filter((text) => text.includes(' %'));
  };

  test.each([
    [
      'trips of one vehicle',
      ['trips', 'list', 'Truck 01'],
      '1 trip, until 2026-03-01, 18 %',
      '5 trips, until 2026-03-02, 98 %',
    ],
    [
      'trips of all',
      ['trips', 'list'],
      '1 trip of 1 of 6 vehicles, until 2026-03-01, 3 %',
      '10 trips of 2 of 6 vehicles, until 2026-03-01, 76 %',
    ],
    [
      'sums of days',
      ['trips', 'list', '--sum-by', 'day'],
      '1 trip of 1 of 6 vehicles, until 2026-03-01, 3 %',
      '10 trips of 2 of 6 vehicles, until 2026-03-01, 76 %',
    ],
    [
      'snapshots',
      ['snapshots', 'list', '--vehicle-filter', 'name~Truck', '--sort', 'timestamp', '--fields', 'timestamp'],
      '1 row, 2026-03-01 (day 1 of 1), 0 %',
      '4,001 rows, 2026-03-02 (day 1 of 1), 50 %',
    ],
    ['visits', ['geofences', 'visits'], 'reading 6 of 6 vehicles, 0 %', 'reading 6 of 6 vehicles, 100 %'],
  ])('%s', async (_, words, first, last) => {
    const lines = await drawn(words);
    expect([lines[0], lines.at(-1)]).toEqual([first, last]);
    const percents = lines.map((line) => Number(/(\d+) %$/.exec(line)?.[1]));
    expect(percents).toEqual(percents.toSorted((a, b) => a - b));
    // Progress advances while rows arrive, not only at the end.
    expect(new Set(percents).size).toBeGreaterThan(4);
  });

  test('of a period that has not ended, only what there is to read', async () => {
    const tomorrow = ['--from', '2026-03-01T06:00Z', '--to', '2026-03-04T06:00Z'];
    const words = ['snapshots', 'list', 'Van 01', '--sort', 'timestamp', '--fields', 'timestamp'];
    const lines = await drawn(words, tomorrow);
    expect(lines.at(-1)).toBe('1,001 rows, 2026-03-02 (day 2 of 3), 96 %');
  });

  test('a file of the map tells how many of the vehicles it has', async () => {
    const fleet = shellOf('demo', service({ vehicles: 25 }).fetch);
    const hour = ['--from', '2026-03-02T08:50Z', '--to', '2026-03-02T09:00Z'];
    const words = ['map', '--file', join(fleet.folder, 'map.html'), ...hour];
    const { code, stderr } = await fleet(words, { terminal: 100 });
    expect(code).toBe(0);
    expect(stderr).toContain('\r\u001b[2Kvehicle 1 of 25, 0 %\r\u001b[2Kvehicle 21 of 25, 80 %\r\u001b[2KThe map of');
  });

  test('a pipe gets none of it', async () => {
    const { stderr } = await shellOf('demo', service().fetch)(['trips', 'list', ...period]);
    expect(stderr).not.toContain('%');
  });
});
