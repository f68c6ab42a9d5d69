// A pause that does not outlast the sleep of the machine: its timers stand still while it sleeps, the wall clock does not.

/** How late a pause may end after the machine has woken. */
const SLICE_MS = 5_000;

/** `wait` waits by the timers, `now` is the wall clock. */
export async function pauseAwake(ms: number, now: () => number, wait: (ms: number) => Promise<void>): Promise<void> {
  const end = now() + ms;
  for (let left = ms; left > 0; left -= SLICE_MS) {
    await wait(Math.min(left, SLICE_MS));
    if (now() >= end) return;
  }
}
