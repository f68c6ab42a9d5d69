// traceFleet with OpenTelemetry's SDK, and exporters that record everything.
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { NodeTracerProvider, type ReadableSpan } from '@opentelemetry/sdk-trace-node';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { realTimers } from '../../src/core/ports.js';
import type { FleetClient, FleetClientOptions } from '../../src/index.js';
import { InvalidInputError } from '../../src/index.js';
import type { MockService } from '../../src/mock/service.js';
import { createDeferred, makeClient, makeService, rejection } from '../request/setup.js';
import { openTelemetry, traceFleet } from './setup.js';

const telemetry = openTelemetry();
const { tracer, tracerProvider, meterProvider, spans, tree } = telemetry;
const providers = { tracerProvider, meterProvider };
afterAll(() => telemetry.close());
beforeEach(() => telemetry.reset());
afterEach(() => vi.restoreAllMocks());

async function tracedClient(service: MockService, options: Partial<FleetClientOptions> = {}): Promise<FleetClient> {
  const fleet = makeClient(service, options);
  traceFleet(fleet, providers);
  await fleet.getVehicleTypes();
  telemetry.reset();
  return fleet;
}

function inSpan<T>(name: string, task: () => Promise<T>): Promise<T> {
  return tracer.startActiveSpan(name, (span) => task().finally(() => span.end()));
}

function spanOf(name: string): ReadableSpan {
  const found = spans().filter((span) => span.name === name);
  expect(found.map((span) => span.name)).toEqual([name]);
  return found[0] as ReadableSpan;
}

