// Waits for a file that another program has locked. SQLite itself waits only for a moment: its wait
// blocks Ctrl-C and the heartbeat of the lease against other syncs.
import { setTimeout as sleep } from 'node:timers/promises';

export interface LockWaitOptions {
  /** Called once before each wait. */
  readonly onWait: () => void;
  readonly signal: AbortSignal | undefined;
  /** Monotonic milliseconds. Default: the process clock. */
  readonly monotonic?: (() => number) | undefined;
  readonly sleep?: ((ms: number, signal: AbortSignal | undefined) => Promise<void>) | undefined;
}

/** Maximum wait for a lock: longer than most reports read. */
export const LOCK_WAIT_MS = 60_000;
const PAUSE_MS = 200;

export class LockWait {
  readonly signal: AbortSignal | undefined;
  readonly #onWait: () => void;
  readonly #monotonic: () => number;
  readonly #sleep: (ms: number, signal: AbortSignal | undefined) => Promise<void>;

  constructor({ onWait, signal, ...options }: LockWaitOptions) {
    this.#onWait = onWait;
    this.signal = signal;
    this.#monotonic = options.monotonic ?? (() => performance.now());
    this.#sleep = options.sleep ?? ((ms, of) => sleep(ms, undefined, { signal: of }));
  }

  /**
   * Runs `work` as soon as the file is not locked. It may run several times, so it must do all or
   * nothing.
   * @throws The last error of `work` when the lock stays, and the reason of the signal.
   */
  async whenFree<T>(work: () => T): Promise<T> {
    const begun = this.#monotonic();
    for (let isFirst = true; ; isFirst = false) {
      try {
        return work();
      } catch (error) {
        if (!isLocked(error) || this.#monotonic() - begun >= LOCK_WAIT_MS) throw error;
      }
      if (isFirst) this.#onWait();
      this.signal?.throwIfAborted();
      await this.#sleep(PAUSE_MS, this.signal).catch((error: unknown) => {
        this.signal?.throwIfAborted();
        throw error;
      });
    }
  }
}

/** Matches a text that both SQLite modules have in common. */
export function isLocked(error: unknown): boolean {
  return error instanceof Error && /\blocked\b|\bbusy\b/i.test(error.message);
}
