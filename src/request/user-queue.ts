// The step in which calls wait until their user is known, and then for the other calls of that
// user. The service answers 429 to a second active request of a user, so they are sent one at a
// time; turn-order.ts chooses the next. Neighbouring queries with equal priority and limits are
// merged. A turn lasts until its request has ended, even without callers.
import { AsyncResource } from 'node:async_hooks';
import type { ActingUser } from '../auth/acting-user.js';
import { messageOf } from '../core/error-messages.js';
import { QueueFullError } from '../core/errors.js';
import type { Timers } from '../core/ports.js';
import type { Priority } from '../core/priority.js';
import { answerField, type Field, MergedCalls, UserRequests, type WaitingCaller } from './batch.js';
import type { Call, CallAnswer, RequestAnswer } from './call.js';
import { deadlineError, type TimedCall } from './deadlines.js';
import { demultiplexAnswer, demultiplexFailure, NO_RESEND, type Resend } from './demultiplex.js';
import { MergeTrial, type Merging } from './merging.js';
import { activeRequest, type UserStats, waitingCalls } from './stats.js';
import type { Next, RequestStep } from './steps.js';
import { TurnOrder } from './turn-order.js';

export interface QueueOptions {
  readonly timers: Timers;
  readonly merging: Merging;
  readonly maxWaiting: number;
  /** True when requests depend on the async context of their callers. */
  readonly dependsOnContext: () => boolean;
}

export class UserQueues {
  readonly #baseUrl: string;
  readonly #options: QueueOptions;
  readonly #queues = new Map<string, UserQueue>();

  constructor(baseUrl: string, options: QueueOptions) {
    this.#baseUrl = baseUrl;
    this.#options = options;
  }