describe('the spans', () => {
  test('of queries that share a request: it is a child of the first, and linked with the others', async () => {
    await using fleet = makeClient(makeService());
    traceFleet(fleet, providers);
    await inSpan('board', () => Promise.all([fleet.getRoles(), fleet.getLabels()]));
    expect(tree()).toEqual([
      'board',
      '  query getRoles',
      '    POST /login/token',
      '    GET /login/userinfo',
      '    POST /graphql <- query getLabels',
      '  query getLabels <- POST /graphql',
    ]);
  });

  test('have the attributes of the conventions for HTTP and GraphQL', async () => {
    const service = makeService();
    await using fleet = await tracedClient(service, { label: 'acme' });
    await fleet.getRoles();
    const call = spanOf('query getRoles');
    const request = spanOf('POST /graphql');
    const { userId } = (await fleet.listLoginUsers())[0] ?? {};
    expect(call.kind).toBe(SpanKind.INTERNAL);
    expect(call.status.code).toBe(SpanStatusCode.UNSET);
    expect(call.attributes).toEqual({
      'graphql.operation.name': 'getRoles',
      'graphql.operation.type': 'query',
      'fleet.label': 'acme',
      'fleet.user': userId,
      'fleet.call.id': expect.stringMatching(/^\w{12}-\d+$/),
      'fleet.call.priority': 'normal',
      'fleet.call.outcome': 'ok',
      'fleet.call.wait': expect.any(Number),
      'fleet.call.request_ids': [request.attributes['fleet.request.id']],
    });
    expect(request.kind).toBe(SpanKind.CLIENT);
    expect(request.status.code).toBe(SpanStatusCode.UNSET);
    expect(request.attributes).toEqual({
      'http.request.method': 'POST',
      'http.response.status_code': 200,
      'url.full': 'http://service.test/api/graphql',
      'url.scheme': 'http',
      'url.template': '/graphql',
      'server.address': 'service.test',
      'server.port': 80,
      'graphql.operation.name': 'getRoles',
      'graphql.operation.type': 'query',
      'fleet.label': 'acme',
      'fleet.user': userId,
      'fleet.request.id': expect.stringMatching(/^\w{12}-\d+$/),
      'fleet.request.operations': ['getRoles'],
      'fleet.request.calls': 1,
      'fleet.response.size': expect.any(Number),
    });
  });

  test('a request of several operations has no operation name of its own', async () => {
    await using fleet = await tracedClient(makeService());
    await Promise.all([fleet.getRoles(), fleet.getLabels()]);
    const { attributes } = spanOf('POST /graphql');
    expect(attributes).toMatchObject({
      'fleet.request.operations': ['getRoles', 'getLabels'],
      'fleet.request.calls': 2,
    });
    expect(attributes).not.toHaveProperty('graphql.operation.name');
  });

  test('a change, and a query that waits for it', async () => {
    await using fleet = await tracedClient(makeService());
    const change = fleet.createGroup({ createGroupInput: { name: 'x' } });
    await Promise.all([change, fleet.getGroups()]);
    expect(tree()).toEqual(['mutation createGroup', '  POST /graphql', 'query getGroups', '  POST /graphql']);
    expect(spanOf('mutation createGroup').attributes['graphql.operation.type']).toBe('mutation');
  });

  test('calls and requests run in them: spans of a fetch of the program are below the request', async () => {
    const service = makeService();
    await using fleet = makeClient(service, {
      fetch: (url, init) => inSpan('own fetch', () => service.fetch(url, init)),
    });
    traceFleet(fleet, { ...providers, httpSpans: false });
    await fleet.getLabels();
    telemetry.reset();
    await fleet.getRoles();
    expect(tree()).toEqual(['query getRoles', '  request /graphql', '    own fetch']);
    const { kind, attributes } = spanOf('request /graphql');
    expect(kind).toBe(SpanKind.INTERNAL);
    expect(Object.keys(attributes).filter((name) => /^(url|server|http\.request)\./.test(name))).toEqual([]);
  });

  test('of the requests of a stream and of a watch belong to whoever reads', async () => {
    const service = makeService();
    await using fleet = await tracedClient(service);
    const [vehicle] = await fleet.getActiveVehicles();
    const to = new Date(service.clock.now());
    const from = new Date(to.getTime() - 60_000);
    telemetry.reset();
    await inSpan('export', async () => {
      for await (const _row of fleet.streamSnapshots({ vehicleId: vehicle?.id ?? '', from, to }));
    });
    expect(tree()).toEqual(['export', '  query getSnapshots', '    POST /graphql']);
    telemetry.reset();
    await inSpan('board', async () => {
      for await (const _event of fleet.watchStatus({ snapshot: true })) break;
    });
    expect(tree()).toEqual(['board', '  query getVehicles', '    POST /graphql']);
  });
});

