// Tests the code cache of bin/compiled-code.js directly; what-is-loaded.heavy.test.ts runs commands
// with it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const keeper = fileURLToPath(new URL('../../bin/compiled-code.js', import.meta.url));
const built = fileURLToPath(new URL('../../dist/cli/bundle', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'fleet-compiled-'));
const bundle = join(folder, 'bundle');
const isRoot = process.getuid?.() === 0;
beforeAll(() => {
  for (const file of ['run.cjs', 'main.cjs', 'build-id']) cpSync(join(built, file), join(bundle, file));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function load(cache: string, from = bundle, flags: readonly string[] = []): Promise<string> {
  const program = `
    require(${JSON.stringify(keeper)}).keepCompiledCode(${JSON.stringify(from)}, ${JSON.stringify(cache)});
    const { run } = require(${JSON.stringify(join(from, 'run.cjs'))});
    process.stdout.write(typeof run);`;
  const child = spawn(process.execPath, [...flags, '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.on('data', (text) => (printed += String(text)));
  const [code] = await once(child, 'close');
  return `${printed} ${code}`;
}

const newCache = () => mkdtempSync(join(folder, 'cache-'));
const filesIn = (cache: string) =>
  readdirSync(cache).flatMap((name) =>
    readdirSync(join(cache, name))
      .filter((file) => file !== 'made-for')
      .map((file) => join(cache, name, file)),
  );
/** Returns the number of writes, from the last byte. It restarts at 1 when V8 refuses the code. */
const writesOf = (cache: string) => filesIn(cache).map((file) => readFileSync(file).at(-1));

const isOf = (cache: string, name: string, installed: string) =>
  readFileSync(join(cache, name, 'made-for'), 'utf8')
    .split('\n')
    .includes(installed);

test('the bundle is ASCII, because it is read as one byte per character', () => {
  const files = readdirSync(built).filter((name) => name.endsWith('.cjs'));
  expect(files).toContain('run.cjs');
  for (const name of files) expect(/[^\0-\x7f]/.exec(readFileSync(join(built, name), 'utf8')), name).toBeNull();
});

test('the first run writes what it compiled, the next ones use it and add to it, and the others only read', async () => {
  const cache = newCache();
  const writes = [];
  for (let run = 1; run <= 6; run++) {
    expect(await load(cache)).toBe('function 0');
    writes.push(...writesOf(cache));
  }
  expect(writes).toEqual([1, 2, 3, 4, 4, 4]);
});

test.each([
  ['empty', () => Buffer.alloc(0)],
  ['cut off', (code: Buffer) => code.subarray(0, code.length / 2)],
  ['no code', () => Buffer.from('no code at all')],
  // V8 would run it.
  ['of one wrong bit', (code: Buffer) => code.fill((code[50_000] ?? 0) ^ 1, 50_000, 50_001)],
])('a file that is %s costs time and nothing else', async (_name, damage) => {
  const cache = newCache();
  await load(cache);
  await load(cache);
  const [file = ''] = filesIn(cache);
  writeFileSync(file, damage(readFileSync(file)));
  expect(await load(cache)).toBe('function 0');
  expect(writesOf(cache)).toEqual([1]);
});

test('twelve processes at once leave one whole file', async () => {
  const cache = newCache();
  expect(await Promise.all(Array.from({ length: 12 }, () => load(cache)))).toEqual(Array(12).fill('function 0'));
  const [file] = filesIn(cache);
  expect(filesIn(cache)).toEqual([file]);
  const [before = 0] = writesOf(cache);
  await load(cache);
  expect(writesOf(cache)).toEqual([Math.min(before + 1, 4)]);
});

test('runs with other flags of V8, which refuses their code, do not replace it', async () => {
  const cache = newCache();
  for (const flags of [[], ['--min-semi-space-size=16'], [], ['--min-semi-space-size=16']])
    await load(cache, bundle, flags);
  expect(writesOf(cache)).toEqual([2, 2]);
});

test('the code of another build is not used, even if its files have the same length', async () => {
  const cache = newCache();
  await load(cache);
  const other = join(folder, 'other');
  cpSync(bundle, other, { recursive: true });
  writeFileSync(join(bundle, 'build-id'), '0'.repeat(16));
  await load(cache);
  await load(cache, other);
  // By folder and by content. Code of the earlier build is removed.
  expect(writesOf(cache)).toEqual([1, 1]);
});

test('the code of an installation or a Node that is gone, and of an earlier build, is removed', async () => {
  const cache = newCache();
  const gone = join(folder, 'gone');
  cpSync(bundle, gone, { recursive: true });
  await load(cache, gone);
  await load(cache);
  const [before = ''] = readdirSync(cache).filter((name) => isOf(cache, name, bundle));
  const names = join(cache, 'names');
  mkdirSync(names);
  rmSync(gone, { recursive: true });
  writeFileSync(join(bundle, 'build-id'), '1'.repeat(16));
  await load(cache);
  expect(readdirSync(cache)).toHaveLength(2);
  expect(existsSync(names)).toBe(true);
  expect(readdirSync(cache)).not.toContain(before);
});

test('no more than five installations have their code there', async () => {
  const cache = newCache();
  const copies = Array.from({ length: 7 }, (_, number) => join(folder, `copy-${number}`));
  for (const copy of copies) {
    cpSync(bundle, copy, { recursive: true });
    await load(cache, copy);
  }
  expect(readdirSync(cache)).toHaveLength(5);
  const last = copies.at(-1) ?? '';
  expect(readdirSync(cache).filter((name) => isOf(cache, name, last))).toHaveLength(1);
});

test.runIf(isRoot)('the code of another user is not run', async () => {
  const cache = newCache();
  await load(cache);
  const [file = ''] = filesIn(cache);
  chownSync(file, 12_345, 12_345);
  expect(await load(cache)).toBe('function 0');
  expect(writesOf(cache)).toEqual([1]);
});

test.skipIf(isRoot)('a folder that cannot be written changes nothing', async () => {
  const cache = newCache();
  chmodSync(cache, 0o500);
  expect(await load(cache)).toBe('function 0');
  expect(readdirSync(cache)).toEqual([]);
});
