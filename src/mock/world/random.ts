// Random numbers that follow from a name (which holds the seed), never from the order in which they are drawn.

export interface Random {
  /** 0 <= n < 1. */
  next(): number;
  /** A whole number, both ends included. */
  int(from: number, to: number): number;
  pick<T>(items: readonly [T, ...T[]]): T;
  /** A string of this many decimal digits. */
  digits(count: number): string;
}

/** Random numbers that follow from the name (mulberry32 seeded with the FNV-1a hash of the name). */
export function randomFromName(name: string): Random {
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
