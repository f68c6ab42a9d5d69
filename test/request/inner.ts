// The inner parts of a client, for tests with their own timers and connections.
import { userById } from '../../src/auth/acting-user.js';
import { memoryTokenStore } from '../../src/auth/memory-token-store.js';
import type { TokenStore } from '../../src/auth/token-store.js';
import type { CallDeadline } from '../../src/core/deadline.js';
import type { Turns } from '../../src/core/error-facts.js';
import { type ClientHooks, notifierFor } from '../../src/core/hooks.js';
import type { Clock, Random, Timers } from '../../src/core/ports.js';
import { type Gate, localGate } from '../../src/locks/gate.js';
import { ClientUser } from '../../src/request/acting-user.js';
import { type MergedCalls, UserRequests } from '../../src/request/batch.js';
import type { Call, CallAnswer } from '../../src/request/call.js';
import { Merging } from '../../src/request/merging.js';
import { Pipeline } from '../../src/request/pipeline.js';
import { addedHeaders } from '../../src/request/request-headers.js';
import { type RetryOptions, retryPolicy } from '../../src/request/retry-policy.js';
import { UserQueue } from '../../src/request/user-queue.js';
import type { HttpTransport } from '../../src/transport/http-transport.js';
import { DEFAULT_LIMIT } from '../../src/transport/response-limits.js';

export interface World {
  readonly http: HttpTransport;
  readonly timers: Timers;
  readonly clock: Clock;
  readonly random?: Random;
  readonly store?: TokenStore;
  readonly gate?: Gate;
  readonly among?: Turns;
  readonly mergeMax?: number;
  readonly timeoutMs?: number;
  readonly retry?: RetryOptions;
  readonly hooks?: ClientHooks;
}

export function makePipeline({
  http,
  timers,
  clock,
  random = () => 0.5,
  store = memoryTokenStore(),
  gate = localGate(),
  among = 'process',
  mergeMax = 50,
  timeoutMs = 60_000,
  retry,
  hooks = {},
}: World): Pipeline {
  return new Pipeline({
    baseUrl: 'http://service.test',
    login: { credentials: { username: 'demo', password: 'demo' }, store },
    turns: { gate, among },
    http,
    limits: {
      timeoutMs,
      maxWaiting: Number.POSITIVE_INFINITY,
      mergeMax,
      response: DEFAULT_LIMIT,
      retry: retryPolicy(retry),
    },
    addedHeaders: addedHeaders(),
    notifier: notifierFor(hooks),
    world: { clock, timers, random },
  });
}

export function sendFor(
  pipeline: Pipeline,
  userId: string,
  call: Call,
  waiting: { readonly timeoutMs?: number | undefined; readonly signal?: AbortSignal | undefined } = {},
): Promise<CallAnswer> {
  const user = userById(userId);
  const client = new ClientUser(user, async () => user);
  return pipeline.send({ call, user: client, ...waiting, read: (answer) => answer });
}

/** Returns the queue of a user; `run` takes a call without a trace. */
export function makeQueue(
  next: (batch: MergedCalls) => Promise<Pick<CallAnswer, 'data' | 'errors'>>,
  timers: Timers,
  merging: Merging = new Merging(0, timers, () => undefined),
) {
  const options = { timers, merging, maxWaiting: Number.POSITIVE_INFINITY, dependsOnContext: () => false };
  const queue = new UserQueue(new UserRequests('http://service.test', userById('user')), next, options);
  return { run: (call: Call, deadline: CallDeadline) => queue.run({ call, deadline }) };
}