  readonly wait: RequestStep<TimedCall, CallAnswer, MergedCalls, RequestAnswer> = (request, next) => {
    const { user, deadline, call } = request;
    const queue = user.actingUser && this.#queues.get(user.actingUser.key);
    if (queue) return queue.run(request);
    const isCounted = isCountedCall(call);
    const { maxWaiting } = this.#options;
    // The first waiting call is not counted, because it waits for no other call.
    const waiting = user.waiting - 1;
    if (isCounted && waiting >= maxWaiting) throw queueFullError(call.name, waiting, maxWaiting);
    if (call.series) call.series.hasBegun = true;
    return user.withUser(deadline, (existing) => this.#queueOf(existing, next).run(request), isCounted);
  };

  #queueOf(user: ActingUser, next: Next<MergedCalls, RequestAnswer>): UserQueue {
    const existing = this.#queues.get(user.key);
    if (existing) return existing;
    const queue = new UserQueue(new UserRequests(this.#baseUrl, user), next, this.#options);
    this.#queues.set(user.key, queue);
    return queue;
  }

  stats(): readonly UserStats[] {
    return [...this.#queues.values()].map((queue) => queue.stats());
  }

  /** Gives up the active requests. Their callers get their errors by their own deadlines. */
  close(): void {
    for (const queue of this.#queues.values()) queue.close();
  }
}

export class UserQueue {
  readonly #user: UserRequests;
  readonly #next: Next<MergedCalls, RequestAnswer>;
  readonly #options: QueueOptions;
  readonly #order = new TurnOrder<MergedCalls>();
  /**
   * The last queued queries of each priority, which calls may join. A joining query overtakes other
   * callers' mutations behind it, but adds no request.
   */
  readonly #newest = new Map<Priority, MergedCalls>();
  #isWorking = false;
  #active: { readonly batch: MergedCalls; readonly since: number } | null = null;
  #isClosed = false;

  constructor(user: UserRequests, next: Next<MergedCalls, RequestAnswer>, options: QueueOptions) {
    this.#user = user;
    this.#next = next;
    this.#options = options;
  }

  /**
   * Queues a call. Settles with its answer, or with the error of its request or deadline.
   * @throws {QueueFullError} when too many calls wait already
   */
  async run({ call, deadline, trace }: Pick<TimedCall, 'call' | 'deadline' | 'trace'>): Promise<CallAnswer> {
    if (trace) trace.user = this.#user.displayId;
    const isCounted = isCountedCall(call);
    if (isCounted && this.#options.maxWaiting !== Number.POSITIVE_INFINITY) this.#refuseBeyondLimit(call.name);
    if (call.series) call.series.hasBegun = true;
    return new Promise((resolve, reject) => {
      const asyncContext = new AsyncResource('FleetCall');
      const caller: WaitingCaller = {
        call,
        deadline,
        asyncContext,
        trace,
        isCounted,
        resolve,
        reject,
        batch: null,
        attemptsBefore: 0,
      };
      // Calls back at once when the deadline is exceeded already.
      deadline.onExceeded((reason) => {
        reject(deadlineError(reason, caller));
        caller.batch?.leave(caller, reason);
      });
      if (!deadline.aborted) this.#enqueue(caller);
    });
  }

  stats(): UserStats {
    const now = this.#options.timers.now();
    const active = this.#active && activeRequest(this.#active.batch, this.#active.since, now);
    return {
      user: this.#user.displayId,
      waiting: waitingCalls(this.#order.waiting(), now),
      active,
      ...this.#user.counts,
    };
  }

  close(): void {
    this.#isClosed = true;
    this.#active?.batch.giveUp.abort();
  }

  #refuseBeyondLimit(operation: string): void {
    // If no request is active, the first waiting batch goes at once.
    let isNext = this.#active === null;
    let waiting = 0;
    for (const { countedCallers } of this.#order.waiting()) {
      if (!isNext) waiting += countedCallers;
      isNext = false;
    }
    if (waiting >= this.#options.maxWaiting && !isNext)
      throw queueFullError(operation, waiting, this.#options.maxWaiting);
  }

  #enqueue(caller: WaitingCaller): void {
    const { call } = caller;
    const newest = this.#newest.get(call.priority ?? 'normal');
    if (newest && this.#order.mayJoin(newest, call.caller) && newest.tryJoin(caller)) return;
    const { timers, merging, dependsOnContext } = this.#options;
    const options = { user: this.#user, timers, merging, dependsOnContext };
    const batch = new MergedCalls([{ call, members: [caller] }], options);
    if (!batch.isFence) this.#newest.set(batch.priority, batch);
    this.#order.add(batch);
    if (this.#active) this.#notifyActiveBatch(this.#active.batch);
    if (!this.#isWorking) void this.#work();
  }

  #notifyActiveBatch(active: MergedCalls): void {
    active.notifyWaitingCalls(this.#order.hasHigherPriority(active.priority));
  }

  /** Sends waiting batches until the queue is empty. Never rejects. */
  async #work(): Promise<void> {
    this.#isWorking = true;
    for (;;) {
      // Calls made in one microtask are ordered and merged before the first is sent.
      await null;
      const batch = this.#order.take();
      if (batch === null) break;
      // The caller that started this loop is not the caller of all later requests.
      this.#active = { batch, since: this.#options.timers.now() };
      if (this.#order.hasWaiting) this.#notifyActiveBatch(batch);
      await batch.inContext(() => this.#send(batch));
      this.#active = null;
      // Its callers hold their answers, which would stay in memory until the next call.
      if (this.#newest.get(batch.priority) === batch) this.#newest.delete(batch.priority);
    }
    this.#isWorking = false;
  }

  /**
   * Gives each caller its answer or error, and queues fields without an outcome again. Never
   * rejects.
   */
  async #send(batch: MergedCalls): Promise<void> {
    if (batch.fields.length > 1) {
      const most = Math.max(1, this.#options.merging.max);
      // The batch was filled before merging was stopped.
      if (batch.fields.length > most) return this.#requeueParts(partsOf(batch.fields, most), batch, batch.trial);
    }
    if (this.#isClosed) batch.giveUp.abort();
    let resend = NO_RESEND;
    try {
      const pauseMs = this.#user.pausedUntil === 0 ? 0 : this.#user.pausedUntil - this.#options.timers.now();
      if (pauseMs > 0) await batch.deadline.wait(pauseMs);
      resend = this.#answer(batch, await this.#next(batch));
    } catch (error) {
      // The batch may have failed before it was sent, while calls could still join.
      batch.close();
      resend = demultiplexFailure(batch, error);
    }
    batch.cancelGrace?.();
    if (resend.fields.length > 0) this.#resend(resend, batch);
  }

  #answer(batch: MergedCalls, answer: RequestAnswer): Resend {
    const [only] = batch.sentFields;
    if (!only || batch.sentFields.length > 1)
      return demultiplexAnswer(batch, answer, batch.trial ?? this.#options.merging);
    answerField(only, answer, answer, answer.lists?.get(only.call.name), batch.progress.attempts);
    if (answer.errors.length === 0) batch.trial?.succeeded(1);
    return NO_RESEND;
  }

  /** Queues failed fields again: in halves, to isolate the failing field, or each alone. */
  #resend({ fields, why }: Resend, batch: MergedCalls): void {
    const waiting = fields.filter(({ members }) => members.length > 0);
    for (const { members } of waiting) {
      for (const member of members) member.attemptsBefore += batch.progress.attempts;
    }
    const isSplit = why !== 'field';
    const trial =
      isSplit && batch.trial === null
        ? new MergeTrial(this.#options.merging, fields.length, why === 'refused')
        : batch.trial;
    this.#requeueParts(partsOf(waiting, isSplit ? Math.ceil(waiting.length / 2) : 1), batch, trial);
  }

  #requeueParts(parts: readonly [Field, ...Field[]][], original: MergedCalls, trial: MergeTrial | null): void {
    const options = { user: this.#user, timers: this.#options.timers, merging: null, trial };
    const batches = parts.map((part) => new MergedCalls(part, options));
    this.#order.requeue(batches, original);
  }
}

/** True when a call counts against `maxWaiting`: of a stream or a watch, only the first. */
function isCountedCall({ series }: Call): boolean {
  return series?.hasBegun !== true;
}

function queueFullError(operation: string, waiting: number, maxWaiting: number): QueueFullError {
  const facts = { kind: 'queueFull', waiting, maxWaiting } as const;
  return new QueueFullError(messageOf(facts, { operation }), waiting, maxWaiting, { operation, facts });
}

/** Splits the fields into parts of this size; neighbours stay together. */
function partsOf(fields: readonly Field[], size: number): [Field, ...Field[]][] {
  const [first, ...others] = fields.slice(0, size);
  return first ? [[first, ...others], ...partsOf(fields.slice(size), size)] : [];
}
