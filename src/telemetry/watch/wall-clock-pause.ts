// Pauses by the wall clock: timers stop while the machine sleeps.

/** The maximum delay after the machine wakes up. */
const SLICE_MS = 5_000;

/** Waits by timers (`wait`), but no longer than by the wall clock (`now`). */
export async function pauseByWallClock(
  ms: number,
  now: () => number,
  wait: (ms: number) => Promise<void>,
): Promise<void> {
  const end = now() + ms;
  for (let left = ms; left > 0; left -= SLICE_MS) {
    await wait(Math.min(left, SLICE_MS));
    if (now() >= end) return;
  }
}
