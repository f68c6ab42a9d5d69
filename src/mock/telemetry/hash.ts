/**
 * The only source of chance in the telemetry: stateless integer hashing. A value is always drawn from what it belongs to
 * (vehicle, day, leg, slot), never from a sequence, so that any moment can be computed without computing the ones before.
 */

/** Mixes two 32-bit integers into one (the finalizer of MurmurHash3, applied to a combination of both). */
export function mix(a: number, b: number): number {
  let h = (a ^ Math.imul(b | 0, 0x9e3779b1)) | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** Hashes text to 32 bits (FNV-1a), starting from a seed of any size. */
export function hashText(text: string, seed: number): number {
  let h = mix(0x811c9dc5, Math.floor(seed / 0x100000000) ^ (seed | 0));
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return mix(h, text.length);
}

/** A number in [0, 1) drawn from a hash. */
export function unit(hash: number): number {
  return hash / 0x100000000;
}

/** A number in [low, high) drawn from `hash` for the purpose that `salt` names. */
export function between(hash: number, salt: number, low: number, high: number): number {
  return low + (high - low) * unit(mix(hash, salt));
}

/** A whole number in [0, count) drawn from `hash` for the purpose that `salt` names. */
export function pick(hash: number, salt: number, count: number): number {
  return Math.floor(unit(mix(hash, salt)) * count);
}
