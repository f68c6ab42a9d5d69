// The naming rules of test files, whose names say when they run (CONTRIBUTING.md).
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const folders = ['test', ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}/test`)];
const files = folders
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  )
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /\.(ts|mjs)$/.test(file) && !/(^|\/)(consumers|node_modules)\//.test(file));
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');

test('a name has no other tag than property, heavy and nightly', () => {
  const named = files.filter((file) => file.endsWith('.test.ts'));
  expect(named.filter((file) => !/(^|\/)[\w-]+(\.property|\.heavy|\.nightly)?\.test\.ts$/.test(file))).toEqual([]);
});

test('whoever tries more cases in a full run is called so, because only then there is a full run', () => {
  const usesRuns = files.filter((file) => /^import .*\/runs\.js';$/m.test(textOf(file)));
  expect(usesRuns.filter((file) => !/\.(property|heavy|nightly)\.test\.ts$/.test(file))).toEqual([]);
  const properties = files.filter((file) => file.endsWith('.property.test.ts'));
  expect(properties.filter((file) => !usesRuns.includes(file))).toEqual([]);
});

/** Files that need real time. Others use `until`, a hand-driven clock, or `timePasses` of Redis. */
const timersAllowed: Readonly<Record<string, string>> = {
  'packages/mcp/test/mcp-many.nightly.test.ts': 'kills a process, or cancels its call, at a random moment',
  'packages/sync/test/differential.nightly.test.ts': 'kills a process at a random moment',
  'test/docs/examples.heavy.test.ts': "moves the service's clock on while an example runs",
  'test/docs/run-blocks.mjs': 'ends a block of a document that hangs',
  'test/fuzz/watchdog.ts': 'ends a run that hangs',
  'test/locks/turn-processes.heavy.test.ts': 'lets a process look for others that wait, and find none',
  'test/redis/machines.nightly.test.ts': 'leaves Redis stopped for longer than a lease: it cannot tell the time itself',
};

test('nobody sleeps', () => {
  const timer =
    /(?<![.\w])(setTimeout|setInterval)\(|import .*\b(setTimeout|setInterval|scheduler)\b.* from 'node:timers/;
  const withTimers = files.filter((file) => timer.test(textOf(file)));
  expect(withTimers.filter((file) => file !== 'test/test-files.test.ts').sort()).toEqual(Object.keys(timersAllowed));
});

/** Files with delays of a certain length. Others hold and release requests: `held` of held.ts. */
const delaysAllowed: Readonly<Record<string, string>> = {
  'test/held.ts': 'holds a request until the test releases it',
  'test/mock/control.test.ts': 'sends a delay that is refused',
  'test/mock/delays.test.ts': 'tests delays themselves, on a fake clock and in real time',
  'test/mock/fault-rules.test.ts': 'reads rules and sends no request',
};

test('a request that has to wait is held and released, not delayed by a time', () => {
  const withDelays = files.filter((file) => /\bkind['"]?: ?['"]delay['"]/.test(textOf(file)));
  expect(withDelays.sort()).toEqual(Object.keys(delaysAllowed));
});
