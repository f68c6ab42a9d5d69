// Stateless integer hashing, the source of randomness in the telemetry. Random values derive from
// vehicle, day, leg and minute, so any time can be computed on its own.

/** Hashes two 32-bit integers to one (the finalizer of MurmurHash3). */
export function mixHash(a: number, b: number): number {
  let h = (a ^ Math.imul(b | 0, 0x9e3779b1)) | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** Hashes a text and a seed of any size to 32 bits (FNV-1a). */
export function hashText(text: string, seed: number): number {
  let h = mixHash(0x811c9dc5, Math.floor(seed / 0x100000000) ^ (seed | 0));
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return mixHash(h, text.length);
}

/** Returns a number in [0, 1). */
export function toUnit(hash: number): number {
  return hash / 0x100000000;
}

/** Returns a number in [low, high) determined by `hash` and `salt`. */
export function randomBetween(hash: number, salt: number, low: number, high: number): number {
  return low + (high - low) * toUnit(mixHash(hash, salt));
}

/** Returns an integer in [0, count) determined by `hash` and `salt`. */
export function randomBelow(hash: number, salt: number, count: number): number {
  return Math.floor(toUnit(mixHash(hash, salt)) * count);
}
