// Pauses between tries that grow, so that who waits long asks seldom. Callers spread them by chance as far as they need.

export interface GrowingPause {
  readonly firstMs: number;
  readonly longestMs: number;
  /** How much longer each pause is than the one before. Default 2. */
  readonly factor?: number;
}

/** `tries`: how many have failed; 1 after the first. */
export function pauseAfter(tries: number, { firstMs, longestMs, factor = 2 }: GrowingPause): number {
  return Math.min(longestMs, firstMs * factor ** Math.max(0, tries - 1));
}
