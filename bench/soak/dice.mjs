// @ts-check
// Random choices from a seed, so that a soak can be repeated.

/**
 * @typedef {object} Dice
 * @property {() => number} roll from 0 up to, not including, 1
 * @property {(most: number) => number} upTo a whole number from 0 up to, not including, `most`
 * @property {<T>(among: readonly T[]) => T} pick
 */

/** Mulberry32: a few lines, and even enough for choosing. @param {number} seed @returns {Dice} */
export function dice(seed) {
  let state = seed >>> 0;
  const roll = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const upTo = (/** @type {number} */ most) => Math.floor(roll() * most);
  return {
    roll,
    upTo,
    pick: (among) => {
      const one = among[upTo(among.length)];
      if (one === undefined) throw new Error('there is nothing to pick from');
      return one;
    },
  };
}
