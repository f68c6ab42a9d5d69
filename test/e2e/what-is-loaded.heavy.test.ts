// The modules that the built command line and package load: a plain read with a stored login must
// not load slow modules. Node lists its own modules in moduleLoadList, and files and packages in
// require.cache.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { helpTopics } from '../../src/cli/help/topic-names.js';
import { commandPackages } from '../../src/cli/packages/command-packages.js';
import { registry } from '../../src/cli/run/registry.js';
import type { Listening } from '../../src/mock/service.js';
import { service as demoService, shell } from '../cli/harness.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const script = fileURLToPath(new URL('../../bin/fleet.js', import.meta.url));
const bundle = fileURLToPath(new URL('../../dist/cli/bundle', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'fleet-loaded-'));
let service: Listening;
beforeAll(async () => {
  service = await demoService().listen();
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a command; returns its exit code, and the loaded Node modules, files and bundle files. */
async function loadedBy(words: readonly string[], env: Readonly<Record<string, string>> = {}, input = '') {
  const list = join(mkdtempSync(join(folder, 'run-')), 'loaded');
  const preload = `${list}.cjs`;
  writeFileSync(
    preload,
    `process.on('exit', () => require('node:fs').writeFileSync(
      ${JSON.stringify(list)}, [...process.moduleLoadList, ...Object.keys(require.cache)].join('\\n')));`,
  );
  const { PATH = '', SystemRoot = '' } = process.env;
  const own = { PATH, SystemRoot, HOME: folder, FLEET_CONFIG_DIR: join(folder, 'config'), FLEET_BASE_URL: service.url };
  const child = spawn(process.execPath, ['--require', preload, script, ...words], { env: { ...own, ...env } });
  child.stdin.end(input);
  child.stdout.resume();
  const [code] = await once(child, 'close');
  const names = readFileSync(list, 'utf8').split('\n');
  const files = names.filter((name) => name.startsWith(bundle)).map((name) => relative(bundle, name));
  return { code, names, files };
}

const undici = /undici(?!-)/;

test('a plain read loads the program and no package with a file of its own, not even the undici of Node', async () => {
  const login = await loadedBy(['login', '--username', 'demo', '--password-stdin'], {}, 'demo\n');
  expect(login.code).toBe(0);
  expect(login.files).toContain('conf.cjs');
  // The commands that manage the configuration read it through conf too.
  for (const words of [
    ['profiles', 'list'],
    ['users', 'use', 'demo'],
    ['doctor', '-o', 'json'],
  ]) {
    const managing = await loadedBy(words);
    expect(managing.code).toBe(0);
    expect(managing.files).toContain('conf.cjs');
  }

  for (const words of [
    ['vehicles', 'list', '-o', 'json'],
    ['vehicles', 'list'],
    ['users', 'list'],
  ]) {
    const read = await loadedBy(words);
    expect(read.code).toBe(0);
    expect(read.files).toEqual(['main.cjs', 'run.cjs']);
    // `status` reads files only.
    if (words[0] !== 'status') expect(read.names).toContain('NativeModule _http_client');
    expect(read.names.filter((name) => undici.test(name))).toEqual([]);
    for (const unused of ['https', 'zlib', 'perf_hooks']) {
      expect(read.names).not.toContain(`NativeModule ${unused}`);
    }
  }
});

test('the demo service loads no sockets, and no fetch, which is all of the undici of Node', async () => {
  const { code, names, files } = await loadedBy(['vehicles', 'list', '--demo', '-o', 'json']);
  expect(code).toBe(0);
  expect(files.sort()).toEqual(['graphql.cjs', 'main.cjs', 'run.cjs', 'service.cjs']);
  expect(names.filter((name) => undici.test(name))).toEqual([]);
  // It runs in this process.
  expect(names.filter((name) => /NativeModule (http|zlib|perf_hooks)$/.test(name))).toEqual([]);
});

test('a command of a package loads the kit, which is part of the program, and nothing else of it', async () => {
  const { code, files } = await loadedBy(['mcp', '--demo']);
  expect(code).toBe(0);
  // The first question opens the demo service and the session.
  expect(files.sort()).toEqual(['kit.cjs', 'main.cjs', 'run.cjs']);
});

test.each([
  ['ES modules', "await import('fleet-telematics')"],
  ['CommonJS files', "require('./dist/commonjs/sdk/index.cjs')"],
])('of the package, %s load graphql with the first document, not before', async (_files, load) => {
  const program = `
    import { createRequire } from 'node:module';
    const require = createRequire(import.meta.url);
    const isLoaded = () => Object.keys(require.cache).some((file) => /node_modules.graphql\\W/.test(file));
    const { FleetClient } = ${load};
    const credentials = { username: 'demo', password: 'demo' };
    const fleet = new FleetClient({ baseUrl: '${service.url}', credentials });
    await fleet.getLabels();
    const before = isLoaded();
    const refused = await fleet.request('{ getLabels { id ').catch(({ code }) => code);
    const { getLabels } = await fleet.request('query labels { getLabels { id } }');
    await fleet.close();
    console.log(JSON.stringify({ before, refused, hasLabels: getLabels.length > 0, after: isLoaded() }));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { cwd: root, stdio: 'pipe' });
  const [printed] = await Promise.all([text(child.stdout), once(child, 'close')]);
  expect(JSON.parse(printed)).toEqual({ before: false, refused: 'INVALID_INPUT', hasLabels: true, after: true });
});

/** Reads a file. Some are packed, with a small program that unpacks them. */
function textIn(path: string): string {
  const bytes = readFileSync(path);
  return (path.endsWith('.br') ? brotliDecompressSync(bytes) : bytes).toString();
}

test('what is slow to start and few commands use has a file of its own', () => {
  const slow = {
    // Class and function names in minified files.
    conf: /\bthis, ?"Conf"/,
    graphql: /\bthis, ?"Parser"/,
    service: /, ?"createMockService"\)/,
    // Its regular expressions take longer to compile than help takes to print.
    'string-width': /Default_Ignorable_Code_Point/,
    yaml: /\bthis, ?"YAMLMap\d?"/,
  };
  const texts = readdirSync(bundle).map((file) => [file.replace(/\.br$/, ''), textIn(join(bundle, file))] as const);
  for (const [name, marker] of Object.entries(slow)) {
    const files = texts.filter(([, text]) => marker.test(text)).map(([file]) => file);
    expect(files).toContain(`${name}.cjs`);
    expect(files).not.toContain('run.cjs');
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
  expect(names.filter((name) => undici.test(name))).not.toEqual([]);
});

test.each([[['--version']], [['--help']], [['vehicles', '--help']], [['help', 'options']], [['help', 'vehicles']]])(
  '%j loads nothing that only commands need, and no sockets',
  async (words) => {
    const { code, names, files } = await loadedBy(words);
    expect(code).toBe(0);
    expect(files).toEqual(['main.cjs']);
    for (const module of ['http', 'child_process', 'zlib', 'crypto'])
      expect(names).not.toContain(`NativeModule ${module}`);
  },
);

test('the help of the program, of its own nouns and of topics is printed from what the build has written down, and is what the program says', async () => {
  const folder = fileURLToPath(new URL('../../dist/cli/help', import.meta.url));
  const said = shell(async () => Response.json({}));
  const ownNouns = Object.keys(registry).filter((noun) => !(noun in commandPackages));
  const pages: Readonly<Record<string, readonly string[]>> = {
    fleet: ['--help'],
    ...Object.fromEntries(ownNouns.map((noun) => [noun, [noun, '--help']])),
    ...Object.fromEntries(Object.keys(helpTopics).map((topic) => [`help-${topic}`, ['help', topic]])),
  };
  expect(readdirSync(folder).sort()).toEqual(
    Object.keys(pages)
      .map((name) => `${name}.txt`)
      .sort(),
  );
  for (const [name, words] of Object.entries(pages)) {
    expect(readFileSync(join(folder, `${name}.txt`), 'utf8')).toBe((await said(words)).stdout);
  }
  expect(spawnSync(process.execPath, [script, 'vehicles', '-h'], { encoding: 'utf8' }).stdout).toBe(
    (await said(['vehicles', '--help'])).stdout,
  );
});

test('help of a command loads the commands, but no sockets', async () => {
  const { code, names, files } = await loadedBy(['vehicles', 'list', '--help']);
  expect(code).toBe(0);
  expect(files).toEqual(['main.cjs', 'run.cjs']);
  expect(names).not.toContain('NativeModule http');
  expect(names).not.toContain('NativeModule child_process');
});

test('commands keep compiled code in the cache folder, unless Node is set not to; a cache that cannot be written changes nothing', async () => {
  const cache = join(folder, 'cache');
  const cachedCode = join(cache, 'fleet-telematics');
  const command = ['vehicles', 'list', '--help'];
  expect((await loadedBy(['--version'], { XDG_CACHE_HOME: cache })).code).toBe(0);
  expect((await loadedBy(command, { XDG_CACHE_HOME: cache, NODE_DISABLE_COMPILE_CACHE: '1' })).code).toBe(0);
  expect(existsSync(cachedCode)).toBe(false);
  expect((await loadedBy(command, { XDG_CACHE_HOME: cache })).code).toBe(0);
  expect(existsSync(cachedCode)).toBe(process.platform === 'linux');

  const home = join(folder, 'no-home');
  expect((await loadedBy(command, { HOME: home })).code).toBe(0);
  expect(existsSync(home)).toBe(false);

  const blockedFolder = join(folder, 'taken');
  writeFileSync(blockedFolder, 'no folder');
  expect((await loadedBy(['vehicles', 'list', '-o', 'json'], { XDG_CACHE_HOME: blockedFolder })).code).toBe(0);
  expect(readFileSync(blockedFolder, 'utf8')).toBe('no folder');
});
