// The metrics: durations of calls and requests, waiting times, calls per request, and retries.
import { type Attributes, type Meter, type MetricOptions, ValueType } from '@opentelemetry/api';
import type { CallTrace, RequestTrace, RetryTrace } from '../core/channels.js';
import type { CallEvent } from '../core/hooks.js';
import { attribute, errorAttributes, errorOfCall, errorOfRequest, type HttpAttributes, metric } from './names.js';
import type { EndedRequest, Observer } from './traced-clients.js';

const HTTP_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
/** By default a call may take a minute. */
const CALL_SECONDS = [...HTTP_SECONDS, 30, 60];
/** By default at most 50 different calls share a request. */
const CALLS = [1, 2, 5, 10, 20, 50];
const BYTES = [1024, 8192, 65_536, 524_288, 4_194_304, 33_554_432];

export interface MeasurementOptions {
  readonly meter: Meter;
  readonly attributes: Attributes;
  readonly http: HttpAttributes;
  /** True to record the HTTP metric; otherwise an HTTP instrumentation does. */
  readonly httpSpans: boolean;
}

export class Measurements implements Observer {
  readonly #options: MeasurementOptions;
  readonly #instruments: ReturnType<typeof instrumentsOf>;
  readonly #waiting = new Map<string, Attributes>();

  constructor(options: MeasurementOptions) {
    this.#options = options;
    this.#instruments = instrumentsOf(options.meter);
  }

  startCall({ callId, priority }: CallTrace): (ended: CallEvent) => void {
    const attributes = { ...this.#options.attributes, [attribute.priority]: priority };
    this.#waiting.set(callId, attributes);
    this.#instruments.callsWaiting.add(1, attributes);
    return (ended) => this.#callEnded(ended);
  }

  #callEnded(event: CallEvent): void {
    this.#endWaiting(event.callId);
    const { callDuration, callWait } = this.#instruments;
    const common = { ...this.#options.attributes, [attribute.operationType]: event.kind };
    callDuration.record(event.durationMs / 1000, {
      ...common,
      ...errorAttributes(errorOfCall(event)),
      [attribute.operation]: event.operation,
      [attribute.outcome]: event.outcome,
    });
    callWait.record(event.waitMs / 1000, { ...common, [attribute.priority]: event.priority });
  }

  startRequest({ callIds }: RequestTrace): (ended: EndedRequest) => void {
    for (const id of callIds) this.#endWaiting(id);
    return (ended) => this.#requestEnded(ended);
  }

  #requestEnded(event: EndedRequest): void {
    const { httpDuration, requestCalls, responseSize } = this.#instruments;
    const { attributes, http, httpSpans } = this.#options;
    const error = errorAttributes(errorOfRequest(event));
    const kind = event.kind === 'login' ? {} : { [attribute.operationType]: event.kind };
    if (httpSpans) {
      const status = event.status === null ? {} : { [attribute.status]: event.status };
      httpDuration.record(event.durationMs / 1000, { ...attributes, ...http.of(event), ...status, ...error });
    }
    if (event.kind !== 'login') requestCalls.record(event.merged, { ...attributes, ...kind, ...error });
    if (event.bytes !== null) responseSize.record(event.bytes, { ...attributes, ...kind });
  }

  retry({ reason }: RetryTrace): void {
    this.#instruments.retries.add(1, { ...this.#options.attributes, [attribute.errorType]: reason });
  }

  #endWaiting(callId: string): void {
    const attributes = this.#waiting.get(callId);
    if (!attributes) return;
    this.#waiting.delete(callId);
    this.#instruments.callsWaiting.add(-1, attributes);
  }
}

function instrumentsOf(meter: Meter) {
  const seconds = (description: string, boundaries: number[]) => histogram(description, 's', boundaries);
  return {
    httpDuration: meter.createHistogram(
      metric.httpDuration,
      seconds('Duration of HTTP client requests.', HTTP_SECONDS),
    ),
    callDuration: meter.createHistogram(
      metric.callDuration,
      seconds('From a call to its result or error.', CALL_SECONDS),
    ),
    callWait: meter.createHistogram(
      metric.callWait,
      seconds('From a call to its first request, or to its end when none was sent.', CALL_SECONDS),
    ),
    requestCalls: meter.createHistogram(
      metric.requestCalls,
      histogram(
        'Calls that a GraphQL request answers. Its count is the number of requests, repeats included.',
        '{call}',
        CALLS,
      ),
    ),
    responseSize: meter.createHistogram(
      metric.responseSize,
      histogram('Size of the text of a response, decompressed.', 'By', BYTES),
    ),
    retries: meter.createCounter(metric.retries, { description: 'Requests that were sent again.', unit: '{request}' }),
    callsWaiting: meter.createUpDownCounter(metric.callsWaiting, {
      description: 'Calls of which nothing was sent yet.',
      unit: '{call}',
    }),
  };
}

function histogram(description: string, unit: string, explicitBucketBoundaries: number[]): MetricOptions {
  const valueType = unit === 's' ? ValueType.DOUBLE : ValueType.INT;
  return { description, unit, valueType, advice: { explicitBucketBoundaries } };
}
