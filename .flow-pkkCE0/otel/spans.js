import {
  context,
  createContextKey,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace
} from "@opentelemetry/api";
import { quietly } from "../core/quietly.js";
import { attribute, RETRY_EVENT } from "./names.js";
import { errorAttributes, errorOfCall, errorOfRequest } from "./outcomes.js";
const SUPPRESS_TRACING = createContextKey("OpenTelemetry SDK Context Key SUPPRESS_TRACING");
class Spans {
  #options;
  /** The spans of the calls that are under way, by the ids of the calls. */
  #calls = /* @__PURE__ */ new Map();
  constructor(options) {
    this.#options = options;
  }
  startCall(call) {
    const { callId, label, operation, kind, priority, run } = call;
    const attributes = {
      ...this.#options.attributes,
      [attribute.operation]: operation,
      [attribute.operationType]: kind,
      [attribute.label]: label,
      [attribute.callId]: callId,
      [attribute.priority]: priority
    };
    const span = this.#options.tracer.startSpan(`${kind} ${operation}`, { kind: SpanKind.INTERNAL, attributes });
    this.#calls.set(callId, span);
    const inside = trace.setSpan(context.active(), span);
    call.run = (task) => context.with(inside, () => run(task));
    return (ended) => {
      this.#calls.delete(callId);
      endSpan(span, errorOfCall(ended), {
        ...ended.user === null ? {} : { [attribute.user]: ended.user },
        [attribute.outcome]: ended.outcome,
        [attribute.wait]: ended.waitMs / 1e3,
        [attribute.requestIds]: [...ended.requestIds]
      });
    };
  }
  startRequest(request) {
    const [parent, ...others] = request.callIds.flatMap((id) => this.#calls.get(id) ?? []);
    const active = context.active();
    const outside = parent ? trace.setSpan(active, parent) : active;
    const links = others.map((span2) => ({ context: span2.spanContext() }));
    const { httpSpans } = this.#options;
    const span = this.#options.tracer.startSpan(
      `${httpSpans ? request.method : "request"} ${request.path}`,
      {
        kind: httpSpans ? SpanKind.CLIENT : SpanKind.INTERNAL,
        attributes: this.#attributesOf(request),
        links
      },
      outside
    );
    for (const other of others) linked(other, span);
    const { run } = request;
    const inside = trace.setSpan(outside, span);
    if (httpSpans) {
      const headers = {};
      quietly((carrier) => propagation.inject(inside, carrier))(headers);
      const suppressed = inside.setValue(SUPPRESS_TRACING, true);
      request.run = (task) => context.with(suppressed, () => run((added) => task({ ...added, ...headers })));
    } else request.run = (task) => context.with(inside, () => run(task));
    return (ended) => endSpan(span, errorOfRequest(ended), {
      ...ended.status === null ? {} : { [attribute.status]: ended.status },
      ...ended.bytes === null ? {} : { [attribute.responseSize]: ended.bytes },
      ...ended.responseId === null ? {} : { [attribute.responseId]: ended.responseId }
    });
  }
  /** Tells the calls of a request that it will be sent again. */
  retry({ callIds, reason, waitMs }) {
    const attributes = { [attribute.errorType]: reason, [attribute.retryPause]: waitMs / 1e3 };
    for (const id of callIds) this.#calls.get(id)?.addEvent(RETRY_EVENT, attributes);
  }
  #attributesOf(event) {
    const { operations, kind, attempt } = event;
    const [operation] = operations;
    return {
      ...this.#options.attributes,
      ...this.#options.httpSpans ? { ...this.#options.http.of(event), [attribute.url]: event.url } : {},
      ...attempt > 1 ? { [attribute.resendCount]: attempt - 1 } : {},
      ...kind === "login" ? {} : { [attribute.operationType]: kind, [attribute.calls]: event.merged },
      // Several operations are fields of one document, which has no name.
      ...kind !== "login" && operations.length === 1 ? { [attribute.operation]: operation } : {},
      ...event.user === null ? {} : { [attribute.user]: event.user },
      [attribute.operations]: [...operations],
      [attribute.label]: event.label,
      [attribute.requestId]: event.requestId
    };
  }
}
function linked(span, other) {
  quietly(() => span.addLink({ context: other.spanContext() }))(void 0);
}
function endSpan(span, error, attributes) {
  span.setAttributes({ ...errorAttributes(error), ...attributes });
  if (error !== null) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
export {
  Spans
};
