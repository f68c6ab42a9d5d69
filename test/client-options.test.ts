// Invalid options from JavaScript callers: refused by name, before anything is created or sent.
import { describe, expect, test } from 'vitest';
import { FleetClient, InvalidInputError, memoryTokenStore } from '../src/index.js';
import { makeClient, makeService, rejection } from './request/setup.js';

describe("a client's options", () => {
  test.each<[string, unknown]>([
    ['baseUrl', undefined],
    ['baseUrl', null],
    ['baseUrl', 'http://x'],
    ['baseUrl', []],
    ['user', { user: null }],
    ['user', { user: 'ada' }],
    ['user.userId', { user: { userId: 5 } }],
    ['fetch', { fetch: 5 }],
    ['fetch', { fetch: null }],
    ['tls', { tls: 5 }],
    ['tls.ca', { tls: { ca: '/etc/ssl/hunter2.pem' } }],
    ['tls.ca', { tls: { ca: [] } }],
    ['tls.ca', { tls: { ca: [Buffer.from('hunter2')] } }],
    ['tls has no option rejectUnauthorized', { tls: { rejectUnauthorized: false } }],
    ['tls has no effect on a fetch of your own', { tls: {}, fetch: globalThis.fetch }],
    ['clock', { clock: {} }],
    ['clock', { clock: () => 0 }],
    ['gate', { gate: {} }],
    ['tokenStore', { tokenStore: {} }],
    ['tokenStore', { tokenStore: { ...memoryTokenStore(), withLock: undefined } }],
    ['retry', { retry: 5 }],
    ['retry', { retry: true }],
    ['retry', { retry: null }],
    ['retry.attempts', { retry: { attempts: -1 } }],
    ['retry.attempts', { retry: { attempts: 0 } }],
    ['retry.attempts', { retry: { attempts: 'x' } }],
    ['retry has no option bogus', { retry: { bogus: 1 } }],
    ['retry.maxDelayMs', { retry: { maxDelayMs: Number.NaN } }],
    ['retry.baseDelayMs', { retry: { baseDelayMs: -1 } }],
    ['merge', { merge: true }],
    ['merge', { merge: 5 }],
    ['merge.max', { merge: { max: 0 } }],
    ['merge.max', { merge: { max: '5' } }],
    ['merge has no option maximum', { merge: { maximum: 5 } }],
    ['hooks', { hooks: 5 }],
    ['hooks.onRequest', { hooks: { onRequest: 5 } }],
    ['hooks has no option onrequest', { hooks: { onrequest: () => 1 } }],
    ['timeoutMs', { timeoutMs: null }],
    ['credentials', { credentials: null }],
    ['credentials must be { username, password }', { credentials: { username: 'hunter2' } }],
    ['credentials.username is empty', { credentials: { username: '', password: 'hunter2' } }],
    ['credentials.password is empty', { credentials: { username: 'hunter2', password: '' } }],
    ['share', { share: null }],
    ['FleetClient has no option baseURL', { baseURL: 'http://x' }],
    ['FleetClient has no option (a key that is not a name)', { 'hunter2 ': 1 }],
  ])('%s: %j', (name, options) => {
    const isWhole = typeof options !== 'object' || options === null || Array.isArray(options);
    const untypedOptions = isWhole ? options : { baseUrl: 'http://x', ...options };
    const make = () => new FleetClient(untypedOptions as never); // as in JavaScript
    expect(make).toThrow(InvalidInputError);
    expect(make).toThrow(name);
    expect(make).not.toThrow(/hunter2/);
  });

  test('undefined is the same as leaving an option out', () => {
    const names = ['credentials', 'user', 'share', 'gate', 'tokenStore', 'sessionKey', 'timeoutMs', 'retry', 'merge'];
    const nothing = Object.fromEntries(
      [...names, 'fetch', 'tls', 'clock', 'hooks', 'later'].map((name) => [name, undefined]),
    );
    expect(() => new FleetClient({ baseUrl: 'http://x', ...nothing })).not.toThrow();
    const inside = { retry: { attempts: undefined }, merge: { max: undefined }, hooks: { onRetry: undefined } };
    expect(() => new FleetClient({ baseUrl: 'http://x', ...inside })).not.toThrow();
  });

  test('what fits by its shape is taken', () => {
    class Clock {
      now() {
        return 0;
      }
    }
    expect(() => new FleetClient({ baseUrl: 'http://x', clock: Date })).not.toThrow();
    expect(() => new FleetClient({ baseUrl: 'http://x', clock: new Clock() })).not.toThrow();
    const forEver = { attempts: Number.POSITIVE_INFINITY };
    expect(() => new FleetClient({ baseUrl: 'http://x', retry: forEver })).not.toThrow();
  });

  test.each([undefined, null, {}, 'ada'])('forUser(%j) names user', (user) => {
    const fleet = makeClient(makeService());
    expect(() => fleet.forUser(user as never)).toThrow(InvalidInputError);
    expect(() => fleet.forUser(user as never)).toThrow(/user must be/);
  });
});

