// @ts-check
// Counts files and functions of this project that run in six flows, by V8's precise coverage.
// `--list getVehicles` shows the functions of one flow.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { dirname, join, relative } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../', import.meta.url));
// Next to src/, because modules look for package.json and packages from there. dist/ has the CLI as
// a bundle, which has no separate files to count.
const folder = mkdtempSync(join(root, '.flow-'));
await compile(join(root, 'src'), folder);
await compile(join(root, 'packages/sync/src'), join(folder, 'sync'));
// The sync package imports the SDK by name and gets these modules.
const entries = { '.': './index.js', './kit': './kit/kit.js' };
writeFileSync(
  join(folder, 'package.json'),
  JSON.stringify({ name: 'fleet-telematics', type: 'module', exports: entries }),
);

/** @typedef {import('node:inspector').Profiler.ScriptCoverage} ScriptCoverage */

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

/** @param {string} file @returns {Promise<Record<string, any>>} */
const load = (file) => import(pathToFileURL(join(folder, file)).href);

/**
 * Returns the functions that the flow calls, by file, without top-level code of modules.
 * @param {RegExp} which
 * @param {() => Promise<unknown>} flow
 * @returns {Promise<Map<string, string[]>>}
 */
async function called(which, flow) {
  await session.post('Profiler.takePreciseCoverage');
  await flow();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  return functionsOf(result, which);
}

/** @param {ScriptCoverage[]} scripts @param {RegExp} which @returns {Map<string, string[]>} */
function functionsOf(scripts, which) {
  const found = new Map();
  for (const { url, functions } of scripts) {
    if (!url.startsWith(pathToFileURL(folder).href)) continue;
    const file = relative(folder, fileURLToPath(url)).replaceAll('\\', '/');
    if (!which.test(file)) continue;
    const names = functions
      .filter(({ functionName, ranges: [range] }) => range && range.count > 0 && !isModule(functionName, range))
      .map(({ functionName }) => functionName || '(anonymous)');
    if (names.length > 0) found.set(file.replace(/\.js$/, '.ts'), names);
  }
  return found;
}

/** @param {string} name @param {{ startOffset: number }} range */
const isModule = (name, { startOffset }) => name === '' && startOffset === 0;

const { createMockService } = await load('mock/service.js');
const now = Date.UTC(2026, 2, 4, 12);
const service = createMockService({ vehicles: 4, seed: 1, clock: { now: () => now } });
const { url } = await service.listen();
const credentials = { username: 'demo', password: 'demo' };
const client = /^(?!mock\/)/;
const results = new Map();

const { FleetClient } = await load('index.js');
const fleet = new FleetClient({ baseUrl: url, credentials });
await fleet.getVehicles();
await fleet.getVehicles();
results.set('getVehicles', await called(client, () => fleet.getVehicles()));

const { run } = await load('cli/run/run.js');
results.set('trips', await called(client, () => command('trips list --on 2026-03-03 -o csv --time-zone UTC')));

const table = join(folder, 'vehicles.csv');
writeFileSync(table, 'name,licensePlate,groups\nTruck 01,593 NYM,Long haul East\nVan 01,510 JDR,City deliveries\n');
results.set('apply', await called(client, () => command(`vehicles apply ${table} --yes`)));
results.set('undo', await called(client, () => command('undo 1 --yes')));

const { syncFleet, sqliteTarget } = await load('sync/index.js');
const copy = mkdtempSync(join(folder, 'copy-'));
const period = { from: '2026-03-03T12:00:00Z', until: '2026-03-04T12:00:00Z' };
results.set('sync', await called(client, () => syncFleet(fleet, sqliteTarget(join(copy, 'fleet.db')), period)));

const request = await oneRequest();
await request();
results.set('request', await called(/^mock\//, request));

const shown = process.argv[process.argv.indexOf('--list') + 1];
if (process.argv.includes('--list')) {
  for (const [file, names] of results.get(shown) ?? []) process.stdout.write(`${file}: ${names.join(', ')}\n`);
}
const titles = {
  getVehicles: 'a warm getVehicles() over HTTP',
  trips: 'fleet trips list of a day, four vehicles',
  apply: 'fleet vehicles apply of two vehicles',
  undo: 'fleet undo of that',
  sync: 'a first sync into SQLite',
  request: 'one request in the reference service',
};
for (const [flow, title] of Object.entries(titles)) {
  const functions = results.get(flow) ?? new Map();
  const count = [...functions.values()].reduce((sum, names) => sum + names.length, 0);
  const rooms = new Set([...functions.keys()].map((file) => dirname(file))).size;
  process.stdout.write(`${title}: ${functions.size} files, ${count} functions, ${rooms} folders (${flow})\n`);
}
await fleet.close();
rmSync(folder, { recursive: true, force: true });
process.exit();

/** @param {string} from @param {string} to */
async function compile(from, to) {
  const modules = readdirSync(from, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  await build({
    entryPoints: modules.map((file) => join(from, file)),
    outdir: to,
    outbase: from,
    format: 'esm',
    target: 'es2022',
    supported: { 'import-attributes': true },
    logLevel: 'error',
  });
}

/** @param {string} line */
async function command(line) {
  const stdout = new PassThrough().resume();
  const stderr = new PassThrough();
  let said = '';
  stderr.on('data', (text) => {
    said += text;
  });
  const settings = {
    FLEET_BASE_URL: url,
    FLEET_USERNAME: 'demo',
    FLEET_PASSWORD: 'demo',
    FLEET_CONFIG_DIR: join(folder, 'config'),
  };
  const code = await run(line.split(' '), {
    stdin: new PassThrough(),
    stdout,
    stderr,
    env: settings,
    clock: { now: () => now },
    signal: new AbortController().signal,
    finish: () => undefined,
  });
  if (code !== 0) throw new Error(`fleet ${line} ended with ${code}: ${said}`);
}

/** Sends a request with Node's fetch, so that no SDK code is counted. */
async function oneRequest() {
  const { operations } = await load('generated/operation-table.js');
  const form = new FormData();
  form.set('username', 'demo');
  form.set('password', 'demo');
  const login = await answerOf('/login/token', { method: 'POST', body: form });
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${login.access_token}` };
  const [{ userId }] = await answerOf('/login/userinfo', { headers });
  const body = JSON.stringify({ query: operations.getVehicles.document, variables: {} });
  return async () => {
    const { data, errors } = await answerOf('/graphql', { method: 'POST', headers: { ...headers, userId }, body });
    if (errors || data.getVehicles.length === 0) throw new Error(JSON.stringify(errors));
  };
}

/** @param {string} path @param {RequestInit} init */
async function answerOf(path, init) {
  return JSON.parse(await (await fetch(`${url}${path}`, init)).text());
}
