// Worker threads, each with two copies of the package: with `share: 'machine'`, all share turns and
// session.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { createMockService } from 'fleet-telematics/mock';
import { expect, onTestFinished, test } from 'vitest';
import { clock } from '../moment.js';

const program = `
  const { workerData } = require('node:worker_threads');
  import('fleet-telematics').then(async (copy) => {
    const other = require('./dist/commonjs/sdk/index.cjs');
    if (copy.FleetClient === other.FleetClient) throw new Error('there is one copy');
    const clients = [copy, other].map(({ FleetClient }) => new FleetClient(workerData));
    await Promise.all(clients.flatMap((fleet) => Array.from({ length: 5 }, () => fleet.getRoles())));
    await Promise.all(clients.map((fleet) => fleet.close()));
  });`;

test('three worker threads with two copies each log in once and meet no 429', async () => {
  const service = createMockService({ vehicles: 1, latencyMs: 1, clock });
  const listening = await service.listen();
  const config = mkdtempSync(join(tmpdir(), 'fleet-threads-'));
  onTestFinished(async () => {
    await listening.close();
    rmSync(config, { recursive: true, force: true });
  });
  const credentials = { username: 'demo', password: 'demo' };
  const workerData = { baseUrl: listening.url, credentials, share: 'machine', merge: false };
  const env = { ...process.env, FLEET_CONFIG_DIR: config };
  const threads = [1, 2, 3].map(() => new Worker(program, { eval: true, env, workerData }));
  expect(await Promise.all(threads.map((thread) => once(thread, 'exit')))).toEqual(Array(3).fill([0]));
  const statuses = (path: string) => service.requests.filter((each) => each.path === path).map(({ status }) => status);
  expect(statuses('/login/token')).toEqual([200]);
  expect(statuses('/graphql')).toEqual(Array(30).fill(200));
});
