import { AsyncResource } from "node:async_hooks";
import { messageOf } from "../core/error-messages.js";
import { QueueFullError } from "../core/errors.js";
import { answerField, MergedCalls } from "./batch.js";
import { deadlineError } from "./deadline-error.js";
import { demultiplexAnswer, demultiplexFailure, NO_RESEND } from "./demultiplex.js";
import { MergeTrial } from "./merging.js";
import { activeRequest, waitingCalls } from "./stats.js";
import { TurnOrder } from "./turn-order.js";
import { UserRequests } from "./user-requests.js";
class UserQueues {
  #baseUrl;
  #timers;
  #merging;
  #maxWaiting;
  #isOfContext;
  #queues = /* @__PURE__ */ new Map();
  /** `isOfContext`: requests depend on the async context of their callers. */
  constructor(baseUrl, timers, merging, maxWaiting, isOfContext) {
    this.#isOfContext = isOfContext;
    this.#baseUrl = baseUrl;
    this.#timers = timers;
    this.#merging = merging;
    this.#maxWaiting = maxWaiting;
  }
  /** The step: hands on batches, one at a time for each user. */
  wait = (request, next) => {
    const { user, deadline, call } = request;
    const queue = user.known && this.#queues.get(user.known.key);
    if (queue) return queue.run(request);
    const isCounted = begins(call);
    const waiting = user.waiting - 1;
    if (isCounted && waiting >= this.#maxWaiting) throw queueFull(call.name, waiting, this.#maxWaiting);
    if (call.series) call.series.hasBegun = true;
    return user.withUser(deadline, (known) => this.#queueOf(known, next).run(request), isCounted);
  };
  #queueOf(user, next) {
    const known = this.#queues.get(user.key);
    if (known) return known;
    const requests = new UserRequests(this.#baseUrl, user);
    const queue = new UserQueue(requests, next, this.#timers, this.#merging, this.#maxWaiting, this.#isOfContext);
    this.#queues.set(user.key, queue);
    return queue;
  }
  /** What the calls of each user are doing. */
  stats() {
    return [...this.#queues.values()].map((queue) => queue.stats());
  }
  /** Gives up the requests that are under way. Their callers get their errors by their own deadlines. */
  close() {
    for (const queue of this.#queues.values()) queue.close();
  }
}
class UserQueue {
  #user;
  #next;
  #timers;
  #merging;
  #maxWaiting;
  #isOfContext;
  #order = new TurnOrder();
  /**
   * The last queries of each priority that were queued: the only ones that calls may still join. Changes of other callers that wait behind
   * them do not keep a query from joining: it goes before these, and delays them by no request.
   */
  #newest = /* @__PURE__ */ new Map();
  #isWorking = false;
  #active = null;
  #isClosed = false;
  constructor(user, next, timers, merging, maxWaiting, isOfContext = () => false) {
    this.#isOfContext = isOfContext;
    this.#maxWaiting = maxWaiting;
    this.#user = user;
    this.#next = next;
    this.#timers = timers;
    this.#merging = merging;
  }
  /**
   * Queues a call. Settles with its answer, or with the error of its request or of its caller's deadline.
   * @throws {QueueFullError} when too many calls wait already
   */
  async run({ call, deadline, trace }) {
    if (trace) trace.user = this.#user.shown;
    const isCounted = begins(call);
    if (isCounted && this.#maxWaiting !== Number.POSITIVE_INFINITY) this.#refuseBeyondLimit(call.name);
    if (call.series) call.series.hasBegun = true;
    return new Promise((resolve, reject) => {
      const asyncContext = new AsyncResource("FleetCall");
      const caller = {
        call,
        deadline,
        asyncContext,
        trace,
        isCounted,
        resolve,
        reject,
        batch: null,
        attemptsBefore: 0
      };
      deadline.onExceeded((reason) => {
        reject(deadlineError(reason, caller));
        caller.batch?.leave(caller, reason);
      });
      if (!deadline.aborted) this.#enqueue(caller);
    });
  }
  /** What waits and what is under way. */
  stats() {
    const now = this.#timers.now();
    const active = this.#active && activeRequest(this.#active.batch, this.#active.since, now);
    return { user: this.#user.shown, waiting: waitingCalls(this.#order.waiting(), now), active, ...this.#user.counts };
  }
  /** Ends the request that is under way, if any, without a grace period. */
  close() {
    this.#isClosed = true;
    this.#active?.batch.giveUp.abort();
  }
  #refuseBeyondLimit(operation) {
    let isNext = this.#active === null;
    let waiting = 0;
    for (const { counted } of this.#order.waiting()) {
      if (!isNext) waiting += counted;
      isNext = false;
    }
    if (waiting >= this.#maxWaiting && !isNext) throw queueFull(operation, waiting, this.#maxWaiting);
  }
  #enqueue(caller) {
    const { call } = caller;
    const newest = this.#newest.get(call.priority ?? "normal");
    if (newest && this.#order.mayJoin(newest, call.caller) && newest.tryJoin(caller)) return;
    const user = this.#user;
    const batch = new MergedCalls([{ call, members: [caller] }], {
      user,
      timers: this.#timers,
      merging: this.#merging,
      isOfContext: this.#isOfContext
    });
    if (!batch.isFence) this.#newest.set(batch.priority, batch);
    this.#order.add(batch);
    if (this.#active) this.#tellWaiting(this.#active.batch);
    if (!this.#isWorking) void this.#work();
  }
  /** Tells the request that has the turn of those that wait for it. */
  #tellWaiting(active) {
    active.tellWaitingCalls(this.#order.hasAbove(active.priority));
  }
  /** Sends what waits until nothing does. Never rejects. */
  async #work() {
    this.#isWorking = true;
    for (; ; ) {
      await null;
      const batch = this.#order.take();
      if (batch === null) break;
      this.#active = { batch, since: this.#timers.now() };
      if (this.#order.hasWaiting) this.#tellWaiting(batch);
      await batch.inContext(() => this.#send(batch));
      this.#active = null;
      if (this.#newest.get(batch.priority) === batch) this.#newest.delete(batch.priority);
    }
    this.#isWorking = false;
  }
  /** Gives the callers of the batch their answers or errors; what its document does not tell is queued again. Never rejects. */
  async #send(batch) {
    if (batch.fields.length > 1) {
      const most = Math.max(1, this.#merging.max);
      if (batch.fields.length > most) return this.#sendAgain(partsOf(batch.fields, most), batch, batch.trial);
    }
    if (this.#isClosed) batch.giveUp.abort();
    let resend = NO_RESEND;
    try {
      const pauseMs = this.#user.pausedUntil === 0 ? 0 : this.#user.pausedUntil - this.#timers.now();
      if (pauseMs > 0) await batch.deadline.wait(pauseMs);
      resend = this.#answer(batch, await this.#next(batch));
    } catch (error) {
      batch.close();
      resend = demultiplexFailure(batch, error);
    }
    batch.cancelGrace?.();
    if (resend.fields.length > 0) this.#resend(resend, batch);
  }
  #answer(batch, answer) {
    const [only] = batch.sent;
    if (!only || batch.sent.length > 1) return demultiplexAnswer(batch, answer, batch.trial ?? this.#merging);
    answerField(only, answer, answer, answer.lists?.get(only.call.name), batch.progress.attempts);
    if (answer.errors.length === 0) batch.trial?.succeeded(1);
    return NO_RESEND;
  }
  /** What a failed document held: in halves, until what spoils it stands alone; or each field alone. */
  #resend({ fields, why }, batch) {
    const waiting = fields.filter(({ members }) => members.length > 0);
    for (const { members } of waiting) {
      for (const member of members) member.attemptsBefore += batch.progress.attempts;
    }
    const isSplit = why !== "field";
    const trial = isSplit && batch.trial === null ? new MergeTrial(this.#merging, fields.length, why === "refused") : batch.trial;
    this.#sendAgain(partsOf(waiting, isSplit ? Math.ceil(waiting.length / 2) : 1), batch, trial);
  }
  /** The parts of a batch go before everything of its priority that came after it. */
  #sendAgain(parts, original, trial) {
    const options = { user: this.#user, timers: this.#timers, merging: null, trial };
    const batches = parts.map((part) => new MergedCalls(part, options));
    this.#order.addAgain(batches, original);
  }
}
function begins({ series }) {
  return series?.hasBegun !== true;
}
function queueFull(operation, waiting, maxWaiting) {
  const facts = { kind: "queueFull", waiting, maxWaiting };
  return new QueueFullError(messageOf(facts, { operation }), waiting, maxWaiting, { operation, facts });
}
function partsOf(fields, size) {
  const [first, ...others] = fields.slice(0, size);
  return first ? [[first, ...others], ...partsOf(fields.slice(size), size)] : [];
}
export {
  UserQueue,
  UserQueues
};
