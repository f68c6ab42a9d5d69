// @ts-check
// Medians, alternating rounds, and formatted figures.

/** @param {readonly number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const high = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? high : ((sorted[middle - 1] ?? Number.NaN) + high) / 2;
}

/**
 * Returns the smallest value that `percent` of all values do not exceed.
 * @param {readonly number[]} values
 * @param {number} percent
 */
export function percentile(values, percent) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN;
}

/**
 * Measures several things in alternation, so that the machine's other work affects all alike.
 * @template {string} Name
 * @template Result
 * @param {number} rounds
 * @param {Readonly<Record<Name, () => Promise<Result>>>} things
 * @returns {Promise<Record<Name, Result[]>>}
 */
export async function byTurns(rounds, things) {
  // Object.keys and Object.fromEntries lose the types of the keys.
  const names = /** @type {Name[]} */ (Object.keys(things));
  const empty = names.map((name) => [name, /** @type {Result[]} */ ([])]);
  const results = /** @type {Record<Name, Result[]>} */ (Object.fromEntries(empty));
  for (let round = 0; round < rounds; round += 1) {
    // Every other round is reversed, so that nothing always follows the same neighbour.
    for (const name of round % 2 === 0 ? names : [...names].reverse()) results[name].push(await things[name]());
  }
  return results;
}

/** @param {number} ms */
export const shownMs = (ms) =>
  ms >= 10_000 ? `${(ms / 1000).toFixed(1)} s` : ms >= 10 ? `${Math.round(ms)} ms` : `${ms.toFixed(2)} ms`;

/** @param {number} bytes */
export function shownBytes(bytes) {
  if (bytes >= 1024 ** 3) return `${(bytes / 1024 ** 3).toFixed(2)} GiB`;
  if (bytes >= 1024 ** 2) return `${(bytes / 1024 ** 2).toFixed(bytes < 10 * 1024 ** 2 ? 1 : 0)} MiB`;
  return `${(bytes / 1024).toFixed(1)} KiB`;
}

/** @param {number} count */
export const shownCount = (count) => Math.round(count).toLocaleString('en-US');