describe("a call's options", () => {
  test.each<[string, unknown]>([
    ['must be one object', 5],
    ['must be one object', 'hunter2'],
    ['must be one object', []],
    ['signal', { signal: {} }],
    ['signal', { signal: { aborted: 'no', addEventListener() {}, removeEventListener() {} } }],
    ['signal', { signal: { aborted: false, addEventListener() {} } }],
    ['signal', { signal: new AbortController() }],
    ['timeoutMs', { timeoutMs: '5' }],
    ['timeoutMs', { timeoutMs: Number.NaN }],
    ['has no option timeout', { timeout: 5 }],
  ])('%s: %j', async (name, options) => {
    const service = makeService();
    const fleet = makeClient(service);
    const untypedOptions = options as never; // as in JavaScript
    const calls = [
      fleet.getLabels({}, untypedOptions),
      fleet.request('{ getLabels { id } }', {}, untypedOptions),
      fleet.listLoginUsers(untypedOptions),
    ];
    for (const call of calls) {
      const error = await rejection(call);
      expect(error).toBeInstanceOf(InvalidInputError);
      expect(String(error)).toContain(name);
      expect(String(error)).not.toContain('hunter2');
    }
    expect(service.requests).toEqual([]);
  });

  test('the message about an unknown option names those that the types offer', async () => {
    const fleet = makeClient(makeService());
    const untypedOptions = { retries: 3 } as never; // as in JavaScript
    const messages = await Promise.all(
      [
        fleet.getLabels({}, untypedOptions),
        fleet.createGroup({ createGroupInput: {} }, untypedOptions),
        fleet.unassignDriver({ unassignDriverInput: { vehicleId: '' } }, untypedOptions),
      ].map(async (call) => String(await rejection(call))),
    );
    expect(messages.map((message) => [/idempotent/.test(message), /select/.test(message)])).toEqual([
      [false, true],
      [true, true],
      [true, false],
    ]);
  });

  test.each([['partial'], ['idempotent']])('%s must be true or false', async (name) => {
    const error = await rejection(makeClient(makeService()).getLabels({}, { [name]: 'yes' }));
    expect(String(error)).toContain(name);
  });

  test('null is the same as leaving them out, as a whole or one by one', async () => {
    const fleet = makeClient(makeService());
    const nulls = { signal: null, timeoutMs: null, partial: null, idempotent: null, select: null };
    for (const options of [null, nulls]) {
      const untypedOptions = options as never; // as in JavaScript
      expect(await fleet.getLabels({}, untypedOptions)).not.toHaveLength(0);
      expect(await fleet.request('{ getLabels { id } }', {}, untypedOptions)).toHaveProperty('getLabels');
      expect(await fleet.listLoginUsers(untypedOptions)).toHaveLength(1);
    }
  });

  test("a polyfill's signal ends the wait like Node's own", async () => {
    const listeners = new Set<() => void>();
    const signal = {
      aborted: false,
      addEventListener: (_type: string, listener: () => void) => listeners.add(listener),
      removeEventListener: (_type: string, listener: () => void) => listeners.delete(listener),
    };
    const fleet = makeClient(makeService());
    const options = { signal } as never; // an AbortSignal has more members than the client needs
    const call = rejection(fleet.getLabels({}, options));
    expect(listeners.size).toBe(1);
    signal.aborted = true;
    for (const listener of listeners) listener();
    expect(await call).toMatchObject({ code: 'ABORTED' });
    signal.aborted = false;
    expect(await fleet.getLabels({}, options)).not.toHaveLength(0);
    expect(listeners.size).toBe(0);
  });
});
