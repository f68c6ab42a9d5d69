// A folder with installed packages, like a user's, in which blocks and examples are checked and
// run.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createMockService, type Listening, type MockService } from 'fleet-telematics/mock';
import { npmCommand } from '../../scripts/npm.mjs';
import { clock } from '../moment.js';
import libraries from './libraries/package.json' with { type: 'json' };
import { root } from './markdown.js';

export interface Workshop {
  readonly folder: string;
  /** Replaces `https://fleet.example.com`; its logins are demo, multi and me@example.com. */
  readonly service: MockService;
  readonly url: string;
  /** The environment of a user, without that of the test runner. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

const ours = { 'fleet-telematics': '.', 'fleet-telematics-sync': 'packages/sync' };
const installed = [
  ...[
    '@types/node',
    '@graphql-typed-document-node/core',
    'graphql',
    'graphql-request',
    'p-queue',
    'ioredis',
    'msw',
    'redis',
    'vitest',
    'undici',
  ],
  ...['@opentelemetry/api', '@opentelemetry/instrumentation-undici', '@opentelemetry/sdk-trace-node'],
  ...['@opentelemetry/sdk-metrics', 'postgres'],
];
const password = 'correct horse';

/** Heavy packages, only installed with `withLibraries`. */
export const libraryNames: readonly string[] = Object.keys(libraries.dependencies);

export async function openWorkshop({ withLibraries = false } = {}): Promise<Workshop> {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-docs-'));
  const modules = join(folder, 'node_modules');
  if (withLibraries) installLibraries(folder);
  for (const name of installed) mkdirSync(dirname(join(modules, name)), { recursive: true });
  mkdirSync(join(folder, 'bin'));
  for (const [name, place] of Object.entries(ours)) symlinkSync(join(root, place), join(modules, name), 'junction');
  for (const name of installed) {
    // A library may bring its own copy; two copies of @opentelemetry/api would not share state.
    rmSync(join(modules, name), { recursive: true, force: true });
    symlinkSync(join(root, 'node_modules', name), join(modules, name), 'junction');
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
  const shim = `#!/bin/sh\nexec "${process.execPath}" "${join(root, 'bin/fleet.js')}" "$@"\n`;
  writeFileSync(join(folder, 'bin/fleet'), shim, { mode: 0o755 });

  const service = createMockService({
    clock,
    users: [
      { username: 'demo', password: 'demo', entries: [{ fleet: 'Demo Fleet' }] },
      { username: 'multi', password: 'multi', entries: [{ fleet: 'North Fleet' }, { fleet: 'South Fleet' }] },
      { username: 'me@example.com', password, entries: [{ fleet: 'Demo Fleet' }] },
    ],
  });
  const server: Listening = await service.listen();
  const { PATH = '' } = process.env;
  return {
    folder,
    service,
    url: server.url,
    env: {
      PATH: `${join(folder, 'bin')}:${PATH}`,
      HOME: folder,
      FLEET_CONFIG_DIR: join(folder, 'config'),
      FLEET_BASE_URL: server.url,
      FLEET_USERNAME: 'me@example.com',
      FLEET_PASSWORD: password,
      // For redisTokenStore and --redis; unused without an address.
      FLEET_REDIS_KEY: randomBytes(32).toString('base64'),
    },
    async close() {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function installLibraries(folder: string): void {
  for (const file of ['package.json', 'package-lock.json']) {
    copyFileSync(join(root, 'test/docs/libraries', file), join(folder, file));
  }
  const words = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  execFileSync(...npmCommand(...words), { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Returns runnable code: the documents' address replaced by the service's. */
export function withServiceUrl(code: string, { url }: Workshop): string {
  return code.replaceAll('https://fleet.example.com', url);
}
