// What the clients of one login share: the pipeline of their requests, and the users that they act for.
import { type ActingUser, chooseUser, type UserSelection, userById } from './auth/acting-user.js';
import { fileTokenStore } from './auth/file-token-store.js';
import { memoryTokenStore } from './auth/memory-token-store.js';
import type { FleetClientOptions } from './client-options.js';
import { normaliseBaseUrl } from './core/base-url.js';
import type { OpenCalls } from './core/deadline.js';
import { eventSource } from './core/event-source.js';
import { type Notifier, notifierFor } from './core/hooks.js';
import { type Fetch, realTimers } from './core/ports.js';
import { fileGate } from './locks/file-gate.js';
import { type Gate, localGate } from './locks/gate.js';
import { UserOfClient } from './request/acting-user.js';
import { CALL_TIMEOUT_MS } from './request/deadlines.js';
import { MAX_MERGED } from './request/merging.js';
import { Pipeline } from './request/pipeline.js';
import { addedHeaders } from './request/request-headers.js';
import { retryPolicy } from './request/retry-policy.js';
import type { WindowLimit } from './telemetry/streams/accepted-length.js';
import type { KnownRates } from './telemetry/streams/answer-sizes.js';
import { customFetchTransport } from './transport/custom-fetch.js';
import type { HttpTransport, TlsSettings } from './transport/http-transport.js';
import { DEFAULT_LIMIT, type ResponseLimit } from './transport/response-limits.js';

/** The connections to use when the options have no `fetch`. The SDK's client and that of the command line differ in them. */
export type TransportOf = (tls: TlsSettings) => HttpTransport;

/** A wish may come from a request to the user's program, so there may be any number of them. */
const MAX_CHOSEN_USERS = 1000;

interface Gates {
  /** Clients with the same `fetch` share one. */
  readonly byFetch: WeakMap<Fetch, Gate>;
  readonly ofOwnConnections: Gate;
}

const GATES = Symbol.for('fleet-telematics.gates');
/** One object of this thread for all copies of this package: tsx loads one for `import` and another for `require`. */
const shared: typeof globalThis & { [GATES]?: Gates } = globalThis;
shared[GATES] ??= { byFetch: new WeakMap(), ofOwnConnections: localGate() };
const gates = shared[GATES];

export class ClientCore {
  readonly options: FleetClientOptions;
  readonly notifier: Notifier;
  readonly pipeline: Pipeline;
  /** By user selection: a program that calls `forUser` for each of its requests asks the service once. */
  readonly #chosenUsers = new Map<string, UserOfClient>();

  constructor(options: FleetClientOptions, transport: TransportOf) {
    const { fetch } = options;
    const baseUrl = normaliseBaseUrl(options.baseUrl);
    const isMachine = options.share === 'machine';
    this.options = options;
    this.notifier = notifierFor(options.hooks ?? {}, eventSource(options.label ?? baseUrl, Math.random));
    const onWarning = this.notifier.warning;
    this.pipeline = new Pipeline({
      baseUrl,
      login: {
        credentials: options.credentials,
        sessionKey: options.sessionKey,
        store: options.tokenStore ?? (isMachine ? fileTokenStore({ onWarning }) : memoryTokenStore()),
      },
      turns: {
        gate: options.gate ?? (isMachine ? fileGate({ onWarning }) : processGate(fetch)),
        among: options.gate ? 'custom' : isMachine ? 'machine' : 'process',
      },
      http: fetch ? customFetchTransport(fetch) : transport(options.tls ?? {}),
      limits: {
        maxWaiting: options.maxWaiting ?? Number.POSITIVE_INFINITY,
        timeoutMs: options.timeoutMs ?? CALL_TIMEOUT_MS,
        mergeMax: options.merge === false ? 0 : (options.merge?.max ?? MAX_MERGED),
        response: responseLimit(options),
        retry: retryPolicy(options.retry),
      },
      addedHeaders: addedHeaders(options.headers, options.userAgent),
      notifier: this.notifier,
      exposeServiceMessages: options.exposeServiceMessages ?? false,
      world: { clock: options.clock ?? { now: () => Date.now() }, timers: realTimers, random: Math.random },
    });
  }

  /** The user with this id, or the one that the service is asked for when the first call needs it. */
  userOf(wish: UserSelection | undefined): UserOfClient {
    if (wish && 'userId' in wish) return new UserOfClient(userById(wish.userId), () => this.#choose(wish));
    const key = JSON.stringify(wish ?? null);
    const user = this.#chosenUsers.get(key) ?? new UserOfClient(null, () => this.#choose(wish));
    if (this.#chosenUsers.size >= MAX_CHOSEN_USERS) this.#chosenUsers.clear();
    this.#chosenUsers.set(key, user);
    return user;
  }

  #choose(wish: UserSelection | undefined): Promise<ActingUser> {
    const { pipeline } = this;
    return pipeline.deadlines.within({}, async (deadline) => chooseUser(wish, await pipeline.users(deadline)));
  }
}

/** What the clients of one user know together: a fork has that of the client it was made from. */
export interface SharedReads {
  /** The longest part of a period that the service has accepted. */
  readonly windowLimit: WindowLimit;
  /** How large answers to streams were. */
  readonly rates: KnownRates;
}

/** The options of a client that is made from another one: by `forUser`, or by `fork`, which also hands on what it is a fork of. */
export class SiblingOptions implements FleetClientOptions {
  readonly baseUrl: string;
  readonly core: ClientCore;
  readonly acting: UserOfClient;
  /** Null: it begins without knowledge. */
  readonly reads: SharedReads | null;
  /** What closing it ends. */
  readonly calls: OpenCalls;

  constructor(core: ClientCore, acting: UserOfClient, reads: SharedReads | null, calls: OpenCalls) {
    this.baseUrl = core.options.baseUrl;
    this.core = core;
    this.acting = acting;
    this.reads = reads;
    this.calls = calls;
  }
}

/** How large the answers to a client with these options may be. */
export function responseLimit({ maxResponseBytes }: Pick<FleetClientOptions, 'maxResponseBytes'>): ResponseLimit {
  return maxResponseBytes === undefined ? DEFAULT_LIMIT : { maxBytes: maxResponseBytes };
}

function processGate(fetch: Fetch | undefined): Gate {
  if (!fetch) return gates.ofOwnConnections;
  const gate = gates.byFetch.get(fetch) ?? localGate();
  gates.byFetch.set(fetch, gate);
  return gate;
}
