import { randomUUID } from "node:crypto";
import { AbortFlag } from "../core/deadline.js";
import { GateError, InvalidInputError, NetworkError } from "../core/errors.js";
import { hashedName } from "../core/hashed-name.js";
import { checkOptions, demand, finiteMs, oneOf } from "../core/option-checks.js";
import { realTimers } from "../core/ports.js";
import { quietly } from "../core/quietly.js";
import { turnOfEventLoop } from "../core/real-time.js";
import { hasFired, localGate } from "../locks/gate.js";
import { Inbox } from "./inbox.js";
import { Presence } from "./presence.js";
import { connectionOver, isRedisClient } from "./redis-client.js";
import { RedisLink, RedisUnavailable } from "./redis-link.js";
import { beatOf, GONE_MS, turnScript } from "./turn-script.js";
const DEFAULT_LEASE_MS = 1e4;
const MIN_LEASE_MS = 100;
const MAX_DEFAULT_ANSWER_MS = 2e3;
const RETRY_MS = 250;
const script = turnScript();
function redisGate(client, options = {}) {
  if (!isRedisClient(client)) {
    throw new InvalidInputError("redisGate takes a client of redis 6 (createClient) or ioredis 6 (new Redis).");
  }
  return gateOver(connectionOver(client), options, realTimers);
}
function defaultAnswerTimeoutMs(leaseMs) {
  return Math.min(MAX_DEFAULT_ANSWER_MS, leaseMs / 2);
}
function gateOver(connection, options, timers) {
  return new GateInRedis(connection, options, timers);
}
const RANKS = { high: "0", normal: "1", low: "2" };
class GateInRedis {
  #prefix;
  #leaseMs;
  #whenUnavailable;
  #fallback;
  #warn;
  #timers;
  #link;
  #presence;
  #inbox;
  #waiting = /* @__PURE__ */ new Map();
  /** Turns that are being given back. */
  #leaving = /* @__PURE__ */ new Set();
  /** Every task runs behind it, so that a turn without Redis and one with it exclude each other in this process. */
  #inProcess = localGate();
  constructor(connection, options, timers) {
    const { prefix = "fleet", leaseMs = DEFAULT_LEASE_MS, whenUnavailable = "local", fallback, onWarning } = options;
    const { answerTimeoutMs = defaultAnswerTimeoutMs(leaseMs) } = options;
    checkOptions({ prefix, leaseMs, answerTimeoutMs, whenUnavailable }, checks, "redisGate");
    this.#prefix = prefix;
    this.#leaseMs = Math.round(leaseMs);
    this.#whenUnavailable = whenUnavailable;
    this.#fallback = fallback;
    this.#timers = timers;
    const warning = quietly(onWarning);
    this.#warn = (code, message) => warning({ code, message });
    this.#link = new RedisLink(connection, timers, answerTimeoutMs, {
      onDown: (reason) => this.#warn("GATE_LOST", downText(reason, whenUnavailable, fallback !== void 0)),
      onUp: () => this.#warn("GATE_RESTORED", "Redis answers again: turns are shared with the other machines again.")
    });
    this.#presence = new Presence(connection);
    this.#inbox = new Inbox(connection, `{${prefix}}:inbox:${randomUUID()}`, {
      blockMs: this.#leaseMs / 2,
      answerTimeoutMs,
      timers,
      onMessage: (message) => this.#read(message),
      isWanted: () => this.#waiting.size > 0
    });
  }
  async hold(key, task, options = {}) {
    if (hasFired(options)) throw options.signal?.reason;
    if (this.#link.isDown && this.#whenUnavailable === "local") {
      if (this.#link.pending === 0) void this.pause(key, 0);
      return this.#holdLocally(key, task, options);
    }
    if (this.#link.isDown && this.#whenUnavailable === "fail" && this.#link.pending > 0) {
      throw unavailable("Redis still does not answer.");
    }
    const ticket = this.#ticketFor(key, options);
    try {
      await this.#take(ticket, options);
    } catch (error) {
      this.#leave(ticket);
      if (!(error instanceof RedisUnavailable)) throw error;
      if (this.#whenUnavailable === "local") return this.#holdLocally(key, task, options);
      throw unavailable(error.message);
    }
    return this.#runInTurn(key, ticket, task, options);
  }
  async pause(key, ms) {
    const args = this.#argsOf("pause", "", String(Math.max(0, Math.ceil(ms))));
    await this.#link.run(script, this.#keysOf(key), args).catch(() => void 0);
  }
  async state(key) {
    try {
      const answer = await this.#link.run(script, this.#keysOf(key), this.#argsOf("look", ""));
      const [isHeld = 0, heldMs = 0, waiting = 0, pausedMs = 0] = Array.isArray(answer) ? answer.map(Number) : [];
      return { isHeld: isHeld === 1, heldMs: isHeld === 1 ? heldMs : 0, waiting, pausedMs };
    } catch (error) {
      throw new NetworkError(error instanceof RedisUnavailable ? error.message : "Redis could not be reached.");
    }
  }
  async close() {
    await Promise.all(this.#leaving);
    this.#inbox.close();
  }
  [Symbol.asyncDispose]() {
    return this.close();
  }
  /** Resolves when the ticket has the turn. Rejects with the signal's reason, or with RedisUnavailable. */
  async #take(ticket, options) {
    const signal = signalOf(options);
    try {
      for (; ; ) {
        const pauseMs = await this.#ask(ticket, signal);
        if (pauseMs === null) return;
        this.#waiting.set(ticket.id, ticket);
        this.#inbox.read();
        await this.#sleep(ticket, pauseMs, signal);
        const isFresh = this.#timers.now() - ticket.askedAt < Math.min(this.#leaseMs / 2, GONE_MS);
        if (ticket.fencingToken > 0 && isFresh) return;
      }
    } finally {
      this.#waiting.delete(ticket.id);
    }
  }
  /** Null when the ticket has the turn; otherwise when to ask again, in ms. */
  async #ask(ticket, signal) {
    for (; ; ) {
      if (signal?.aborted) throw signal.reason;
      ticket.fencingToken = 0;
      const askedAt = this.#timers.now();
      const isConnectionKnown = this.#presence.id !== "";
      const args = this.#argsOf("take", ticket.id, ticket.rank, ticket.place);
      const learning = isConnectionKnown && ticket.place === "" ? null : this.#presence.refresh();
      try {
        const answer = this.#whenUnavailable === "wait" ? await orAborted(this.#link.start(script, ticket.keys, args), signal) : await orAborted(this.#link.run(script, ticket.keys, args), signal);
        const [outcome, value, ms, before = "", through = ""] = Array.isArray(answer) ? answer.map(String) : [];
        ticket.askedAt = askedAt;
        if (!isConnectionKnown) await learning;
        const isNowKnown = !isConnectionKnown && this.#presence.id !== "";
        if (outcome === "held") {
          ticket.fencingToken = Number(value);
          if (!isNowKnown && this.#timers.now() - askedAt < this.#leaseMs / 2) return null;
        } else {
          ticket.place = value ?? "";
          if (isNowKnown) continue;
          if (through !== "") void this.#lookBefore(ticket, before, through);
          return Number(ms);
        }
      } catch (error) {
        if (this.#whenUnavailable !== "wait" || !(error instanceof RedisUnavailable)) throw error;
        await this.#sleep(ticket, RETRY_MS, signal);
      }
    }
  }
  /** Finds out whether the one before the ticket is gone, so that nobody waits for the end of its lease. Never rejects. */
  async #lookBefore(ticket, before, connection) {
    if (ticket.isLooking) return;
    ticket.isLooking = true;
    if (await this.#presence.hasEnded(connection)) {
      const args = this.#argsOf("gone", ticket.id, before, connection);
      await this.#link.start(script, ticket.keys, args).catch(() => void 0);
      ticket.wake();
    }
    ticket.isLooking = false;
  }
  /** Ends early when a message for the ticket arrives, or the signal fires. */
  #sleep(ticket, ms, signal) {
    if (ticket.fencingToken > 0) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        cancel();
        signal?.removeEventListener("abort", done);
        ticket.wake = () => {
        };
        resolve();
      };
      const cancel = this.#timers.after(Math.max(1, ms), done);
      ticket.wake = done;
      if (signal?.aborted) done();
      else signal?.addEventListener("abort", done);
    });
  }
  #read(message) {
    const [kind, id = "", token] = message.split(" ");
    const ticket = this.#waiting.get(id);
    if (!ticket) return;
    if (kind === "G") ticket.fencingToken = Number(token);
    ticket.wake();
  }
  async #runInTurn(key, ticket, task, options) {
    const lost = new AbortController();
    const stop = this.#renewRegularly(ticket, () => {
      this.#warn(
        "GATE_LOST",
        "Redis had not heard from this process for a while, and another one took over its turn: two requests of the user may be active at once, and one may be answered with 429."
      );
      lost.abort(new Error("The turn was taken over by another process."));
    });
    try {
      const turn = { fencingToken: ticket.fencingToken, lost: lost.signal };
      return await this.#inProcess.hold(key, () => task(turn), options);
    } finally {
      stop();
      this.#leave(ticket);
      await turnOfEventLoop();
    }
  }
  #renewRegularly(ticket, onLost) {
    const beat = beatOf(this.#leaseMs);
    let cancel = () => {
    };
    let isOver = false;
    const renew = async () => {
      await this.#presence.refresh();
      if (isOver) return;
      const args = this.#argsOf("renew", ticket.id, String(ticket.fencingToken));
      const answer = await this.#link.start(script, ticket.keys, args).catch(() => null);
      if (isOver) return;
      if (Array.isArray(answer) && String(answer[0]) === "lost") onLost();
      else again(answer === null ? RETRY_MS : beat);
    };
    const again = (ms) => {
      cancel = this.#timers.after(ms, () => void renew());
    };
    again(Math.max(0, beat - (this.#timers.now() - ticket.askedAt)));
    return () => {
      isOver = true;
      cancel();
    };
  }
  /** Gives up the turn or the place. Nobody waits for it: if it fails, the lease ends by itself. */
  #leave(ticket) {
    const left = this.#link.run(script, ticket.keys, this.#argsOf("leave", ticket.id)).catch(() => void 0).finally(() => this.#leaving.delete(left));
    this.#leaving.add(left);
  }
  #holdLocally(key, task, options) {
    const turn = { fencingToken: null, lost: new AbortController().signal };
    const run = () => this.#inProcess.hold(key, () => task(turn), options);
    return this.#fallback ? this.#fallback.hold(key, run, options) : run();
  }
  #ticketFor(key, { priority = "normal" }) {
    return {
      id: randomUUID(),
      keys: this.#keysOf(key),
      rank: RANKS[priority],
      place: "",
      askedAt: 0,
      isLooking: false,
      fencingToken: 0,
      wake: () => {
      }
    };
  }
  /** In braces, so that a cluster keeps them together. */
  #keysOf(key) {
    const name = `{${this.#prefix}}:turn:${hashedName(key)}`;
    return [name, `${name}:line`, `${name}:seats`, `{${this.#prefix}}:server`, this.#inbox.key];
  }
  #argsOf(operation, ticketId, ...rest) {
    return [operation, ticketId, String(this.#leaseMs), this.#link.hasAnswered ? "1" : "", this.#presence.id, ...rest];
  }
}
const checks = {
  prefix: demand((value) => typeof value === "string" && value !== "" && !/[{}]/.test(value), "a text without braces"),
  leaseMs: demand(
    (value) => Number.isFinite(value) && Number(value) >= MIN_LEASE_MS,
    `a number of milliseconds, ${MIN_LEASE_MS} or more`
  ),
  answerTimeoutMs: finiteMs,
  whenUnavailable: oneOf("local", "wait", "fail")
};
function unavailable(reason) {
  return new GateError(
    `${reason} It gives the turns, so nothing was sent. Check that it runs and can be reached; with whenUnavailable: 'local' calls go on without it.`
  );
}
function downText(reason, whenUnavailable, hasFallback) {
  const next = {
    wait: "Calls wait until it is back.",
    fail: "Calls fail until it is back.",
    local: `Until it is back, calls take turns only within this ${hasFallback ? "machine" : "process"}, and some may be answered with 429.`
  }[whenUnavailable];
  return `Redis, which shares the turns between machines, ${reason}. ${next}`;
}
function signalOf(options) {
  return options instanceof AbortFlag ? options : options.signal;
}
function orAborted(answer, signal) {
  if (!signal) return answer;
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort);
    answer.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
export {
  DEFAULT_LEASE_MS,
  defaultAnswerTimeoutMs,
  gateOver,
  redisGate
};
