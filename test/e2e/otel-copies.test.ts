// A tool with its own require() may load the CommonJS files of the built package beside the ES
// modules: each copy of fleet-telematics/otel traces the clients of the other one.
import { createRequire } from 'node:module';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { FleetClient } from 'fleet-telematics';
import { createMockService } from 'fleet-telematics/mock';
import { traceFleet } from 'fleet-telematics/otel';
import { expect, test } from 'vitest';
import { clock } from '../moment.js';

const require = createRequire(import.meta.url);
const service = createMockService({ clock });
const exporter = new InMemorySpanExporter();
const tracerProvider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });

function makeClient(): FleetClient {
  const credentials = { username: 'demo', password: 'demo' };
  return new FleetClient({ baseUrl: 'https://fleet.example.com', credentials, fetch: service.fetch, clock });
}

test('the CommonJS file traces a client of the ES modules, and sees that it is traced', async () => {
  const copy = require('../../dist/commonjs/otel/trace-fleet.cjs');
  expect(copy.traceFleet).not.toBe(traceFleet);
  await using fleet = makeClient();
  const tracing = copy.traceFleet(fleet, { tracerProvider });
  expect(() => traceFleet(fleet)).toThrow(/traced already/);
  await fleet.getRoles();
  tracing.end();
  await fleet.getLabels();
  const names = exporter.getFinishedSpans().map(({ name }) => name);
  expect(names).toEqual(['POST /login/token', 'GET /login/userinfo', 'POST /graphql', 'query getRoles']);
});
