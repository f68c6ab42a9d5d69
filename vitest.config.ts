import { defineConfig } from 'vitest/config';

const timed = [
  'test/{auth,core,locks,rows,transport}/*.test.ts',
  'test/cli/{doctor,drivers,formats,parse,reports,schedules,session,shape,snapshots,status,time,tokens,trips,vehicles,watch}.test.ts',
  'test/client*.test.ts',
  'test/docs/{examples,shell,terminal-picture}.test.ts',
  'test/e2e/{command-line,plain-http,sdk-operations,watch}.test.ts',
  'test/mock/{assignments,clock,control,http,login,records,restore,snapshots}.test.ts',
  'test/request/{retry-policy,service-clock,waiting}.test.ts',
  'test/telemetry/*.test.ts',
];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'source',
          include: ['test/**/*.test.ts'],
          exclude: ['test/e2e/**', 'test/browser/**', 'test/docs/**'],
          testTimeout: 60_000,
        },
      },
      {
        // Drives the built package and the built command line, so dist/ is built first; a failed build fails the run.
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts', 'test/docs/**/*.test.ts'],
          globalSetup: ['test/e2e/build-first.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        // What looks at the reference world, at clocks, at ages or at time zones: `npm run test:any-day -- --time-only` runs it at moments
        // at which a calendar or a clock has something special.
        test: {
          name: 'time',
          include: timed,
          globalSetup: ['test/e2e/build-first.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        // Many random and broken requests: minutes of work, so `npm test` has only a short run of it: `npm run fuzz`.
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
          include: ['test/browser/**/*.test.ts'],
          globalSetup: ['test/e2e/build-first.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
