// @ts-check
// Fifty processes of one user at once: cron jobs, workers, shells.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { latencyMs, startFleet } from '../lib/fleet-with-latency.mjs';
import { answeredWith, askedFor, takeJournal } from '../lib/mock-control.mjs';
import { shownMs } from '../lib/stats.mjs';

/** @typedef {import('../programs/one-of-many.mjs').Job} Job */

export const title = '50 processes of one user at once';

const count = 50;
const program = fileURLToPath(new URL('../programs/one-of-many.mjs', import.meta.url));

/** @type {import('../lib/scenario.mjs').Scenario['run']} */
export async function run(report) {
  const fleet = await startFleet();
  const { url } = fleet.target;
  const sdk = await outcome('sdk', url, fleet.ids);
  const script = await outcome('script', url, fleet.ids);
  await fleet.stop();

  report.text(
    `Each process loads what it needs and waits for a sign; then all ${count} look a vehicle up at the same time, nobody logged in`,
  );
  report.text(
    `before, ${latencyMs} ms a request: one after the other they take ${shownMs(count * latencyMs)} at least. The script is graphql-request and a file that`,
  );
  report.text('holds the token, without a queue, since a queue in one process knows nothing of the other processes.');
  report.table(
    [
      '',
      'logins',
      'refreshes',
      'requests',
      '429 at the service',
      '429 seen by processes',
      'processes that failed',
      'from the sign to the last',
    ],
    Object.entries({ "fleet-telematics, share: 'machine'": sdk, 'graphql-request and a token file': script }).map(
      ([name, { logins, refreshes, requests, refused, seen, failed, ms }]) => [
        name,
        ...[logins, refreshes, requests, refused, seen, failed].map(String),
        shownMs(ms),
      ],
    ),
  );
  if (sdk.errors.length > 0) report.text(`The first that failed said: ${sdk.errors[0]}`);
  return [
    {
      what: `${count} processes of one user at once`,
      bar: '1 login, no 429, all succeed',
      reached: `${sdk.logins} login${sdk.logins === 1 ? '' : 's'}, ${sdk.refused} of 429, ${sdk.failed} fail, ${shownMs(sdk.ms)}`,
      met: sdk.logins === 1 && sdk.refused === 0 && sdk.seen === 0 && sdk.failed === 0,
      others: `graphql-request and a token file: ${script.logins} logins, ${script.refused} of 429, ${script.failed} fail`,
    },
  ];
}

/** @param {Job['way']} way @param {string} url @param {readonly string[]} ids */
async function outcome(way, url, ids) {
  const folder = await mkdtemp(join(tmpdir(), 'fleet-bench-'));
  const children = ids.slice(0, count).map((id) => fork(program, [JSON.stringify({ way, url, id, folder })]));
  try {
    await Promise.all(children.map((child) => told(child)));
    await takeJournal(url);
    const begun = performance.now();
    const answers = children.map((child) => told(child));
    for (const child of children) child.send('go');
    const results = await Promise.all(answers);
    const ms = performance.now() - begun;
    const journal = await takeJournal(url);
    const errors = results.flatMap(({ error }) => error ?? []);
    return {
      logins: askedFor(journal, '/login/token'),
      refreshes: askedFor(journal, '/login/refresh'),
      requests: askedFor(journal, '/graphql'),
      refused: answeredWith(journal, 429),
      seen: results.reduce((sum, { refused }) => sum + refused, 0),
      failed: errors.length,
      errors,
      ms,
    };
  } finally {
    for (const child of children) child.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * The next message of a process; a process that ends without one has failed.
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<import('../programs/one-of-many.mjs').Told>}
 */
async function told(child) {
  const ended = once(child, 'exit').then(([code]) => [{ error: `the process ended with ${code}`, refused: 0 }]);
  const [message] = await Promise.race([once(child, 'message'), ended]);
  return message;
}
