// Every TypeScript block of the documents compiles against the package's own types, runs, and
// prints the documented output. Blocks that import one of the packages in test/docs/libraries run
// nightly only.
import { execFile } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anyRedis, skipped } from '../redis/server.js';
import { isFullRun } from '../runs.js';
import { type Block, generated, pages, root, shows } from './markdown.js';
import { compile, isTest, type Program } from './program.js';
import { libraryNames, openWorkshop, type Workshop } from './workshop.js';

const languages = ['ts', 'sh', 'sql', 'text', 'json', 'csv', 'graphql', 'console', 'python'];
const mostNotRun = 6;

const all = pages().flatMap(({ file, blocks }) => (generated.includes(file) ? [] : blocks));
const needsLibrary = ({ code }: Block) => libraryNames.some((name) => code.includes(`'${name}'`));
const runnable = all.filter(({ language, words }) => language === 'ts' && !words.includes('no-run'));
const blocks = isFullRun ? runnable : runnable.filter((block) => !needsLibrary(block));
const exec = promisify(execFile);

const redis = await anyRedis();
afterAll(() => redis?.stop());
const isRunnable = ({ code }: Block) => redis !== null || !code.includes('fleet-telematics/redis');
if (redis === null) skipped('the blocks that use fleet-telematics/redis');

let workshop: Workshop;
let program: Program;

beforeAll(async () => {
  workshop = await openWorkshop({ withLibraries: isFullRun });
  const certificates = { 'ca.pem': 'company-ca.pem', 'server.pem': 'client.pem', 'server.key': 'client-key.pem' };
  for (const [from, to] of Object.entries(certificates)) {
    copyFileSync(join(root, 'test/request/tls', from), join(workshop.folder, to));
  }
  writeFileSync(join(workshop.folder, 'fleet-password'), `${workshop.env.FLEET_PASSWORD}\n`);
  program = compile(blocks, workshop);
}, 120_000);
afterAll(() => workshop.close());

const nameOf = ({ file, line }: Block) => `${file}:${line}`;

test('every block says what it is, and few are not run, each with a reason', () => {
  const prose = all.filter(({ file }) => file !== 'ARCHITECTURE.md');
  expect(prose.filter(({ language }) => !languages.includes(language)).map(nameOf)).toEqual([]);
  const notRun = all.filter(({ words }) => words.includes('no-run'));
  expect(notRun.filter(({ reason }) => reason === null).map(nameOf)).toEqual([]);
  expect(notRun.length).toBeLessThanOrEqual(mostNotRun);
});

test('every package in test/docs/libraries is used by a block or an example, or needed by NestJS', () => {
  const examples = readdirSync(join(root, 'examples')).map((file) =>
    readFileSync(join(root, 'examples', file), 'utf8'),
  );
  const programs = [...runnable.map(({ code }) => code), ...examples];
  const unused = libraryNames.filter((name) => !programs.some((code) => code.includes(`'${name}'`)));
  expect(unused).toEqual(['rxjs']);
});

test('JSON is JSON', () => {
  const json = all.filter(({ language, code }) => language === 'json' && !code.includes('…'));
  for (const block of json) expect(() => JSON.parse(block.code), nameOf(block)).not.toThrow();
});

test('they compile', () => {
  expect(program.compileErrors).toEqual([]);
});

test('they run, and print what the documents say', { timeout: 120_000 }, async () => {
  const scripts = program.modules.filter(({ block }) => !isTest(block) && isRunnable(block));
  const results = join(workshop.folder, 'results.jsonl');
  const runner = fileURLToPath(new URL('./run-blocks.mjs', import.meta.url));
  await exec(process.execPath, [runner, results, ...scripts.map(({ script }) => script)], {
    cwd: workshop.folder,
    env: { ...workshop.env, REDIS_URL: `redis://127.0.0.1:${redis?.port}` },
  });
  const runResults: { script: string; printed: string; failures: string[] }[] = readFileSync(results, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const wrong = scripts.flatMap(({ block, script }) => {
    const result = runResults.find((one) => one.script === script);
    if (!result) return [`${nameOf(block)}: was not run`];
    const { printed, failures } = result;
    const isShown = block.output === null || shows(block.output, printed);
    return [...failures, ...(isShown ? [] : [`printed:\n${printed}`])].map((what) => `${nameOf(block)}: ${what}`);
  });
  expect(wrong).toEqual([]);
});

test('those that are tests pass', { timeout: 120_000 }, async () => {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const { PATH = '' } = workshop.env;
  const files = program.modules.filter(({ block }) => isTest(block)).map(({ script }) => script);
  expect(files.length).toBeGreaterThan(0);
  const { stdout } = await exec(process.execPath, [vitest, 'run', '--root', workshop.folder, '--no-color', ...files], {
    cwd: workshop.folder,
    env: { PATH, HOME: workshop.folder },
  }).catch((error: { stdout: string; stderr: string }) => {
    throw new Error(`${error.stdout}\n${error.stderr}`);
  });
  expect(stdout).toMatch(new RegExp(`Test Files +${files.length} passed`));
});
