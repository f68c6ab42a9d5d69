// How long a caller waits: one deadline and one signal for everything that happens in a call, the wait for the turn included. Callers
// whose calls travel together wait as a crowd.
import { setMaxListeners } from 'node:events';
import type { Timers } from '../core/ports.js';

/** Why a caller no longer waits. */
export type EndReason = 'timeout' | 'abort';

/** Thrown inside a call when nobody waits for it any more; never reaches a user. */
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

/** Somebody who waits, and may stop waiting. */
export abstract class Deadline {
  protected readonly timers: Timers;
  #listeners: Set<(reason: EndReason) => void> | null = null;
  #reason: EndReason | null = null;

  constructor(timers: Timers) {
    this.timers = timers;
  }

  /** Null while somebody waits. */
  get reason(): EndReason | null {
    return this.#reason;
  }

  abstract remainingMs(): number;

  /** Calls back when the wait is given up, at once if that was so already; the returned function calls it off. */
  onExceeded(listener: (reason: EndReason) => void): () => void {
    if (this.#reason !== null) {
      listener(this.#reason);
      return () => undefined;
    }
    this.#listeners ??= new Set();
    this.#listeners.add(listener);
    return () => this.#listeners?.delete(listener);
  }

  /** The outcome of the work, or a PatienceOver rejection as soon as the wait is given up. The work goes on by itself. */
  within<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const forget = this.onExceeded((reason) => reject(new DeadlineExceeded(reason)));
      work.then(
        (value) => {
          forget();
          resolve(value);
        },
        (error) => {
          forget();
          reject(error);
        },
      );
    });
  }

  /** Passes after so many milliseconds, or rejects with PatienceOver as soon as the wait is given up. */
  wait(ms: number): Promise<void> {
    let cancel = () => {};
    const pause = new Promise<void>((resolve) => {
      cancel = this.timers.after(ms, resolve);
    });
    return this.within(pause).finally(cancel);
  }

  protected exceed(reason: EndReason): void {
    if (this.#reason !== null) return;
    this.#reason = reason;
    const listeners = this.#listeners ?? [];
    this.removeListeners();
    for (const listener of listeners) listener(reason);
  }

  protected removeListeners(): void {
    this.#listeners = null;
  }
}

/** One caller's. */
export class CallDeadline extends Deadline {
  /** When the caller began to wait, on the timers' clock. */
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
      // One signal for a thousand calls is no leak: each takes its listener away when it ends. A polyfill's keeps no count.
      if (signal instanceof EventTarget) setMaxListeners(0, signal);
      signal.addEventListener('abort', this.#onAbort, { once: true });
    }
    // Last: when the signal throws, no timer is left behind.
    if (timeoutMs !== Number.POSITIVE_INFINITY)
      this.#cancelTimer = timers.after(timeoutMs, () => this.#finish('timeout'));
  }

  remainingMs(): number {
    return this.reason === null ? Math.max(0, this.startedAt + this.#timeoutMs - this.timers.now()) : 0;
  }

  /** The call is over, well or badly: no timer and no listener may stay behind on a signal that lives on. */
  end(): void {
    this.#cancelTimer?.();
    if (this.#onAbort) this.#signal?.removeEventListener('abort', this.#onAbort);
    this.removeListeners();
  }

  /** Ends the wait as an abort does: the client was closed. */
  abort(): void {
    this.#finish('abort');
  }

  #finish(reason: EndReason): void {
    this.#cancelTimer?.();
    if (this.#onAbort) this.#signal?.removeEventListener('abort', this.#onAbort);
    this.exceed(reason);
  }
}

/** That of several callers whose calls travel together: it lasts as long as that of the most patient one. */
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

  /** The last one has left. */
  abandon(reason: EndReason): void {
    this.exceed(reason);
  }
}
