// The calls of a client that are open, and its closing: it takes no more, and what is open ends, at once or after a time to finish.
import type { CallDeadline } from '../core/deadline.js';
import type { Timers } from '../core/ports.js';

export class OpenCalls {
  /** Of the client that this one is a fork of: what ends its calls ends these too. A fork of a fork may go deep, so nothing calls itself. */
  readonly #of: OpenCalls | null;
  readonly #calls = new Set<CallDeadline>();
  /** What watches wait for: they have nothing to finish. */
  readonly #ofWatches = new Set<CallDeadline>();
  #isClosed = false;
  #onIdle: (() => void) | null = null;

  constructor(of: OpenCalls | null = null) {
    this.#of = of;
  }

  /** Whether no more calls are taken. */
  get isClosed(): boolean {
    for (let calls: OpenCalls | null = this; calls; calls = calls.#of) if (calls.#isClosed) return true;
    return false;
  }

  add(deadline: CallDeadline, isOfWatch: boolean): void {
    for (let calls: OpenCalls | null = this; calls; calls = calls.#of) {
      (isOfWatch ? calls.#ofWatches : calls.#calls).add(deadline);
    }
  }

  remove(deadline: CallDeadline): void {
    for (let calls: OpenCalls | null = this; calls; calls = calls.#of) {
      calls.#ofWatches.delete(deadline);
      calls.#calls.delete(deadline);
      if (calls.#calls.size === 0) calls.#onIdle?.();
    }
  }

  /** Takes no more calls, and resolves when all have ended, after this many milliseconds at the latest. Ends watches at once. */
  async drain(ms: number, timers: Timers): Promise<void> {
    this.#isClosed = true;
    endAll(this.#ofWatches);
    if (this.#calls.size === 0 || ms <= 0) return;
    await new Promise<void>((resolve) => {
      const cancel = timers.after(ms, resolve);
      const wasIdle = this.#onIdle;
      this.#onIdle = () => {
        wasIdle?.();
        cancel();
        resolve();
      };
    });
  }

  /** Takes no more calls, and ends those that are open, as an abort does. */
  close(): void {
    this.#isClosed = true;
    endAll(this.#ofWatches);
    endAll(this.#calls);
  }
}

function endAll(deadlines: ReadonlySet<CallDeadline>): void {
  for (const deadline of [...deadlines]) deadline.close();
}
