// The progress line: on a terminal only, and never beside a pipe, whose reader may draw on the same terminal.
import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { run } from '../../src/cli/run/run.js';
import { clock, service } from './harness.js';
import { Sink } from './sink.js';

/** What a long command writes to a terminal on stderr, while stdout is this file descriptor. */
async function progressBeside(fd: number): Promise<string> {
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
    written.push(await progressBeside(fd));
    closeSync(fd);
  }
  expect(written[0]).toContain(' trips, until ');
  expect(written[1]).toBe('');
});
