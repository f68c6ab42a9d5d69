// Values of the program that throw when read: the call ends with an error that can be printed.
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import {
  AbortError,
  type CallOptions,
  type Fetch,
  type FleetClient,
  FleetError,
  InvalidInputError,
  NetworkError,
  TimeoutError,
} from '../../src/index.js';
import { createDeferred, makeClient, makeService, rejection } from './setup.js';

const broken = (): never => {
  throw new Error('said by the program');
};

/** Created anew each time, because reading one may change it. */
const throwingValues = {
  'a getter that throws': () => Object.defineProperty({}, 'name', { get: broken, enumerable: true }),
  'an error whose members throw': () => {
    const error = new Error('x');
    // The stack first, because it contains the other members.
    for (const name of ['stack', 'name', 'message', 'code', 'cause', 'errors']) {
      Object.defineProperty(error, name, { get: broken, enumerable: true });
    }
    return error;
  },
  'a proxy that was revoked': () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  },
  'a proxy whose traps throw': () =>
    new Proxy(
      {},
      { get: broken, has: broken, ownKeys: broken, getPrototypeOf: broken, getOwnPropertyDescriptor: broken },
    ),
  'an object that cannot be shown': () => ({ [inspect.custom]: broken, toJSON: broken, toString: broken }),
} satisfies Record<string, () => unknown>;
type ValueName = keyof typeof throwingValues;
const valueNames = Object.keys(throwingValues) as ValueName[]; // the keys of this table

/** Prints the error as loggers and consoles do, also nested in other values. */
function expectShown(error: unknown): asserts error is FleetError {
  expect(FleetError.is(error)).toBe(true);
  const { message } = error as FleetError; // checked above
  for (const shown of [error, { error }, [error]]) {
    expect(inspect(shown)).toContain(message);
    expect(inspect(shown, { getters: true, showHidden: true })).toContain(message);
    expect(JSON.stringify(shown)).toContain(JSON.stringify(message));
  }
  expect(String(error)).toContain(message);
}

const never = () => new Promise<never>(() => undefined);
const period = { from: '2026-03-01T11:00:00Z', to: '2026-03-01T12:00:00Z' };
const id = '4e3cf2a1-0000-4000-8000-000000000001';

/** Returns a client whose next request is never answered, and a promise of its sending. */
async function heldClient(): Promise<{ fleet: FleetClient; sent: Promise<void> }> {
  const service = makeService();
  const sent = createDeferred();
  let isHeld = false;
  const fetch: Fetch = (url, init) => {
    if (!isHeld) return service.fetch(url, init);
    sent.resolve();
    return never();
  };
  const fleet = makeClient(service, { fetch });
  await fleet.getLabels();
  isHeld = true;
  return { fleet, sent: sent.promise };
}

const calls = {
  query: (fleet, options) => fleet.getRoles({}, options),
  stream: (fleet, options) => fleet.stream('getVehicles', {}, options).next(),
  'streamSnapshots of many': (fleet, options) => fleet.streamSnapshots({ vehicleIds: [id], ...period }, options).next(),
  streamTrips: (fleet, options) => fleet.streamTrips({ vehicleId: id, ...period }, options).next(),
  watchStatus: (fleet, options) => fleet.watchStatus(options).next(),
  watchEvents: (fleet, options) => fleet.watchEvents({ ...options, rules: [{ on: 'idle' }] }).next(),
  identity: (fleet, options) => fleet.identity(options),
} satisfies Record<string, (fleet: FleetClient, options: Required<Pick<CallOptions, 'signal'>>) => Promise<unknown>>;

describe('the reason of a signal', () => {
  test.each(valueNames)('%s, before the call', async (name) => {
    const fleet = makeClient(makeService());
    for (const call of Object.values(calls)) {
      const reason = throwingValues[name]();
      const error = await rejection(call(fleet, { signal: AbortSignal.abort(reason) }));
      expect(error).toBeInstanceOf(AbortError);
      expectShown(error);
      expect(Object.is(error.cause, reason)).toBe(true);
    }
  });

  test.each(valueNames)('%s, while the answer is waited for', async (name) => {
    const { identity: _, ...sending } = calls;
    for (const call of Object.values(sending)) {
      const { fleet, sent } = await heldClient();
      const own = new AbortController();
      const reason = throwingValues[name]();
      const ended = rejection(call(fleet, { signal: own.signal }));
      await sent;
      own.abort(reason);
      const error = await ended;
      expect(error).toBeInstanceOf(AbortError);
      expectShown(error);
      expect(Object.is(error.cause, reason)).toBe(true);
    }
  });

  test.each(valueNames)('%s, of a change that was sent', async (name) => {
    const { fleet, sent } = await heldClient();
    const own = new AbortController();
    const ended = rejection(fleet.createGroup({ createGroupInput: { name: 'x' } }, { signal: own.signal }));
    await sent;
    own.abort(throwingValues[name]());
    const error = await ended;
    expect(error).toMatchObject({ code: 'AMBIGUOUS_MUTATION', attempts: 1 });
    expectShown(error);
  });

  test.each([false, true])(
    'that cannot be read, as of a polyfill: an abort without a cause; aborted before: %s',
    async (isEarly) => {
      const { fleet } = await heldClient();
      const own = new AbortController();
      // A signal that is no AbortSignal, with a reason that throws.
      const signal = {
        get aborted() {
          return own.signal.aborted;
        },
        get reason() {
          return broken();
        },
        addEventListener: own.signal.addEventListener.bind(own.signal),
        removeEventListener: own.signal.removeEventListener.bind(own.signal),
      } as unknown as AbortSignal; // the members that the client reads
      if (isEarly) own.abort();
      const ended = [
        rejection(fleet.getRoles({}, { signal })),
        rejection(fleet.stream('getVehicles', {}, { signal }).next()),
      ];
      own.abort();
      for (const error of await Promise.all(ended)) {
        expect(error).toBeInstanceOf(AbortError);
        expect(error).not.toHaveProperty('cause');
      }
    },
  );

  test('is a time limit when it is called TimeoutError, and only then', async () => {
    const fleet = makeClient(makeService());
    const timeout = await rejection(fleet.getRoles({}, { signal: AbortSignal.abort({ name: 'TimeoutError' }) }));
    expect(timeout).toBeInstanceOf(TimeoutError);
    // A class with this name is no timeout.
    expect(await rejection(fleet.getRoles({}, { signal: AbortSignal.abort(TimeoutError) }))).toBeInstanceOf(AbortError);
  });
});

describe('an error of this package', () => {
  test.each(valueNames)('can be made, shown and asked for with %s', (name) => {
    const value = throwingValues[name]();
    expectShown(new NetworkError('lost', { cause: value }));
    expectShown(new InvalidInputError('wrong', { cause: { inside: [value] } }));
    expect(FleetError.is(value)).toBe(false);
    expect(AbortError.is(value)).toBe(false);
    expect(value instanceof FleetError).toBe(false);
    expect(value instanceof AbortError).toBe(false);
  });

  test('is still told apart by its class', () => {
    const error: unknown = new AbortError('x');
    expect(error instanceof AbortError).toBe(true);
    expect(error instanceof FleetError).toBe(true);
    expect(error instanceof TimeoutError).toBe(false);
    expect(Object.create(TimeoutError.prototype) instanceof TimeoutError).toBe(true);
  });
});
