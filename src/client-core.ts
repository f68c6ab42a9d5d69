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
import { ClientUser } from './request/acting-user.js';
import { CALL_TIMEOUT_MS } from './request/deadlines.js';
import { MAX_MERGED } from './request/merging.js';
import { Pipeline } from './request/pipeline.js';
import { addedHeaders } from './request/request-headers.js';
import { retryPolicy } from './request/retry-policy.js';
import type { RateCache } from './telemetry/streams/answer-sizes.js';
import type { WindowLimit } from './telemetry/streams/window-limit.js';
import { customFetchTransport } from './transport/custom-fetch.js';
import type { HttpTransport, TlsSettings } from './transport/http-transport.js';
import { DEFAULT_LIMIT, type ResponseLimit } from './transport/response-limits.js';

/** Creates the connections when there is no `fetch`; differs between SDK and command line. */
export type TransportOf = (tls: TlsSettings) => HttpTransport;

/** A selection may come from a request to the user's program, so the cache needs a limit. */
const MAX_SELECTED_USERS = 1000;

interface Gates {
  readonly byFetch: WeakMap<Fetch, Gate>;
  readonly ofOwnConnections: Gate;
}

const GATES = Symbol.for('fleet-telematics.gates');
/** Shared by all copies of this package: tsx loads one for `import`, another for `require`. */
const globals: typeof globalThis & { [GATES]?: Gates } = globalThis;
globals[GATES] ??= { byFetch: new WeakMap(), ofOwnConnections: localGate() };
const gates = globals[GATES];

export class ClientCore {
  readonly options: FleetClientOptions;
  readonly notifier: Notifier;
  readonly pipeline: Pipeline;
  /** Cached by selection, so that `forUser` in each request of a program causes one lookup. */
  readonly #selectedUsers = new Map<string, ClientUser>();

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

  userOf(selection: UserSelection | undefined): ClientUser {
    if (selection && 'userId' in selection)
      return new ClientUser(userById(selection.userId), () => this.#choose(selection));
    const key = JSON.stringify(selection ?? null);
    const user = this.#selectedUsers.get(key) ?? new ClientUser(null, () => this.#choose(selection));
    if (this.#selectedUsers.size >= MAX_SELECTED_USERS) this.#selectedUsers.clear();
    this.#selectedUsers.set(key, user);
    return user;
  }

  #choose(selection: UserSelection | undefined): Promise<ActingUser> {
    const { pipeline } = this;
    return pipeline.deadlines.within({}, async (deadline) => chooseUser(selection, await pipeline.users(deadline)));
  }
}

/** State shared by a client and its forks. */
export interface SharedReads {
  readonly windowLimit: WindowLimit;
  /** Sizes of earlier stream answers. */
  readonly rates: RateCache;
}

/** The options of a client made by `forUser`, or by `fork`, which also passes the shared state. */
export class SiblingOptions implements FleetClientOptions {
  readonly baseUrl: string;
  readonly core: ClientCore;
  readonly acting: ClientUser;
  readonly reads: SharedReads | null;
  /** The calls that closing it ends. */
  readonly calls: OpenCalls;

  constructor(core: ClientCore, acting: ClientUser, reads: SharedReads | null, calls: OpenCalls) {
    this.baseUrl = core.options.baseUrl;
    this.core = core;
    this.acting = acting;
    this.reads = reads;
    this.calls = calls;
  }
}

export function responseLimit({ maxResponseBytes }: Pick<FleetClientOptions, 'maxResponseBytes'>): ResponseLimit {
  return maxResponseBytes === undefined ? DEFAULT_LIMIT : { maxBytes: maxResponseBytes };
}

function processGate(fetch: Fetch | undefined): Gate {
  if (!fetch) return gates.ofOwnConnections;
  const gate = gates.byFetch.get(fetch) ?? localGate();
  gates.byFetch.set(fetch, gate);
  return gate;
}
