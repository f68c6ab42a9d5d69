import { listLoginUsers } from "../auth/login-endpoints.js";
import { Session } from "../auth/session.js";
import { callChannel, requestChannel, retryChannel } from "../core/channels.js";
import { durationText } from "../core/durations.js";
import { messageOf } from "../core/error-messages.js";
import { AuthenticationError } from "../core/errors.js";
import { ServiceClock } from "../transport/service-clock.js";
import { Deadlines } from "./deadlines.js";
import { loginRequests } from "./login-requests.js";
import { Merging } from "./merging.js";
import { observe, reportRetry } from "./observe.js";
import { PendingLogins } from "./pending-logins.js";
import { retry, ServiceHealth } from "./retry.js";
import { sendOnce } from "./send.js";
import { prepare, token, waitingForToken } from "./token.js";
import { UserTurns } from "./turn.js";
import { unwrap } from "./unwrap-result.js";
import { UserQueues } from "./user-queue.js";
class Steps {
  #endWith;
  constructor(endWith) {
    this.#endWith = endWith;
  }
  next(step) {
    return new Steps((next) => this.#endWith((request) => step(request, next)));
  }
  /** The last step has no next one. */
  last(last) {
    return this.#endWith(last);
  }
}
function first(step) {
  return new Steps((last) => last).next(step);
}
function onlyIf(condition, step) {
  return (request, next) => condition() ? step(request, next) : next(request);
}
const MINUTE_MS = 6e4;
function clockJumped({ aheadMs, beforeMs }) {
  const difference = (ms) => Math.abs(ms) < MINUTE_MS ? "equal to" : `${durationText(Math.round(Math.abs(ms) / MINUTE_MS) * MINUTE_MS, 2)} ${ms > 0 ? "ahead of" : "behind"}`;
  return {
    code: "SERVICE_CLOCK",
    message: `The service's clock is ${difference(aheadMs)} the clock of this machine; it was ${difference(beforeMs)} it at the login. One of them was changed, or another machine answers. Ages, "now" and times such as -2h follow the service's clock, so they may be wrong. If the difference is right, a new login accepts it.`
  };
}
class Pipeline {
  session;
  serviceClock;
  deadlines;
  /** Sends a call when the turn of its user comes. */
  send;
  #options;
  #sendLogin;
  #queues;
  #turns;
  #steps = [];
  #closing = new AbortController();
  #closed = null;
  constructor(options) {
    this.#options = options;
    const { baseUrl, login, http, limits, addedHeaders, notifier } = options;
    const { clock, timers, random } = options.world;
    const warn = notifier.warning;
    const serviceClock = new ServiceClock(clock, (jump) => warn(clockJumped(jump)));
    const health = new ServiceHealth(timers);
    const pending = new PendingLogins();
    const retrying = { policy: limits.retry, health, timers, random, wallClock: serviceClock, notifier };
    const isObserved = () => notifier.watchesRequests || callChannel.hasSubscribers || requestChannel.hasSubscribers || retryChannel.hasSubscribers;
    const sending = {
      baseUrl,
      http,
      responseLimit: limits.response,
      serviceClock,
      timers,
      notifier,
      addedHeaders,
      steps: this.#steps,
      isObserved
    };
    this.#sendLogin = loginRequests({
      sending,
      retrying: { ...retrying, turns: { among: options.turns.among } },
      timeoutMs: limits.timeoutMs,
      pending,
      closing: this.#closing.signal
    });
    const session = new Session({ baseUrl, ...login, clock, timers, serviceClock, notifier, send: this.#sendLogin });
    const waitedFor = waitingForToken(session, pending);
    const deadlines = new Deadlines(
      { timeoutMs: limits.timeoutMs, exposeServiceMessages: options.exposeServiceMessages ?? false, timers },
      waitedFor
    );
    const merging = new Merging(limits.mergeMax, timers, warn);
    const isOfContext = () => addedHeaders.ofRequest !== null || this.#steps.length > 0;
    const queues = new UserQueues(baseUrl, timers, merging, limits.maxWaiting, isOfContext);
    const turns = new UserTurns({ baseUrl, ...options.turns, http, session, timers, warn });
    const send = first(onlyIf(isObserved, observe(notifier, timers))).next(deadlines.limit).next(unwrap).next(queues.wait).next(prepare(baseUrl, http, session, waitedFor)).next(turns.take).next(retry({ ...retrying, turns })).next(token(session, waitedFor)).last(sendOnce(sending));
    this.send = send;
    this.session = session;
    this.serviceClock = serviceClock;
    this.deadlines = deadlines;
    this.#queues = queues;
    this.#turns = turns;
  }
  /** Puts a step inside of those around each HTTP request. */
  use(step) {
    this.#steps.push(step);
  }
  /** What the calls of each user are doing. Sends nothing. */
  stats() {
    return { label: this.#options.notifier.label, users: this.#queues.stats() };
  }
  /** Makes sure that there is a session, loads what the first request needs, and opens its connection. */
  async ready(deadline) {
    const { http, baseUrl } = this.#options;
    const loading = http.prepare?.(baseUrl)?.catch(() => void 0);
    const session = await deadline.within(this.session.ready(deadline));
    await deadline.within(Promise.resolve(loading));
    this.#turns.openConnection();
    return session;
  }
  /** Asks the service for the users of the login. */
  async users(deadline) {
    const oldToken = await deadline.within(this.session.token(deadline));
    const users = await deadline.within(listLoginUsers(this.#sendLogin, oldToken));
    if (Array.isArray(users)) return users;
    const { notifier } = this.#options;
    const which = { requestId: notifier.newId(), label: notifier.label, user: null, callIds: [] };
    reportRetry(notifier, { ...which, operations: ["userinfo"], kind: "login", attempt: 1, reason: "401", waitMs: 0 });
    const newToken = await deadline.within(this.session.replace(oldToken, deadline));
    const usersOfNewToken = await deadline.within(listLoginUsers(this.#sendLogin, newToken));
    if (Array.isArray(usersOfNewToken)) return usersOfNewToken;
    const facts = { kind: "tokenRefused", status: 401 };
    const call = { operation: "userinfo", attempts: 2, ...usersOfNewToken, facts };
    throw new AuthenticationError(messageOf(facts, call), call);
  }
  /**
   * Takes no more calls and waits until all have ended, for `drainMs` at most. Then rejects the callers that still wait, gives up the requests
   * under way, and closes the connections. Only a refresh that was sent is finished, because its answer may hold the only refresh token that
   * still works.
   */
  async close(drainMs = 0) {
    await this.deadlines.drain(this.deadlines.calls, drainMs);
    this.#closed ??= this.#close();
    return this.#closed;
  }
  async #close() {
    this.#closing.abort();
    this.deadlines.calls.close();
    this.#queues.close();
    await this.session.finish();
    await this.#options.http.close();
  }
}
export {
  Pipeline
};
