// traceFleet with OpenTelemetry's undici instrumentation, over real HTTP: one span, one
// traceparent.

import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { FleetClient } from '../../src/index.js';
import type { TraceFleetOptions } from '../../src/otel/trace-fleet.js';
import { answerFrom, type Served, serve } from '../request/http-server.js';
import { makeService } from '../request/setup.js';
import { openTelemetry, traceFleet } from './setup.js';

const service = makeService();
const telemetry = openTelemetry();
const undici = new UndiciInstrumentation();
/** The `traceparent` headers of each request. */
const received: string[][] = [];
let server: Served;

beforeAll(async () => {
  undici.setTracerProvider(telemetry.tracerProvider);
  undici.setMeterProvider(telemetry.meterProvider);
  server = await serve((request, response) => {
    received.push(request.headersDistinct.traceparent ?? []);
    void answerFrom(service, request, response);
  });
});
afterAll(async () => {
  undici.disable();
  await telemetry.close();
  await server.close();
});
beforeEach(() => undici.disable());

async function readWith(options: TraceFleetOptions): Promise<void> {
  const { tracerProvider, meterProvider } = telemetry;
  const credentials = { username: 'demo', password: 'demo' };
  await using fleet = new FleetClient({ baseUrl: server.url, credentials, clock: service.clock });
  traceFleet(fleet, { tracerProvider, meterProvider, ...options });
  await fleet.getLabels();
  telemetry.reset();
  received.length = 0;
  await fleet.getRoles();
}

/** Returns the span id of the only traceparent that the service got. */
function sentSpan(): string | undefined {
  expect(received).toEqual([[expect.stringMatching(/^00-\w{32}-\w{16}-01$/)]]);
  return received[0]?.[0]?.split('-')[2];
}

const idOf = (name: string) =>
  telemetry
    .spans()
    .find((span) => span.name === name)
    ?.spanContext().spanId;

test('alone, the service gets the span of the request', async () => {
  await readWith({});
  expect(telemetry.tree()).toEqual(['query getRoles', '  POST /graphql']);
  expect(sentSpan()).toBe(idOf('POST /graphql'));
});

test('beside the instrumentation it is the same, once', async () => {
  undici.enable();
  await readWith({});
  expect(telemetry.tree()).toEqual(['query getRoles', '  POST /graphql']);
  expect(sentSpan()).toBe(idOf('POST /graphql'));
});

test('with httpSpans: false the span of the instrumentation is below the request, and the service gets that one', async () => {
  undici.enable();
  await readWith({ httpSpans: false });
  expect(telemetry.tree()).toEqual(['query getRoles', '  request /graphql', '    POST']);
  expect(sentSpan()).toBe(idOf('POST'));
});
