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
import { createDeferred, makeClient, makeService, rejection } from './setup.js';

const TIMEOUT_MS = 1_000;
const LONG_MS = 600_000;
const group = { createGroupInput: { name: 'x' } };

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** The functions that end a call. `timeoutMs` is an option of the call instead. */
const endings = {
  'abort with a reason': (own: AbortController) => own.abort(reasons.error),
  'abort without one': (own: AbortController) => own.abort(),
  'abort with a text': (own: AbortController) => own.abort(reasons.text),
  'a time limit of the signal': (own: AbortController) => own.abort(reasons.limit),
  'close()': (_own: AbortController, fleet: FleetClient) => void fleet.close(),
  timeoutMs: () => vi.advanceTimersByTimeAsync(TIMEOUT_MS),
} satisfies Record<string, (own: AbortController, fleet: FleetClient) => unknown>;
type Ending = keyof typeof endings;

const reasons = {
  error: new Error('the browser is gone'),
  text: 'shutting down',
  // The reason of AbortSignal.timeout; a test below has a real one.
  limit: new DOMException('The operation was aborted due to timeout', 'TimeoutError'),
};

/** The error of a call that changes nothing. */
const ends: Readonly<Record<Ending, object>> = {
  'abort with a reason': { code: 'ABORTED', retryable: false, cause: reasons.error },
  'abort without one': { code: 'ABORTED', retryable: false, cause: { name: 'AbortError' } },
  'abort with a text': { code: 'ABORTED', retryable: false, cause: reasons.text },
  'a time limit of the signal': { code: 'TIMEOUT', retryable: true, cause: reasons.limit },
  'close()': { code: 'CLOSED', retryable: false },
  timeoutMs: { code: 'TIMEOUT', retryable: true },
};

/** The cause of the error of a mutation that may have run. */
const causes: Readonly<Record<Ending, unknown>> = {
  'abort with a reason': reasons.error,
  'abort without one': { name: 'AbortError' },
  'abort with a text': reasons.text,
  'a time limit of the signal': reasons.limit,
  'close()': { code: 'CLOSED' },
  timeoutMs: { code: 'TIMEOUT' },
};

function expectEnd(error: unknown, ending: Ending, more: object = {}): void {
  expect(error).toMatchObject({ ...ends[ending], ...more });
  if (ending === 'close()' || ending === 'timeoutMs') expect(error).not.toHaveProperty('cause');
  // The caller's own object, not a copy.
  if (ending === 'abort with a reason') expect(error).toHaveProperty('cause', reasons.error);
}

const words: Readonly<Record<Ending, RegExp>> = {
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
    const arrived = createDeferred();
    const fleet = await clientWith(() => {
      arrived.resolve();
      return never();
    });
    fleet.getRoles({}, { timeoutMs: LONG_MS }).catch(() => undefined);
    await arrived.promise;
    return { fleet, reached: setImmediate(), attempts: 0 };
  },
  'waiting for the gate': async (): Promise<Situation> => {
    const requestSent = createDeferred();
    let isBusy = false;
    const gate: Gate = {
      hold: (_key, task) => {
        if (!isBusy) return task();
        requestSent.resolve();
        return never();
      },
    };
    const fleet = await clientWith((send) => send(), { gate });
    isBusy = true;
    return { fleet, reached: requestSent.promise, attempts: 0 };
  },
  'on the wire': async (): Promise<Situation> => {
    const arrived = createDeferred();
    const fleet = await clientWith(() => {
      arrived.resolve();
      return never();
    });
    return { fleet, reached: arrived.promise, attempts: 1 };
  },
  'between two requests': async (): Promise<Situation> => {
    const retried = createDeferred();
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
  Object.keys(endings).flatMap((ending) => Object.keys(kinds).map((kind) => [where, ending, kind] as const)),
) as [Where, Ending, keyof typeof kinds][]; // the keys of these tables

