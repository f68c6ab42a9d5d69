// The packed packages in every layout of npm, pnpm and Yarn: programs run, and a command without
// its package prints the install command, which is then run.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageNames } from '../../scripts/manifest.mjs';
import { npmCommand } from '../../scripts/npm.mjs';
import { packInto } from '../../scripts/packed.mjs';
import { folderWith, type Registry, readPackage, startRegistry } from './local-registry.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const earlier = '0.0.9';
const work = mkdtempSync(join(tmpdir(), 'fleet-layouts-'));
const tools = folderWith(join(work, 'tools'), { 'package.json': '{ "private": true }' });
const sdkProgram = `
  import { FleetClient } from 'fleet-telematics';
  import { createMockService } from 'fleet-telematics/mock';
  const server = await createMockService({ vehicles: 3 }).listen();
  const fleet = new FleetClient({ baseUrl: server.url, credentials: { username: 'demo', password: 'demo' } });
  console.log((await fleet.getVehicles()).length, 'vehicles');
  await fleet.close();
  await server.close();`;
const syncProgram = `
  import { FleetClient } from 'fleet-telematics';
  import { createMockService } from 'fleet-telematics/mock';
  import { parquetTarget, sqliteTarget, syncFleet } from 'fleet-telematics-sync';
  const server = await createMockService({ vehicles: 3 }).listen();
  const fleet = new FleetClient({ baseUrl: server.url, credentials: { username: 'demo', password: 'demo' } });
  for (const target of [sqliteTarget('copy.db'), parquetTarget('copy')]) {
    const { tables } = await syncFleet(fleet, target, { parts: ['vehicles'] });
    console.log(tables.find(({ table }) => table === 'vehicles').written, 'written');
  }
  await fleet.close();
  await server.close();`;
const greeting = JSON.stringify({
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
});
let registry: Registry;
let env: NodeJS.ProcessEnv = {};

beforeAll(async () => {
  const packed = packageNames.map((name) => packInto(join(work, 'packed'))[name].tarball);
  registry = await startRegistry(packed.flatMap((tarball) => [readPackage(tarball, earlier), readPackage(tarball)]));
  const own = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  env = {
    ...Object.fromEntries(own),
    PATH: [join(tools, 'node_modules/.bin'), join(work, 'global/bin'), process.env.PATH].join(delimiter),
    NODE_OPTIONS: '',
    HOME: folderWith(join(work, 'home'), {}),
    XDG_CACHE_HOME: join(work, 'cache'),
    XDG_DATA_HOME: join(work, 'data'),
    FLEET_CONFIG_DIR: join(work, 'config'),
    npm_config_registry: registry.url,
    npm_config_cache: join(work, 'npm-cache'),
    npm_config_prefix: join(work, 'global'),
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
    npm_config_yes: 'true',
    YARN_NPM_REGISTRY_SERVER: registry.url.slice(0, -1),
    YARN_UNSAFE_HTTP_WHITELIST: '127.0.0.1',
    YARN_ENABLE_IMMUTABLE_INSTALLS: 'false',
    YARN_ENABLE_TELEMETRY: 'false',
  };
  const options = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts'];
  const [command, args] = npmCommand('install', ...options, 'pnpm@10.34.9', '@yarnpkg/cli-dist@4.18.1');
  await new Promise<void>((resolve, reject) =>
    execFile(command, args, { cwd: tools }, (error) => (error ? reject(error) : resolve())),
  );
});

afterAll(async () => {
  await registry.close();
  rmSync(work, { recursive: true, force: true });
});

interface Ended {
  readonly status: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

function type(line: string, cwd: string, input = ''): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile('sh', ['-c', line], { cwd, env, maxBuffer: 1 << 26 }, (error, stdout, stderr) =>
      resolve({ status: error?.code ?? 0, stdout, stderr }),
    );
    child.stdin?.end(input);
  });
}

async function succeed(line: string, cwd: string, input = ''): Promise<string> {
  const { status, stdout, stderr } = await type(line, cwd, input);
  expect(status, `${line}\n${stdout}\n${stderr}`).toBe(0);
  return stdout;
}

/** Runs a command without a compatible package, and returns the printed install command. */
async function remedyFor(line: string, cwd: string, problem: string): Promise<string> {
  const { status, stderr } = await type(line, cwd);
  expect(stderr).toContain(problem);
  expect(status).toBe(3);
  return /Run: (.+)/.exec(stderr)?.[1] ?? '';
}

