// Runs the tests with a faked system time (Debian's `faketime`) at special moments, such as leap
// days and changes to summer time.
//   npm run test:any-day                        every test, at every moment
//   npm run test:any-day -- --quick             only the tests of `npm test`
//   npm run test:any-day -- new-year leap-day   only these moments
//   npm run test:any-day -- new-year -- <file>  vitest gets the arguments after the second `--`
//   npm run test:any-day -- --rotate            one moment, chosen by the commit; CI uses this
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './source-files.mjs';

/** @type {Readonly<Record<string, readonly [begins: string, zone: string]>>} */
const moments = {
  'sunday-night': ['2026-11-22T03:00:00Z', 'UTC'],
  'monday-midnight': ['2026-03-02T00:00:30Z', 'UTC'],
  'friday-midnight': ['2026-03-06T23:59:30Z', 'UTC'],
  'leap-day': ['2028-02-29T23:30:00Z', 'UTC'],
  'spring-tallinn': ['2026-03-29T02:59:00+02:00', 'Europe/Tallinn'],
  'autumn-tallinn': ['2026-10-25T03:59:00+03:00', 'Europe/Tallinn'],
  'spring-new-york': ['2026-03-08T01:59:00-05:00', 'America/New_York'],
  'autumn-new-york': ['2026-11-01T01:59:00-04:00', 'America/New_York'],
  'new-year': ['2026-12-31T23:59:00Z', 'UTC'],
  // Monday in Kiritimati while Sunday in UTC; in Pago Pago the opposite.
  kiritimati: ['2026-06-15T08:00:00+14:00', 'Pacific/Kiritimati'],
  'pago-pago': ['2026-06-14T20:00:00-11:00', 'Pacific/Pago_Pago'],
};

const preload = fileURLToPath(new URL('any-day-preload.cjs', import.meta.url));
const words = process.argv.slice(2);
const end = words.includes('--') ? words.indexOf('--') : words.length;
const forVitest = words.slice(end + 1);
const flags = words.slice(0, end).filter((word) => word.startsWith('--'));
const names = words.slice(0, end).filter((word) => !word.startsWith('--'));
const unknownFlags = flags.filter((flag) => flag !== '--quick' && flag !== '--rotate');
if (unknownFlags.length > 0) {
  process.stderr.write(`There is no ${unknownFlags.join(', ')}. There are: --quick, --rotate.\n`);
  process.exit(2);
}
const selected = flags.includes('--rotate') ? oneOfThisCommit() : names.length > 0 ? names : Object.keys(moments);
const unknown = selected.filter((name) => !(name in moments));
if (unknown.length > 0) {
  process.stderr.write(`No moment is called ${unknown.join(', ')}. There are: ${Object.keys(moments).join(', ')}.\n`);
  process.exit(2);
}

if (process.platform !== 'linux') {
  process.stdout.write('Not run: the system time can be faked on Linux only. CI runs this.\n');
  process.exit(0);
}
const library = faketimeLibrary();
if (library === null) {
  process.stderr.write(
    'The system time is faked by libfaketime, which is not here; on Debian: apt-get install faketime. FAKETIME_LIBRARY may name its file.\n',
  );
  process.exit(2);
}

// Builds before the time is faked, so that dist/ is up to date in every run.
if (spawnSync(process.execPath, [join(root, 'scripts/build.mjs')], { stdio: 'inherit' }).status !== 0) process.exit(1);

const scratch = mkdtempSync(join(tmpdir(), 'fleet-any-day-'));
try {
  for (const [name, [begins, zone]] of Object.entries(moments)) {
    if (selected.includes(name)) runAt(name, begins, zone);
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/**
 * Runs the tests at a moment, and prints the result.
 * @param {string} name
 * @param {string} begins
 * @param {string} zone
 */
function runAt(name, begins, zone) {
  const start = performance.now();
  const report = join(scratch, `${name}.json`);
  const { status, stdout, stderr } = runTests(begins, zone, report);
  const seconds = `${((performance.now() - start) / 1000).toFixed(0)} s`;
  const place = `${name.padEnd(16)} ${begins} ${zone}`.padEnd(64);
  if (existsSync(report)) printReport(report, place, seconds);
  else process.stdout.write(`${place} did not run\n${stdout}${stderr}`);
  if (status !== 0 || !existsSync(report)) process.exitCode = 1;
}

/**
 * @param {string} begins
 * @param {string} zone
 * @param {string} report the file for the results
 */
function runTests(begins, zone, report) {
  const projects = flags.includes('--quick') ? ['source', 'e2e'] : ['source', 'e2e', 'heavy'];
  // An offset, not a fixed start time: all processes of a run must share one clock.
  const offsetSeconds = Math.round((Date.parse(begins) - Date.now()) / 1000);
  return spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      ...projects.flatMap((project) => ['--project', project]),
      '--reporter=json',
      `--outputFile=${report}`,
      ...forVitest,
    ],
    {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      env: {
        ...process.env,
        TZ: zone,
        LD_PRELOAD: library ?? '',
        FAKETIME: `${offsetSeconds < 0 ? '' : '+'}${offsetSeconds}s`,
        // Timeouts and durations use the monotonic clock.
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
        ANY_DAY_OFFSET_MS: String(offsetSeconds * 1000),
        NODE_OPTIONS: `--require ${JSON.stringify(preload)}`,
      },
    },
  );
}

/**
 * Prints the counts of a run, and each failure.
 * @param {string} report
 * @param {string} place
 * @param {string} seconds
 */
function printReport(report, place, seconds) {
  /**
   * @type {{
   *   numPassedTests: number, numFailedTests: number, numPendingTests: number,
   *   testResults: readonly {
   *     name: string, message: string,
   *     assertionResults: readonly {
   *       fullName: string, status: string, failureMessages: readonly string[]
   *     }[]
   *   }[]
   * }}
   */
  const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(readFileSync(report, 'utf8'));
  process.stdout.write(
    `${place} ${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped, ${seconds}\n`,
  );
  for (const { name: file, message, assertionResults } of testResults) {
    if (message) process.stdout.write(`  ${file}: ${message}\n`);
    for (const { fullName, status: outcome, failureMessages } of assertionResults) {
      if (outcome === 'failed') process.stdout.write(`  ${file}: ${fullName}\n    ${failureMessages.join('\n    ')}\n`);
    }
  }
}

/** Returns a moment by commit, so that CI covers all of them over time. */
function oneOfThisCommit() {
  const { stdout } = spawnSync('git', ['rev-parse', '--short=8', 'HEAD'], { cwd: root, encoding: 'utf8' });
  const names = Object.keys(moments);
  return [names[(Number.parseInt(stdout, 16) || 0) % names.length] ?? ''];
}

/** Debian installs the library in a folder per architecture. */
function faketimeLibrary() {
  const file = process.env.FAKETIME_LIBRARY;
  if (file) return existsSync(file) ? file : null;
  const below = existsSync('/usr/lib') ? readdirSync('/usr/lib').map((folder) => `/usr/lib/${folder}`) : [];
  const files = ['/usr/lib', ...below].map((folder) => join(folder, 'faketime/libfaketime.so.1'));
  return files.find((file) => existsSync(file)) ?? null;
}
