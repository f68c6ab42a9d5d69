// The queue of one user's calls. They are sent one request at a time, in the order in which they were made, because the service answers
// 429 to a second active request of a user. Neighbouring queries that wait are merged into one request. A caller may leave at any
// time; its turn lasts until its request is really over.
import PQueue from 'p-queue';
import { AbortFlag } from '../core/abort-flag.js';
import { GRACE_MS } from '../core/defaults.js';
import type { Timers } from '../core/ports.js';
import { Batch, type Call, type CallAnswer, type Payload, type WaitingCaller } from './batch.js';
import { type CallDeadline, type Deadline, DeadlineExceeded } from './deadline.js';
import { deadlineError } from './deadline-error.js';
import { demultiplexAnswer, demultiplexFailure, type Resend } from './demultiplex.js';
import type { CallProgress } from './retry.js';

/** The turn of a batch: it may be sent now. */
export interface Turn {
  readonly deadline: Deadline;
  readonly progress: CallProgress;
  /** When the first of its calls was made, on the timers' clock. */
  readonly waitingSince: number;
  /** What to send. To be asked for as late as possible: until then other calls may join the batch. */
  payload(): Payload;
  /** Fires when no caller waits any more: it ends every wait, and nothing new is sent. */
  readonly left: AbortFlag;
  /** Ends the request that is under way: at once when its first byte has not left, else after a grace period. */
  readonly giveUp: AbortFlag;
  /** Delays everything in the queue: the service answered 429, which concerns all calls of the user. */
  pauseQueue(ms: number): void;
}

/** Carries out a turn: gate, session, request, retries. Settles when no request of it is active any more. */
export type TakeTurn = (first: Call, turn: Turn) => Promise<Pick<CallAnswer, 'data' | 'errors'>>;

export interface Merging {
  /** Most root fields in one document; 0: nothing is merged. */
  readonly max: number;
  /** Called once, when the service turns out to refuse merged documents. */
  readonly onRefused: () => void;
}

/** The calls of a batch that was split go before everything that came after it. */
const RESEND_PRIORITY = 1;

export class UserQueue {
  readonly #takeTurn: TakeTurn;
  readonly #timers: Timers;
  readonly #onRefused: () => void;
  readonly #queue = new PQueue({ concurrency: 1 });
  #mergeMax: number;
  /** The last one that was queued: the only one that calls may still join, so that none overtakes another. */
  #newest: Batch | null = null;
  #activeGiveUp: AbortFlag | null = null;
  #pausedUntil = 0;
  #isClosed = false;

  constructor(takeTurn: TakeTurn, timers: Timers, merging: Merging = { max: 0, onRefused: () => undefined }) {
    this.#takeTurn = takeTurn;
    this.#timers = timers;
    this.#mergeMax = merging.max;
    this.#onRefused = merging.onRefused;
  }

  /** Queues a call. Settles with its answer, or with the error of its request or of its caller's deadline. */
  run(call: Call, deadline: CallDeadline): Promise<CallAnswer> {
    return new Promise((resolve, reject) => {
      const caller: WaitingCaller = { call, deadline, resolve, reject, batch: null, attemptsBefore: 0 };
      if (deadline.reason !== null) {
        reject(deadlineError(deadline.reason, caller));
        return;
      }
      this.#enqueue(caller);
      deadline.onExceeded((reason) => {
        reject(deadlineError(reason, caller));
        caller.batch?.leave(caller, reason);
      });
    });
  }

  /** Ends the request that is under way, if any, without a grace period. Callers are told by their own deadlines. */
  close(): void {
    this.#isClosed = true;
    this.#activeGiveUp?.abort();
  }

  #enqueue(caller: WaitingCaller): void {
    if (this.#newest?.tryJoin(caller)) return;
    const batch = new Batch({ call: caller.call, members: [caller] }, this.#mergeMax, this.#timers);
    this.#newest = batch;
    void this.#queue.add(() => this.#send(batch));
  }

  /** Never rejects. */
  async #send(batch: Batch): Promise<void> {
    // p-queue starts a task at once when it has no other: calls made in the same microtask still join.
    await null;
    if (batch.isAbandoned) return;
    if (this.#mergeMax === 0 && batch.fields.length > 1) {
      // It was filled before merging was stopped.
      this.#resend({ fields: batch.fields, isMergingSuspect: false }, 0);
      return;
    }
    const giveUp = new AbortFlag();
    this.#activeGiveUp = giveUp;
    if (this.#isClosed) giveUp.abort();
    this.#resend(await this.#carryOut(batch, giveUp), batch.progress.attempts);
    this.#activeGiveUp = null;
  }

  /** Gives the callers of the batch their answers or errors. Settles with what has to be sent again. */
  async #carryOut(batch: Batch, giveUp: AbortFlag): Promise<Resend> {
    const { deadline, progress } = batch;
    const left = new AbortFlag();
    let cancelGrace = () => {};
    const removeListener = deadline.onExceeded((reason) => {
      left.abort(new DeadlineExceeded(reason));
      if (progress.isOnWire) cancelGrace = this.#timers.after(GRACE_MS, () => giveUp.abort());
      else giveUp.abort(new DeadlineExceeded(reason));
    });
    try {
      const pause = this.#pausedUntil === 0 ? 0 : this.#pausedUntil - this.#timers.now();
      if (pause > 0) await deadline.wait(pause);
      const answer = await this.#takeTurn(batch.first, {
        deadline,
        progress,
        waitingSince: batch.waitingSince,
        payload: () => batch.payload(),
        left,
        giveUp,
        pauseQueue: (ms) => {
          this.#pausedUntil = Math.max(this.#pausedUntil, this.#timers.now() + ms);
        },
      });
      return demultiplexAnswer(batch, answer);
    } catch (error) {
      // It may have failed before it was sent, while calls could still join.
      batch.close();
      return demultiplexFailure(batch, error);
    } finally {
      removeListener();
      cancelGrace();
    }
  }

  /** Each field by itself. When all of them succeed alone, it was the merging that the service refused. */
  #resend({ fields, isMergingSuspect }: Resend, attempts: number): void {
    let unconfirmed = fields.length;
    const onSuccess = () => {
      unconfirmed--;
      if (unconfirmed === 0) this.#stopMerging();
    };
    for (const field of fields) {
      if (field.members.length === 0) continue;
      for (const member of field.members) member.attemptsBefore += attempts;
      const batch = new Batch(field, 0, this.#timers, isMergingSuspect ? onSuccess : null);
      void this.#queue.add(() => this.#send(batch), { priority: RESEND_PRIORITY });
    }
  }

  #stopMerging(): void {
    if (this.#mergeMax === 0) return;
    this.#mergeMax = 0;
    this.#onRefused();
  }
}
