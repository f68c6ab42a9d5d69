// --watch in a real terminal, and streams whose reader stops early, with the built command line.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { moment } from '../moment.js';

const bin = fileURLToPath(new URL('../../bin/fleet.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'fleet-watch-'));
const esc = '\u001b';
let mock: ChildProcess;
let env: Record<string, string>;

beforeAll(async () => {
  const { PATH = '', SystemRoot = '' } = process.env;
  env = { PATH, SystemRoot, HOME: folder, TERM: 'xterm', FLEET_CONFIG_DIR: folder };
  mock = spawn(process.execPath, [bin, 'mock', '--port', '0', '--quiet', '--time', moment], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  env.FLEET_BASE_URL = (await until(mock, /http:\S+/)).trim();
  env.FLEET_USERNAME = 'demo';
  env.FLEET_PASSWORD = 'demo';
});
afterAll(async () => {
  mock.kill('SIGINT');
  await once(mock, 'exit');
  rmSync(folder, { recursive: true, force: true });
});

async function until(child: ChildProcess, pattern: RegExp): Promise<string> {
  let said = '';
  for await (const chunk of child.stdout?.iterator({ destroyOnReturn: false }) ?? []) {
    said += chunk;
    if (pattern.test(said)) return said;
  }
  throw new Error(`It ended, having said: ${said}`);
}

const hasPython = spawnSync('python3', ['-c', 'import pty']).status === 0;

/** Runs a command in a separate terminal, types Ctrl-C after `needle`, and prints the output. */
const typist = `
import os, pty, sys, struct, fcntl, termios
needle, words = sys.argv[1].encode(), sys.argv[2:]
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(words[0], words)
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack('HHHH', 20, 100, 0, 0))
said, typed = b'', False
while True:
    try:
        some = os.read(terminal, 65536)
    except OSError:
        break
    if not some: break
    said += some
    if not typed and needle in said:
        typed = True
        os.write(terminal, b'\\x03')
_, status = os.waitpid(pid, 0)
sys.stdout.buffer.write(said)
sys.exit(os.waitstatus_to_exitcode(status))
`;

describe('Ctrl-C', () => {
  test.runIf(hasPython).each([[['vehicles', 'status', '--watch']], [['snapshots', 'latest', '--watch']]])(
    'ends %s with 130 and gives the terminal back',
    (words) => {
      const command = [process.execPath, bin, ...words];
      const { status, stdout } = spawnSync('python3', ['-c', typist, 'vehicles:', ...command], {
        env,
        encoding: 'utf8',
      });
      expect(status).toBe(130);
      const hidden = stdout.lastIndexOf(`${esc}[?25l`);
      const back = stdout.lastIndexOf(`${esc}[?25h${esc}[?7h${esc}[?1049l`);
      expect(hidden).toBeGreaterThan(-1);
      expect(back).toBeGreaterThan(hidden);
      // Ctrl-C ends a watch: the last screen stays, without a message.
      const last = stdout.slice(back + `${esc}[?25h${esc}[?7h${esc}[?1049l`.length);
      expect(last).toMatch(/^\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d) {2}2[45] vehicles: /);
      expect(last).toContain(`fleet ${words.slice(0, 2).join(' ')}, every 30 s; Ctrl-C to stop`);
      expect(last).not.toMatch(/error|interrupted|aborted/i);
    },
  );

  test('ends a watch in a pipe with 130', async () => {
    const child = spawn(process.execPath, [bin, 'vehicles', 'status', '--watch', '--fields', 'id,status'], { env });
    const first = await until(child, /\n/);
    expect(Object.keys(JSON.parse(first.split('\n')[0] ?? ''))).toEqual(['id', 'status']);
    const exit = once(child, 'exit');
    child.kill('SIGINT');
    expect(await exit).toEqual([130, null]);
  });
});

describe('a reader that has enough', () => {
  test.each([
    ['snapshots', 'list', 'Truck 01', '--from', '2026-01-01', '--to', moment, '-o', 'ndjson'],
    ['snapshots', 'list', 'Truck 01', '--from', '2026-01-01', '--to', moment, '-o', 'csv'],
    ['vehicles', 'status', '--watch', '--every', '1s', '--fields', 'id,timestamp'],
  ])('ends %s %s quietly and at once', async (...words) => {
    const child = spawn(process.execPath, [bin, ...words], { env });
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    const exit = once(child, 'close');
    await until(child, /\n/);
    child.stdout.destroy();
    if (words[0] === 'vehicles')
      await fetch(`${env.FLEET_BASE_URL}/__mock/clock`, { method: 'POST', body: '{"advance":240000}' });
    expect(await exit).toEqual([0, null]);
    expect(stderr).toBe('');
  });
});
