// OpenTelemetry with its own context manager and its instrumentation of undici. The span of a
// request is the child of the caller's span, and the service gets that span's id (`traceparent`).
import { context, propagation, SpanKind, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { FleetClient, type FleetClientOptions } from '../../src/index.js';
import { answerFrom, type Served, serve } from './http-server.js';
import { makeService } from './setup.js';

const service = makeService();
const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
const undici = new UndiciInstrumentation();
const tracer = trace.getTracer('test');
const received: string[] = [];
let server: Served;

beforeAll(async () => {
  provider.register({ contextManager: new AsyncLocalStorageContextManager() });
  undici.setTracerProvider(provider);
  undici.enable();
  server = await serve((request, response) => {
    if (request.url === '/graphql') received.push(String(request.headers.traceparent));
    void answerFrom(service, request, response);
  });
});
afterAll(async () => {
  undici.disable();
  // Other tests share this process.
  for (const registered of [trace, context, propagation]) registered.disable();
  await provider.shutdown();
  await server.close();
});
beforeEach(() => {
  exporter.reset();
  received.length = 0;
});

function connect(options: Partial<FleetClientOptions> = {}): FleetClient {
  const credentials = { username: 'demo', password: 'demo' };
  return new FleetClient({ baseUrl: server.url, credentials, clock: service.clock, ...options });
}

function inSpan<T>(name: string, task: () => Promise<T>): Promise<T> {
  return tracer.startActiveSpan(name, (span) => task().finally(() => span.end()));
}

/** Returns the parent's name of each request span to /graphql, in order. */
function parents(): (string | undefined)[] {
  const spans = exporter.getFinishedSpans();
  const requests = spans.filter(
    ({ kind, attributes }) => kind === SpanKind.CLIENT && attributes['url.path'] === '/graphql',
  );
  const byStart = (a: ReadableSpan, b: ReadableSpan) =>
    a.startTime[0] - b.startTime[0] || a.startTime[1] - b.startTime[1];
  return requests
    .sort(byStart)
    .map(
      ({ parentSpanContext }) => spans.find((span) => span.spanContext().spanId === parentSpanContext?.spanId)?.name,
    );
}

test('the request of each of overlapping calls is a child of its own span, on the wire too', async () => {
  await using fleet = connect({ merge: false });
  const names = ['A', 'B', 'C', 'D', 'E', 'F'];
  await Promise.all(names.map((name) => inSpan(name, () => fleet.getLabels())));
  expect(parents()).toEqual(names);
  const traces = exporter.getFinishedSpans().filter(({ name }) => names.includes(name));
  const traceIds = names.map((name) => traces.find((span) => span.name === name)?.spanContext().traceId);
  expect(received.map((header) => header.split('-')[1])).toEqual(traceIds);
});

test('a merged request is a child of its first caller', async () => {
  await using fleet = connect();
  await fleet.listLoginUsers();
  const change = inSpan('A', () => fleet.createGroup({ createGroupInput: { name: 'x' } }));
  const reads = ['B', 'C'].map((name) => inSpan(name, () => fleet.getVehicleById({ id: crypto.randomUUID() })));
  await Promise.all([change, ...reads]);
  expect(parents()).toEqual(['A', 'B']);
});

test('streams keep their spans apart', async () => {
  await using fleet = connect({ merge: false });
  const vehicles = await fleet.getActiveVehicles();
  exporter.reset();
  const to = new Date(service.clock.now());
  const from = new Date(to.getTime() - 3_600_000);
  const read = async (vehicleId: string) => {
    for await (const _row of fleet.streamSnapshots({ vehicleId, from, to }));
  };
  await Promise.all(['A', 'B'].map((name, at) => inSpan(name, () => read(vehicles[at]?.id ?? ''))));
  expect(new Set(parents())).toEqual(new Set(['A', 'B']));
});
