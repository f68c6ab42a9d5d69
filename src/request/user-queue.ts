// The step in which the calls of one user wait for each other. They are sent one request at a time, because the service answers 429 to a
// second active request of a user; turn-order.ts says which goes next. Neighbouring queries of the same priority that wait are merged into
// one request. A caller may leave at any time; its turn lasts until its request is really over.
import { AsyncResource } from 'node:async_hooks';
import type { Timers } from '../core/ports.js';
import type { Priority } from '../core/priority.js';
import type { CallOfUser } from './acting-user.js';
import { answerField, type Field, MergedCalls, type WaitingCaller } from './batch.js';
import type { CallAnswer, RequestAnswer } from './call.js';
import { deadlineError } from './deadline-error.js';
import { demultiplexAnswer, demultiplexFailure, NO_RESEND, type Resend } from './demultiplex.js';
import { MergeTrial, type Merging } from './merging.js';
import { activeRequest, type UserStats, waitingCalls } from './stats.js';
import type { Next, RequestStep } from './steps.js';
import { TurnOrder } from './turn-order.js';
import { UserRequests } from './user-requests.js';

/** A request that is under way when its last caller leaves may take this long to end by itself; then its socket is destroyed. */
const GRACE_MS = 5_000;

/** The queues of all users of a login. */
export class UserQueues {
  readonly #baseUrl: string;
  readonly #timers: Timers;
  readonly #merging: Merging;
  readonly #queues = new Map<string, UserQueue>();

  constructor(baseUrl: string, timers: Timers, merging: Merging) {
    this.#baseUrl = baseUrl;
    this.#timers = timers;
    this.#merging = merging;
  }

