/**
 * Traces and metrics of clients by OpenTelemetry. It needs the package `@opentelemetry/api`.
 * @module fleet-telematics/otel
 */
import { type Attributes, type MeterProvider, metrics, type TracerProvider, trace } from '@opentelemetry/api';
import type { FleetClient } from '../client.js';
import type { ClientSource } from '../core/event-source.js';
import { isObject } from '../core/json.js';
import { type Checks, checkOptions, demand, flag, hasFunctions } from '../core/option-checks.js';
import { refusedInput } from '../core/refused-input.js';
import { sdkVersion } from '../core/version.js';
import { Measurements } from './measurements.js';
import { HttpAttributes } from './names.js';
import { Spans } from './spans.js';
import { observeClient } from './traced-clients.js';

export interface TraceFleetOptions {
  /** Default: the global one. */
  readonly tracerProvider?: TracerProvider | undefined;
  /** Default: the one that is global when `traceFleet` is called. */
  readonly meterProvider?: MeterProvider | undefined;
  /**
   * True (the default) when the span of a request is its HTTP span: with the attributes of HTTP
   * clients, the metric `http.client.request.duration`, and `traceparent` sent to the service. An
   * instrumentation of undici, fetch or node:http then makes no span of these requests. `false`
   * leaves all of this to the instrumentation, whose spans are children of the request's span.
   */
  readonly httpSpans?: boolean | undefined;
  /** Attributes of all spans and metrics, such as `{ tenant: 'acme' }`. Use few values. */
  readonly attributes?: Attributes | undefined;
}

export interface FleetTracing {
  /** Stops the tracing of new calls and requests. Open spans end with their calls. */
  end(): void;
  [Symbol.dispose](): void;
}

/**
 * Traces a client and all clients that `forUser()` and `fork()` make from it: a span for each call
 * and each request, and metrics. A request is a child of its call; a request of several calls is a
 * child of the first one and is linked with the others. No span and no metric contains a token, a
 * password, a variable, data or a message.
 *
 * @returns an object that ends the tracing. It also ends with the client.
 * @throws {InvalidInputError} when the client is traced already, or is not made by this package, or
 * an option is invalid.
 */
export function traceFleet(fleet: FleetClient, options: TraceFleetOptions = {}): FleetTracing {
  if (!isClient(fleet)) {
    throw refusedInput('traceFleet needs a client that new FleetClient() has made, or forUser() or fork() of one.');
  }
  const { source } = fleet;
  checkTracing(options);
  if (source.isTraced) {
    throw refusedInput(
      'This client is traced already. Clients that forUser() and fork() make of it are traced with it: call traceFleet once, where the program makes the client.',
    );
  }
  const { tracerProvider = trace, meterProvider = metrics, httpSpans = true, attributes = {} } = options;
  const common = { attributes, httpSpans, http: new HttpAttributes() };
  const spans = new Spans({ ...common, tracer: tracerProvider.getTracer(SCOPE, sdkVersion) });
  const measurements = new Measurements({ ...common, meter: meterProvider.getMeter(SCOPE, sdkVersion) });
  const end = observeClient(source, [spans, measurements]);
  return { end, [Symbol.dispose]: end };
}

const SCOPE = 'fleet-telematics';

const checks: Checks<keyof TraceFleetOptions> = {
  tracerProvider: demand((value) => hasFunctions(value, ['getTracer']), 'an object with a function getTracer'),
  meterProvider: demand((value) => hasFunctions(value, ['getMeter']), 'an object with a function getMeter'),
  httpSpans: flag,
  attributes: demand(isObject, 'an object of names and values'),
};

/** Callers without types may pass any value. */
function checkTracing(options: unknown): void {
  if (!isObject(options)) {
    throw refusedInput(`traceFleet takes one object of options after the client: ${Object.keys(checks).join(', ')}.`);
  }
  checkOptions(options, checks, 'traceFleet');
}

/** True for a client of any copy of this package: another copy has other classes. */
function isClient(value: unknown): value is { readonly source: ClientSource } {
  return isObject(value) && isObject(value.source) && typeof value.source.isTraced === 'boolean';
}
