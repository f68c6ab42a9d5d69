// How long a caller waits: one deadline and one signal for everything that happens in a call, the wait for the turn included.
import { setMaxListeners } from 'node:events';
import type { Timers } from '../outside.js';

/** Why a caller no longer waits. */
export type OverReason = 'timeout' | 'abort';

/** Thrown inside a call when nobody waits for it any more; never reaches a user. */
export class PatienceOver extends Error {
  readonly reason: OverReason;
  constructor(reason: OverReason) {
    super(reason);
    this.reason = reason;
  }
}

export class Patience {
  readonly #timers: Timers;
  readonly #endsAt: number;
  readonly #listeners = new Set<(reason: OverReason) => void>();
  readonly #signal: AbortSignal | undefined;
  #cancelTimer: () => void = () => undefined;
  #reason: OverReason | null = null;

  constructor(timeoutMs: number, signal: AbortSignal | undefined, timers: Timers) {
    this.#timers = timers;
    this.#signal = signal;
    this.#endsAt = timers.now() + timeoutMs;
    if (signal?.aborted) {
      this.#reason = 'abort';
      return;
    }
    if (timeoutMs !== Number.POSITIVE_INFINITY)
      this.#cancelTimer = timers.after(timeoutMs, () => this.#finish('timeout'));
    if (!signal) return;
    // One signal for a thousand calls is no leak: each takes its listener away when it ends.
    setMaxListeners(0, signal);
    signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** Null while the caller waits. */
  get reason(): OverReason | null {
    return this.#reason;
  }

  remainingMs(): number {
    return this.#reason === null ? Math.max(0, this.#endsAt - this.#timers.now()) : 0;
  }

  /** Calls back when the caller stops waiting, at once if that was so already; the returned function calls it off. */
  onOver(listener: (reason: OverReason) => void): () => void {
    if (this.#reason !== null) {
      listener(this.#reason);
      return () => undefined;
    }
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The outcome of the work, or a PatienceOver rejection as soon as the caller stops waiting. The work goes on by itself. */
  within<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const forget = this.onOver((reason) => reject(new PatienceOver(reason)));
      work.then(resolve, reject).finally(forget);
    });
  }

  /** Passes after so many milliseconds, or rejects with PatienceOver as soon as the caller stops waiting. */
  wait(ms: number): Promise<void> {
    let cancel = () => {};
    const pause = new Promise<void>((resolve) => {
      cancel = this.#timers.after(ms, resolve);
    });
    return this.within(pause).finally(cancel);
  }

  /** The call is over, well or badly: no timer and no listener may stay behind on a signal that lives on. */
  end(): void {
    this.#cancelTimer();
    this.#signal?.removeEventListener('abort', this.#onAbort);
    this.#listeners.clear();
  }

  /** Ends the wait as an abort does: the client was closed. */
  abort(): void {
    this.#finish('abort');
  }

  readonly #onAbort = (): void => this.#finish('abort');

  #finish(reason: OverReason): void {
    if (this.#reason !== null) return;
    this.#reason = reason;
    const listeners = [...this.#listeners];
    this.end();
    for (const listener of listeners) listener(reason);
  }
}
