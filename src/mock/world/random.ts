// Repeatable chance: everything in the fleet follows from the seed and a name, never from the order things are made in.
import { hash } from 'node:crypto';

/** A version 5 shaped UUID that follows from the name. */
export function uuidOf(name: string): string {
  const h = hash('sha1', name);
  const variant = ((Number.parseInt(h.charAt(16), 16) & 3) | 8).toString(16);
  return `${h.slice(0, 8)}-${h.slice(8, 12)}-5${h.slice(13, 16)}-${variant}${h.slice(17, 20)}-${h.slice(20, 32)}`;
}

export interface Random {
  /** 0 <= n < 1. */
  next(): number;
  /** A whole number, both ends included. */
  int(from: number, to: number): number;
  pick<T>(items: readonly [T, ...T[]]): T;
  /** So many decimal digits. */
  digits(count: number): string;
}

/** Numbers that follow from the name (mulberry32 over an FNV-1a hash of it). */
export function randomOf(name: string): Random {
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
