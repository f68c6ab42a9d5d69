// The renewal of a session, shared by several callers. It ends with its last caller while it waits
// for the store's lock. After that it continues without callers, because a refresh that was sent
// may have used up the refresh token.
import { AbortError } from '../core/errors.js';
import type { StoredSession } from './token-store.js';

export interface CallerDeadline {
  readonly aborted: boolean;
  remainingMs(): number;
  onExceeded(listener: () => void): () => void;
}

export class Renewal {
  /** The session for the callers: the renewed one, or an earlier one that is still valid. */
  readonly result: Promise<StoredSession>;
  readonly work: Promise<StoredSession>;
  readonly #abandoned = new AbortController();
  readonly #onAbandoned: () => void;
  #callers = 0;
  #isWaiting = true;
  #answer: (session: StoredSession) => void = () => undefined;

  constructor(work: (renewal: Renewal) => Promise<StoredSession>, onAbandoned: () => void) {
    this.#onAbandoned = onAbandoned;
    const early = new Promise<StoredSession>((resolve) => {
      this.#answer = resolve;
    });
    this.work = work(this);
    this.result = Promise.race([early, this.work]);
    // The callers may have left when it fails.
    this.work.catch(() => undefined);
    this.result.catch(() => undefined);
  }

  get signal(): AbortSignal {
    return this.#abandoned.signal;
  }

  /** Adds a caller; one without a deadline never leaves. */
  join(deadline: CallerDeadline | undefined): void {
    this.#callers++;
    deadline?.onExceeded(() => {
      this.#callers--;
      if (this.#callers === 0) this.abandon();
    });
  }

  /** Cancels the wait for the lock; work that has started continues. */
  abandon(): void {
    if (!this.#isWaiting || this.#abandoned.signal.aborted) return;
    this.#onAbandoned();
    this.#abandoned.abort(
      new AbortError('The wait for the lock of the session was given up: nobody needed it any more.'),
    );
  }

  /** Marks the lock as acquired: the work continues without callers from now on. */
  begin(): void {
    this.#isWaiting = false;
  }

  /** Resolves `result` with this session while the work continues. */
  answer(session: StoredSession): void {
    this.#answer(session);
  }
}
