// The calls of a client that are open, and its closing: it takes no more, and what is open ends, at once or after a time to finish.
import type { CallDeadline } from '../core/deadline.js';
import type { Timers } from '../core/ports.js';

export class OpenCalls {
  /** Of the client that this one is a fork of: what ends its calls ends these too. */
  readonly #of: OpenCalls | null;
  readonly #calls = new Set<CallDeadline>();
  /** Waits between two calls, which have nothing to finish. */
  readonly #pauses = new Set<CallDeadline>();
  #isClosed = false;
  #onIdle: (() => void) | null = null;

  constructor(of: OpenCalls | null = null) {
    this.#of = of;
  }

  /** Whether no more calls are taken. */
  get isClosed(): boolean {
    return this.#isClosed || (this.#of?.isClosed ?? false);
  }

  add(deadline: CallDeadline, isPause: boolean): void {
    (isPause ? this.#pauses : this.#calls).add(deadline);
    this.#of?.add(deadline, isPause);
  }

  remove(deadline: CallDeadline): void {
    this.#pauses.delete(deadline);
    this.#calls.delete(deadline);
    this.#of?.remove(deadline);
    if (this.#calls.size === 0) this.#onIdle?.();
  }

  /** Takes no more calls, and resolves when all have ended, after this many milliseconds at the latest. Ends pauses at once. */
  async drain(ms: number, timers: Timers): Promise<void> {
    this.#isClosed = true;
    endAll(this.#pauses);
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
    endAll(this.#pauses);
    endAll(this.#calls);
  }
}

function endAll(deadlines: ReadonlySet<CallDeadline>): void {
  for (const deadline of [...deadlines]) deadline.close();
}
