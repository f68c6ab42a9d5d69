// The reason of a call's end, in every state: an abort with its reason, a time limit of the signal,
// timeoutMs and close() differ in code and cause. Only timeoutMs needs a clock, which the test
// moves.
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  AbortError,
  type CallOptions,
  ClosedError,
  type Fetch,
  type FleetClient,
  type FleetClientOptions,
  FleetError,
  type Gate,
  TimeoutError,
} from '../../src/index.js';
import { held } from '../held.js';
import { byHand, makeClient, makeService, rejection } from './setup.js';

const TIMEOUT_MS = 1_000;
const LONG_MS = 600_000;
const group = { createGroupInput: { name: 'x' } };

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** The functions that end a call. `timeoutMs` is an option of the call instead. */
const ways = {
  'abort with a reason': (own: AbortController) => own.abort(reasons.error),
  'abort without one': (own: AbortController) => own.abort(),
  'abort with a text': (own: AbortController) => own.abort(reasons.text),
  'a time limit of the signal': (own: AbortController) => own.abort(reasons.limit),
  'close()': (_own: AbortController, fleet: FleetClient) => void fleet.close(),
  timeoutMs: () => vi.advanceTimersByTimeAsync(TIMEOUT_MS),
} satisfies Record<string, (own: AbortController, fleet: FleetClient) => unknown>;
type Way = keyof typeof ways;

const reasons = {
  error: new Error('the browser is gone'),
  text: 'shutting down',
  // The reason of AbortSignal.timeout; a test below has a real one.
  limit: new DOMException('The operation was aborted due to timeout', 'TimeoutError'),
};

/** The error of a call that changes nothing. */
const ends: Readonly<Record<Way, object>> = {
  'abort with a reason': { code: 'ABORTED', retryable: false, cause: reasons.error },
  'abort without one': { code: 'ABORTED', retryable: false, cause: { name: 'AbortError' } },
  'abort with a text': { code: 'ABORTED', retryable: false, cause: reasons.text },
  'a time limit of the signal': { code: 'TIMEOUT', retryable: true, cause: reasons.limit },
  'close()': { code: 'CLOSED', retryable: false },
  timeoutMs: { code: 'TIMEOUT', retryable: true },
};

/** The cause of the error of a mutation that may have run. */
const causes: Readonly<Record<Way, unknown>> = {
  'abort with a reason': reasons.error,
  'abort without one': { name: 'AbortError' },
  'abort with a text': reasons.text,
  'a time limit of the signal': reasons.limit,
  'close()': { code: 'CLOSED' },
  timeoutMs: { code: 'TIMEOUT' },
};

function expectEnd(error: unknown, way: Way, more: object = {}): void {
  expect(error).toMatchObject({ ...ends[way], ...more });
  if (way === 'close()' || way === 'timeoutMs') expect(error).not.toHaveProperty('cause');
  // The caller's own object, not a copy.
  if (way === 'abort with a reason') expect(error).toHaveProperty('cause', reasons.error);
}

const words: Readonly<Record<Way, RegExp>> = {
  'abort with a reason': /aborted/,
  'abort without one': /aborted/,
  'abort with a text': /aborted/,
  'a time limit of the signal': /time limit of (the|its) signal/,
  'close()': /client (was|is) closed/,
  timeoutMs: /\(timeoutMs\) ran out/,
};

interface Situation {
  readonly fleet: FleetClient;
  /** Resolves in the state to be ended. */
  readonly reached: Promise<unknown>;
  readonly attempts: number;
}

/** Returns a client whose next requests to /graphql are answered by `answer`. */
async function clientWith(
  answer: (send: () => ReturnType<Fetch>) => ReturnType<Fetch>,
  options: Partial<FleetClientOptions> = {},
): Promise<FleetClient> {
  const service = makeService();
  let isSetUp = false;
  const fetch: Fetch = async (url, init) => {
    const send = () => service.fetch(url, init);
    return isSetUp && url.endsWith('/graphql') ? answer(send) : send();
  };
  const fleet = makeClient(service, { fetch, ...options });
  await fleet.getLabels();
  isSetUp = true;
  return fleet;
}

