// The renewal of a session that several callers wait for. While it waits for the store's lock it ends with its last caller. From then on
// it goes on without callers, because a refresh that was sent may have spent the refresh token.
import { AbortError } from '../core/errors.js';
import type { StoredSession } from './token-store.js';

/** The end of a caller's wait. */
export interface CallerDeadline {
  readonly aborted: boolean;
  remainingMs(): number;
  /** Calls the listener when the caller leaves, at once if it has left. */
  onExceeded(listener: () => void): () => void;
}

export class Renewal {
  /** What the callers get: the session that the work ends with, or another one that they can go on with before. */
  readonly result: Promise<StoredSession>;
  readonly work: Promise<StoredSession>;
  readonly #left = new AbortController();
  readonly #onAbandoned: () => void;
  #callers = 0;
  #isWaiting = true;
  #answer: (session: StoredSession) => void = () => undefined;

  /** `onAbandoned` is called when the last caller has left while it still waits for the lock. */
  constructor(work: (renewal: Renewal) => Promise<StoredSession>, onAbandoned: () => void) {
    this.#onAbandoned = onAbandoned;
    const early = new Promise<StoredSession>((resolve) => {
      this.#answer = resolve;
    });
    this.work = work(this);
    this.result = Promise.race([early, this.work]);
    // Its callers may have left by the time it fails.
    this.work.catch(() => undefined);
    this.result.catch(() => undefined);
  }

  /** Fires when the last caller has left while it still waits for the lock. */
  get signal(): AbortSignal {
    return this.#left.signal;
  }

  /** Without a deadline the caller never leaves. */
  join(deadline: CallerDeadline | undefined): void {
    this.#callers++;
    deadline?.onExceeded(() => {
      this.#callers--;
      if (this.#callers === 0) this.abandon();
    });
  }

  /** Gives up the wait for the lock; work that has begun goes on. */
  abandon(): void {
    if (!this.#isWaiting || this.#left.signal.aborted) return;
    this.#onAbandoned();
    this.#left.abort(new AbortError('The wait for the lock of the session was given up: nobody needed it any more.'));
  }

  /** The lock is held: from now on the work goes on without callers. */
  begin(): void {
    this.#isWaiting = false;
  }

  /** Lets the callers go on with this session while the work continues. */
  answer(session: StoredSession): void {
    this.#answer(session);
  }
}
