// The queue of one user's calls. They are sent one request at a time, because the service answers 429 to a second active request of a
// user; turn-order.ts says which goes next. Neighbouring queries of the same priority that wait are merged into one request. A caller may
// leave at any time; its turn lasts until its request is really over.
import { AbortFlag } from '../core/abort-flag.js';
import { GRACE_MS } from '../core/defaults.js';
import type { Timers } from '../core/ports.js';
import type { Priority } from '../core/priority.js';
import {
  Batch,
  type Call,
  type CallAnswer,
  type Field,
  type MergeObserver,
  type Payload,
  type RequestAnswer,
  type WaitingCaller,
} from './batch.js';
import { captureContext } from './caller-context.js';
import { type CallDeadline, type Deadline, DeadlineExceeded } from './deadline.js';
import { deadlineError } from './deadline-error.js';
import { demultiplexAnswer, demultiplexFailure, type Resend } from './demultiplex.js';
import type { CallTrace } from './instrumentation.js';
import { MergeTrial, type Merging } from './merging.js';
import type { CallProgress } from './retry.js';
import { activeRequest, type UserStats, waitingCalls } from './stats.js';
import { TurnOrder } from './turn-order.js';

/** The turn of a batch: it may be sent now. */
export interface Turn {
  readonly deadline: Deadline;
  readonly progress: CallProgress;
  /** When the first of its calls was made, on the timers' clock. */
  readonly waitingSince: number;
  /** What to send. To be asked for as late as possible: until then other calls may join the batch. */
  payload(): Payload;
  /** Runs a task in the async context of the first caller that still waits. */
  inContext<Result>(task: () => Result): Result;
  /** Notes a request in what is reported of its calls, and returns their ids. */
  noteRequest(requestId: string): readonly string[];
  /** Fires when no caller waits any more: it ends every wait, and nothing new is sent. */
  readonly left: AbortFlag;
  /** Ends the request that is under way: at once when its first byte has not left, else after a grace period. */
  readonly giveUp: AbortFlag;
  /** Delays everything in the queue: the service answered 429, which concerns all calls of the user. */
  pauseQueue(ms: number): void;
}

/** Carries out a turn: gate, session, request, retries. Settles when no request of it is active any more. */
export type TakeTurn = (first: Call, turn: Turn) => Promise<RequestAnswer>;

export class UserQueue {
  readonly #takeTurn: TakeTurn;
  readonly #timers: Timers;
  readonly #merging: Merging;
  readonly #order = new TurnOrder<Batch>();
  /** The last one of each priority that was queued: the only one that calls may still join, so that none overtakes another. */
  readonly #newest = new Map<Priority, Batch>();
  #isWorking = false;
  #active: { readonly batch: Batch; readonly since: number } | null = null;
  #activeGiveUp: AbortFlag | null = null;
  #pausedUntil = 0;
  #isClosed = false;

  constructor(takeTurn: TakeTurn, timers: Timers, merging: Merging) {
    this.#takeTurn = takeTurn;
    this.#timers = timers;
    this.#merging = merging;
  }

  /** Queues a call. Settles with its answer, or with the error of its request or of its caller's deadline. */
  run(call: Call, deadline: CallDeadline, trace: CallTrace | null = null): Promise<CallAnswer> {
    return new Promise((resolve, reject) => {
      const context = captureContext();
      const caller: WaitingCaller = {
        call,
        deadline,
        context,
        trace,
        resolve,
        reject,
        batch: null,
        attemptsBefore: 0,
      };
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

  /** What waits and what is under way. */
  activity(): Pick<UserStats, 'waiting' | 'active'> {
    const now = this.#timers.now();
    const active = this.#active && activeRequest(this.#active.batch, this.#active.since, now);
    return { waiting: waitingCalls(this.#order.waiting(), now), active };
  }

  /** Ends the request that is under way, if any, without a grace period. Callers are told by their own deadlines. */
  close(): void {
    this.#isClosed = true;
    this.#activeGiveUp?.abort();
  }

  #enqueue(caller: WaitingCaller): void {
    const { call } = caller;
    const newest = this.#newest.get(call.priority ?? 'normal');
    if (newest && this.#order.mayJoin(newest, call.caller) && newest.tryJoin(caller)) return;
    const batch = new Batch([{ call, members: [caller] }], this.#merging.max, this.#timers, this.#merging);
    this.#newest.set(batch.priority, batch);
    this.#order.add(batch);
    this.#tellActive();
    if (!this.#isWorking) void this.#work();
  }

  #tellActive(): void {
    const batch = this.#active?.batch;
    if (batch && this.#order.hasWaiting) batch.tellWaitingCalls(this.#order.hasAbove(batch.priority));
  }

  /** Sends what waits until nothing does. Never rejects. */
  async #work(): Promise<void> {
    this.#isWorking = true;
    for (;;) {
      // Calls made in the same microtask are put in order, and merged, before one of them goes.
      await null;
      const batch = this.#order.take();
      if (batch === null) break;
      // Whoever started the work is not the caller of all that follows.
      this.#active = { batch, since: this.#timers.now() };
      this.#tellActive();
      await batch.inContext(() => this.#send(batch));
      this.#active = null;
      // Its callers hold their answers, which would stay in memory until the next call.
      if (this.#newest.get(batch.priority) === batch) this.#newest.delete(batch.priority);
    }
    this.#isWorking = false;
  }

  /** Never rejects. */
  async #send(batch: Batch): Promise<void> {
    const most = Math.max(1, this.#merging.max);
    if (batch.fields.length > most) {
      // It was filled before merging was stopped.
      this.#sendAgain(partsOf(batch.fields, most), batch, batch.observer);
      return;
    }
    const giveUp = new AbortFlag();
    this.#activeGiveUp = giveUp;
    if (this.#isClosed) giveUp.abort();
    this.#resend(await this.#carryOut(batch, giveUp), batch);
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
        inContext: (task) => batch.inContext(task),
        noteRequest: (requestId) => batch.noteRequest(requestId, this.#timers.now()),
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

  /** What a failed document held: in halves, until what spoils it stands alone; or each field alone. */
  #resend({ fields, why }: Resend, batch: Batch): void {
    const { observer, progress } = batch;
    const waiting = fields.filter(({ members }) => members.length > 0);
    for (const { members } of waiting) for (const member of members) member.attemptsBefore += progress.attempts;
    const isSplit = why !== 'field';
    const trial =
      isSplit && !(observer instanceof MergeTrial)
        ? new MergeTrial(this.#merging, fields.length, why === 'refused')
        : observer;
    this.#sendAgain(partsOf(waiting, isSplit ? Math.ceil(waiting.length / 2) : 1), batch, trial);
  }

  /** The parts of a batch go before everything of its priority that came after it. */
  #sendAgain(parts: readonly [Field, ...Field[]][], original: Batch, observer: MergeObserver): void {
    const batches = parts.map((part) => new Batch(part, 0, this.#timers, observer));
    this.#order.addAgain(batches, original);
  }
}

/** Neighbours, so many in each part. */
function partsOf(fields: readonly Field[], size: number): [Field, ...Field[]][] {
  const [first, ...others] = fields.slice(0, size);
  return first ? [[first, ...others], ...partsOf(fields.slice(size), size)] : [];
}