const never = () => new Promise<never>(() => undefined);

const situations = {
  'waiting for another call': async (): Promise<Situation> => {
    const arrived = byHand();
    const fleet = await clientWith(() => {
      arrived.resolve();
      return never();
    });
    fleet.getRoles({}, { timeoutMs: LONG_MS }).catch(() => undefined);
    await arrived.promise;
    return { fleet, reached: setImmediate(), attempts: 0 };
  },
  'waiting for the gate': async (): Promise<Situation> => {
    const asked = byHand();
    let isBusy = false;
    const gate: Gate = {
      hold: (_key, task) => {
        if (!isBusy) return task();
        asked.resolve();
        return never();
      },
    };
    const fleet = await clientWith((send) => send(), { gate });
    isBusy = true;
    return { fleet, reached: asked.promise, attempts: 0 };
  },
  'on the wire': async (): Promise<Situation> => {
    const arrived = byHand();
    const fleet = await clientWith(() => {
      arrived.resolve();
      return never();
    });
    return { fleet, reached: arrived.promise, attempts: 1 };
  },
  'between two requests': async (): Promise<Situation> => {
    const retried = byHand();
    const fleet = await clientWith(
      async () => ({
        ok: false,
        status: 503,
        headers: { get: (name: string) => (name === 'x-request-id' ? 'of-503' : null) },
        text: async () => 'busy',
        json: async () => null,
      }),
      {
        retry: { attempts: 5, baseDelayMs: LONG_MS, maxDelayMs: LONG_MS },
        hooks: { onRetry: () => retried.resolve() },
        timeoutMs: LONG_MS * 10,
      },
    );
    return { fleet, reached: retried.promise, attempts: 1 };
  },
};
type Where = keyof typeof situations;

const kinds = {
  query: (fleet: FleetClient, options: CallOptions) => fleet.getRoles({}, options),
  mutation: (fleet: FleetClient, { partial: _, ...options }: CallOptions) =>
    fleet.createGroup(group, { ...options, idempotent: true }),
};

const cases = Object.keys(situations).flatMap((where) =>
  Object.keys(ways).flatMap((way) => Object.keys(kinds).map((kind) => [where, way, kind] as const)),
) as [Where, Way, keyof typeof kinds][]; // the keys of these tables

test.each(cases)('%s, ended by %s: a %s', async (where, way, kind) => {
  const { fleet, reached, attempts } = await situations[where]();
  const own = new AbortController();
  const options = way === 'timeoutMs' ? { timeoutMs: TIMEOUT_MS } : { signal: AbortSignal.any([own.signal]) };
  // The retry policy does not wait longer than the call's remaining time.
  const isAnswered = where === 'between two requests' && way === 'timeoutMs';
  const call = rejection(kinds[kind](fleet, isAnswered ? { timeoutMs: LONG_MS * 10 } : options));
  await reached;
  await setImmediate();
  if (isAnswered) await vi.advanceTimersByTimeAsync(LONG_MS * 10);
  else await ways[way](own, fleet);
  const error = await call;
  expect(error).toBeInstanceOf(FleetError);
  if (isAnswered) {
    // The last answer explains more than the timeout.
    expect(error).toMatchObject(
      kind === 'query'
        ? { code: 'HTTP', status: 503 }
        : { code: 'AMBIGUOUS_MUTATION', status: 503, cause: { code: 'HTTP' } },
    );
    return;
  }
  const isInDoubt = kind === 'mutation' && attempts > 0;
  const cause = causes[way];
  if (isInDoubt) expect(error).toMatchObject({ code: 'AMBIGUOUS_MUTATION', retryable: false, cause });
  else expectEnd(error, way);
  expect(error).toMatchObject({ attempts, responseId: where === 'between two requests' ? 'of-503' : null });
  expect((error as FleetError).message).toMatch(words[way]); // an instance, as checked above
  // The caller's own object, not a copy.
  if (way === 'abort with a reason') expect((error as FleetError).cause).toBe(reasons.error);
  if (way === 'a time limit of the signal') expect((error as FleetError).cause).toBe(reasons.limit);
  if (isInDoubt && where === 'between two requests') expect(error).toMatchObject({ status: 503 });
});

