import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What takes long and is rarely wrong: left out of `npm test`, run by `npm run check` (`npm run test:heavy`). */
const heavy = [
  'test/cli/sync-rows.test.ts',
  'test/cli/whole-output.test.ts',
  'test/e2e/add-operation.test.ts',
  'test/e2e/package.test.ts',
  'test/e2e/shells.test.ts',
  'test/fuzz/service.test.ts',
  'test/locks/turn-processes.test.ts',
  'test/mock/document-cache.test.ts',
  'test/mock/long-answers.test.ts',
  'test/redis/{failover,machines,processes}.test.ts',
  'test/sync/{damaged-copy,differential,forms,gone-vehicle,hostile,killed,nodes,other-vehicles,postgres*,queries,state.property,sync,wrong-clock}.test.ts',
  'test/variants/matrix.test.ts',
];

/** The same, but of interest at special moments of the calendar too. */
const slow = [
  'test/cli/examples.test.ts',
  'test/cli/list-streaming.test.ts',
  'test/cli/{demo-time,service-time}.test.ts',
  'test/client-processes.test.ts',
  'test/docs/{blocks,examples,shell,tasks}.test.ts',
  'test/e2e/compiled-code.test.ts',
  'test/mock/living-world.test.ts',
  'test/mock/reports.test.ts',
  'test/mock/telemetry/drives.test.ts',
  'test/mock/telemetry/{function-of-time,values}.test.ts',
  'test/redis/outage.test.ts',
  'test/telemetry/many-vehicles-long.test.ts',
  'test/telemetry/readings.test.ts',
  'test/telemetry/watch/watch-geofences.test.ts',
  'test/transport/connect-timeout.test.ts',
  'test/types/editor.test.ts',
  'test/variants/second-service/second-service.test.ts',
];

/** Tests that try a property many times: `npm test` runs a quarter of the tries, `npm run check` all. */
const tried = [
  'test/**/*.property.test.ts',
  'test/rows/row-scanner.test.ts',
  'test/telemetry/stream-snapshots.test.ts',
];

/** They wait for leases and processes, so they begin first: begun last, they would leave all cores but one without work. */
const longest = [
  'test/redis/machines.test.ts',
  'test/sync/killed.test.ts',
  'test/sync/differential.test.ts',
  'test/docs/examples.test.ts',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = longest.findIndex((file) => moduleId.endsWith(file));
      return place < 0 ? longest.length : place;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

const timed = [
  'test/{auth,core,locks}/*.test.ts',
  'test/cli/{doctor,drivers,formats,local-time,parse,reports,schedules,session,shape,snapshots,status,time,tokens,trips,vehicles,watch}.test.ts',
  'test/client*.test.ts',
  'test/docs/{examples,shell,terminal-picture}.test.ts',
  'test/e2e/{command-line,plain-http,sdk-operations,watch}.test.ts',
  'test/mock/{assignments,clock,control,http,login,records,restore,snapshots}.test.ts',
  'test/request/{retry-policy,service-clock,waiting}.test.ts',
  'test/transport/{graphql-transport,http-transport,service-clock,undici-transport}.test.ts',
  'test/telemetry/*.test.ts',
];

export default defineConfig({
  test: {
    // All cores: the main process of vitest has little to do while the tests run.
    maxWorkers: '100%',
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'source',
          setupFiles: ['test/fixed-seed.ts'],
          include: ['test/**/*.test.ts'],
          exclude: ['test/e2e/**', 'test/browser/**', 'test/docs/**', ...heavy, ...slow],
          testTimeout: 60_000,
          // A file's imports cost as much as its tests; loaded once for all files of a worker they cost half of the run.
          isolate: false,
        },
      },
      {
        // Drives the built package and the built command line, so dist/ is built first; a failed build fails the run.
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts', 'test/docs/**/*.test.ts'],
          exclude: [...heavy, ...slow],
          globalSetup: ['test/e2e/build-first.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          isolate: false,
        },
      },
      {
        // What looks at the reference world, at clocks, at ages or at time zones: `npm run test:any-day -- --time-only` runs it at moments
        // at which a calendar or a clock has something special.
        test: {
          name: 'time',
          setupFiles: ['test/fixed-seed.ts'],
          include: timed,
          exclude: [...heavy, 'test/telemetry/many-vehicles-long.test.ts'],
          globalSetup: ['test/e2e/build-first.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          isolate: false,
        },
      },
      {
        test: {
          name: 'heavy',
          setupFiles: ['test/fixed-seed.ts'],
          include: [...heavy, ...slow, ...tried],
          env: { FULL_RUNS: '1' },
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
