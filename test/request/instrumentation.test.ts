// Hooks and channels: one event per request, with all public facts and no secrets.
import { AsyncLocalStorage } from 'node:async_hooks';
import { channel, tracingChannel } from 'node:diagnostics_channel';
import { inspect } from 'node:util';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import type { CallTrace, RequestTrace } from '../../src/index.js';
import { held } from '../held.js';
import { makeClient, makeService, rejection } from './setup.js';

const messages: { readonly name: string; readonly trace: RequestTrace; readonly at: Partial<RequestTrace> }[] = [];
const listeners = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'].map((name) => ({
  on: channel(`tracing:fleet-telematics:request:${name}`),
  // The channel carries nothing else.
  listener: (message: unknown) =>
    messages.push({ name, trace: message as RequestTrace, at: { ...(message as object) } }),
}));

function listen(): void {
  for (const { on, listener } of listeners) on.subscribe(listener);
}

const ignored = { start: () => {}, end: () => {}, asyncStart: () => {}, asyncEnd: () => {}, error: () => {} };

afterEach(() => {
  for (const { on, listener } of listeners) on.unsubscribe(listener);
  messages.length = 0;
});

/** The client's letters, and a number. */
const ID = /^[0-9a-z]{12}-\d+$/;

async function readyClient() {
  const service = makeService();
  const fleet = makeClient(service);
  const [vehicle] = await fleet.getVehicles();
  return { service, fleet, id: vehicle?.id ?? '' };
}

test('a request is traced from its start to its end, with all there is to say of it', async () => {
  const { fleet, id } = await readyClient();
  listen();
  await Promise.all([fleet.getVehicleById({ id }), fleet.getVehicleById({ id }), fleet.getLabels()]);
  expect(messages.map(({ name }) => name)).toEqual(['start', 'end', 'asyncStart', 'asyncEnd']);
  expect(new Set(messages.map(({ trace }) => trace)).size).toBe(1);
  expect(messages[0]?.at).toMatchObject({ status: null, durationMs: null, bytes: null });
  expect(messages[3]?.at).toEqual({
    operations: ['getVehicleById', 'getLabels'],
    kind: 'query',
    attempt: 1,
    merged: 3,
    waitMs: expect.any(Number),
    requestId: expect.stringMatching(ID),
    callIds: [expect.stringMatching(ID), expect.stringMatching(ID), expect.stringMatching(ID)],
    label: 'http://service.test/api',
    source: fleet.source,
    method: 'POST',
    url: 'http://service.test/api/graphql',
    path: '/graphql',
    run: expect.any(Function),
    user: expect.stringMatching(/^[\da-f-]{36}$/),
    responseId: null,
    status: 200,
    durationMs: expect.any(Number),
    bytes: expect.any(Number),
  });
  expect(messages[3]?.trace.bytes).toBeGreaterThan(100);
  expect(inspect(messages, { depth: 9 })).not.toContain(id);
});

test('every attempt is a request, the login too, and a failure says what happened', async () => {
  const service = makeService();
  const fleet = makeClient(service);
  service.faults.add({ kind: 'status', status: 503, path: '/graphql' });
  listen();
  await fleet.getLabels();
  const ended = messages.filter(({ name }) => name === 'asyncEnd').map(({ trace }) => trace);
  expect(ended.map(({ operations, attempt, status }) => [operations[0], attempt, status])).toEqual([
    ['login', 1, 200],
    ['userinfo', 1, 200],
    ['getLabels', 1, 503],
    ['getLabels', 2, 200],
  ]);
  expect(messages.filter(({ name }) => name === 'error').map(({ trace }) => trace.error?.message)).toEqual(['503']);
});

test('the wait for the turn is counted', async () => {
  const { service, fleet } = await readyClient();
  service.faults.add({ ...held, path: '/graphql' });
  listen();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const both = Promise.all([fleet.createGroup({ createGroupInput: { name: 'x' } }), fleet.getLabels()]);
  while (service.faults.list().length > 0) await vi.advanceTimersByTimeAsync(0);
  await vi.advanceTimersByTimeAsync(40);
  service.faults.clear();
  await both;
  const [first, second] = messages.filter(({ name }) => name === 'asyncEnd').map(({ trace }) => trace);
  expect([first?.waitMs, second?.waitMs]).toEqual([0, 40]);
});