test.each(Object.keys(ways).filter((way) => way !== 'timeoutMs') as Way[])('before it is sent, by %s', async (way) => {
  const fleet = await clientWith(never);
  const own = new AbortController();
  await ways[way](own, fleet);
  for (const kind of Object.values(kinds)) {
    const error = await rejection(kind(fleet, { signal: own.signal }));
    expectEnd(error, way, { attempts: 0, requestId: null, responseId: null });
  }
});

test('a real AbortSignal.timeout, through AbortSignal.any, over real HTTP is a TIMEOUT', async () => {
  vi.useRealTimers();
  const service = makeService();
  const server = await service.listen();
  service.faults.add({ ...held, path: '/graphql' });
  const fleet = makeClient(service, { baseUrl: server.url, fetch: undefined });
  const limit = AbortSignal.timeout(20);
  const signal = AbortSignal.any([limit, new AbortController().signal]);
  const error = await rejection(fleet.getRoles({}, { signal }));
  expect(error).toBeInstanceOf(TimeoutError);
  expect(error).toMatchObject({ code: 'TIMEOUT', retryable: true, cause: limit.reason });
  expect(limit.reason).toMatchObject({ name: 'TimeoutError' });
  await fleet.close();
  await server.close();
});

test('each of merged calls has its own reason, and the others their answers', async () => {
  const fleet = await clientWith((send) => setImmediate().then(send));
  const [gone, slow] = [new AbortController(), new AbortController()];
  const first = fleet.createGroup(group);
  const calls = [
    rejection(fleet.getRoles({}, { signal: gone.signal })),
    rejection(fleet.getRoles({}, { signal: slow.signal })),
    fleet.getRoles(),
  ];
  gone.abort(reasons.error);
  slow.abort(reasons.limit);
  const [aborted, late, roles] = await Promise.all(calls);
  expect(aborted).toMatchObject({ code: 'ABORTED', cause: reasons.error });
  expect(late).toMatchObject({ code: 'TIMEOUT', cause: reasons.limit });
  expect(roles).not.toHaveLength(0);
  await first;
});

const period = { from: '2026-03-01T06:00:00Z', to: '2026-03-01T12:00:00Z' };

/** Readers of rows or events, and calls that wait for something else. */
const others = {
  stream: (fleet, signal) => fleet.stream('getVehicles', {}, { signal }).next(),
  streamSnapshots: async (fleet, signal, ids) => {
    const [vehicleId = ''] = ids;
    return fleet.streamSnapshots({ vehicleId, ...period }, { signal }).next();
  },
  'streamSnapshots of many': (fleet, signal, vehicleIds) =>
    fleet.streamSnapshots({ vehicleIds, ...period }, { signal }).next(),
  streamTrips: (fleet, signal, [vehicleId = '']) => fleet.streamTrips({ vehicleId, ...period }, { signal }).next(),
  'streamTrips of many': (fleet, signal, vehicleIds) => fleet.streamTrips({ vehicleIds, ...period }, { signal }).next(),
  watchStatus: (fleet, signal) => fleet.watchStatus({ signal, snapshot: true }).next(),
  watchGeofences: (fleet, signal) => fleet.watchGeofences({ signal, snapshot: true }).next(),
  watchEvents: (fleet, signal) => fleet.watchEvents({ rules: [{ on: 'movement' }], signal }).next(),
} satisfies Record<
  string,
  (fleet: FleetClient, signal: AbortSignal, vehicleIds: readonly string[]) => Promise<unknown>