  /** The step: hands on batches, one at a time for each user. */
  readonly wait: RequestStep<CallOfUser, CallAnswer, MergedCalls, RequestAnswer> = (request, next) => {
    const { key } = request.user;
    let queue = this.#queues.get(key);
    if (!queue) {
      queue = new UserQueue(new UserRequests(this.#baseUrl, request.user), next, this.#timers, this.#merging);
      this.#queues.set(key, queue);
    }
    return queue.run(request);
  };

  /** What the calls of each user are doing. */
  stats(): readonly UserStats[] {
    return [...this.#queues.values()].map((queue) => queue.stats());
  }

  /** Gives up what is under way. Callers are told by their own deadlines. */
  close(): void {
    for (const queue of this.#queues.values()) queue.close();
  }
}

export class UserQueue {
  readonly #user: UserRequests;
  readonly #next: Next<MergedCalls, RequestAnswer>;
  readonly #timers: Timers;
  readonly #merging: Merging;
  readonly #order = new TurnOrder<MergedCalls>();
  /** The last one of each priority that was queued: the only one that calls may still join, so that none overtakes another. */
  readonly #newest = new Map<Priority, MergedCalls>();
  #isWorking = false;
  #active: { readonly batch: MergedCalls; readonly since: number } | null = null;
  #isClosed = false;

  constructor(user: UserRequests, next: Next<MergedCalls, RequestAnswer>, timers: Timers, merging: Merging) {
    this.#user = user;
    this.#next = next;
    this.#timers = timers;
    this.#merging = merging;
  }

  /** Queues a call. Settles with its answer, or with the error of its request or of its caller's deadline. */
  run({ call, deadline, trace }: Pick<CallOfUser, 'call' | 'deadline' | 'trace'>): Promise<CallAnswer> {
    if (trace) trace.user = this.#user.shown;
    return new Promise((resolve, reject) => {
      const asyncContext = new AsyncResource('FleetCall');
      const caller: WaitingCaller = {
        call,
        deadline,
        asyncContext,
        trace,
        resolve,
        reject,
        batch: null,
        attemptsBefore: 0,
      };
      if (deadline.endReason !== null) {
        reject(deadlineError(deadline.endReason, caller));
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
  stats(): UserStats {
    const now = this.#timers.now();
    const active = this.#active && activeRequest(this.#active.batch, this.#active.since, now);
    return { user: this.#user.shown, waiting: waitingCalls(this.#order.waiting(), now), active, ...this.#user.counts };
  }

  /** Ends the request that is under way, if any, without a grace period. */
  close(): void {
    this.#isClosed = true;
    this.#active?.batch.giveUp.abort();
  }

  #enqueue(caller: WaitingCaller): void {
    const { call } = caller;
    const newest = this.#newest.get(call.priority ?? 'normal');
    if (newest && this.#order.mayJoin(newest, call.caller) && newest.tryJoin(caller)) return;
    const user = this.#user;
    const batch = new MergedCalls([{ call, members: [caller] }], {
      user,
      timers: this.#timers,
      merging: this.#merging,
    });
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

  /** Gives the callers of the batch their answers or errors; what its document does not tell is queued again. Never rejects. */
  async #send(batch: MergedCalls): Promise<void> {
    if (batch.fields.length > 1) {
      const most = Math.max(1, this.#merging.max);
      // It was filled before merging was stopped.
      if (batch.fields.length > most) return this.#sendAgain(partsOf(batch.fields, most), batch, batch.trial);
    }
    const { deadline, progress, giveUp } = batch;
    if (this.#isClosed) giveUp.abort();
    let cancelGrace: (() => void) | null = null;
    const removeListener = deadline.onExceeded(() => {
      if (progress.isOnWire) cancelGrace = this.#timers.after(GRACE_MS, () => giveUp.abort());
      else giveUp.abort(deadline.reason);
    });
    let resend = NO_RESEND;
    try {
      const pauseMs = this.#user.pausedUntil === 0 ? 0 : this.#user.pausedUntil - this.#timers.now();
      if (pauseMs > 0) await deadline.wait(pauseMs);
      resend = this.#answer(batch, await this.#next(batch));
    } catch (error) {
      // It may have failed before it was sent, while calls could still join.
      batch.close();
      resend = demultiplexFailure(batch, error);
    }
    removeListener();
    // Set by the listener meanwhile.
    (cancelGrace as (() => void) | null)?.();
    this.#resend(resend, batch);
  }

  #answer(batch: MergedCalls, answer: RequestAnswer): Resend {
    const [only, ...others] = batch.sent;
    if (!only || others.length > 0) return demultiplexAnswer(batch, answer, batch.trial ?? this.#merging);
    answerField(only, answer, answer.lists?.get(only.call.name), batch.progress.attempts);
    if (answer.errors.length === 0) batch.trial?.succeeded(1);
    return NO_RESEND;
  }

  /** What a failed document held: in halves, until what spoils it stands alone; or each field alone. */
  #resend({ fields, why }: Resend, batch: MergedCalls): void {
    if (fields.length === 0) return;
    const waiting = fields.filter(({ members }) => members.length > 0);
    for (const { members } of waiting) {
      for (const member of members) member.attemptsBefore += batch.progress.attempts;
    }
    const isSplit = why !== 'field';
    const trial =
      isSplit && batch.trial === null ? new MergeTrial(this.#merging, fields.length, why === 'refused') : batch.trial;
    this.#sendAgain(partsOf(waiting, isSplit ? Math.ceil(waiting.length / 2) : 1), batch, trial);
  }

  /** The parts of a batch go before everything of its priority that came after it. */
  #sendAgain(parts: readonly [Field, ...Field[]][], original: MergedCalls, trial: MergeTrial | null): void {
    const options = { user: this.#user, timers: this.#timers, merging: null, trial };
    const batches = parts.map((part) => new MergedCalls(part, options));
    this.#order.addAgain(batches, original);
  }
}

/** Neighbours, so many in each part. */
function partsOf(fields: readonly Field[], size: number): [Field, ...Field[]][] {
  const [first, ...others] = fields.slice(0, size);
  return first ? [[first, ...others], ...partsOf(fields.slice(size), size)] : [];
}