test('a listener that throws does not break the call', async () => {
  const { fleet } = await readyClient();
  const thrown: unknown[] = [];
  const note = (error: unknown) => thrown.push(error);
  const throwing = () => {
    throw new Error('listener');
  };
  const start = channel('tracing:fleet-telematics:request:start');
  // diagnostics_channel reports a listener's exception to the process, which would fail the run.
  const handlers = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException');
  process.on('uncaughtException', note);
  start.subscribe(throwing);
  expect(await fleet.getLabels()).not.toHaveLength(0);
  await new Promise((resolve) => setImmediate(resolve));
  start.unsubscribe(throwing);
  process.off('uncaughtException', note);
  for (const handler of handlers) process.on('uncaughtException', handler);
  expect(thrown).toHaveLength(1);
});

test('listeners of start run calls and requests inside functions of theirs, which know the end, and add headers', async () => {
  const within = new AsyncLocalStorage<string>();
  const enter = <Result>(name: string, task: () => Result) => within.run(`${within.getStore() ?? ''}/${name}`, task);
  const seen: unknown[] = [];
  const service = makeService();
  const fleet = makeClient(service, {
    fetch: (url, init) => {
      const { authorization, 'x-a': a, 'x-b': b } = init.headers;
      seen.push(within.getStore(), a, b, authorization === 'planted');
      return service.fetch(url, init);
    },
  });
  await fleet.getRoles();
  seen.length = 0;
  const onCall = (trace: CallTrace) => {
    const { run } = trace;
    trace.run = (task) => enter('call', () => run(task)).finally(() => seen.push(trace.outcome));
  };
  const onRequest = (name: string) => (trace: RequestTrace) => {
    const { run } = trace;
    const headers = { [`X-${name}`]: name, Authorization: 'planted' };
    trace.run = (task) => {
      const sending = run((added) => enter(name, () => task({ ...added, ...headers })));
      return sending.finally(() => seen.push(trace.status));
    };
  };
  const calls = { ...ignored, start: onCall };
  const requests = ['a', 'b'].map((name) => ({ ...ignored, start: onRequest(name) }));
  const channels = [
    tracingChannel<string, CallTrace>('fleet-telematics:call'),
    tracingChannel<string, RequestTrace>('fleet-telematics:request'),
  ] as const;
  channels[0].subscribe(calls);
  for (const one of requests) channels[1].subscribe(one);
  listen();
  await fleet.getLabels();
  channels[0].unsubscribe(calls);
  for (const one of requests) channels[1].unsubscribe(one);
  expect(seen).toEqual(['/call/a/b', 'a', 'b', false, 200, 200, 'ok']);
  // Headers of one listener must not reach another one's log.
  expect(messages).not.toHaveLength(0);
  expect(inspect(messages, { depth: 9 })).not.toContain('planted');
});

test('a retry has a channel of its own, and all messages of a client have its source', async () => {
  const { service, fleet } = await readyClient();
  const other = makeClient(service);
  const retries: unknown[] = [];
  const note = (message: unknown) => retries.push(message);
  const retry = channel('fleet-telematics:retry');
  retry.subscribe(note);
  service.faults.add({ kind: 'status', status: 503, path: '/graphql' });
  await fleet.fork().getLabels();
  retry.unsubscribe(note);
  expect(retries).toMatchObject([{ operations: ['getLabels'], attempt: 1, reason: '503', label: fleet.stats().label }]);
  expect(retries).toHaveProperty('0.source', fleet.source);
  listen();
  await Promise.all([fleet.fork().getRoles(), other.getRoles()]);
  const sources = messages.filter(({ trace }) => trace.kind === 'query').map(({ trace }) => trace.source);
  expect(new Set(sources)).toEqual(new Set([fleet.source, other.source]));
  expect(fleet.forUser({ fleetName: 'Demo Fleet' }).source).toBe(fleet.source);
  expect(other.source).not.toBe(fleet.source);
});

test('hooks get the same', async () => {
  const service = makeService();
  const events: unknown[] = [];
  const fleet = makeClient(service, {
    hooks: { onRequest: (event) => events.push(event), onResponse: (event) => events.push(event) },
  });
  await fleet.listLoginUsers();
  service.faults.add({ kind: 'reset', path: '/graphql' });
  events.length = 0;
  await rejection(fleet.createGroup({ createGroupInput: { name: 'x' } }));
  const request = { operations: ['createGroup'], kind: 'mutation', attempt: 1, merged: 1 };
  expect(events.slice(-2)).toMatchObject([request, { ...request, status: null, bytes: null }]);
});