>;

const readers = Object.keys(others).flatMap((name) =>
  (Object.keys(ways) as Way[]).filter((way) => way !== 'timeoutMs').map((way) => [name, way] as const),
) as [keyof typeof others, Way][]; // the keys of this table

test.each(readers)('%s, ended by %s', async (name, way) => {
  const arrived = byHand();
  let isHeld = false;
  const fleet = await clientWith((send) => {
    if (!isHeld) return send();
    arrived.resolve();
    return never();
  });
  const ids = (await fleet.getVehicles()).flatMap(({ id }) => (id === null ? [] : [id])).slice(0, 2);
  isHeld = true;
  const own = new AbortController();
  const reading = rejection(others[name](fleet, own.signal, ids));
  await arrived.promise;
  await ways[way](own, fleet);
  expectEnd(await reading, way);
  // The next one does not start, and has an equal reason.
  if (way !== 'close()') expectEnd(await rejection(others[name](fleet, own.signal, ids)), way);
});

test.each(Object.keys(ways).filter((way) => way !== 'timeoutMs') as Way[])(
  'a watch that pauses, ended by %s',
  async (way) => {
    const fleet = await clientWith((send) => send());
    for (const watch of ['watchStatus', 'watchGeofences'] as const) {
      const own = new AbortController();
      const events: AsyncIterator<unknown> = fleet[watch]({ signal: own.signal, snapshot: true });
      expect(await events.next()).toMatchObject({ value: { type: 'snapshot' } });
      const next = rejection(events.next());
      await setImmediate();
      if (way === 'close()' && watch === 'watchStatus') {
        // The client is closed by the other watch.
        own.abort(reasons.error);
        expectEnd(await next, 'abort with a reason');
        continue;
      }
      await ways[way](own, fleet);
      expectEnd(await next, way, { operation: watch });
    }
  },
);

describe('what waits for the login', () => {
  const calls = {
    identity: (fleet, options) => fleet.identity(options),
    connect: (fleet, options) => fleet.connect(options),
    listLoginUsers: (fleet, options) => fleet.listLoginUsers(options),
    'a call': (fleet, options) => fleet.getRoles({}, options),
  } satisfies Record<string, (fleet: FleetClient, options: { signal: AbortSignal }) => Promise<unknown>>;

  const all = Object.keys(calls).flatMap((name) =>
    (Object.keys(ways) as Way[]).filter((way) => way !== 'timeoutMs').map((way) => [name, way] as const),
  ) as [keyof typeof calls, Way][]; // the keys of this table

  test.each(all)('%s, ended by %s', async (name, way) => {
    const arrived = byHand();
    const fleet = makeClient(makeService(), {
      fetch: () => {
        arrived.resolve();
        return never();
      },
    });
    const own = new AbortController();
    const ended = rejection(calls[name](fleet, { signal: own.signal }));
    await arrived.promise;
    await ways[way](own, fleet);
    expectEnd(await ended, way, { attempts: 0 });
  });

  test('login() is ended by close()', async () => {
    const arrived = byHand();
    const fleet = makeClient(makeService(), {
      fetch: () => {
        arrived.resolve();
        return never();
      },
    });
    const ended = rejection(fleet.login());
    await arrived.promise;
    await fleet.close();
    expect(await ended).toBeInstanceOf(ClosedError);
    expect(await rejection(fleet.login())).toMatchObject({ code: 'CLOSED', operation: 'login' });
  });
});

test('a reason that is no object, or has no name, is an abort', async () => {
  const fleet = await clientWith(never);
  for (const reason of [null, 0, 'TimeoutError', {}]) {
    const error = await rejection(fleet.getRoles({}, { signal: AbortSignal.abort(reason) }));
    expect(error).toBeInstanceOf(AbortError);
    expect(error).toHaveProperty('cause', reason);
  }
});
