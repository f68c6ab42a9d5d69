// The ends of waits: flags that fire as an AbortSignal does, and deadlines, which are such flags. Making an AbortController takes longer than
// the rest of a small call's way through the queue; a flag costs next to nothing while it does not fire.
import { onAbort } from './abort-listener.js';
import { readMember } from './odd-values.js';
import type { Timers } from './ports.js';

/** The part of an AbortSignal that listeners need. */
export interface AbortSignalLike {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
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

  /** Nobody listens any more. */
  protected removeListeners(): void {
    this.#listeners = null;
  }

  /** A real AbortSignal that fires together with this flag. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#aborted) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }
}

/** Why a caller waits no longer. */
export type EndReason =
  /** `timeoutMs` ran out. */
  | { readonly kind: 'timeout' }
  /** The caller's own signal fired, with this reason: an abort, or a time limit. */
  | { readonly kind: 'signal'; readonly reason: unknown }
  /** The client was closed. */
  | { readonly kind: 'close' };

const OUT_OF_TIME: EndReason = { kind: 'timeout' };
const CLOSED: EndReason = { kind: 'close' };

/** Whether the reason of a signal is that time ran out, as that of `AbortSignal.timeout` is: then it is a TimeoutError by name. */
export function isTimeLimit(reason: unknown): boolean {
  return readMember(reason, 'name') === 'TimeoutError';
}

/** The end of a caller whose signal has fired. That of a polyfill may have no reason, or one that throws when it is read. */
export function endBySignal(signal: Pick<AbortSignal, 'reason'>): EndReason {
  return { kind: 'signal', reason: readMember(signal, 'reason') };
}

/** A call throws this inside of the package when no caller waits for it any more. Users never see it. */
export class DeadlineExceeded extends Error {
  readonly reason: EndReason;
  /** For events: why a request was not sent. */
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

/** The end of a wait: by time, by an abort, or because the client is closed. It fires with a DeadlineExceeded. */
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

  /** Returns the outcome of the work, or rejects with DeadlineExceeded as soon as the deadline is exceeded. The work itself goes on. */
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

  /** Resolves after this many milliseconds, or rejects with DeadlineExceeded as soon as the deadline is exceeded. */
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
  /** The begin of its time; null until it is sent. */
  #countsFrom: number | null;
  readonly #timeoutMs: number;
  readonly #signal: AbortSignal | undefined;
  #cancelTimer: (() => void) | null = null;
  #onAbort: (() => void) | null = null;

  /** `fromSending`: the time of the call does not count before it is sent. */
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
    // Last: if the signal throws, no timer is left behind.
    if (!fromSending) this.#startTimer();
  }

  remainingMs(): number {
    if (this.aborted) return 0;
    return this.#countsFrom === null
      ? this.#timeoutMs
      : Math.max(0, this.#countsFrom + this.#timeoutMs - this.timers.now());
  }

  /** The call is about to be sent. */
  begin(): void {
    if (this.#countsFrom !== null || this.aborted) return;
    this.#countsFrom = this.timers.now();
    this.#startTimer();
  }

  #startTimer(): void {
    if (this.#timeoutMs === Number.POSITIVE_INFINITY) return;
    this.#cancelTimer = this.timers.after(this.#timeoutMs, () => this.#exceedNow(OUT_OF_TIME));
  }

  /** Ends the deadline when the call is over: no timer may stay behind, and no listener on a signal that lives on. */
  end(): void {
    this.#cancelTimer?.();
    if (this.#onAbort) this.#signal?.removeEventListener('abort', this.#onAbort);
    this.removeListeners();
  }

  /** Ends the wait: the client was closed. */
  close(): void {
    this.#exceedNow(CLOSED);
  }

  #exceedNow(reason: EndReason): void {
    this.exceed(reason);
    this.end();
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

  /** Ends the wait when the last caller has left. */
  abandon(reason: EndReason): void {
    this.exceed(reason);
  }
}

/**
 * The calls of a client that have not ended. When it closes it takes no more, and they end at once
 * or after a time to finish.
 */
export class OpenCalls {
  /**
   * The calls of the client that this one is a fork of: their end is the end of these. A fork of a
   * fork may go deep, so nothing calls itself.
   */
  readonly #of: OpenCalls | null;
  readonly #calls = new Set<CallDeadline>();
  /** The waits of watches: they have nothing to finish. */
  readonly #ofWatches = new Set<CallDeadline>();
  #isClosed = false;
  #onIdle: (() => void) | null = null;

  constructor(of: OpenCalls | null = null) {
    this.#of = of;
  }

  /** True when no more calls are taken. */
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

  /**
   * Takes no more calls, and resolves when all have ended, after this many milliseconds at the
   * latest. Ends watches at once.
   */
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
