// What the built command line loads: a plain read on a kept login must not load what is slow to start. Told by Node itself: its own
// modules by moduleLoadList, packages by require.cache, files of the bundle by a hook on what is compiled.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { registry } from '../../src/cli/run/registry.js';
import type { Listening } from '../../src/mock/service.js';
import { service as demoService, shell } from '../cli/harness.js';

const script = fileURLToPath(new URL('../../bin/fleet.js', import.meta.url));
const chunks = fileURLToPath(new URL('../../dist/cli/chunks', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'fleet-loaded-'));
let service: Listening;
beforeAll(async () => {
  service = await demoService().listen();
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

/**
 * Runs a command; its exit code, the names of all that was loaded, files and Node's own modules, the text of the files of the bundle, and
 * which of these V8 had to compile anew.
 */
async function loadedBy(words: readonly string[], env: Readonly<Record<string, string>> = {}, input = '') {
  const list = join(mkdtempSync(join(folder, 'run-')), 'loaded');
  const preload = `${list}.cjs`;
  writeFileSync(
    preload,
    `const vm = require('node:vm');
    const files = [];
    vm.Script = class extends vm.Script {
      constructor(text, options) {
        super(text, options);
        files.push(options.filename);
        if (this.cachedDataRejected !== false) files.push('compiled ' + options.filename);
      }
    };
    process.on('exit', () => require('node:fs').writeFileSync(
      ${JSON.stringify(list)}, [...files, ...process.moduleLoadList, ...Object.keys(require.cache)].join('\\n')));`,
  );
  const { PATH = '', SystemRoot = '' } = process.env;
  const own = { PATH, SystemRoot, HOME: folder, FLEET_CONFIG_DIR: join(folder, 'config'), FLEET_BASE_URL: service.url };
  const child = spawn(process.execPath, ['--require', preload, script, ...words], { env: { ...own, ...env } });
  child.stdin.end(input);
  child.stdout.resume();
  const [code] = await once(child, 'close');
  const names = readFileSync(list, 'utf8').split('\n');
  const files = names.filter((name) => name.startsWith(chunks));
  const compiled = names.filter((name) => name.startsWith('compiled '));
  return { code, names, text: files.map((file) => readFileSync(file, 'utf8')).join('\n'), compiled };
}

const slow = {
  undici: /undici(?!-)/,
  conf: /\bConf ?= ?class\b|\bclass Conf\b/,
  // Its regular expressions take longer to compile than help takes to print.
  stringWidth: /Default_Ignorable_Code_Point/,
  parser: /\bParser ?= ?class\b|\bclass Parser\b/,
  client: /\bBaseClient ?= ?class\b|\bclass BaseClient\b/,
  operations: /fragment VehicleFields on/,
};

test('a plain read loads no undici, not even the one of Node, no graphql-request and no conf; writing a session loads conf', async () => {
  // Otherwise nothing would be proved by their not being found.
  const everything = readdirSync(chunks)
    .filter((name) => name.endsWith('.cjs'))
    .map((name) => readFileSync(join(chunks, name), 'utf8'));
  const { undici: _, ...inChunks } = slow;
  for (const marker of Object.values(inChunks)) expect(everything.some((text) => marker.test(text))).toBe(true);
  // The command line has a codec of its own: graphql-request is not even in the bundle.
  expect(everything.filter((text) => text.includes('GraphQLClient'))).toEqual([]);

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
    expect(read.text).not.toMatch(slow.stringWidth);
    expect(read.text).not.toMatch(slow.parser);
    expect(read.names).not.toContain('NativeModule https');
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
  '%s %s loads nothing of the SDK, nothing that only commands need, and no sockets',
  async (...words) => {
    const { code, names, text } = await loadedBy(words.filter((word) => word !== undefined));
    expect(code).toBe(0);
    expect(text).not.toBe('');
    for (const marker of [slow.client, slow.operations, slow.stringWidth]) expect(text).not.toMatch(marker);
    for (const module of ['http', 'child_process', 'zlib', 'crypto'])
      expect(names).not.toContain(`NativeModule ${module}`);
  },
);

test('the help of the program and of every noun is printed from what the build has written down, and is what the program says', async () => {
  const folder = fileURLToPath(new URL('../../dist/cli/help', import.meta.url));
  const said = shell(async () => Response.json({}));
  const names = ['fleet', ...Object.keys(registry)];
  expect(readdirSync(folder).sort()).toEqual(names.map((name) => `${name}.txt`).sort());
  for (const name of names) {
    const words = name === 'fleet' ? ['--help'] : [name, '--help'];
    expect(readFileSync(join(folder, `${name}.txt`), 'utf8')).toBe((await said(words)).stdout);
  }
  const { code, text } = await loadedBy(['vehicles', '--help']);
  expect(code).toBe(0);
  expect(text).not.toContain('helpInformation');
  expect(spawnSync(process.execPath, [script, 'vehicles', '-h'], { encoding: 'utf8' }).stdout).toBe(
    (await said(['vehicles', '--help'])).stdout,
  );
});

test('what is loaded was compiled by the build, and a bundle without that works all the same', async () => {
  for (const words of [['--version'], ['--help'], ['vehicles', '--help'], ['drivers', '--help']]) {
    expect((await loadedBy(words)).compiled).toEqual([]);
  }
  const login = { FLEET_USERNAME: 'demo', FLEET_PASSWORD: 'demo', FLEET_CONFIG_DIR: join(folder, 'compiled') };
  const read = await loadedBy(['vehicles', 'list', '-o', 'json'], login);
  expect(read.code).toBe(0);
  expect(read.compiled).toEqual([]);
  // As another version of Node would find it.
  const { code, compiled } = await loadedBy(['--help'], { NODE_OPTIONS: '--stack-trace-limit=11' });
  expect(code).toBe(0);
  expect(compiled).not.toEqual([]);
});