const missing = (name: string) => `is in the package ${name}, which is not installed`;
const project = (name: string) =>
  folderWith(join(work, name), {
    'package.json': '{ "name": "consumer", "private": true, "type": "module" }',
    'sdk.js': sdkProgram,
    'sync.js': syncProgram,
  });

describe.each([
  { manager: 'npm', add: 'npm install', addAnyway: 'npm install --legacy-peer-deps', exec: 'npx', node: 'node' },
  { manager: 'pnpm', add: 'pnpm add', addAnyway: 'pnpm add', exec: 'pnpm exec', node: 'node' },
  { manager: 'yarn', add: 'yarn add', addAnyway: 'yarn add', exec: 'yarn', node: 'yarn node' },
])('a project of $manager', ({ manager, add, addAnyway, exec, node }) => {
  const cwd = project(manager);

  test('runs programs, and gets the packages of commands by the command that is printed', async () => {
    if (manager === 'yarn') folderWith(cwd, { 'yarn.lock': '' });
    await succeed(`${add} fleet-telematics`, cwd);
    expect(await succeed(`${node} sdk.js`, cwd)).toBe('3 vehicles\n');

    const forMap = await remedyFor(`${exec} fleet map`, cwd, missing('fleet-telematics-map'));
    expect(forMap).toBe(`${add} fleet-telematics-map@${version}`);
    await succeed(forMap, cwd);
    expect(await succeed(`${exec} fleet map --help`, cwd)).toContain('fleet map');

    const forSync = await remedyFor(`${exec} fleet sync copy.db`, cwd, missing('fleet-telematics-sync'));
    await succeed(forSync, cwd);
    expect(await succeed(`${node} sync.js`, cwd)).toBe('3 written\n3 written\n');
    await succeed(`${exec} fleet sync demo.db --demo --only people`, cwd);
    // Threads and processes find their files too.
    expect(await succeed(`${exec} fleet vehicles list --demo --limit 1 -o json --jq '.[0].name'`, cwd)).toBe(
      'Van 01\n',
    );

    const forMcp = await remedyFor(`${exec} fleet mcp --demo`, cwd, missing('fleet-telematics-mcp'));
    await succeed(forMcp, cwd);
    expect(await succeed(`${exec} fleet mcp --copy copy.db`, cwd, `${greeting}\n`)).toContain('"serverInfo"');
    expect(await succeed(`${exec} fleet-telematics-mcp --copy copy.db`, cwd, `${greeting}\n`)).toContain(
      '"serverInfo"',
    );
    expect(await succeed(`${node} sdk.js`, cwd)).toBe('3 vehicles\n');
  });

  test('another version of a package is named, with the command that mends it', async () => {
    await succeed(`${addAnyway} fleet-telematics-sync@${earlier}`, cwd);
    const problem = `The package fleet-telematics-sync ${earlier} does not fit fleet-telematics ${version}`;
    await succeed(await remedyFor(`${exec} fleet sync copy.db`, cwd, problem), cwd);
    await succeed(`${exec} fleet sync demo.db --demo --only people`, cwd);
  });
});

// Before any global install, which npx would prefer.
test('npx: with both packages, and by the printed command', async () => {
  const cwd = folderWith(join(work, 'empty'), {});
  await succeed('npx -p fleet-telematics -p fleet-telematics-sync fleet sync copy.db --demo --only people', cwd);
  const remedy = await remedyFor('npx fleet-telematics map', cwd, missing('fleet-telematics-map'));
  expect(await succeed(`${remedy} --help`, cwd)).toContain('fleet map');
  expect(await succeed('npx fleet-telematics-mcp --demo', cwd, `${greeting}\n`)).toContain('"serverInfo"');
  const both = 'npx -p fleet-telematics-mcp -p fleet-telematics-sync fleet-telematics-mcp --copy copy.db';
  expect(await succeed(both, cwd, `${greeting}\n`)).toContain('"serverInfo"');
});

test('npm --global: the printed command adds a package beside the program', async () => {
  const cwd = folderWith(join(work, 'anywhere'), {});
  await succeed('npm install --global fleet-telematics', cwd);
  const remedy = await remedyFor('fleet sync copy.db', cwd, missing('fleet-telematics-sync'));
  expect(remedy).toBe(`npm install --global fleet-telematics-sync@${version}`);
  await succeed(remedy, cwd);
  await succeed('fleet sync copy.db --demo --only people', cwd);

  await succeed(`npm install --global fleet-telematics-sync@${earlier}`, cwd);
  await succeed(await remedyFor('fleet sync copy.db', cwd, `fleet-telematics-sync ${earlier}`), cwd);
  await succeed('fleet sync copy.db --demo --only people', cwd);
});
