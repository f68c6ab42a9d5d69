// @ts-check
// A table of lookup bursts: one row per client with the medians of its rounds.
import { median, shownMs } from './stats.mjs';

/** @typedef {import('./burst.mjs').Outcome} Outcome */

/** @param {readonly Outcome[]} rounds @returns {Outcome} */
export const middleOf = (rounds) => ({
  requests: median(rounds.map(({ requests }) => requests)),
  refused: median(rounds.map(({ refused }) => refused)),
  failed: median(rounds.map(({ failed }) => failed)),
  ms: median(rounds.map(({ ms }) => ms)),
});

/**
 * @param {import('./report.mjs').Report} report
 * @param {Readonly<Record<string, readonly Outcome[]>>} outcomes
 */
export function burstTable(report, outcomes) {
  report.table(
    ['client', 'requests', 'answered with 429', 'lookups that failed', 'time'],
    Object.entries(outcomes).map(([name, rounds]) => {
      const { requests, refused, failed, ms } = middleOf(rounds);
      return [name, `${requests}`, `${refused}`, `${failed}`, shownMs(ms)];
    }),
  );
}

/**
 * @param {Readonly<Record<string, readonly Outcome[]>>} outcomes
 * @param {readonly string[]} names
 */
export const inShort = (outcomes, names) =>
  names
    .map((name) => {
      const { requests, failed, ms } = middleOf(outcomes[name] ?? []);
      return `${name} ${requests} request${requests === 1 ? '' : 's'}, ${failed > 0 ? `${failed} fail` : shownMs(ms)}`;
    })
    .join('; ');
