// The built server as a process, called by the official client over stdin and stdout.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, expect, test } from 'vitest';

const script = fileURLToPath(new URL('../../../../bin/fleet.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'fleet-mcp-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(['legacy', 'auto'] as const)('answers, and ends with its client (%s)', async (mode) => {
  const { PATH = '', SystemRoot = '' } = process.env;
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [script, 'mcp', '--demo', '--demo-time', '2026-03-02T09:30:00Z', '--time-zone', 'UTC'],
    env: { PATH, SystemRoot, HOME: folder, FLEET_CONFIG_DIR: folder },
    stderr: 'pipe',
  });
  const said: string[] = [];
  transport.stderr?.on('data', (chunk: Buffer) => said.push(String(chunk)));
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  await client.connect(transport);
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('where_is');
  const { structuredContent, isError } = await client.callTool({
    name: 'where_is',
    arguments: { vehicles: ['Truck 01'] },
  });
  expect(isError).not.toBe(true);
  expect(structuredContent).toMatchObject({ asOf: '2026-03-02 09:30:00Z', rows: [{ name: 'Truck 01' }] });
  await client.close();
  expect(said.join('')).toBe('');
});
