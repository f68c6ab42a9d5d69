// @ts-check
// The cost of passing the turn between fifty processes of a user, compared with a kernel lock.
import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { latencyMs, startFleet } from '../lib/fleet-with-latency.mjs';
import { countByStatus, takeJournal } from '../lib/mock-control.mjs';
import { byTurns, median, shownMs } from '../lib/stats.mjs';

/** @typedef {import('../programs/turn-taker.mjs').Job} Job */

export const title = 'The turn of 50 ready processes';

const count = 50;
const kills = 10;
const rounds = 3;
/** Maximum ratio to the processes with the kernel lock. */
const bar = 1.2;
/** Maximum ratio to the sum of the turns, for cold processes. */
const coldBar = 1.5;
/** Pause before the signal, in which background work of the start ends. */
const settleMs = 3_000;
const program = fileURLToPath(new URL('../programs/turn-taker.mjs', import.meta.url));

/** @type {import('../lib/scenario.mjs').Scenario['run']} */
export async function run(report) {
  const fleet = await startFleet();
  const hasFlock = spawnSync('flock', ['--version']).error === undefined;
  const withoutKills = (/** @type {Job['way']} */ gateKind) => () => outcome(gateKind, fleet, {});
  const withKills = (/** @type {Job['way']} */ gateKind) => () => outcome(gateKind, fleet, { killed: kills });
  const things = {
    alone: withoutKills('alone'),
    files: withoutKills('files'),
    filesKilled: withKills('files'),
    cold: () => outcome('files', fleet, { isCold: true }),
    kernel: hasFlock ? withoutKills('kernel') : none,
    kernelKilled: hasFlock ? withKills('kernel') : none,
  };
  const measured = await byTurns(rounds, things);
  const alone = withoutNulls(measured.alone);
  const files = withoutNulls(measured.files);
  const filesKilled = withoutNulls(measured.filesKilled);
  const cold = withoutNulls(measured.cold);
  const kernel = withoutNulls(measured.kernel);
  const kernelKilled = withoutNulls(measured.kernelKilled);
  await fleet.stop();

  const turnsMs = middle(alone, 'ms');
  report.text(
    `${count} processes have connected and wait for a signal, which comes ${settleMs / 1000} s later; then each makes one call that takes the service ${latencyMs} ms. The sum of the turns is what`,
  );
  report.text(
    `one process needs for the same ${count} calls, one after the other, in this run. With kills, ${kills} of them, chosen by chance, are killed (-9) at a moment of their turn. Medians of ${rounds} runs, by turns.`,
  );
  report.text(
    'Cold processes are started together, and none has a session: one of them logs in. Their time counts from the start of the first, so that it holds the starts of all, of which the machine makes two at a time.',
  );
  report.text('The kernel lock is flock(1) as a gate of the same client; its waiters have no order.');
  report.table(
    [
      '',
      'from the sign to the last',
      'of the sum of the turns',
      'a turn held',
      'longest',
      '429 at the service',
      'failed',
    ],
    Object.entries({ alone, files, filesKilled, cold, ...(hasFlock ? { kernel, kernelKilled } : {}) }).map(
      ([name, all]) => [
        names[name] ?? name,
        shownMs(middle(all, 'ms')),
        `${(middle(all, 'ms') / turnsMs).toFixed(2)}x`,
        shownMs(middle(all, 'heldMs')),
        shownMs(middle(all, 'longestMs')),
        String(middle(all, 'refused')),
        String(all.reduce((sum, { errors }) => sum + errors.length, 0)),
      ],
    ),
  );
  const [error] = [...files, ...filesKilled].flatMap(({ errors }) => errors);
  if (error) report.text(`The first that failed said: ${error}`);
  const left = files.flatMap((each) => each.left);
  if (left.length > 0) report.text(`Left in the folder of turns: ${left.join(', ')}`);
  const ratio = middle(files, 'ms') / turnsMs;
  const kernelRatio = hasFlock ? middle(kernel, 'ms') / turnsMs : null;
  const refused = Math.max(...files.map((each) => each.refused));
  const moreTurns = (middle(filesKilled, 'ms') - middle(files, 'ms')) / (turnsMs / count);
  const coldRatio = middle(cold, 'ms') / turnsMs;
  const coldRefused = Math.max(...cold.map((each) => each.refused));
  const isWhole = [...files, ...filesKilled, ...cold].every(({ errors }) => errors.length === 0);
  // Nobody cleans up after the last holder if it is killed.
  const isClean = files.every((each) => each.left.length === 0);
  return [
    {
      what: `${count} ready processes, a call of ${latencyMs} ms each, against one process that makes all of them`,
      bar: `${bar}x a kernel lock, no 429`,
      reached: `${ratio.toFixed(2)}x, ${refused} of 429`,
      met: kernelRatio !== null && ratio <= bar * kernelRatio && refused === 0 && isWhole && isClean,
      ...(kernelRatio === null ? {} : { others: `kernel lock: ${kernelRatio.toFixed(2)}x` }),
    },
    {
      what: `${count} cold processes, a call each, against the same`,
      bar: `${coldBar}x, no 429`,
      reached: `${coldRatio.toFixed(2)}x, ${coldRefused} of 429`,
      met: coldRatio <= coldBar && coldRefused === 0 && isWhole,
    },
    {
      what: `the same, ${kills} holders killed`,
      bar: `one turn more for each at most (${kills})`,
      reached: `${moreTurns.toFixed(1)} turns more`,
      met: moreTurns <= kills && isWhole,
      ...(hasFlock
        ? {
            others: `kernel lock: ${((middle(kernelKilled, 'ms') - middle(kernel, 'ms')) / (turnsMs / count)).toFixed(1)}`,
          }
        : {}),
    },
  ];
}

