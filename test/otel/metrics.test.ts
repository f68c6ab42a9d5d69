// The metrics of traceFleet, as a reader of OpenTelemetry's SDK gets them.
import type { Histogram } from '@opentelemetry/sdk-metrics';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { FleetClient, FleetClientOptions } from '../../src/index.js';
import type { MockService } from '../../src/mock/service.js';
import type { TraceFleetOptions } from '../../src/otel/trace-fleet.js';
import { createDeferred, makeClient, makeService, rejection } from '../request/setup.js';
import { openTelemetry, type Telemetry, traceFleet } from './setup.js';

let service: MockService;
let telemetry: Telemetry;
beforeEach(() => {
  service = makeService();
  telemetry = openTelemetry();
});
afterEach(() => telemetry.close());

function tracedClient(options: Partial<FleetClientOptions> = {}, tracing: TraceFleetOptions = {}): FleetClient {
  const fleet = makeClient(service, options);
  const { tracerProvider, meterProvider } = telemetry;
  traceFleet(fleet, { tracerProvider, meterProvider, ...tracing });
  return fleet;
}

async function counted(name: string): Promise<{ attributes: object; count: number; sum: number | undefined }[]> {
  const points = (await telemetry.points(name)) ?? [];
  return points.map(({ attributes, value }) => {
    const { count, sum } = value as Histogram;
    return { attributes, count, sum };
  });
}

test('calls by operation and outcome, and the waiting by priority', async () => {
  await using fleet = tracedClient();
  await Promise.all([fleet.getRoles(), fleet.getLabels({}, { priority: 'high' })]);
  service.faults.add({ kind: 'graphqlError', operation: 'getRoles', times: 1 });
  await rejection(fleet.getRoles());
  await rejection(fleet.getRoles({}, { signal: AbortSignal.abort() }));
  const query = { 'graphql.operation.type': 'query' };
  const roles = { ...query, 'graphql.operation.name': 'getRoles' };
  const ok = { 'fleet.call.outcome': 'ok' };
  expect(await counted('fleet.call.duration')).toEqual(
    [
      { ...query, 'graphql.operation.name': 'getLabels', ...ok },
      { ...roles, ...ok },
      { ...roles, 'fleet.call.outcome': 'GRAPHQL', 'error.type': 'GRAPHQL' },
      { ...roles, 'fleet.call.outcome': 'ABORTED' },
    ].map((attributes) => ({ attributes, count: 1, sum: expect.any(Number) })),
  );
  expect(await counted('fleet.call.wait')).toEqual([
    { attributes: { ...query, 'fleet.call.priority': 'high' }, count: 1, sum: expect.any(Number) },
    { attributes: { ...query, 'fleet.call.priority': 'normal' }, count: 3, sum: expect.any(Number) },
  ]);
});

test('requests by status, with the calls that they answer, their repeats and their sizes', async () => {
  await using fleet = tracedClient();
  await fleet.getVehicleTypes();
  service.faults.add({ kind: 'status', status: 429, path: '/graphql', times: 1 });
  await Promise.all([fleet.getRoles(), fleet.getLabels()]);
  const target = { 'url.scheme': 'http', 'server.address': 'service.test', 'server.port': 80 };
  const graphql = { ...target, 'http.request.method': 'POST', 'url.template': '/graphql' };
  const answered = { 'http.response.status_code': 200 };
  expect(await counted('http.client.request.duration')).toEqual(
    [
      {
        attributes: { ...target, ...answered, 'http.request.method': 'POST', 'url.template': '/login/token' },
        count: 1,
      },
      {
        attributes: { ...target, ...answered, 'http.request.method': 'GET', 'url.template': '/login/userinfo' },
        count: 1,
      },
      { attributes: { ...graphql, ...answered }, count: 2 },
      { attributes: { ...graphql, 'http.response.status_code': 429, 'error.type': '429' }, count: 1 },
    ].map((point) => ({ ...point, sum: expect.any(Number) })),
  );
  const query = { 'graphql.operation.type': 'query' };
  expect(await counted('fleet.request.calls')).toEqual([
    { attributes: query, count: 2, sum: 3 },
    { attributes: { ...query, 'error.type': '429' }, count: 1, sum: 2 },
  ]);
  const sizes = await counted('fleet.response.size');
  expect(sizes.map(({ attributes, count }) => ({ attributes, count }))).toEqual([
    { attributes: {}, count: 2 },
    { attributes: query, count: 3 },
  ]);
  expect(await telemetry.points('fleet.retries')).toMatchObject([{ attributes: { 'error.type': '429' }, value: 1 }]);
});

test('how many calls wait, of all clients together', async () => {
  const held = createDeferred();
  const fetch: FleetClientOptions['fetch'] = async (url, init) => {
    if (init.body?.includes('createGroup')) await held.promise;
    return service.fetch(url, init);
  };
  await using fleet = tracedClient({ fetch });
  await using other = tracedClient({ fetch });
  await Promise.all([fleet.getLabels(), other.getLabels()]);
  const waiting = async () => (await telemetry.points('fleet.calls.waiting'))?.map(({ value }) => value);
  expect(await waiting()).toEqual([0]);
  const calls = [fleet, other].flatMap((client) => [
    client.createGroup({ createGroupInput: { name: 'x' } }),
    client.getRoles(),
    rejection(client.getLabels({}, { timeoutMs: 1 })),
  ]);
  expect(await waiting()).toEqual([5]);
  held.resolve();
  await Promise.all(calls);
  expect(await waiting()).toEqual([0]);
});

test('durations have the boundaries of the conventions', async () => {
  await using fleet = tracedClient();
  await fleet.getRoles();
  const [point] = (await telemetry.points('http.client.request.duration')) ?? [];
  const boundaries = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
  expect(point?.value).toMatchObject({ buckets: { boundaries } });
});

test('the attributes of the program are on all of them; HTTP is left to its instrumentation when the program says so', async () => {
  await using fleet = tracedClient({}, { httpSpans: false, attributes: { tenant: 'acme' } });
  service.faults.add({ kind: 'status', status: 503, path: '/graphql', times: 1 });
  await fleet.getRoles();
  for (const name of ['call.duration', 'call.wait', 'calls.waiting', 'request.calls', 'response.size', 'retries']) {
    const points = (await telemetry.points(`fleet.${name}`)) ?? [];
    expect(points, name).not.toHaveLength(0);
    for (const { attributes } of points) expect(attributes, name).toMatchObject({ tenant: 'acme' });
  }
  expect(await telemetry.points('http.client.request.duration')).toBeNull();
});
