import { chooseUser, userById } from "./auth/acting-user.js";
import { fileTokenStore } from "./auth/file-token-store.js";
import { memoryTokenStore } from "./auth/memory-token-store.js";
import { normaliseBaseUrl } from "./core/base-url.js";
import { eventSource } from "./core/event-source.js";
import { notifierFor } from "./core/hooks.js";
import { realTimers } from "./core/ports.js";
import { fileGate } from "./locks/file-gate.js";
import { localGate } from "./locks/gate.js";
import { UserOfClient } from "./request/acting-user.js";
import { CALL_TIMEOUT_MS } from "./request/deadlines.js";
import { MAX_MERGED } from "./request/merging.js";
import { Pipeline } from "./request/pipeline.js";
import { addedHeaders } from "./request/request-headers.js";
import { retryPolicy } from "./request/retry-policy.js";
import { customFetchTransport } from "./transport/custom-fetch.js";
import { DEFAULT_LIMIT } from "./transport/response-limits.js";
const MAX_CHOSEN_USERS = 1e3;
const GATES = /* @__PURE__ */ Symbol.for("fleet-telematics.gates");
const shared = globalThis;
shared[GATES] ??= { byFetch: /* @__PURE__ */ new WeakMap(), ofOwnConnections: localGate() };
const gates = shared[GATES];
class ClientCore {
  options;
  notifier;
  pipeline;
  /** By user selection: a program that calls `forUser` for each of its requests asks the service once. */
  #chosenUsers = /* @__PURE__ */ new Map();
  constructor(options, transport) {
    const { fetch } = options;
    const baseUrl = normaliseBaseUrl(options.baseUrl);
    const isMachine = options.share === "machine";
    this.options = options;
    this.notifier = notifierFor(options.hooks ?? {}, eventSource(options.label ?? baseUrl, Math.random));
    const onWarning = this.notifier.warning;
    this.pipeline = new Pipeline({
      baseUrl,
      login: {
        credentials: options.credentials,
        sessionKey: options.sessionKey,
        store: options.tokenStore ?? (isMachine ? fileTokenStore({ onWarning }) : memoryTokenStore())
      },
      turns: {
        gate: options.gate ?? (isMachine ? fileGate({ onWarning }) : processGate(fetch)),
        among: options.gate ? "custom" : isMachine ? "machine" : "process"
      },
      http: fetch ? customFetchTransport(fetch) : transport(options.tls ?? {}),
      limits: {
        maxWaiting: options.maxWaiting ?? Number.POSITIVE_INFINITY,
        timeoutMs: options.timeoutMs ?? CALL_TIMEOUT_MS,
        mergeMax: options.merge === false ? 0 : options.merge?.max ?? MAX_MERGED,
        response: responseLimit(options),
        retry: retryPolicy(options.retry)
      },
      addedHeaders: addedHeaders(options.headers, options.userAgent),
      notifier: this.notifier,
      exposeServiceMessages: options.exposeServiceMessages ?? false,
      world: { clock: options.clock ?? Date, timers: realTimers, random: Math.random }
    });
  }
  /** The user with this id, or the one that the service is asked for when the first call needs it. */
  userOf(wish) {
    if (wish && "userId" in wish) return new UserOfClient(userById(wish.userId), () => this.#choose(wish));
    const key = JSON.stringify(wish ?? null);
    const user = this.#chosenUsers.get(key) ?? new UserOfClient(null, () => this.#choose(wish));
    if (this.#chosenUsers.size >= MAX_CHOSEN_USERS) this.#chosenUsers.clear();
    this.#chosenUsers.set(key, user);
    return user;
  }
  #choose(wish) {
    const { pipeline } = this;
    return pipeline.deadlines.within({}, async (deadline) => chooseUser(wish, await pipeline.users(deadline)));
  }
}
class SiblingOptions {
  baseUrl;
  core;
  acting;
  /** Null: it begins without knowledge. */
  reads;
  /** What closing it ends. */
  calls;
  constructor(core, acting, reads, calls) {
    this.baseUrl = core.options.baseUrl;
    this.core = core;
    this.acting = acting;
    this.reads = reads;
    this.calls = calls;
  }
}
function responseLimit({ maxResponseBytes }) {
  return maxResponseBytes === void 0 ? DEFAULT_LIMIT : { maxBytes: maxResponseBytes };
}
function processGate(fetch) {
  if (!fetch) return gates.ofOwnConnections;
  const gate = gates.byFetch.get(fetch) ?? localGate();
  gates.byFetch.set(fetch, gate);
  return gate;
}
export {
  ClientCore,
  SiblingOptions,
  responseLimit
};
