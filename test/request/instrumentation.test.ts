// Hooks and the tracing channel: one event a request, everything that may be known of it, nothing that may not.
import { channel } from 'node:diagnostics_channel';
import { inspect } from 'node:util';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import type { RequestTrace } from '../../src/index.js';
import { held } from '../held.js';
import { makeClient, makeService, rejection } from './setup.js';

const heard: { readonly name: string; readonly trace: RequestTrace; readonly at: Partial<RequestTrace> }[] = [];
const listeners = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'].map((name) => ({
  on: channel(`tracing:fleet-telematics:request:${name}`),
  // The channel carries nothing else.
  listener: (message: unknown) => heard.push({ name, trace: message as RequestTrace, at: { ...(message as object) } }),
}));

function listen(): void {
  for (const { on, listener } of listeners) on.subscribe(listener);
}

afterEach(() => {
  for (const { on, listener } of listeners) on.unsubscribe(listener);
  heard.length = 0;
});

/** Letters of the client, and a number. */
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
  expect(heard.map(({ name }) => name)).toEqual(['start', 'end', 'asyncStart', 'asyncEnd']);
  expect(new Set(heard.map(({ trace }) => trace)).size).toBe(1);
  expect(heard[0]?.at).toMatchObject({ status: null, durationMs: null, bytes: null });
  expect(heard[3]?.at).toEqual({
    operations: ['getVehicleById', 'getLabels'],
    kind: 'query',
    attempt: 1,
    merged: 3,
    waitMs: expect.any(Number),
    requestId: expect.stringMatching(ID),
    callIds: [expect.stringMatching(ID), expect.stringMatching(ID), expect.stringMatching(ID)],
    tenant: 'http://service.test/api',
    user: expect.stringMatching(/^[\da-f-]{36}$/),
    responseId: null,
    status: 200,
    durationMs: expect.any(Number),
    bytes: expect.any(Number),
  });
  expect(heard[3]?.trace.bytes).toBeGreaterThan(100);
  expect(inspect(heard, { depth: 9 })).not.toContain(id);
});

test('every attempt is a request, the login too, and a failure says what happened', async () => {
  const service = makeService();
  const fleet = makeClient(service);
  service.faults.add({ kind: 'status', status: 503, path: '/graphql' });
  listen();
  await fleet.getLabels();
  const ended = heard.filter(({ name }) => name === 'asyncEnd').map(({ trace }) => trace);
  expect(ended.map(({ operations, attempt, status }) => [operations[0], attempt, status])).toEqual([
    ['login', 1, 200],
    ['userinfo', 1, 200],
    ['getLabels', 1, 503],
    ['getLabels', 2, 200],
  ]);
  expect(heard.filter(({ name }) => name === 'error').map(({ trace }) => trace.error?.message)).toEqual(['503']);
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
  const [first, second] = heard.filter(({ name }) => name === 'asyncEnd').map(({ trace }) => trace);
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
  // diagnostics_channel reports what a listener throws to the process, and the runner's own handlers would fail the run.
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
