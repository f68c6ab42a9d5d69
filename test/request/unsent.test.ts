// After a caller's error reports an unsent call, nothing of it is sent.
import { expect, test } from 'vitest';
import type { Fetch } from '../../src/index.js';
import type { Call } from '../../src/request/call.js';
import type { HttpRequestInit, HttpTransport } from '../../src/transport/http-transport.js';
import { HandTimers } from './hand-timers.js';
import { makePipeline, sendFor } from './inner.js';
import { countRuns, createDeferred, makeClient, makeService, rejection } from './setup.js';

const createGroup: Call = {
  name: 'createGroup',
  kind: 'mutation',
  document: 'mutation { createGroup { id } }',
  variables: {},
  idempotent: false,
};

const readRows: Call = {
  name: 'getSnapshots',
  kind: 'query',
  document: '{ getSnapshots { timestamp } }',
  variables: {},
  idempotent: false,
  list: { expectedBytes: 0, maxBytes: Number.POSITIVE_INFINITY },
};

/** Returns a service over connections that open when a test says so. */
function slowToConnect() {
  const connecting = createDeferred<string>();
  const connected = createDeferred();
  const sent: string[] = [];
  let isHeld = (_url: string) => true;
  const http: HttpTransport = {
    async fetch(url: string, init: HttpRequestInit) {
      if (isHeld(url)) {
        connecting.resolve(url);
        await connected.promise;
      }
      init.beforeSend?.();
      sent.push(url.replace('http://service.test', ''));
      const text = url.endsWith('/graphql') ? '{"data":{"createGroup":null}}' : '{"access_token":"t"}';
      const json = async () => JSON.parse(text);
      return { ok: true, status: 200, headers: { get: () => null }, text: async () => text, json };
    },
    close: async () => undefined,
  };
  const hold = (which: (url: string) => boolean) => {
    isHeld = which;
  };
  return { http, sent, hold, connecting: connecting.promise, connect: connected.resolve };
}

function pipelineOver(http: HttpTransport) {
  const timers = new HandTimers();
  const events: unknown[] = [];
  const pipeline = makePipeline({
    http,
    timeoutMs: 1000,
    clock: { now: () => 0 },
    timers,
    hooks: { onResponse: ({ operations, status }) => void events.push([operations[0], status]) },
  });
  const send = (call: Call, signal?: AbortSignal) => sendFor(pipeline, 'u', call, { signal });
  return { timers, events, send, create: (signal?: AbortSignal) => send(createGroup, signal) };
}

/** Lets all work continue that is not blocked. */
const settle = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

test.each([
  ['TIMEOUT', createGroup],
  ['ABORTED', createGroup],
  ['TIMEOUT', readRows],
  ['ABORTED', readRows],
])('%s while the connection opens for $name', async (code, call) => {
  const { http, sent, hold, connecting, connect } = slowToConnect();
  hold((url) => url.endsWith('/graphql'));
  const { timers, send, events } = pipelineOver(http);
  const controller = new AbortController();
  const ended = rejection(send(call, controller.signal));
  await connecting;
  if (code === 'ABORTED') controller.abort();
  else await timers.pass(1000);
  expect(await ended).toMatchObject({
    code,
    attempts: 0,
    retryable: code === 'TIMEOUT',
    message: expect.stringContaining('the connection to the service was not open yet'),
  });
  connect();
  await settle();
  expect(sent).toEqual(['/login/token']);
  expect(events).toEqual([
    ['login', 200],
    [call.name, null],
  ]);
});

test('the deadline of a login while its connection opens', async () => {
  const { http, sent, connecting, connect } = slowToConnect();
  const { timers, create } = pipelineOver(http);
  const ended = rejection(create());
  await connecting;
  await timers.pass(1000);
  expect(await ended).toMatchObject({ code: 'TIMEOUT', attempts: 0, retryable: true });
  connect();
  await settle();
  expect(sent).toEqual([]);
});

test('a connection that could not be made is an attempt, and leaves a mutation without doubt', async () => {
  let tries = 0;
  const { http } = slowToConnect();
  const unreachable: HttpTransport = {
    ...http,
    fetch: async (url, init) => {
      if (url.endsWith('/login/token')) {
        init.beforeSend?.();
        const text = async () => '{"access_token":"t"}';
        return { ok: true, status: 200, headers: { get: () => null }, text, json: async () => null };
      }
      tries++;
      // TLS and proxies may fail so: the error does not show that no request was sent.
      throw Object.assign(new Error('gone'), { code: 'ECONNRESET' });
    },
  };
  const { create } = pipelineOver(unreachable);
  expect(await rejection(create())).toMatchObject({ code: 'NETWORK', attempts: 1, retryable: true });
  expect(tries).toBe(1);
});

test('the turn of a call that left while it connected is free at once', async () => {
  const { http, sent, hold, connecting } = slowToConnect();
  let requests = 0;
  hold((url) => url.endsWith('/graphql') && ++requests === 1);
  // Real transports end with the signal.
  const fetch: HttpTransport['fetch'] = (url, init) =>
    new Promise((resolve, reject) => {
      init.signal?.addEventListener('abort', () => reject(init.signal?.reason));
      http.fetch(url, init).then(resolve, reject);
    });
  const { timers, create } = pipelineOver({ ...http, fetch });
  const controller = new AbortController();
  const first = rejection(create(controller.signal));
  const second = create();
  await connecting;
  controller.abort();
  await first;
  await timers.pass(0);
  await second;
  expect(sent).toEqual(['/login/token', '/graphql']);
});

test('a fetch of the program: it is not called any more; once called, a mutation that was left is ambiguous', async () => {
  const service = makeService();
  const loading = createDeferred();
  const requestArrived = createDeferred();
  let isHeld = true;
  const fetch: Fetch = async (url, init) => {
    if (isHeld && url.endsWith('/graphql')) {
      requestArrived.resolve();
      await loading.promise;
    }
    return service.fetch(url, init);
  };
  const fleet = makeClient(service, { fetch });
  const controller = new AbortController();
  const create = () => rejection(fleet.createGroup({ createGroupInput: { name: 'x' } }, { signal: controller.signal }));
  const called = create();
  await requestArrived.promise;
  const waiting = create();
  controller.abort();
  expect(await called).toMatchObject({ code: 'AMBIGUOUS_MUTATION', attempts: 1 });
  expect(await waiting).toMatchObject({ code: 'ABORTED', attempts: 0 });
  isHeld = false;
  loading.resolve();
  await fleet.getVehicleTypes();
  expect(countRuns(service, 'createGroup')).toBe(1);
});
