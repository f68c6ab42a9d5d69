// The gate and the token store of docs/distributed.md keep their promises: clients of several
// machines that share only these log in once and get no 429.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { FleetClient, type Gate, localGate, memoryTokenStore, type TokenStore } from 'fleet-telematics';
import { createMockService } from 'fleet-telematics/mock';
import ts from 'typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clock } from '../moment.js';
import { pages } from './markdown.js';
import { openWorkshop, type Workshop } from './workshop.js';

interface Shown {
  gateOver(locks: { acquire(name: string, signal?: AbortSignal): Promise<{ release(): Promise<void> }> }): Gate;
  storeOver(database: {
    read(key: string): Promise<string | null>;
    write(key: string, text: string): Promise<void>;
    remove(key: string): Promise<void>;
    locked<T>(key: string, task: () => Promise<T>): Promise<T>;
  }): TokenStore;
}

let workshop: Workshop;
let shown: Shown;
beforeAll(async () => {
  workshop = await openWorkshop();
  const blocks = pages().find(({ file }) => file === 'docs/distributed.md')?.blocks ?? [];
  const code = blocks.filter((block) => /export function (gate|store)Over/.test(block.code)).map((block) => block.code);
  expect(code).toHaveLength(2);
  const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ES2022 };
  const script = join(workshop.folder, 'distributed.js');
  writeFileSync(script, ts.transpileModule(code.join('\n'), { compilerOptions }).outputText);
  // The page shows these exports.
  shown = (await import(/* @vite-ignore */ pathToFileURL(script).href)) as Shown;
});
afterAll(() => workshop.close());

test('three machines over one lock and one database', async () => {
  const service = createMockService({ vehicles: 4, latencyMs: 2, clock });
  // A lock server and a database in this process: their implementation is not tested.
  const turns = localGate();
  const rows = new Map<string, string>();
  const acquire = (name: string, signal?: AbortSignal) =>
    new Promise<{ release(): Promise<void> }>((resolve, reject) => {
      const held = () =>
        new Promise<void>((over) => {
          resolve({
            release: async () => over(),
          });
        });
      turns.hold(name, held, signal ? { signal } : {}).catch(reject);
    });
  const database = {
    read: async (key: string) => rows.get(key) ?? null,
    write: async (key: string, text: string) => void rows.set(key, text),
    remove: async (key: string) => void rows.delete(key),
    locked: memoryTokenStore().withLock,
  };
  const machine = () =>
    new FleetClient({
      baseUrl: 'http://fleet.test',
      credentials: { username: 'demo', password: 'demo' },
      gate: shown.gateOver({ acquire }),
      tokenStore: shown.storeOver(database),
      // Its own fetch, so that the clients share no turns.
      fetch: (url, init) => service.fetch(url, init),
    });

  const machines = [machine(), machine(), machine()];
  await Promise.all(
    machines.flatMap((fleet) => [
      fleet.getRoles(),
      fleet.createGroup({ createGroupInput: { name: 'Night shift' } }),
      fleet.getLabels(),
    ]),
  );

  const paths = service.requests.map(({ path }) => path);
  expect(paths.filter((path) => path === '/login/token')).toHaveLength(1);
  expect(service.requests.filter(({ status }) => status === 429)).toEqual([]);
  expect(rows.size).toBe(1);

  await machines[0]?.logout();
  expect(rows.size).toBe(0);
});
