// The SQL process of the built server ends with the call and with the server, even while SQLite is
// busy.
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../../../test/until.js';

const script = fileURLToPath(new URL('../../../../bin/fleet.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'fleet-mcp-sql-'));
const copy = join(folder, 'fleet.db');
const { PATH = '', SystemRoot = '' } = process.env;
const env = { PATH, SystemRoot, HOME: folder, FLEET_CONFIG_DIR: folder };
const demo = ['--demo', '--demo-time', '2026-03-02T09:30:00Z', '--copy', copy];

beforeAll(() => {
  const words = ['sync', copy, '--only', 'vehicles', '--demo', '--demo-time', '2026-03-02T09:30:00Z'];
  const { status, stderr } = spawnSync(process.execPath, [script, ...words], { env, encoding: 'utf8' });
  expect({ status, stderr }).toMatchObject({ status: 0 });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the id of a child that has used a second of processor time, because SQLite is busy. */
async function busyChildOf(parent: number): Promise<number | undefined> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,time=']);
  const rows = stdout.split('\n').map((line) => line.trim().split(/\s+/));
  const busy = rows.find(([, of, time = '']) => Number(of) === parent && /[1-9]/.test(time));
  return busy && Number(busy[0]);
}

function isRunning(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.trim().startsWith('Z');
}

const endless = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';

test.runIf(process.platform !== 'win32').each([
  ['the call is cancelled', (_server: number, _client: Client, cancel: AbortController) => cancel.abort()],
  ['the client closes stdin', (_server: number, client: Client) => client.close()],
  ['the server is killed', (server: number) => process.kill(server, 'SIGKILL')],
] as const)('a busy process ends when %s', async (_what, end) => {
  const transport = new StdioClientTransport({ command: process.execPath, args: [script, 'mcp', ...demo], env });
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport);
  const server = transport.pid ?? 0;
  const cancel = new AbortController();
  const call = client.callTool({ name: 'sql', arguments: { sql: endless } }, { signal: cancel.signal });
  const ended = expect(call).rejects.toThrow();
  let busy: number | undefined;
  await until(async () => {
    busy = await busyChildOf(server);
    return busy !== undefined;
  });
  await end(server, client, cancel);
  await until(() => !isRunning(busy ?? 0));
  await ended;
  await client.close();
});
