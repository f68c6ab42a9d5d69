// What the built command line loads: a plain read on a kept login must not load what is slow to start. Told by Node itself: its own
// modules by moduleLoadList, packages and files of the bundle by a hook on every module that is imported.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMockService, type Listening } from '../../src/mock/service.js';

const script = fileURLToPath(new URL('../../bin/fleet.js', import.meta.url));
const chunks = fileURLToPath(new URL('../../dist/cli/chunks', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'fleet-loaded-'));
let service: Listening;
beforeAll(async () => {
  service = await createMockService().listen();
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a command; its exit code, and the text of all that was loaded, with the names of files and of Node's own modules. */
async function loadedBy(words: readonly string[], env: Readonly<Record<string, string>> = {}, input = '') {
  const list = join(mkdtempSync(join(folder, 'run-')), 'loaded');
  const hook = `${list}.mjs`;
  const preload = `${list}.cjs`;
  writeFileSync(
    hook,
    `import { appendFileSync } from 'node:fs';
    export function load(url, context, next) { appendFileSync(${JSON.stringify(list)}, url + '\\n'); return next(url, context); }`,
  );
  writeFileSync(
    preload,
    `const { appendFileSync } = require('node:fs');
    require('node:module').register(${JSON.stringify(pathToFileURL(hook).href)});
    process.on('exit', () => appendFileSync(${JSON.stringify(list)}, [...process.moduleLoadList, ...Object.keys(require.cache)].join('\\n')));`,
  );
  const { PATH = '', SystemRoot = '' } = process.env;
  const own = { PATH, SystemRoot, HOME: folder, FLEET_CONFIG_DIR: join(folder, 'config'), FLEET_BASE_URL: service.url };
  const child = spawn(process.execPath, ['--require', preload, script, ...words], { env: { ...own, ...env } });
  child.stdin.end(input);
  child.stdout.resume();
  const [code] = await once(child, 'close');
  const names = readFileSync(list, 'utf8').split('\n');
  const files = names.filter((name) => name.startsWith('file:') && name.includes('/chunks/'));
  return { code, names, text: files.map((file) => readFileSync(fileURLToPath(file), 'utf8')).join('\n') };
}

const slow = {
  undici: /undici(?!-)/,
  conf: /\bConf ?= ?class\b|\bclass Conf\b/,
  pQueue: /\bPQueue ?= ?class\b|\bclass PQueue\b/,
};

test('a plain read loads no undici, not even the one of Node, no conf and no p-queue; writing a session loads conf', async () => {
  // Otherwise nothing would be proved by their not being found.
  const everything = readdirSync(chunks).map((name) => readFileSync(join(chunks, name), 'utf8'));
  for (const marker of [slow.conf, slow.pQueue]) expect(everything.some((text) => marker.test(text))).toBe(true);

  const login = await loadedBy(['login', '--username', 'demo', '--password-stdin'], {}, 'demo\n');
  expect(login.code).toBe(0);
  expect(login.text).toMatch(slow.conf);

  for (const words of [
    ['vehicles', 'list', '-o', 'json'],
    ['vehicles', 'list'],
    ['users', 'list'],
  ]) {
    const read = await loadedBy(words);
    expect(read.code).toBe(0);
    expect(read.names).toContain('NativeModule _http_client');
    expect(read.names.filter((name) => slow.undici.test(name))).toEqual([]);
    expect(read.text).not.toMatch(slow.conf);
    expect(read.text).not.toMatch(slow.pQueue);
  }
});

test('behind a proxy undici is loaded', async () => {
  const { code, names } = await loadedBy(['vehicles', 'list', '--timeout', '300ms'], {
    HTTP_PROXY: 'http://127.0.0.1:1',
    FLEET_USERNAME: 'demo',
    FLEET_PASSWORD: 'demo',
    FLEET_CONFIG_DIR: join(folder, 'nobody'),
  });
  expect(code).toBe(8);
  expect(names.filter((name) => slow.undici.test(name))).not.toEqual([]);
});

test.each([['--version'], ['--help'], ['vehicles', '--help']])(
  '%s %s loads nothing of the SDK and no sockets',
  async (...words) => {
    const { code, names, text } = await loadedBy(words.filter((word) => word !== undefined));
    expect(code).toBe(0);
    expect(text).not.toMatch(/\bclass FleetClient\b/);
    expect(names).not.toContain('NativeModule http');
    expect(names).not.toContain('NativeModule child_process');
    expect(names).not.toContain('NativeModule zlib');
  },
);
