// Propagators and providers that violate their types lose no call and no span.
import { propagation, type TextMapPropagator } from '@opentelemetry/api';
import { NodeTracerProvider, type SpanProcessor } from '@opentelemetry/sdk-trace-node';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Fetch, type FleetClientOptions, InvalidInputError } from '../../src/index.js';
import { makeClient, makeService } from '../request/setup.js';
import { openTelemetry, traceFleet } from './setup.js';

const telemetry = openTelemetry();
const { tracerProvider, meterProvider } = telemetry;
const providers = { tracerProvider, meterProvider };
afterAll(() => telemetry.close());
beforeEach(() => {
  telemetry.reset();
  propagation.disable();
});
afterEach(() => void propagation.disable());

type Headers = Parameters<Fetch>[1]['headers'];

function propagate(inject: (set: (name: string, value: unknown) => void) => void): void {
  const propagator: TextMapPropagator = {
    inject(_context, carrier, { set }) {
      inject((name, value) => set(carrier, name, value as string));
    },
    extract: (context) => context,
    fields: () => [],
  };
  propagation.setGlobalPropagator(propagator);
}

/** Returns the headers of a login and a GraphQL request, with the names that fetch got. */
async function sentWith(options: Partial<FleetClientOptions> = {}): Promise<Headers[]> {
  const service = makeService();
  const sent: Headers[] = [];
  const fleet = makeClient(service, {
    fetch: (url, init) => {
      sent.push(init.headers);
      return service.fetch(url, init);
    },
    ...options,
  });
  const tracing = traceFleet(fleet, providers);
  const [roles, labels] = await Promise.all([fleet.getRoles(), fleet.getLabels()]);
  tracing.end();
  expect(roles).not.toHaveLength(0);
  expect(labels).not.toHaveLength(0);
  return sent;
}

const tree = [
  'query getRoles',
  '  POST /login/token',
  '  GET /login/userinfo',
  '  POST /graphql <- query getLabels',
  'query getLabels <- POST /graphql',
];

describe('headers of a propagator', () => {
  test('are sent with names in lower case', async () => {
    propagate((set) => {
      set('TraceParent', '00-1');
      set('X-B3-TraceId', '2');
    });
    for (const headers of await sentWith()) expect(headers).toMatchObject({ traceparent: '00-1', 'x-b3-traceid': '2' });
    expect(telemetry.tree()).toEqual(tree);
  });

  test('are left out where the client would refuse them', async () => {
    const refused = ['Authorization', 'UserId', 'fleetid', 'Content-Type', 'User-Agent', 'HOST', 'Transfer-Encoding'];
    propagate((set) => {
      for (const name of refused) set(name, 'planted');
      for (const name of ['x y', '', 'x\r\ny']) set(name, 'planted');
      for (const value of ['planted\r\nx: y', 'plänted→', 7, null, undefined, {}]) set(`x-${typeof value}`, value);
      set('tracestate', 'kept');
    });
    const sent = await sentWith();
    expect(sent).toHaveLength(3);
    for (const headers of sent) {
      expect(headers.tracestate).toBe('kept');
      expect(JSON.stringify(headers)).not.toContain('planted');
      const names = Object.keys(headers).map((name) => name.toLowerCase());
      expect(new Set(names).size).toBe(names.length);
    }
    expect(telemetry.tree()).toEqual(tree);
  });

  test('do not stand beside the same ones of the program, in whatever case', async () => {
    propagate((set) => set('x-trace', 'of the propagator'));
    for (const headers of [{ 'X-Trace': 'own' }, () => ({ 'X-Trace': 'own' })]) {
      for (const one of await sentWith({ headers })) {
        expect(one).toMatchObject({ 'X-Trace': 'own' });
        expect(one).not.toHaveProperty('x-trace');
      }
    }
  });

  test('cost no span and no call when the propagator throws', async () => {
    propagate((set) => {
      set('traceparent', '00-1');
      throw new Error('broken');
    });
    for (const headers of await sentWith()) expect(headers.traceparent).toBe('00-1');
    expect(telemetry.tree()).toEqual(tree);
  });
});

test('spans that take no links once they have begun are not lost', async () => {
  const ended: string[] = [];
  const processor: SpanProcessor = {
    // As spans of an older SDK.
    onStart: (span) => void Object.defineProperty(span, 'addLink', { value: undefined }),
    onEnd: ({ name }) => void ended.push(name),
    forceFlush: async () => undefined,
    shutdown: async () => undefined,
  };
  const older = new NodeTracerProvider({ spanProcessors: [processor] });
  await using fleet = makeClient(makeService());
  await fleet.getVehicleTypes();
  traceFleet(fleet, { ...providers, tracerProvider: older });
  await Promise.all([fleet.getRoles(), fleet.getLabels()]);
  expect(ended.sort()).toEqual(['POST /graphql', 'query getLabels', 'query getRoles']);
});

describe('what is refused', () => {
  test.each<[string, unknown[], RegExp]>([
    ['no client, whatever the options', [null, { tracerProvider: 5 }], /^traceFleet needs a client/],
    ['null as options', ['fleet', null], /^traceFleet takes one object of options after the client: tracerProvider, /],
    ['a list as options', ['fleet', []], /^traceFleet takes one object of options/],
    ['a text as options', ['fleet', 'acme'], /^traceFleet takes one object of options/],
    [
      'a number as provider',
      ['fleet', { tracerProvider: 5 }],
      /tracerProvider must be an object with a function getTracer/,
    ],
    [
      'null as provider',
      ['fleet', { tracerProvider: null }],
      /tracerProvider must be an object with a function getTracer/,
    ],
    ['one provider for the other', ['fleet', { meterProvider: tracerProvider }], /meterProvider must be .* getMeter/],
    ['a text for yes', ['fleet', { httpSpans: 'yes' }], /httpSpans must be true or false/],
    ['attributes that are none', ['fleet', { attributes: 'acme' }], /attributes must be an object/],
    ['an option that there is not', ['fleet', { tracer: 1 }], /has no option tracer; it takes tracerProvider, /],
  ])('%s', (_name, args, message) => {
    const fleet = makeClient(makeService());
    const [first, ...others] = args.map((value) => (value === 'fleet' ? fleet : value));
    const trace = () => traceFleet(first as never, ...(others as never[]));
    expect(trace).toThrow(InvalidInputError);
    expect(trace).toThrow(message);
    // A later call still works.
    traceFleet(fleet, providers).end();
  });
});
