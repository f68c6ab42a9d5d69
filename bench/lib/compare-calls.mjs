// @ts-check
// Measures the same call with every client, alternating in one process, compared with plain undici.
import { byHand, closeAll, openAll, ours } from '../peers/all.mjs';
import { ratioOf, shownRatio, timeOfCall } from './measure.mjs';
import { byTurns, median } from './stats.mjs';

/**
 * @param {import('./report.mjs').Report} report
 * @param {object} wanted
 * @param {import('../peers/peer.mjs').Target} wanted.target
 * @param {(client: import('../peers/peer.mjs').Client) => Promise<unknown>} wanted.call
 * @param {number} wanted.calls in a round
 * @param {number} wanted.rounds
 * @param {number} wanted.warmUp rounds that do not count
 * @param {string} wanted.what
 * @param {number} wanted.most the ratio that has to be reached
 * @param {number} [wanted.honest] the ratio to expect with all that the call does, if that is
 * another; README.md says what it is
 * @returns {Promise<import('./scenario.mjs').Bar[]>}
 */
export async function compareCalls(report, { target, call, calls, rounds, warmUp, what, most, honest = most }) {
  const clients = await openAll(target);
  await agree([...clients].map(([name, client]) => ({ name, answer: () => call(client) })));
  const things = Object.fromEntries(
    [...clients].map(([name, client]) => [name, () => timeOfCall(calls, () => call(client))]),
  );
  // Warms up, so that compiled code is compared and not the compiler.
  await byTurns(warmUp, things);
  const times = await byTurns(rounds, things);
  await closeAll(clients);

  /** @param {'ms' | 'cpuMs'} which @param {string} name */
  const all = (which, name) => (times[name] ?? []).map((time) => time[which]);
  /** @param {'ms' | 'cpuMs'} which @param {string} name */
  const ratio = (which, name) => ratioOf(all(which, name), all(which, byHand));
  report.table(
    ['client', 'a call', 'ratio', 'CPU of the client', 'ratio'],
    Object.keys(times).map((name) => [
      name,
      shownMicros(median(all('ms', name))),
      shownRatio(ratio('ms', name)),
      shownMicros(median(all('cpuMs', name))),
      shownRatio(ratio('cpuMs', name)),
    ]),
  );
  const reached = ratio('ms', ours);
  const others = ['undici Pool by hand', 'graphql-request', 'urql', 'Apollo Client', 'batch-execute'].map(
    (name) => `${name} ${shownRatio(ratio('ms', name))}`,
  );
  return [
    {
      what,
      bar: `${most}x undici by hand or less${honest === most ? '' : ` (honest target ${honest}x)`}`,
      reached: shownRatio(reached),
      met: reached <= most,
      others: others.join(', '),
    },
  ];
}

/** @param {number} ms */
const shownMicros = (ms) => (ms < 1 ? `${Math.round(ms * 1000)} µs` : `${ms.toFixed(2)} ms`);

/**
 * Throws unless all clients return the same rows: losing rows would be fast.
 * @param {readonly { name: string, answer: () => Promise<unknown> }[]} all
 */
async function agree(all) {
  let first = '';
  for (const { name, answer } of all) {
    const text = JSON.stringify(rootValue(await answer()));
    first ||= text;
    if (text !== first) throw new Error(`${name} got something else than the others: ${text.slice(0, 200)}`);
  }
}

/**
 * Returns the root field's value: the SDK's result, or inside the `data` of others.
 * @param {unknown} data
 */
function rootValue(data) {
  if (typeof data !== 'object' || data === null) return data;
  const [value, ...rest] = Object.entries(data).flatMap(([name, below]) => (/^get[A-Z]/.test(name) ? [below] : []));
  return value !== undefined && rest.length === 0 ? value : data;
}
