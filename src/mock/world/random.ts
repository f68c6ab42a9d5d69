// Random numbers determined by a name that contains the seed, independent of the order of use.

export interface SeededRandom {
  /** From 0 to below 1. */
  next(): number;
  /** An integer; both ends are included. */
  int(from: number, to: number): number;
  pick<T>(items: readonly [T, ...T[]]): T;
  digits(count: number): string;
}

/** Returns the generator of a name (mulberry32, seeded with the name's FNV-1a hash). */
export function randomFromName(name: string): SeededRandom {
  let state = 0x811c9dc5;
  for (let i = 0; i < name.length; i += 1) state = Math.imul(state ^ name.charCodeAt(i), 0x01000193);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const int = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    int,
    pick: (items) => items[int(0, items.length - 1)] ?? items[0],
    digits: (count) => {
      let digits = '';
      for (let i = 0; i < count; i += 1) digits += int(0, 9);
      return digits;
    },
  };
}
