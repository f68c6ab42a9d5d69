// The spans: one for each call, and one for each request, below the first call of the request.
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
import { quietly } from '../core/safe-read.js';
import { attribute, errorAttributes, errorOfCall, errorOfRequest, type HttpAttributes, RETRY_EVENT } from './names.js';
import type { EndedRequest, Observer } from './traced-clients.js';

/** The key that `suppressTracing` of OpenTelemetry's core sets: no spans and no headers. */
const SUPPRESS_TRACING = createContextKey('OpenTelemetry SDK Context Key SUPPRESS_TRACING');

export interface SpanOptions {
  readonly tracer: Tracer;
  readonly attributes: Attributes;
  readonly http: HttpAttributes;
  /** True when the request's span is the HTTP span; otherwise an instrumentation adds one. */
  readonly httpSpans: boolean;
}

export class Spans implements Observer {
  readonly #options: SpanOptions;
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

  /** Starts a span, and replaces `request.run` so that the request is sent within it. */
  startRequest(request: RequestTrace): (ended: EndedRequest) => void {
    const [parent, ...others] = request.callIds.flatMap((id) => this.#calls.get(id) ?? []);
    const active = context.active();
    // A login is sent in the context of the call that needs it.
    const parentContext = parent ? trace.setSpan(active, parent) : active;
    const links = others.map((span) => ({ context: span.spanContext() }));
    const { httpSpans } = this.#options;
    const span = this.#options.tracer.startSpan(
      `${httpSpans ? request.method : 'request'} ${request.path}`,
      {
        kind: httpSpans ? SpanKind.CLIENT : SpanKind.INTERNAL,
        attributes: this.#attributesOf(request),
        links,
      },
      parentContext,
    );
    // The trace of another call then shows the request that it shared.
    for (const other of others) linkSpan(other, span);
    const { run } = request;
    const inside = trace.setSpan(parentContext, span);
    if (httpSpans) {
      const headers: Record<string, string> = {};
      // A failing propagator loses its headers, not the span. The client drops forbidden headers.
      quietly((carrier: object) => propagation.inject(inside, carrier))(headers);
      // An HTTP instrumentation would send the headers again.
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

/** Spans of older SDKs accept no links after their start. */
function linkSpan(span: Span, other: Span): void {
  quietly(() => span.addLink({ context: other.spanContext() }))(undefined);
}

function endSpan(span: Span, error: string | null, attributes: Attributes): void {
  span.setAttributes({ ...errorAttributes(error), ...attributes });
  if (error !== null) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