describe('failures', () => {
  test('a request that is sent again: two spans, and an event of the call, which went well', async () => {
    const service = makeService();
    await using fleet = await tracedClient(service);
    service.faults.add({ kind: 'status', status: 503, path: '/graphql', times: 1 });
    await fleet.getRoles();
    expect(tree()).toEqual(['query getRoles', '  POST /graphql', '  POST /graphql']);
    const [failed, again] = spans().filter(({ name }) => name === 'POST /graphql');
    expect(failed?.status.code).toBe(SpanStatusCode.ERROR);
    expect(failed?.attributes).toMatchObject({ 'http.response.status_code': 503, 'error.type': '503' });
    expect(again?.status.code).toBe(SpanStatusCode.UNSET);
    expect(again?.attributes).toMatchObject({ 'http.response.status_code': 200, 'http.request.resend_count': 1 });
    const call = spanOf('query getRoles');
    expect(call.status.code).toBe(SpanStatusCode.UNSET);
    expect(call.events.map(({ name, attributes }) => ({ name, attributes }))).toEqual([
      { name: 'fleet.retry', attributes: { 'error.type': '503', 'fleet.retry.pause': expect.any(Number) } },
    ]);
  });

  test('a call that fails says its code, and not what the service said', async () => {
    const service = makeService();
    await using fleet = await tracedClient(service, { exposeServiceMessages: true });
    service.faults.add({ kind: 'graphqlError', operation: 'getRoles', message: 'said by the service', times: 1 });
    await rejection(fleet.getRoles());
    const { status, attributes, events } = spanOf('query getRoles');
    expect(status).toEqual({ code: SpanStatusCode.ERROR });
    expect(attributes).toMatchObject({ 'error.type': 'GRAPHQL', 'fleet.call.outcome': 'GRAPHQL' });
    expect(events).toEqual([]);
    expect(spanOf('POST /graphql').status.code).toBe(SpanStatusCode.UNSET);
  });

  test('an expired token: what replaces it is below the call that needed it', async () => {
    const service = makeService();
    await using fleet = await tracedClient(service);
    service.clock.advance(400_000);
    await fleet.getRoles();
    expect(tree()).toEqual(['query getRoles', '  POST /login/refresh', '  POST /graphql']);
  });

  test('a call whose time runs out while it waits has no request', async () => {
    const service = makeService();
    const held = createDeferred();
    await using fleet = await tracedClient(service, {
      fetch: async (url, init) => {
        if (init.body?.includes('createGroup')) await held.promise;
        return service.fetch(url, init);
      },
    });
    const change = fleet.createGroup({ createGroupInput: { name: 'x' } });
    await rejection(fleet.getRoles({}, { timeoutMs: 1 }));
    const { status, attributes } = spanOf('query getRoles');
    expect(status.code).toBe(SpanStatusCode.ERROR);
    expect(attributes).toMatchObject({ 'error.type': 'TIMEOUT', 'fleet.call.request_ids': [] });
    held.resolve();
    await change;
    expect(tree()).toEqual(['mutation createGroup', '  POST /graphql', 'query getRoles']);
  });

  test('a span that the program aborts is not an error', async () => {
    const service = makeService();
    await using fleet = await tracedClient(service);
    const change = fleet.createGroup({ createGroupInput: { name: 'x' } });
    const controller = new AbortController();
    const read = rejection(fleet.getRoles({}, { signal: controller.signal }));
    controller.abort();
    await Promise.all([read, change]);
    const { status, attributes } = spanOf('query getRoles');
    expect(status.code).toBe(SpanStatusCode.UNSET);
    expect(attributes['fleet.call.outcome']).toBe('ABORTED');
    expect(attributes).not.toHaveProperty('error.type');
  });

  test('nor is its request, which is given up a while later', async () => {
    const service = makeService();
    const sent = createDeferred();
    await using fleet = await tracedClient(service, {
      fetch: (url, init) => {
        if (!init.body?.includes('getRoles')) return service.fetch(url, init);
        sent.resolve();
        return new Promise((_, reject) => init.signal?.addEventListener('abort', () => reject(init.signal?.reason)));
      },
    });
    const { after } = realTimers;
    // Shortens the limit of 5 s to 0.
    vi.spyOn(realTimers, 'after').mockImplementation((ms, run) => after(ms === 5000 ? 0 : ms, run));
    const controller = new AbortController();
    const read = rejection(fleet.getRoles({}, { signal: controller.signal }));
    await sent.promise;
    controller.abort();
    await read;
    telemetry.reset();
    await fleet.getLabels();
    const [firstSpan] = spans();
    expect(firstSpan?.attributes['fleet.request.operations']).toEqual(['getRoles']);
    expect(firstSpan?.status.code).toBe(SpanStatusCode.UNSET);
    expect(firstSpan?.attributes).not.toHaveProperty('error.type');
  });
});

