// Many changes by the built command line: an interrupt, a closed pipe, and the remaining changes.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMockService, type MockService } from '../../src/mock/service.js';
import { clock } from '../moment.js';

const script = fileURLToPath(new URL('../../bin/fleet.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'fleet-e2e-'));
let world: MockService;
let listening: Awaited<ReturnType<MockService['listen']>>;

beforeAll(async () => {
  world = createMockService({ vehicles: 1, latencyMs: 5, clock });
  listening = await world.listen({ port: 0 });
});
afterAll(async () => {
  await listening.close();
  rmSync(folder, { recursive: true, force: true });
});

const all = Array.from({ length: 100 }, (_, n) => `${JSON.stringify({ name: `g${n}` })}\n`);

function createGroups(failed: string): ChildProcess {
  const { PATH = '', SystemRoot = '' } = process.env;
  const login = { FLEET_BASE_URL: listening.url, FLEET_USERNAME: 'demo', FLEET_PASSWORD: 'demo' };
  const child = spawn(process.execPath, [script, 'groups', 'apply', '-', '--yes', '--failed', failed], {
    env: { PATH, SystemRoot, HOME: folder, FLEET_CONFIG_DIR: folder, ...login },
  });
  child.stdin.end(all.join(''));
  return child;
}

async function ended(child: ChildProcess): Promise<{ readonly code: number; readonly stderr: string }> {
  let stderr = '';
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const [code] = await once(child, 'close');
  return { code, stderr };
}

test('are all sent when the reader of their results goes away', async () => {
  world.reset();
  const failed = join(folder, 'read.ndjson');
  const child = createGroups(failed);
  child.stdout?.once('data', () => child.stdout?.destroy());
  expect(await ended(child)).toEqual({
    code: 0,
    stderr: expect.stringMatching(/^100 to create\n100 of 100 done\.\nDone as #\d+; .*\n$/),
  });
  expect(readFileSync(failed, 'utf8')).toBe('');
});

test.skipIf(process.platform === 'win32')('end with 130 when interrupted, and keep what was not sent', async () => {
  world.reset();
  const failed = join(folder, 'interrupted.ndjson');
  const child = createGroups(failed);
  let rows = '';
  child.stdout?.on('data', (chunk) => {
    rows += chunk;
    // Once: a second interrupt would end it at once.
    if (!child.killed && /\tg2\t.*\tdone\t/.test(rows)) child.kill('SIGINT');
  });
  const { code, stderr } = await ended(child);
  expect(code).toBe(130);
  expect(stderr).toMatch(
    /^100 to create\n\d+ of 100 done, .*\d+ not sent; the same command tries again\.\nDone as #\d+; .*\nerror: Interrupted\.\n$/,
  );
  const statuses = rows.trimEnd().split('\n').slice(1);
  // The file holds exactly the changes without a result.
  expect(readFileSync(failed, 'utf8')).toBe(all.slice(statuses.length).join(''));
});
