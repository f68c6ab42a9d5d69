import { ValueType } from "@opentelemetry/api";
import { attribute, metric } from "./names.js";
import { errorAttributes, errorOfCall, errorOfRequest } from "./outcomes.js";
const HTTP_SECONDS = [5e-3, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const CALL_SECONDS = [...HTTP_SECONDS, 30, 60];
const CALLS = [1, 2, 5, 10, 20, 50];
const BYTES = [1024, 8192, 65536, 524288, 4194304, 33554432];
class Measurements {
  #options;
  #instruments;
  /** The priorities of the calls of which nothing was sent yet, by the ids of the calls. */
  #waiting = /* @__PURE__ */ new Map();
  constructor(options) {
    this.#options = options;
    this.#instruments = instrumentsOf(options.meter);
  }
  startCall({ callId, priority }) {
    const attributes = { ...this.#options.attributes, [attribute.priority]: priority };
    this.#waiting.set(callId, attributes);
    this.#instruments.callsWaiting.add(1, attributes);
    return (ended) => this.#callEnded(ended);
  }
  #callEnded(event) {
    this.#waitsNoLonger(event.callId);
    const { callDuration, callWait } = this.#instruments;
    const common = { ...this.#options.attributes, [attribute.operationType]: event.kind };
    callDuration.record(event.durationMs / 1e3, {
      ...common,
      ...errorAttributes(errorOfCall(event)),
      [attribute.operation]: event.operation,
      [attribute.outcome]: event.outcome
    });
    callWait.record(event.waitMs / 1e3, { ...common, [attribute.priority]: event.priority });
  }
  startRequest({ callIds }) {
    for (const id of callIds) this.#waitsNoLonger(id);
    return (ended) => this.#requestEnded(ended);
  }
  #requestEnded(event) {
    const { httpDuration, requestCalls, responseSize } = this.#instruments;
    const { attributes, http, httpSpans } = this.#options;
    const error = errorAttributes(errorOfRequest(event));
    const kind = event.kind === "login" ? {} : { [attribute.operationType]: event.kind };
    if (httpSpans) {
      const status = event.status === null ? {} : { [attribute.status]: event.status };
      httpDuration.record(event.durationMs / 1e3, { ...attributes, ...http.of(event), ...status, ...error });
    }
    if (event.kind !== "login") requestCalls.record(event.merged, { ...attributes, ...kind, ...error });
    if (event.bytes !== null) responseSize.record(event.bytes, { ...attributes, ...kind });
  }
  retry({ reason }) {
    this.#instruments.retries.add(1, { ...this.#options.attributes, [attribute.errorType]: reason });
  }
  #waitsNoLonger(callId) {
    const attributes = this.#waiting.get(callId);
    if (!attributes) return;
    this.#waiting.delete(callId);
    this.#instruments.callsWaiting.add(-1, attributes);
  }
}
function instrumentsOf(meter) {
  const seconds = (description, boundaries) => histogram(description, "s", boundaries);
  return {
    httpDuration: meter.createHistogram(
      metric.httpDuration,
      seconds("Duration of HTTP client requests.", HTTP_SECONDS)
    ),
    callDuration: meter.createHistogram(
      metric.callDuration,
      seconds("From a call to its result or error.", CALL_SECONDS)
    ),
    callWait: meter.createHistogram(
      metric.callWait,
      seconds("From a call to its first request, or to its end when none was sent.", CALL_SECONDS)
    ),
    requestCalls: meter.createHistogram(
      metric.requestCalls,
      histogram(
        "Calls that a GraphQL request answers. Its count is the number of requests, repeats included.",
        "{call}",
        CALLS
      )
    ),
    responseSize: meter.createHistogram(
      metric.responseSize,
      histogram("Size of the text of a response, decompressed.", "By", BYTES)
    ),
    retries: meter.createCounter(metric.retries, { description: "Requests that were sent again.", unit: "{request}" }),
    callsWaiting: meter.createUpDownCounter(metric.callsWaiting, {
      description: "Calls of which nothing was sent yet.",
      unit: "{call}"
    })
  };
}
function histogram(description, unit, explicitBucketBoundaries) {
  const valueType = unit === "s" ? ValueType.DOUBLE : ValueType.INT;
  return { description, unit, valueType, advice: { explicitBucketBoundaries } };
}
export {
  Measurements
};
