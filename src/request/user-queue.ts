// One lane per user: calls wait in order and leave one turn at a time, because the service answers 429 to a user's second
// active request. Neighbouring queries that wait leave together. A caller may leave at any time; the turn itself lasts until its
// request is really over.

import { AbortFlag } from '../core/abort-flag.js';
import type { Timers } from '../core/ports.js';
import { Batch, type Call, type CallAnswer, type Payload, type WaitingCaller } from './batch.js';
import { type CallDeadline, type Deadline, DeadlineExceeded } from './deadline.js';
import { deadlineError } from './deadline-error.js';
import { demultiplexAnswer, demultiplexFailure, type Resend } from './demultiplex.js';
import type { CallProgress } from './retry.js';

/** After its caller has left, a request gets this long to end by itself before its socket is destroyed. */
const GRACE_MS = 5000;

/** A call, or several that go together, whose turn has come. */
export interface Turn {
  readonly deadline: Deadline;
  readonly progress: CallProgress;
  /** When the first of the callers came, on the timers' clock. */
  readonly waitingSince: number;
  /** What to send, asked for as late as possible: until then others may join. */
  payload(): Payload;
  /** Fires when nobody waits any more: ends every wait, and nothing new is sent. */
  readonly left: AbortFlag;
  /** Fires with it when no request is on the wire, else a while later: the request is given up. */
  readonly giveUp: AbortFlag;
  /** Keeps the whole lane from sending for so long: the service said 429, which concerns all who wait. */
  pauseQueue(ms: number): void;
}

/** Carries out one turn: gate, session, attempts, wire. Settles only when nothing of it is active any more. */
export type TakeTurn = (first: Call, turn: Turn) => Promise<Pick<CallAnswer, 'data' | 'errors'>>;

export interface Merging {
  /** Root fields in one document at most; 0: nothing is merged. */
  readonly max: number;
  /** Told once, when the service turned out to refuse merged documents. */
  readonly onRefused: () => void;
}

/** queueMicrotask would do; it costs several times as much, because it makes an async resource. */
const AFTER_THIS = Promise.resolve();

export class UserQueue {
  readonly #takeTurn: TakeTurn;
  readonly #timers: Timers;
  readonly #onRefused: () => void;
  #mergeAtMost: number;
  #queue: Batch[] = [];
  #active: { readonly batch: Batch; readonly giveUp: AbortFlag } | null = null;
  #pausedUntil = 0;
  #closed = false;

  constructor(takeTurn: TakeTurn, timers: Timers, merging: Merging = { max: 0, onRefused: () => undefined }) {
    this.#takeTurn = takeTurn;
    this.#timers = timers;
    this.#mergeAtMost = merging.max;
    this.#onRefused = merging.onRefused;
  }

  /** Queues a call; the answer, or the error of its turn, or of its caller's patience. */
  run(call: Call, patience: CallDeadline): Promise<CallAnswer> {
    return new Promise((resolve, reject) => {
      const member: WaitingCaller = { call, deadline: patience, resolve, reject, batch: null, attemptsBefore: 0 };
      if (patience.reason !== null) return reject(deadlineError(patience.reason, member));
      this.#queueUp(member);
      patience.onExceeded((reason) => {
        reject(deadlineError(reason, member));
        const { batch } = member;
        batch?.leave(member, reason);
        if (batch?.isAbandoned) this.#queue = this.#queue.filter((one) => one !== batch);
      });
    });
  }

  /** Gives up the request on the wire, if any, without its grace. Callers are told by their own patience. */
  close(): void {
    this.#closed = true;
    this.#active?.giveUp.abort();
  }

  /** Only the last in the queue is joined: whoever came between two calls is served between them. */
  #queueUp(member: WaitingCaller): void {
    const last = this.#queue.at(-1) ?? this.#active?.batch;
    if (last?.tryJoin(member)) return;
    this.#queue.push(new Batch({ call: member.call, members: [member] }, this.#mergeAtMost, this.#timers));
    // Not at once: what else is asked for in this microtask leaves with it.
    if (!this.#active) void AFTER_THIS.then(() => this.#next());
  }

  #next(): void {
    if (this.#active) return;
    const batch = this.#queue.shift();
    if (!batch) return;
    const giveUp = new AbortFlag();
    this.#active = { batch, giveUp };
    // Never rejects.
    void this.#carryOut(batch, giveUp);
  }

  async #carryOut(batch: Batch, giveUp: AbortFlag): Promise<void> {
    const { deadline: patience, progress } = batch;
    const left = new AbortFlag();
    let cancelGrace = () => {};
    const forget = patience.onExceeded((reason) => {
      left.abort(new DeadlineExceeded(reason));
      if (progress.isOnWire) cancelGrace = this.#timers.after(GRACE_MS, () => giveUp.abort());
      else giveUp.abort(new DeadlineExceeded(reason));
    });
    if (this.#closed) giveUp.abort();
    let again: Resend;
    try {
      const pause = this.#pausedUntil === 0 ? 0 : this.#pausedUntil - this.#timers.now();
      if (pause > 0) await patience.wait(pause);
      const answer = await this.#takeTurn(batch.first, {
        deadline: patience,
        progress,
        waitingSince: batch.waitingSince,
        payload: () => batch.payload(),
        left,
        giveUp,
        pauseQueue: (ms) => {
          this.#pausedUntil = Math.max(this.#pausedUntil, this.#timers.now() + ms);
        },
      });
      again = demultiplexAnswer(batch, answer);
    } catch (error) {
      again = demultiplexFailure(batch, error);
    }
    forget();
    cancelGrace();
    if (again.fields.length > 0) this.#sendAlone(again, progress.attempts);
    this.#active = null;
    this.#next();
  }

  /** One by one, before everything that came later. When all of them succeed alone, it was the merging that failed. */
  #sendAlone({ fields, suspect }: Resend, attempts: number): void {
    let toSucceed = fields.length;
    const onSuccess = () => {
      toSucceed--;
      if (toSucceed === 0) this.#stopMerging();
    };
    const alone = fields
      .filter(({ members }) => members.length > 0)
      .map((field) => {
        for (const member of field.members) member.attemptsBefore += attempts;
        return new Batch(field, 0, this.#timers, suspect ? onSuccess : null);
      });
    this.#queue.unshift(...alone);
  }

  #stopMerging(): void {
    if (this.#mergeAtMost === 0) return;
    this.#mergeAtMost = 0;
    // What was gathered meanwhile is sent one by one too.
    this.#queue = this.#queue.flatMap((batch) =>
      batch.fields.length > 1 ? batch.fields.map((field) => new Batch(field, 0, this.#timers)) : [batch],
    );
    this.#onRefused();
  }
}
