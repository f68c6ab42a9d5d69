// @ts-check
// Measures a call's duration, and its ratio to another call in the same rounds.
import { median } from './stats.mjs';

/**
 * Elapsed time, and processor time of this process.
 * @typedef {{ ms: number, cpuMs: number }} CallTime
 */

/**
 * Returns the mean time of consecutive calls. Earlier garbage is collected first.
 * @param {number} calls
 * @param {() => Promise<unknown>} call
 * @returns {Promise<CallTime>}
 */
export async function timeOfCall(calls, call) {
  globalThis.gc?.();
  const before = process.cpuUsage();
  const begun = performance.now();
  for (let made = 0; made < calls; made += 1) await call();
  const ms = performance.now() - begun;
  const { user, system } = process.cpuUsage(before);
  return { ms: ms / calls, cpuMs: (user + system) / 1000 / calls };
}

/**
 * Returns the median ratio of the rounds: a disturbance of a round affects both sides.
 * @param {readonly number[]} some
 * @param {readonly number[]} others
 */
export const ratioOf = (some, others) => median(some.map((time, round) => time / (others[round] ?? Number.NaN)));

/** @param {number} ratio */
export const shownRatio = (ratio) => `${ratio.toFixed(2)}x`;
