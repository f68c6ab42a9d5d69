import { defineConfig } from 'vitest/config';
import NoSilentSkips from './test/no-silent-skips.js';

// The name of a file says when it runs; CONTRIBUTING.md explains the names.
const tests = (ending: string) => [`test/**/*${ending}`, `packages/*/test/**/*${ending}`];
const heavy = tests('.heavy.test.ts');
const nightly = tests('.nightly.test.ts');
const property = tests('.property.test.ts');
const e2e = ['{e2e,docs}/**/*.test.ts'].flatMap((files) => [`test/${files}`, `packages/*/test/${files}`]);

// The packages import the core's entry points: sources in tests of sources, else the built package.
const resolve = { tsconfigPaths: true };

// Most objects of a test die young: a larger semi-space makes `npm test` 6 % faster.
const execArgv = ['--max-semi-space-size=64'];

export default defineConfig({
  test: {
    // All cores: the main process of vitest has little to do while the tests run.
    maxWorkers: '100%',
    // Transformed modules are cached in node_modules/, by the hash of their text.
    experimental: { fsModuleCache: true },
    reporters: ['default', ...(process.env.GITHUB_ACTIONS ? ['github-actions'] : []), new NoSilentSkips()],
    projects: [
      {
        resolve,
        test: {
          name: 'source',
          execArgv,
          setupFiles: ['test/fixed-seed.ts', 'test/open-clients.ts'],
          include: tests('.test.ts'),
          // Separate projects with their own test runners: `npm run consumers`.
          exclude: ['{test,packages/*/test}/{e2e,docs,browser,consumers}/**', ...property, ...heavy, ...nightly],
          globalSetup: ['test/temporary-folder.ts'],
          testTimeout: 60_000,
          // A file's imports cost as much as its tests; sharing them in a worker halves the run.
          isolate: false,
        },
      },
      {
        // Tests the built package and command line, after building dist/; a failed build fails the
        // run.
        test: {
          name: 'e2e',
          execArgv,
          include: e2e,
          exclude: [...heavy, ...nightly],
          globalSetup: ['test/temporary-folder.ts', 'test/e2e/build-first.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          isolate: false,
        },
      },
      {
        // The slow tests of every push, and a sample of the properties.
        resolve,
        test: {
          name: 'heavy',
          execArgv,
          setupFiles: ['test/fixed-seed.ts', 'test/open-clients.ts'],
          include: [...heavy, ...property],
          globalSetup: ['test/temporary-folder.ts', 'test/e2e/build-first.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          isolate: false,
        },
      },
      {
        // Every slow test and case, and the exhaustive tests: `npm run nightly`.
        resolve,
        test: {
          name: 'nightly',
          setupFiles: ['test/fixed-seed.ts', 'test/open-clients.ts'],
          include: [...heavy, ...nightly, ...property],
          env: { FULL_RUNS: '1' },
          globalSetup: ['test/temporary-folder.ts', 'test/e2e/build-first.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        // Many random and broken requests, for minutes: `npm run fuzz`. `npm run test:heavy` has a
        // short run.
        test: {
          name: 'fuzz',
          include: ['test/fuzz/**/*.fuzz.ts'],
          execArgv: ['--expose-gc'],
        },
      },
      {
        // Needs a Chromium, so `npm test` leaves it out: `npm run test:browser`.
        test: {
          name: 'browser',
          include: ['{test,packages/*/test}/browser/**/*.test.ts'],
          globalSetup: ['test/temporary-folder.ts', 'test/e2e/build-first.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // The default of a second is too short in parallel with other steps of CI.
          expect: { poll: { timeout: 20_000 } },
        },
      },
    ],
  },
});
