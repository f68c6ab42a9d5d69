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
import { HttpAttributes } from './http-attributes.js';
import { Measurements } from './measurements.js';
import { Spans } from './spans.js';
import { observeClient } from './traced-clients.js';

export interface TraceFleetOptions {
  /** Default: the global one. */
  readonly tracerProvider?: TracerProvider | undefined;
  /** Default: the one that is global when `traceFleet` is called. */
  readonly meterProvider?: MeterProvider | undefined;
  /**
   * Whether the span of a request is its HTTP span: with the attributes of HTTP clients, the metric `http.client.request.duration`, and
   * `traceparent` sent to the service. An instrumentation of undici, fetch or node:http then makes no span of these requests. `false`
   * leaves all that to the instrumentation, whose spans are children of the request's. Default: true.
   */
  readonly httpSpans?: boolean | undefined;
  /** Attributes of all spans and metrics of the client, such as `{ tenant: 'acme' }`. Keep their values few: metrics have them too. */
  readonly attributes?: Attributes | undefined;
}

/** The tracing of a client. */
export interface FleetTracing {
  /** From now on calls and requests have no spans and are not measured. The spans of calls under way end with the calls. */
  end(): void;
  /** As {@link FleetTracing.end}, for `using`. */
  [Symbol.dispose](): void;
}

/**
 * Makes a span for each call of this client and one for each of its requests, and records metrics, for all clients that `forUser()` and
 * `fork()` make of it too. A request is a child of the call that it is sent for; a request of several calls is a child of the first one and is linked
 * with the others. No span and no metric holds a token, a password, a variable, data or a message.
 *
 * @returns what ends the tracing. It also ends with the client.
 * @throws {InvalidInputError} when the client is traced already, or is not made by this package, or an option is invalid.
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

/** Callers without types may give anything. */
function checkTracing(options: unknown): void {
  if (!isObject(options)) {
    throw refusedInput(`traceFleet takes one object of options after the client: ${Object.keys(checks).join(', ')}.`);
  }
  checkOptions(options, checks, 'traceFleet');
}

/** A client of any copy of this package: the classes of another copy are others. */
function isClient(value: unknown): value is { readonly source: ClientSource } {
  return isObject(value) && isObject(value.source) && typeof value.source.isTraced === 'boolean';
}
