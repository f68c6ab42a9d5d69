// How long a caller waits: one deadline and one signal for everything that happens in a call, the wait for its turn included. Callers
// whose calls are sent together have a group deadline.
import { AbortFlag } from '../core/abort-flag.js';
import { onAbort } from '../core/abort-listener.js';
import type { Timers } from '../core/ports.js';

/** Why a caller waits no longer. */
export type EndReason = 'timeout' | 'abort';

/** Thrown within a call when no caller waits for it any more; never reaches a user. */
export class DeadlineExceeded extends Error {
  readonly reason: EndReason;
  /** For events: why a request was not sent. */
  readonly code: 'TIMEOUT' | 'ABORTED';
  constructor(reason: EndReason) {
    super(reason);
    this.reason = reason;
    this.code = reason === 'timeout' ? 'TIMEOUT' : 'ABORTED';
  }
}

/** The end of a wait: by time, or by an abort. It fires with a DeadlineExceeded. */
export abstract class Deadline extends AbortFlag {
  protected readonly timers: Timers;
  #endReason: EndReason | null = null;

  constructor(timers: Timers) {
    super();
    this.timers = timers;
  }

  /** Null until the deadline is exceeded. */
  get endReason(): EndReason | null {
    return this.#endReason;
  }

  abstract remainingMs(): number;

  /** @throws {DeadlineExceeded} when nobody waits any more */
  throwIfExceeded(): void {
    if (this.aborted) throw this.reason;
  }

  /** Calls the listener when the deadline is exceeded, at once if it already is. The returned function removes the listener. */
  onExceeded(listener: (reason: EndReason) => void): () => void {
    const tell = () => {
      if (this.#endReason !== null) listener(this.#endReason);
    };
    if (this.aborted) tell();
    else this.addEventListener('abort', tell);
    return () => this.removeEventListener('abort', tell);
  }

  /** The outcome of the work, or a DeadlineExceeded rejection as soon as the deadline is exceeded. The work itself goes on. */
  within<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const removeListener = this.onExceeded(() => reject(this.reason));
      work.then(
        (value) => {
          removeListener();
          resolve(value);
        },
        (error) => {
          removeListener();
          reject(error);
        },
      );
    });
  }

  /** Resolves after so many milliseconds, or rejects with DeadlineExceeded as soon as the deadline is exceeded. */
  wait(ms: number): Promise<void> {
    let cancel = () => {};
    const pause = new Promise<void>((resolve) => {
      cancel = this.timers.after(ms, resolve);
    });
    return this.within(pause).finally(cancel);
  }

  protected exceed(reason: EndReason): void {
    if (this.aborted) return;
    this.#endReason = reason;
    this.abort(new DeadlineExceeded(reason));
  }
}

/** The deadline of one call. */
export class CallDeadline extends Deadline {
  /** When the call was made, on the timers' clock. */
  readonly startedAt: number;
  readonly #timeoutMs: number;
  readonly #signal: AbortSignal | undefined;
  #cancelTimer: (() => void) | null = null;
  #onAbort: (() => void) | null = null;

  constructor(timeoutMs: number, signal: AbortSignal | undefined, timers: Timers) {
    super(timers);
    this.#signal = signal;
    this.#timeoutMs = timeoutMs;
    this.startedAt = timers.now();
    if (signal?.aborted) {
      this.exceed('abort');
      return;
    }
    if (signal) {
      this.#onAbort = () => this.#finish('abort');
      onAbort(signal, this.#onAbort);
    }
    // Last: if the signal throws, no timer is left behind.
    if (timeoutMs !== Number.POSITIVE_INFINITY)
      this.#cancelTimer = timers.after(timeoutMs, () => this.#finish('timeout'));
  }

  remainingMs(): number {
    return this.aborted ? 0 : Math.max(0, this.startedAt + this.#timeoutMs - this.timers.now());
  }

  /** To be called when the call is over: no timer may stay behind, and no listener on a signal that lives on. */
  end(): void {
    this.#removeTimerAndSignal();
    this.removeListeners();
  }

  /** Ends the wait as an abort does: the client was closed. */
  close(): void {
    this.#finish('abort');
  }

  #finish(reason: EndReason): void {
    this.#removeTimerAndSignal();
    this.exceed(reason);
  }

  #removeTimerAndSignal(): void {
    this.#cancelTimer?.();
    if (this.#onAbort) this.#signal?.removeEventListener('abort', this.#onAbort);
  }
}

/** The deadline of calls that are sent together: the latest of theirs. */
export class GroupDeadline extends Deadline {
  readonly #members: () => Iterable<CallDeadline>;

  constructor(members: () => Iterable<CallDeadline>, timers: Timers) {
    super(timers);
    this.#members = members;
  }

  remainingMs(): number {
    let most = 0;
    for (const member of this.#members()) most = Math.max(most, member.remainingMs());
    return most;
  }

  /** To be called when the last caller has left. */
  abandon(reason: EndReason): void {
    this.exceed(reason);
  }
}
