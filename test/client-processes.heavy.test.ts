// Several processes at once, and killed ones: tests that need real processes.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Listening } from '../src/mock/service.js';
import { held, untilHeld } from './held.js';
import { makeService, statusesOf } from './request/setup.js';
import { until } from './until.js';

const root = fileURLToPath(new URL('..', import.meta.url));
// Below the package, so that the scripts find its dependencies.
mkdirSync(join(root, 'node_modules', '.cache'), { recursive: true });
const scripts = mkdtempSync(join(root, 'node_modules', '.cache', 'processes-'));
const config = mkdtempSync(join(tmpdir(), 'fleet-processes-'));
const service = makeService({ latencyMs: 5 });
let listening: Listening;

beforeAll(async () => {
  await build({
    entryPoints: [join(root, 'src', 'index.ts')],
    outfile: join(scripts, 'sdk.mjs'),
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
  });
  listening = await service.listen();
});
afterAll(async () => {
  await listening.close();
  rmSync(scripts, { recursive: true, force: true });
  rmSync(config, { recursive: true, force: true });
});

let count = 0;

interface Ended {
  readonly code: number | null;
  readonly out: string;
}

/** Runs a script that has `fleet`, and returns its output and exit code. */
function run(body: string, options = ''): Promise<Ended> {
  return start(body, options).ended;
}

function start(body: string, options: string): { readonly child: ChildProcess; readonly ended: Promise<Ended> } {
  const file = join(scripts, `script-${++count}.mjs`);
  writeFileSync(
    file,
    `import { FleetClient } from './sdk.mjs';
     const credentials = { username: 'demo', password: 'demo' };
     const clock = { now: () => ${service.clock.now()} };
     const fleet = new FleetClient({ baseUrl: '${listening.url}', credentials, clock, ${options} });
     ${body}`,
  );
  const child = spawn(process.execPath, [file], { env: { ...process.env, FLEET_CONFIG_DIR: config } });
  let out = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    out += chunk;
  });
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code) => resolve({ code, out }));
  });
  return { child, ended };
}

test('a script ends by itself after close(), after await using, and without either', async () => {
  const call = 'console.log((await fleet.getVehicleTypes()).length > 0);';
  const slow = `const gone = fleet.getVehicleTypes().catch((error) => console.log(error.code));
    setImmediate(() => fleet.close()); await gone;`;
  // Measured after the work: on a busy machine, the start of a process takes seconds too.
  const last = "const over = performance.now(); process.on('exit', () => console.log(performance.now() - over));";
  for (const work of [`${call} await fleet.close();`, call, `${call} ${slow}`]) {
    const { code, out } = await run(`${work} ${last}`);
    expect(out).toMatch(/^true\n/);
    expect(code).toBe(0);
    // Keep-alive sockets and timers would delay the exit for seconds.
    expect(Number(out.trimEnd().split('\n').at(-1))).toBeLessThan(3000);
  }
});

test("10 processes with share: 'machine' log in once and meet no 429", async () => {
  service.clearRequests();
  const body = 'for (let i = 0; i < 3; i++) await fleet.getVehicleTypes(); await fleet.close();';
  const results = await Promise.all(Array.from({ length: 10 }, () => run(body, "share: 'machine'")));
  expect(results.map(({ out }) => out)).toEqual(results.map(() => ''));
  expect(statusesOf(service, '/login/token')).toEqual([200]);
  expect(statusesOf(service, '/graphql')).toEqual(Array.from({ length: 30 }, () => 200));
}, 60_000);

const waiting = () =>
  readdirSync(join(config, 'turns'), { recursive: true, encoding: 'utf8' }).filter((name) => /\.queue[/\\]/.test(name))
    .length;

test('a process that is killed while it holds the turn does not keep the others from it', async () => {
  service.clearRequests();
  // The service still counts the request of the dead sender as active, so the successor gets a 429
  // and waits. The test ends it, because a busy machine may take long to start the successor.
  service.faults.add({ ...held, path: '/graphql' });
  const holder = start('await fleet.getVehicleTypes();', "share: 'machine'");
  await untilHeld(service);
  const next = start(
    'console.log((await fleet.getVehicleTypes()).length > 0); await fleet.close();',
    "share: 'machine'",
  );
  await until(() => waiting() > 0);
  holder.child.kill('SIGKILL');
  expect((await holder.ended).code).toBeNull();
  await until(() => statusesOf(service, '/graphql').includes(429));
  service.faults.clear();
  expect(await next.ended).toMatchObject({ code: 0, out: 'true\n' });
});

describe.skipIf(process.platform === 'win32')('a worker with 100 changes that wait gets SIGTERM', () => {
  /** Processes a list of jobs until SIGTERM. Only the client keeps it alive. */
  const worker = (drainMs: number) => `
    const counts = {};
    const count = (outcome) => { counts[outcome] = (counts[outcome] ?? 0) + 1; };
    const end = (error) => count(error.code);
    process.once('SIGTERM', async () => {
      const closing = fleet.close({ drainMs: ${drainMs} });
      await fleet.getRoles().catch((error) => console.log('later', error.code));
      await closing;
      await Promise.allSettled(jobs);
      console.log(JSON.stringify(counts));
      const over = performance.now();
      process.on('exit', () => console.log('held for', performance.now() - over));
    });
    const { id } = (await fleet.getGroups())[0];
    const jobs = Array.from({ length: 100 }, (_, job) =>
      fleet.updateGroup({ groupId: id, updateGroupInput: { name: 'Job ' + job } }).then(() => count('ok'), end));`;
  const changes = () => service.requests.filter(({ operations }) => operations.includes('updateGroup')).length;

  test('with enough time to drain: all of them are made, and it ends by itself', async () => {
    service.clearRequests();
    const { child, ended } = start(worker(60_000), '');
    await until(() => changes() > 2);
    child.kill('SIGTERM');
    const { code, out } = await ended;
    const [later, counts, heldFor] = out.trimEnd().split('\n');
    expect(later).toBe('later CLOSED');
    expect(JSON.parse(counts ?? '')).toEqual({ ok: 100 });
    expect(changes()).toBe(100);
    expect(code).toBe(0);
    expect(Number(heldFor?.replace('held for ', ''))).toBeLessThan(3000);
  });

  test('with too little: what waited was never sent, the one under way is in doubt, and nothing follows', async () => {
    service.clearRequests();
    service.faults.add({ ...held, operation: 'updateGroup' });
    const { child, ended } = start(worker(50), '');
    await untilHeld(service);
    child.kill('SIGTERM');
    const { code, out } = await ended;
    const [later, counts, heldFor] = out.trimEnd().split('\n');
    expect(later).toBe('later CLOSED');
    expect(JSON.parse(counts ?? '')).toEqual({ CLOSED: 99, AMBIGUOUS_MUTATION: 1 });
    expect(changes()).toBeLessThanOrEqual(1);
    expect(code).toBe(0);
    expect(Number(heldFor?.replace('held for ', ''))).toBeLessThan(3000);
  });
});
