// Exponential backoff. Callers add jitter as needed.

export interface Backoff {
  readonly firstMs: number;
  readonly longestMs: number;
  /** Factor between two pauses. Default 2. */
  readonly factor?: number;
}

/** Returns the pause in milliseconds. `tries`: number of failures; 1 after the first. */
export function backoffMs(tries: number, { firstMs, longestMs, factor = 2 }: Backoff): number {
  return Math.min(longestMs, firstMs * factor ** Math.max(0, tries - 1));
}
