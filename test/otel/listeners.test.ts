// traceFleet listens on the channels only while a client is traced, or has open calls.
import { channel } from 'node:diagnostics_channel';
import { expect, onTestFinished, test } from 'vitest';
import { createDeferred, makeClient, makeService, rejection } from '../request/setup.js';
import { openTelemetry, traceFleet } from './setup.js';

const names = [
  'tracing:fleet-telematics:call:start',
  'tracing:fleet-telematics:request:start',
  'fleet-telematics:retry',
];
const hasListeners = () => names.map((name) => channel(name).hasSubscribers);
const all = [true, true, true];
const none = [false, false, false];

test('from the first traced client to the end of the last call', async () => {
  const { tracerProvider, meterProvider, tree, close } = openTelemetry();
  onTestFinished(close);
  const service = makeService();
  const held = createDeferred();
  const sent = createDeferred();
  await using fleet = makeClient(service, {
    fetch: async (url, init) => {
      if (!init.body?.includes('getLabels')) return service.fetch(url, init);
      sent.resolve();
      await held.promise;
      return service.fetch(url, init);
    },
  });
  await using other = makeClient(service);
  await fleet.getRoles();
  expect(hasListeners()).toEqual(none);
  const tracings = [fleet, other].map((client) => traceFleet(client, { tracerProvider, meterProvider }));
  expect(hasListeners()).toEqual(all);
  service.faults.add({ kind: 'graphqlError', operation: 'getVehicleTypes', times: 1 });
  await rejection(fleet.getVehicleTypes());
  const last = fleet.getLabels();
  await sent.promise;
  tracings[0]?.end();
  tracings[0]?.end();
  expect(hasListeners()).toEqual(all);
  tracings[1]?.end();
  expect([fleet.source.isTraced, ...hasListeners()]).toEqual([false, ...all]);
  held.resolve();
  await last;
  expect(hasListeners()).toEqual(none);
  expect(tree().slice(-2)).toEqual(['query getLabels', '  POST /graphql']);
});

test('ending the tracing of a client twice does not end the next one', async () => {
  await using fleet = makeClient(makeService());
  const first = traceFleet(fleet);
  first.end();
  using _second = traceFleet(fleet);
  first.end();
  expect(fleet.source.isTraced).toBe(true);
  expect(hasListeners()).toEqual(all);
});
