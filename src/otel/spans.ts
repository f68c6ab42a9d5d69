// The spans: one for each call, and below the first call of a request one for the request.
import {
  type Attributes,
  context,
  createContextKey,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { CallTrace, RequestTrace, RetryTrace } from '../core/channels.js';
import type { CallEvent } from '../core/hooks.js';
import { quietly } from '../core/quietly.js';
import type { HttpAttributes } from './http-attributes.js';
import { attribute, RETRY_EVENT } from './names.js';
import { errorAttributes, errorOfCall, errorOfRequest } from './outcomes.js';
import type { EndedRequest, Observer } from './traced-clients.js';

/** OpenTelemetry's SDK makes no spans, and sends no headers, in a context with this key. It is what `suppressTracing` of its core sets. */
const SUPPRESS_TRACING = createContextKey('OpenTelemetry SDK Context Key SUPPRESS_TRACING');

export interface SpanOptions {
  readonly tracer: Tracer;
  /** Of all spans. */
  readonly attributes: Attributes;
  readonly http: HttpAttributes;
  /** Whether a request's span is the span of the HTTP request too; otherwise an instrumentation of HTTP makes that one below it. */
  readonly httpSpans: boolean;
}

export class Spans implements Observer {
  readonly #options: SpanOptions;
  /** The spans of the calls that are under way, by the ids of the calls. */
  readonly #calls = new Map<string, Span>();

  constructor(options: SpanOptions) {
    this.#options = options;
  }

  startCall(call: CallTrace): (ended: CallEvent) => void {
    const { callId, label, operation, kind, priority, run } = call;
    const attributes = {
      ...this.#options.attributes,
      [attribute.operation]: operation,
      [attribute.operationType]: kind,
      [attribute.label]: label,
      [attribute.callId]: callId,
      [attribute.priority]: priority,
    };
    const span = this.#options.tracer.startSpan(`${kind} ${operation}`, { kind: SpanKind.INTERNAL, attributes });
    this.#calls.set(callId, span);
    const inside = trace.setSpan(context.active(), span);
    call.run = (task) => context.with(inside, () => run(task));
    return (ended) => {
      this.#calls.delete(callId);
      endSpan(span, errorOfCall(ended), {
        ...(ended.user === null ? {} : { [attribute.user]: ended.user }),
        [attribute.outcome]: ended.outcome,
        [attribute.wait]: ended.waitMs / 1000,
        [attribute.requestIds]: [...ended.requestIds],
      });
    };
  }

  startRequest(request: RequestTrace): (ended: EndedRequest) => void {
    const [parent, ...others] = request.callIds.flatMap((id) => this.#calls.get(id) ?? []);
    const active = context.active();
    // A login belongs to the call for which it is sent: that one's context is active.
    const outside = parent ? trace.setSpan(active, parent) : active;
    const links = others.map((span) => ({ context: span.spanContext() }));
    const { httpSpans } = this.#options;
    const span = this.#options.tracer.startSpan(
      `${httpSpans ? request.method : 'request'} ${request.path}`,
      {
        kind: httpSpans ? SpanKind.CLIENT : SpanKind.INTERNAL,
        attributes: this.#attributesOf(request),
        links,
      },
      outside,
    );
    // Whoever looks at the trace of another call finds the request that it shared.
    for (const other of others) linked(other, span);
    const { run } = request;
    const inside = trace.setSpan(outside, span);
    if (httpSpans) {
      const headers: Record<string, string> = {};
      // A propagator of the program that throws costs its headers, and not the span. The client leaves out headers that it does not allow.
      quietly((carrier: object) => propagation.inject(inside, carrier))(headers);
      // An instrumentation of HTTP would send the headers once more.
      const suppressed = inside.setValue(SUPPRESS_TRACING, true);
      request.run = (task) => context.with(suppressed, () => run((added) => task({ ...added, ...headers })));
    } else request.run = (task) => context.with(inside, () => run(task));
    return (ended) =>
      endSpan(span, errorOfRequest(ended), {
        ...(ended.status === null ? {} : { [attribute.status]: ended.status }),
        ...(ended.bytes === null ? {} : { [attribute.responseSize]: ended.bytes }),
        ...(ended.responseId === null ? {} : { [attribute.responseId]: ended.responseId }),
      });
  }

  /** Tells the calls of a request that it will be sent again. */
  retry({ callIds, reason, waitMs }: RetryTrace): void {
    const attributes = { [attribute.errorType]: reason, [attribute.retryPause]: waitMs / 1000 };
    for (const id of callIds) this.#calls.get(id)?.addEvent(RETRY_EVENT, attributes);
  }

  #attributesOf(event: RequestTrace): Attributes {
    const { operations, kind, attempt } = event;
    const [operation] = operations;
    return {
      ...this.#options.attributes,
      ...(this.#options.httpSpans ? { ...this.#options.http.of(event), [attribute.url]: event.url } : {}),
      ...(attempt > 1 ? { [attribute.resendCount]: attempt - 1 } : {}),
      ...(kind === 'login' ? {} : { [attribute.operationType]: kind, [attribute.calls]: event.merged }),
      // Several operations are fields of one document, which has no name.
      ...(kind !== 'login' && operations.length === 1 ? { [attribute.operation]: operation } : {}),
      ...(event.user === null ? {} : { [attribute.user]: event.user }),
      [attribute.operations]: [...operations],
      [attribute.label]: event.label,
      [attribute.requestId]: event.requestId,
    };
  }
}

/** Spans of older SDKs take no links once they have begun. */
function linked(span: Span, other: Span): void {
  quietly(() => span.addLink({ context: other.spanContext() }))(undefined);
}

function endSpan(span: Span, error: string | null, attributes: Attributes): void {
  span.setAttributes({ ...errorAttributes(error), ...attributes });
  if (error !== null) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