describe('which clients', () => {
  test('only the one that was given, and what forUser() makes of it', async () => {
    const service = makeService();
    await using traced = await tracedClient(service, {
      credentials: { username: 'multi', password: 'multi' },
      user: { fleetName: 'North Fleet' },
    });
    await using other = makeClient(service);
    await other.getRoles();
    expect(tree()).toEqual([]);
    await traced.forUser({ fleetName: 'South Fleet' }).getLabels();
    telemetry.reset();
    await traced.forUser({ fleetName: 'South Fleet' }).getRoles();
    expect(tree()).toEqual(['query getRoles', '  POST /graphql']);
  });

  test('forks too, and no other client with the same label', async () => {
    const service = makeService();
    await using traced = await tracedClient(service, { label: 'acme' });
    await using other = makeClient(service, { label: 'acme' });
    await Promise.all([traced.fork().getRoles(), other.getLabels()]);
    expect(tree()).toEqual(['query getRoles', '  POST /graphql']);
  });

  test('one that is traced already is refused', async () => {
    await using fleet = makeClient(makeService());
    traceFleet(fleet, providers);
    const again = () => traceFleet(fleet.forUser({ fleetName: 'Demo Fleet' }), providers);
    expect(again).toThrow(InvalidInputError);
    expect(again).toThrow(/traced already/);
  });

  test('refuses a value that is not a client', () => {
    // @ts-expect-error only clients have spans
    expect(() => traceFleet({ getVehicles: () => [] })).toThrow(/needs a client/);
    // @ts-expect-error only clients have spans
    expect(() => traceFleet(null)).toThrow(InvalidInputError);
  });

  test('none any more when the tracing has ended; then it can begin again', async () => {
    await using fleet = makeClient(makeService());
    {
      using _tracing = traceFleet(fleet, providers);
      await fleet.getRoles();
    }
    telemetry.reset();
    await fleet.getRoles();
    expect(tree()).toEqual([]);
    const tracing = traceFleet(fleet, providers);
    const last = fleet.getRoles();
    tracing.end();
    await last;
    expect(tree()).toEqual(['query getRoles']);
  });

  test('spans belong together without a context manager too', async () => {
    await using fleet = makeClient(makeService());
    await fleet.getVehicleTypes();
    const tracing = traceFleet(fleet, { ...providers, attributes: { region: 'north' } });
    await telemetry.withoutContext(() => fleet.getRoles());
    tracing.end();
    expect(tree()).toEqual(['query getRoles', '  POST /graphql']);
    for (const { attributes } of spans()) expect(attributes.region).toBe('north');
  });
});

test('nothing that a span or a metric holds is a secret or a value', async () => {
  const service = makeService();
  await using fleet = makeClient(service, {
    credentials: { username: 'demo', password: 'demo' },
    exposeServiceMessages: true,
    headers: { 'x-api-key': 'key of the gateway' },
  });
  traceFleet(fleet, providers);
  const id = '4e3cf2a1-0000-4000-8000-000000000001';
  await fleet.getVehicleById({ id });
  await fleet.createGroup({ createGroupInput: { name: 'a name of a group' } });
  service.faults.add({ kind: 'graphqlError', operation: 'getPersonById', message: `no ${id}`, times: 1 });
  await rejection(fleet.getPersonById({ id }));
  service.clock.advance(400_000);
  await fleet.getRoles();
  const exportedText = JSON.stringify(
    spans().map(({ name, attributes, events, links, status }) => [name, attributes, events, links, status]),
  );
  const measured = JSON.stringify(await telemetry.points('fleet.call.duration'));
  expect(exportedText).toContain('getPersonById');
  for (const text of [exportedText, measured]) {
    for (const secret of [id, 'a name of a group', 'key of the gateway', 'Bearer', '"demo"', 'eyJ']) {
      expect(text).not.toContain(secret);
    }
  }
});

test.each(['onStart', 'onEnd'])('a processor of the program whose %s throws breaks no call', async (method) => {
  const broken = () => {
    throw new Error('broken');
  };
  const whole = { onStart: () => {}, onEnd: () => {}, forceFlush: async () => {}, shutdown: async () => {} };
  const spanProcessors = [{ ...whole, [method]: broken }];
  await using fleet = makeClient(makeService());
  traceFleet(fleet, { ...providers, tracerProvider: new NodeTracerProvider({ spanProcessors }) });
  expect(await fleet.getRoles()).not.toHaveLength(0);
});
