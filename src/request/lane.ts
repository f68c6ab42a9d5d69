// One lane per user: calls wait in order and leave one turn at a time, because the service answers 429 to a user's second
// active request. A caller may leave at any time; the turn itself lasts until its request is really over.
import {
  AbortError,
  AmbiguousMutationError,
  type FleetError,
  type GraphQLErrorEntry,
  TimeoutError,
} from '../errors.js';
import type { Timers } from '../outside.js';
import type { Progress } from './attempt.js';
import { type OverReason, type Patience, PatienceOver } from './patience.js';

/** After its caller has left, a request gets this long to end by itself before its socket is destroyed. */
const GRACE_MS = 5000;

/** One call as it waits in the lane. */
export interface Call {
  readonly name: string;
  readonly kind: 'query' | 'mutation';
  readonly document: string;
  readonly variables: { readonly [name: string]: unknown };
  readonly idempotent: boolean;
}

/** What the service answered to a call. */
export interface Answer {
  readonly data: unknown;
  readonly errors: readonly GraphQLErrorEntry[];
  readonly attempts: number;
}

/** A call whose turn has come. */
export interface Turn {
  readonly patience: Patience;
  readonly progress: Progress;
  /** Fires when nobody waits any more: ends every wait, and nothing new is sent. */
  readonly left: AbortSignal;
  /** Fires a while after that: the request on the wire is given up. */
  readonly giveUp: AbortSignal;
  /** Keeps the whole lane from sending for so long: the service said 429, which concerns all who wait. */
  pauseLane(ms: number): void;
}

/** Carries out one turn: gate, session, attempts, wire. Settles only when nothing of it is active any more. */
export type TakeTurn = (call: Call, turn: Turn) => Promise<Answer>;

interface Waiting {
  readonly call: Call;
  readonly patience: Patience;
  readonly progress: Progress;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

export class Lane {
  readonly #takeTurn: TakeTurn;
  readonly #timers: Timers;
  readonly #waiting: Waiting[] = [];
  #active = false;
  #pausedUntil = 0;
  #closing = new AbortController();

  constructor(takeTurn: TakeTurn, timers: Timers) {
    this.#takeTurn = takeTurn;
    this.#timers = timers;
  }

  /** Queues a call; the answer, or the error of its turn, or of its caller's patience. */
  run(call: Call, patience: Patience): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        call,
        patience,
        progress: { attempts: 0, inDoubt: false, lastFailure: null },
        resolve,
        reject,
      };
      this.#waiting.push(waiting);
      patience.onOver((reason) => {
        const at = this.#waiting.indexOf(waiting);
        if (at >= 0) this.#waiting.splice(at, 1);
        reject(leavingError(reason, waiting));
      });
      // Not at once: what else is asked for in this microtask is to find the same queue.
      queueMicrotask(() => this.#next());
    });
  }

  /** Gives up the request on the wire, if any, without its grace. Callers are told by their own patience. */
  close(): void {
    this.#closing.abort();
  }

  #next(): void {
    if (this.#active) return;
    const waiting = this.#waiting.shift();
    if (!waiting) return;
    this.#active = true;
    this.#carryOut(waiting).finally(() => {
      this.#active = false;
      this.#next();
    });
  }

  async #carryOut({ call, patience, progress, resolve, reject }: Waiting): Promise<void> {
    const left = new AbortController();
    const giveUp = new AbortController();
    const close = () => giveUp.abort();
    let cancelGrace = () => {};
    const forget = patience.onOver((reason) => {
      left.abort(new PatienceOver(reason));
      cancelGrace = this.#timers.after(GRACE_MS, close);
    });
    this.#closing.signal.addEventListener('abort', close, { once: true });
    if (this.#closing.signal.aborted) close();
    try {
      const pause = this.#pausedUntil - this.#timers.now();
      if (pause > 0) await patience.wait(pause);
      resolve(
        await this.#takeTurn(call, {
          patience,
          progress,
          left: left.signal,
          giveUp: giveUp.signal,
          pauseLane: (ms) => {
            this.#pausedUntil = Math.max(this.#pausedUntil, this.#timers.now() + ms);
          },
        }),
      );
    } catch (error) {
      // PatienceOver: its caller was told when it happened.
      if (!(error instanceof PatienceOver)) reject(error);
    } finally {
      forget();
      cancelGrace();
      this.#closing.signal.removeEventListener('abort', close);
    }
  }
}

/** What a caller is told that stops waiting. */
function leavingError(reason: OverReason, { call, progress }: Waiting): FleetError {
  const { attempts, inDoubt, lastFailure } = progress;
  const known = { operation: call.name, attempts };
  if (inDoubt && call.kind === 'mutation') {
    const why = reason === 'timeout' ? 'its time (timeoutMs) ran out' : 'it was aborted';
    return new AmbiguousMutationError(
      `${call.name} was sent, and ${why} before the answer arrived: the change may or may not have been made. Look whether it was before you send it again.`,
      known,
    );
  }
  if (reason === 'abort')
    return new AbortError(`${call.name} was aborted${attempts === 0 ? ' before it was sent' : ''}.`, known);
  // Between two requests the last failure says more than the clock.
  if (lastFailure) return lastFailure;
  return new TimeoutError(
    attempts === 0
      ? `The time for ${call.name} (timeoutMs) ran out while it waited for its turn or for a token. Allow more time, or ask for less at once.`
      : `The time for ${call.name} (timeoutMs) ran out before the answer arrived. Allow more time, or ask for less.`,
    known,
  );
}
