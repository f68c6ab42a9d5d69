import {
  parseStoredSession,
  REFRESH_TOKEN_LIFETIME_MS
} from "../auth/token-store.js";
import { InvalidInputError, NetworkError } from "../core/errors.js";
import { hashedName } from "../core/hashed-name.js";
import { realTimers } from "../core/ports.js";
import { quietly } from "../core/quietly.js";
import { connectionOver, isRedisClient } from "./redis-client.js";
import {
  DEFAULT_LEASE_MS,
  defaultAnswerTimeoutMs,
  gateOver
} from "./redis-gate.js";
import { RedisLink, RedisUnavailable } from "./redis-link.js";
import { noSeal, sealWith } from "./seal.js";
import { clearScript, listScript, loadScript, saveScript } from "./session-scripts.js";
const MARGIN_MS = 36e5;
const CLOCK_TOLERANCE_MS = 2e3;
const RETRY_MS = 250;
function redisTokenStore(client, options) {
  if (!isRedisClient(client)) {
    throw new InvalidInputError("redisTokenStore takes a client of redis 6 (createClient) or ioredis 6 (new Redis).");
  }
  return new StoreInRedis(connectionOver(client), options, realTimers);
}
class StoreInRedis {
  #prefix;
  #seal;
  #clock;
  #timers;
  #whenUnavailable;
  #onWarning;
  #locks;
  #link;
  /** The fencing token of the lock of a key that is held here. */
  #held = /* @__PURE__ */ new Map();
  constructor(connection, options, timers) {
    this.#seal = sealOf(options);
    const {
      prefix = "fleet",
      leaseMs = DEFAULT_LEASE_MS,
      whenUnavailable = "local",
      clock = Date,
      onWarning
    } = options;
    this.#prefix = prefix;
    this.#clock = clock;
    this.#timers = timers;
    this.#whenUnavailable = whenUnavailable;
    this.#onWarning = quietly(onWarning);
    const answerTimeoutMs = options.answerTimeoutMs ?? defaultAnswerTimeoutMs(leaseMs);
    this.#locks = gateOver(connection, { prefix, leaseMs, answerTimeoutMs, whenUnavailable, onWarning }, timers);
    this.#link = new RedisLink(connection, timers, answerTimeoutMs, { onDown: () => {
    }, onUp: () => {
    } });
  }
  async load(key) {
    return (await this.#read(key))?.session ?? null;
  }
  async save(key, session) {
    const name = hashedName(key);
    const lifetime = session.refreshToken === null ? session.accessLifetimeMs : REFRESH_TOKEN_LIFETIME_MS;
    const fence = this.#held.get(key) ?? "";
    await this.#run(async () => {
      const { at } = await this.#stored(name);
      const text = this.#seal.seal(JSON.stringify({ key, at, savedAt: this.#clock.now(), session }), name);
      const args = [name, text, String(fence), String(Math.ceil(lifetime + MARGIN_MS))];
      await this.#link.start(saveScript, this.#keysOf(name), args);
    });
  }
  async clear(key, ifCurrent) {
    const name = hashedName(key);
    let only = "";
    if (ifCurrent !== void 0) {
      const stored = await this.#read(key);
      if (stored?.session.accessToken !== ifCurrent) return;
      only = stored.text;
    }
    await this.#run(() => this.#link.start(clearScript, this.#keysOf(name), [name, only]));
  }
  withLock(key, task, { signal } = {}) {
    const run = async ({ fencingToken }) => {
      this.#held.set(key, fencingToken);
      try {
        return await task();
      } finally {
        this.#held.delete(key);
      }
    };
    return this.#locks.hold(`session ${key}`, run, signal ? { signal } : {});
  }
  async keys() {
    const found = await this.#run(() => this.#link.start(listScript, this.#keysOf(""), []));
    const all = Array.isArray(found) ? found.map(String) : [];
    const keys = [];
    for (let index = 0; index + 1 < all.length; index += 2) {
      const stored = this.#parse(all[index] ?? "", all[index + 1] ?? "");
      if (stored) keys.push(stored.key);
    }
    return keys;
  }
  async close() {
    await this.#locks.close();
  }
  [Symbol.asyncDispose]() {
    return this.close();
  }
  async #read(key) {
    const name = hashedName(key);
    const { at, text } = await this.#run(() => this.#stored(name));
    if (text === null) return null;
    const stored = this.#parse(name, text);
    if (stored?.key !== key) return null;
    const session = this.#inLocalTime(stored, at - stored.at);
    if (session === null) return null;
    return { session, text };
  }
  /** Redis' time, and what it has under this name. */
  async #stored(name) {
    const found = await this.#link.start(loadScript, this.#keysOf(name), []);
    const [at, text] = Array.isArray(found) ? found : [];
    return { at: Number(at), text: typeof text === "string" ? text : null };
  }
  /**
   * `ageMs` is for how long it has been in Redis, so the clock of the machine that saved it does not matter. Null when that gives no times: in
   * clear, anybody may have written them.
   */
  #inLocalTime({ session, savedAt }, ageMs) {
    const aheadMs = this.#clock.now() - ageMs - savedAt;
    if (Math.abs(aheadMs) <= CLOCK_TOLERANCE_MS) return session;
    return parseStoredSession({
      ...session,
      accessIssuedAt: session.accessIssuedAt + aheadMs,
      refreshIssuedAt: session.refreshIssuedAt + aheadMs,
      serviceAheadMs: (session.serviceAheadMs ?? 0) - aheadMs,
      ...session.aheadAtLoginMs === void 0 ? {} : { aheadAtLoginMs: session.aheadAtLoginMs - aheadMs }
    });
  }
  #parse(name, text) {
    const opened = this.#seal.open(text, name);
    if ("problem" in opened) {
      this.#warn(opened.problem === "unknown key" ? "was not encrypted with a key of this store" : "is damaged");
      return null;
    }
    let value;
    try {
      value = JSON.parse(opened.text);
    } catch {
      this.#warn("is damaged");
      return null;
    }
    if (typeof value !== "object" || value === null) return null;
    const read = (name2) => Reflect.get(value, name2);
    const [key, at, savedAt] = [read("key"), read("at"), read("savedAt")];
    const session = parseStoredSession(read("session"));
    if (!session || typeof key !== "string" || typeof at !== "number" || typeof savedAt !== "number") return null;
    return { key, at, savedAt, session };
  }
  #warn(why) {
    this.#onWarning({
      code: "SESSION_STORE",
      message: `A session in Redis ${why} and is not used. A new login is needed; it replaces that session.`
    });
  }
  /** Rejects with an error that the client takes as "the store failed"; under `fail` with one that fails the call. */
  async #run(work) {
    for (; ; ) {
      try {
        return await (this.#whenUnavailable === "wait" ? work() : this.#link.within(work()));
      } catch (error) {
        if (!(error instanceof RedisUnavailable)) throw error;
        if (this.#whenUnavailable === "local") throw error;
        if (this.#whenUnavailable === "fail") {
          throw new NetworkError(
            `${error.message} It holds the session. Check that it runs and can be reached; with whenUnavailable: 'local' the client goes on without it.`
          );
        }
        await new Promise((resolve) => this.#timers.after(RETRY_MS, resolve));
      }
    }
  }
  #keysOf(name) {
    return [`{${this.#prefix}}:session:${name}`, `{${this.#prefix}}:sessions`];
  }
}
function sealOf(options) {
  const { encryptionKey, unencrypted } = options;
  if (encryptionKey !== void 0 && unencrypted) {
    throw new InvalidInputError("redisTokenStore: give either encryptionKey or unencrypted, not both.");
  }
  if (encryptionKey !== void 0) return sealWith(isList(encryptionKey) ? encryptionKey : [encryptionKey]);
  if (unencrypted !== true) {
    throw new InvalidInputError(
      "redisTokenStore needs an encryptionKey of 32 random bytes (`openssl rand -base64 32` prints one), so that tokens are never in clear in Redis. To store them in clear nevertheless, set unencrypted: true."
    );
  }
  return noSeal;
}
function isList(keys) {
  return Array.isArray(keys);
}
export {
  redisTokenStore
};