test.each(cases)('%s, ended by %s: a %s', async (where, ending, kind) => {
  const { fleet, reached, attempts } = await situations[where]();
  const own = new AbortController();
  const options = ending === 'timeoutMs' ? { timeoutMs: TIMEOUT_MS } : { signal: AbortSignal.any([own.signal]) };
  // The retry policy does not wait longer than the call's remaining time.
  const isAnswered = where === 'between two requests' && ending === 'timeoutMs';
  const call = rejection(kinds[kind](fleet, isAnswered ? { timeoutMs: LONG_MS * 10 } : options));
  await reached;
  await setImmediate();
  if (isAnswered) await vi.advanceTimersByTimeAsync(LONG_MS * 10);
  else await endings[ending](own, fleet);
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
  const cause = causes[ending];
  if (isInDoubt) expect(error).toMatchObject({ code: 'AMBIGUOUS_MUTATION', retryable: false, cause });
  else expectEnd(error, ending);
  expect(error).toMatchObject({ attempts, responseId: where === 'between two requests' ? 'of-503' : null });
  expect((error as FleetError).message).toMatch(words[ending]); // an instance, as checked above
  // The caller's own object, not a copy.
  if (ending === 'abort with a reason') expect((error as FleetError).cause).toBe(reasons.error);
  if (ending === 'a time limit of the signal') expect((error as FleetError).cause).toBe(reasons.limit);
  if (isInDoubt && where === 'between two requests') expect(error).toMatchObject({ status: 503 });
});

test.each(Object.keys(endings).filter((ending) => ending !== 'timeoutMs') as Ending[])(
  'before it is sent, by %s',
  async (ending) => {
    const fleet = await clientWith(never);
    const own = new AbortController();
    await endings[ending](own, fleet);
    for (const kind of Object.values(kinds)) {
      const error = await rejection(kind(fleet, { signal: own.signal }));
      expectEnd(error, ending, { attempts: 0, requestId: null, responseId: null });
    }
  },
);

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
  (Object.keys(endings) as Ending[])
    .filter((ending) => ending !== 'timeoutMs')
    .map((ending) => [name, ending] as const),
) as [keyof typeof others, Ending][]; // the keys of this table

test.each(readers)('%s, ended by %s', async (name, ending) => {
  const arrived = createDeferred();
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
  await endings[ending](own, fleet);
  expectEnd(await reading, ending);
  // The next one does not start, and has an equal reason.
  if (ending !== 'close()') expectEnd(await rejection(others[name](fleet, own.signal, ids)), ending);
});

test.each(Object.keys(endings).filter((ending) => ending !== 'timeoutMs') as Ending[])(
  'a watch that pauses, ended by %s',
  async (ending) => {
    const fleet = await clientWith((send) => send());
    for (const watch of ['watchStatus', 'watchGeofences'] as const) {
      const own = new AbortController();
      const events: AsyncIterator<unknown> = fleet[watch]({ signal: own.signal, snapshot: true });
      expect(await events.next()).toMatchObject({ value: { type: 'snapshot' } });
      const next = rejection(events.next());
      await setImmediate();
      if (ending === 'close()' && watch === 'watchStatus') {
        // The client is closed by the other watch.
        own.abort(reasons.error);
        expectEnd(await next, 'abort with a reason');
        continue;
      }
      await endings[ending](own, fleet);
      expectEnd(await next, ending, { operation: watch });
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
    (Object.keys(endings) as Ending[])
      .filter((ending) => ending !== 'timeoutMs')
      .map((ending) => [name, ending] as const),
  ) as [keyof typeof calls, Ending][]; // the keys of this table

  test.each(all)('%s, ended by %s', async (name, ending) => {
    const arrived = createDeferred();
    const fleet = makeClient(makeService(), {
      fetch: () => {
        arrived.resolve();
        return never();
      },
    });
    const own = new AbortController();
    const ended = rejection(calls[name](fleet, { signal: own.signal }));
    await arrived.promise;
    await endings[ending](own, fleet);
    expectEnd(await ended, ending, { attempts: 0 });
  });

  test('login() is ended by close()', async () => {
    const arrived = createDeferred();
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

test('takes a reason that is not an object, or has no name, as an abort', async () => {
  const fleet = await clientWith(never);
  for (const reason of [null, 0, 'TimeoutError', {}]) {
    const error = await rejection(fleet.getRoles({}, { signal: AbortSignal.abort(reason) }));
    expect(error).toBeInstanceOf(AbortError);
    expect(error).toHaveProperty('cause', reason);
  }
});
