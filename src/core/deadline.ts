// Deadlines, and the abort flags they are built on. An AbortController costs more than all other
// queue work of a small call. A flag costs almost nothing until it fires.

import { setMaxListeners } from 'node:events';
import type { Timers } from './ports.js';
import { readMember } from './safe-read.js';

export interface AbortSignalLike {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** Settles as the work does, or rejects with the signal's reason when that fires first. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignalLike | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop);
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

export class AbortFlag implements AbortSignalLike {
  #aborted = false;
  #reason: unknown;
  #listeners: Set<() => void> | null = null;
  #controller: AbortController | null = null;

  get aborted(): boolean {
    return this.#aborted;
  }

  get reason(): unknown {
    return this.#reason;
  }

  abort(reason?: unknown): void {
    if (this.#aborted) return;
    this.#aborted = true;
    this.#reason = reason ?? new DOMException('This operation was aborted', 'AbortError');
    this.#controller?.abort(this.#reason);
    const listeners = this.#listeners;
    this.#listeners = null;
    for (const listener of listeners ?? []) listener();
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    if (this.#aborted) return;
    this.#listeners ??= new Set();
    this.#listeners.add(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners?.delete(listener);
  }

  protected removeListeners(): void {
    this.#listeners = null;
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#aborted) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }
}

export type EndReason =
  | { readonly kind: 'timeout' }
  /** The caller's own signal fired with this reason: an abort, or a time limit. */
  | { readonly kind: 'signal'; readonly reason: unknown }
  | { readonly kind: 'close' };

const OUT_OF_TIME: EndReason = { kind: 'timeout' };
const CLOSED: EndReason = { kind: 'close' };

/** True for a TimeoutError, such as the reason of `AbortSignal.timeout`. */
export function isTimeLimit(reason: unknown): boolean {
  return readMember(reason, 'name') === 'TimeoutError';
}

/** Returns the end reason of a fired signal. Reading a polyfill's reason may throw. */
export function endBySignal(signal: Pick<AbortSignal, 'reason'>): EndReason {
  return { kind: 'signal', reason: readMember(signal, 'reason') };
}

/** The internal error of a call that no caller waits for any more. Users never see it. */
export class DeadlineExceeded extends Error {
  readonly reason: EndReason;
  readonly code: 'TIMEOUT' | 'ABORTED' | 'CLOSED';
  constructor(reason: EndReason) {
    super(reason.kind);
    this.reason = reason;
    this.code = codeOf(reason);
  }
}

function codeOf(end: EndReason): DeadlineExceeded['code'] {
  if (end.kind === 'close') return 'CLOSED';
  return end.kind === 'timeout' || isTimeLimit(end.reason) ? 'TIMEOUT' : 'ABORTED';
}

/** The end of a wait: a timeout, an abort or the closing of the client. */
export abstract class Deadline extends AbortFlag {
  protected readonly timers: Timers;
  #endReason: EndReason | null = null;

  constructor(timers: Timers) {
    super();
    this.timers = timers;
  }

  get endReason(): EndReason | null {
    return this.#endReason;
  }

  abstract remainingMs(): number;

  throwIfExceeded(): void {
    if (this.aborted) throw this.reason;
  }

  /** Calls the listener when (or if already) exceeded. Returns a function that removes it. */
  onExceeded(listener: (reason: EndReason) => void): () => void {
    const notify = () => {
      if (this.#endReason !== null) listener(this.#endReason);
    };
    if (this.aborted) notify();
    else this.addEventListener('abort', notify);
    return () => this.removeEventListener('abort', notify);
  }

  /** Settles as the work, or rejects when the deadline is exceeded. It does not cancel the work. */
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

  /** Resolves after `ms`, or rejects with DeadlineExceeded as soon as the deadline is exceeded. */
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

export class CallDeadline extends Deadline {
  readonly startedAt: number;
  /** Start of the timeout; null until it is sent. */
  #countsFrom: number | null;
  readonly #timeoutMs: number;
  readonly #signal: AbortSignal | undefined;
  #cancelTimer: (() => void) | null = null;
  #onAbort: (() => void) | null = null;

  /** `fromSending`: the timeout starts when the call is sent. */
  constructor(timeoutMs: number, signal: AbortSignal | undefined, timers: Timers, fromSending = false) {
    super(timers);
    this.#signal = signal;
    this.#timeoutMs = timeoutMs;
    this.startedAt = timers.now();
    this.#countsFrom = fromSending ? null : this.startedAt;
    if (signal?.aborted) {
      this.exceed(endBySignal(signal));
      return;
    }
    if (signal) {
      this.#onAbort = () => this.#exceedNow(endBySignal(signal));
      onAbort(signal, this.#onAbort);
    }
    // Last, so that no timer is left behind when the signal throws.
    if (!fromSending) this.#startTimer();
  }

  remainingMs(): number {
    if (this.aborted) return 0;
    return this.#countsFrom === null
      ? this.#timeoutMs
      : Math.max(0, this.#countsFrom + this.#timeoutMs - this.timers.now());
  }

  begin(): void {
    if (this.#countsFrom !== null || this.aborted) return;
    this.#countsFrom = this.timers.now();
    this.#startTimer();
  }

  #startTimer(): void {
    if (this.#timeoutMs === Number.POSITIVE_INFINITY) return;
    this.#cancelTimer = this.timers.after(this.#timeoutMs, () => this.#exceedNow(OUT_OF_TIME));
  }

  /** Cancels the timer and the listener: the caller's signal may outlive the call. */
  end(): void {
    this.#cancelTimer?.();
    if (this.#onAbort) this.#signal?.removeEventListener('abort', this.#onAbort);
    this.removeListeners();
  }

  close(): void {
    this.#exceedNow(CLOSED);
  }

  /** Ends the wait with this reason, and removes the timer and the listener. */
  #exceedNow(reason: EndReason): void {
    this.exceed(reason);
    this.end();
  }
}

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

  abandon(reason: EndReason): void {
    this.exceed(reason);
  }
}

/** The open calls of a client. When it closes, they end at once or after a grace period. */
export class OpenCalls {
  /**
   * The open calls of the parent client of a fork: closing the parent closes these too. Forks can
   * be nested deep, so loops are used instead of recursion.
   */
  readonly #parent: OpenCalls | null;
  readonly #calls = new Set<CallDeadline>();
  /** Waits of watches, which have nothing to finish. */
  readonly #watchCalls = new Set<CallDeadline>();
  #isClosed = false;
  #onIdle: (() => void) | null = null;

  constructor(parent: OpenCalls | null = null) {
    this.#parent = parent;
  }

  get isClosed(): boolean {
    for (let calls: OpenCalls | null = this; calls; calls = calls.#parent) if (calls.#isClosed) return true;
    return false;
  }

  add(deadline: CallDeadline, isWatchCall: boolean): void {
    for (let calls: OpenCalls | null = this; calls; calls = calls.#parent) {
      (isWatchCall ? calls.#watchCalls : calls.#calls).add(deadline);
    }
  }

  remove(deadline: CallDeadline): void {
    for (let calls: OpenCalls | null = this; calls; calls = calls.#parent) {
      calls.#watchCalls.delete(deadline);
      calls.#calls.delete(deadline);
      if (calls.#calls.size === 0) calls.#onIdle?.();
    }
  }

  /** Refuses new calls, ends watches, and resolves when all calls have ended, or after `ms`. */
  async drain(ms: number, timers: Timers): Promise<void> {
    this.#isClosed = true;
    endAll(this.#watchCalls);
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

  close(): void {
    this.#isClosed = true;
    endAll(this.#watchCalls);
    endAll(this.#calls);
  }
}

function endAll(deadlines: ReadonlySet<CallDeadline>): void {
  for (const deadline of [...deadlines]) deadline.close();
}

/** Calls `listener` once, when the signal fires. The caller removes an unneeded listener. */
export function onAbort(signal: AbortSignal, listener: () => void): void {
  // Otherwise Node warns of a leak from 11 listeners on. A polyfill's signal has no such limit.
  if (signal instanceof EventTarget) setMaxListeners(0, signal);
  signal.addEventListener('abort', listener, { once: true });
}
