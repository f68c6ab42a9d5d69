// Tests SQLite copies on Node versions with other SQLite engines: the tests of the file, and the
// built command line next to a program that reads.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { nodeOf } from '../../../scripts/node-binaries.mjs';
import { root } from '../../../test/docs/markdown.js';
import { makeService } from '../../../test/request/setup.js';
import { query } from './copies.js';

const nodes = ['22', '24'].map((range) => [range, nodeOf(range)] as const);

describe.each(nodes)('Node %s', (_range, node) => {
  const binary = 'missing' in node ? null : node.binary;

  test.skipIf(binary === null)('passes the tests of SQLite', { timeout: 300_000 }, async () => {
    const files = ['sqlite-file', 'units', 'command/sync'].map((name) => `packages/sync/test/${name}.test.ts`);
    const words = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--project', 'source', ...files];
    const child = spawn(binary ?? '', words, { cwd: root, env: { ...process.env, NO_COLOR: '1' } });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    const [code] = await once(child, 'close');
    expect(code === 0 ? 'passed' : text).toBe('passed');
    // The tests of Node's own SQLite ran too.
    expect(text).not.toMatch(/Tests .*\b\d\d+ skipped/);
  });

  test.skipIf(binary === null)(
    'syncs beside a program that reads, and Node 20 goes on',
    { timeout: 60_000 },
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'fleet-nodes-'));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      const listening = await makeService({ vehicles: 3 }).listen();
      onTestFinished(() => listening.close());
      const file = join(folder, 'fleet.db');
      const sync = (program: string, part: string) => {
        const child = spawn(program, [join(root, 'bin/fleet.js'), 'sync', file, '--only', part, '--no-input'], {
          env: {
            ...process.env,
            ...{ FLEET_BASE_URL: listening.url, FLEET_USERNAME: 'demo', FLEET_PASSWORD: 'demo' },
            FLEET_CONFIG_DIR: join(folder, 'config'),
          },
        });
        let stderr = '';
        child.stderr.on('data', (chunk: Buffer) => {
          stderr += chunk.toString();
        });
        return { child, ended: once(child, 'close').then(([code]) => ({ code, stderr })) };
      };
      expect(await sync(binary ?? '', 'labels').ended).toEqual({ code: 0, stderr: '' });
      expect(statSync(file).mode & 0o777).toBe(0o600);
      const reading = spawn(binary ?? '', ['--no-warnings', '-e', reader, file], {
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      await once(reading.stdout, 'data');
      const { child, ended } = sync(binary ?? '', 'roles');
      // The notice of the wait ends the program.
      child.stderr.once('data', () => reading.stdin.end());
      expect(await ended).toEqual({
        code: 0,
        stderr: `! ${file} is locked by another program: waiting for it, up to 60 s.\n`,
      });
      expect(await sync(process.execPath, 'groups').ended).toEqual({ code: 0, stderr: '' });
      expect(await sync(binary ?? '', 'rules').ended).toEqual({ code: 0, stderr: '' });
      for (const table of ['labels', 'roles', 'groups', 'rules']) {
        expect([table, await query(file, `SELECT count(*) > 0 FROM ${table}`)]).toEqual([table, [[1]]]);
      }
      expect(readdirSync(folder).sort()).toEqual(['config', 'fleet.db']);
      expect(await query(file, 'PRAGMA integrity_check')).toEqual([['ok']]);
    },
  );
});

const reader = `
  const database = new (require('node:sqlite').DatabaseSync)(process.argv[1], { readOnly: true });
  database.exec('BEGIN');
  database.prepare('SELECT * FROM labels').all();
  console.log('reading');
  process.stdin.resume().on('end', () => process.exit());
`;