const none = async () => null;

/** @param {readonly (Awaited<ReturnType<typeof outcome>> | null)[]} all */
const withoutNulls = (all) => all.flatMap((each) => each ?? []);

/** @type {Readonly<Record<string, string>>} */
const names = {
  alone: 'one process, all calls',
  files: "fleet-telematics, share: 'machine'",
  filesKilled: 'the same, with kills',
  cold: 'the same, from cold processes',
  kernel: 'kernel lock',
  kernelKilled: 'the same, with kills',
};

/**
 * @param {readonly Awaited<ReturnType<typeof outcome>>[]} all
 * @param {'ms' | 'heldMs' | 'longestMs' | 'refused'} member
 */
const middle = (all, member) => median(all.map((each) => each[member]));

/**
 * @param {Job['way']} gateKind
 * @param {import('../lib/fleet-with-latency.mjs').FleetWithLatency} fleet
 * @param {{ killed?: number, isCold?: boolean }} options
 */
async function outcome(gateKind, fleet, { killed = 0, isCold = false }) {
  const { url, headers } = fleet.target;
  const folder = await mkdtemp(join(tmpdir(), 'fleet-bench-'));
  const ids = fleet.ids.slice(0, count);
  const shares = gateKind === 'alone' ? [ids] : ids.map((id) => [id]);
  await takeJournal(url);
  const started = performance.now();
  const children = shares.map((share) =>
    fork(program, [JSON.stringify({ way: gateKind, url, userId: headers.userid, ids: share, folder, isCold })]),
  );
  const doomed = new Set([...children].sort(() => Math.random() - 0.5).slice(0, killed));
  try {
    if (!isCold) {
      const starts = await Promise.all(children.map((child) => messageWith(child, 'ready')));
      const failed = starts.find(({ error }) => error);
      if (failed) throw new Error(`A process did not get ready: ${failed.error}`);
      await setTimeout(settleMs);
      await takeJournal(url);
    }
    for (const child of doomed) {
      void messageWith(child, 'sending').then(async () => {
        await setTimeout(Math.random() * latencyMs);
        child.kill('SIGKILL');
      });
    }
    const begun = isCold ? started : performance.now();
    const ends = children.map((child) => (doomed.has(child) ? once(child, 'exit') : messageWith(child, 'heldMs')));
    for (const child of isCold ? [] : children) child.send('go');
    const ended = await Promise.all(ends);
    const ms = performance.now() - begun;
    await Promise.all(children.map((child) => child.exitCode ?? child.signalCode ?? once(child, 'exit')));
    const answers = ended.flatMap((each) => ('heldMs' in each ? [each] : []));
    const held = answers.map(({ heldMs }) => heldMs);
    return {
      ms,
      heldMs: median(held),
      longestMs: Math.max(...held),
      refused: countByStatus(await takeJournal(url), 429),
      errors: answers.flatMap(({ error }) => error ?? []),
      left: gateKind !== 'kernel' ? await filesIn(join(folder, 'turns')) : [],
    };
  } finally {
    for (const child of children) child.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Returns the files that remain when nobody waits.
 * @param {string} folder
 */
async function filesIn(folder) {
  const all = await readdir(folder, { recursive: true });
  return all.filter((name) => !name.endsWith('.queue'));
}

/**
 * Resolves with the process's first message that has this member; an early end is a failure.
 * @param {import('node:child_process').ChildProcess} child
 * @param {string} member
 * @returns {Promise<{ error: string | null, heldMs: number }>}
 */
function messageWith(child, member) {
  return new Promise((resolve) => {
    const listen = (/** @type {any} */ message) => {
      if (member in message) done(message);
    };
    const done = (/** @type {any} */ message) => {
      child.off('message', listen);
      resolve(message);
    };
    child.on('message', listen);
    child.once('exit', (code) => done({ error: `the process ended with ${code}`, heldMs: Number.NaN }));
  });
}
