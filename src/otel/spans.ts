// The spans: one for each call, and below the first call of a request one for the request.
import {
  type Attributes,
  type Context,
  context,
  createContextKey,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type {
  CallEvent,
  FollowedCall,
  FollowedRequest,
  RequestEvent,
  RequestTarget,
  ResponseEvent,
  RetryEvent,
  StartedCall,
} from '../core/hooks.js';
import { quietly } from '../core/quietly.js';
import type { HttpAttributes } from './http-attributes.js';
import { attribute, RETRY_EVENT } from './names.js';
import { errorAttributes, errorOfCall, errorOfRequest } from './outcomes.js';

/** OpenTelemetry's SDK makes no spans, and sends no headers, in a context with this key. It is what `suppressTracing` of its core sets. */
const SUPPRESS_TRACING = createContextKey('OpenTelemetry SDK Context Key SUPPRESS_TRACING');

const NO_HEADERS = {};

export interface SpanOptions {
  readonly tracer: Tracer;
  /** Of all spans. */
  readonly attributes: Attributes;
  readonly http: HttpAttributes;
  /** Whether a request's span is the span of the HTTP request too; otherwise an instrumentation of HTTP makes that one below it. */
  readonly httpSpans: boolean;
}

export class Spans {
  readonly #options: SpanOptions;
  /** The spans of the calls that are under way, by the ids of the calls. */
  readonly #calls = new Map<string, Span>();

  constructor(options: SpanOptions) {
    this.#options = options;
  }

  startCall({ callId, tenant, operation, kind, priority }: StartedCall): FollowedCall {
    const attributes = {
      ...this.#options.attributes,
      [attribute.operation]: operation,
      [attribute.operationType]: kind,
      [attribute.tenant]: tenant,
      [attribute.callId]: callId,
      [attribute.priority]: priority,
    };
    const span = this.#options.tracer.startSpan(`${kind} ${operation}`, { kind: SpanKind.INTERNAL, attributes });
    this.#calls.set(callId, span);
    const inside = trace.setSpan(context.active(), span);
    return {
      run: (task) => context.with(inside, task),
      end: (event) => {
        this.#calls.delete(callId);
        endCall(span, event);
      },
    };
  }

  startRequest(event: RequestEvent, target: RequestTarget): FollowedRequest {
    const [parent, ...others] = event.callIds.flatMap((id) => this.#calls.get(id) ?? []);
    const active = context.active();
    // A login belongs to the call for which it is sent: that one's context is active.
    const outside = parent ? trace.setSpan(active, parent) : active;
    const links = others.map((span) => ({ context: span.spanContext() }));
    const { httpSpans } = this.#options;
    const span = this.#options.tracer.startSpan(
      `${httpSpans ? target.method : 'request'} ${target.path}`,
      {
        kind: httpSpans ? SpanKind.CLIENT : SpanKind.INTERNAL,
        attributes: this.#attributesOf(event, target),
        links,
      },
      outside,
    );
    // Whoever looks at the trace of another call finds the request that it shared.
    for (const other of others) linked(other, span);
    const inside = trace.setSpan(outside, span);
    return httpSpans ? this.#withHeaders(span, inside) : follow(span, inside, NO_HEADERS);
  }

  /** Tells the calls of a request that it will be sent again. */
  retry({ callIds, reason, waitMs }: RetryEvent): void {
    const attributes = { [attribute.errorType]: reason, [attribute.retryPause]: waitMs / 1000 };
    for (const id of callIds) this.#calls.get(id)?.addEvent(RETRY_EVENT, attributes);
  }

  /** Sends the trace's headers itself, so an instrumentation of HTTP, which would do the same once more, is told to leave this request out. */
  #withHeaders(span: Span, inside: Context): FollowedRequest {
    const headers: Record<string, string> = {};
    // A propagator of the program that throws costs its headers, and not the span. The client leaves out headers that it does not allow.
    quietly((carrier: object) => propagation.inject(inside, carrier))(headers);
    return follow(span, inside.setValue(SUPPRESS_TRACING, true), headers);
  }

  #attributesOf(event: RequestEvent, target: RequestTarget): Attributes {
    const { operations, kind, attempt } = event;
    const [operation] = operations;
    return {
      ...this.#options.attributes,
      ...(this.#options.httpSpans ? { ...this.#options.http.of(target), [attribute.url]: target.url } : {}),
      ...(attempt > 1 ? { [attribute.resendCount]: attempt - 1 } : {}),
      ...(kind === 'login' ? {} : { [attribute.operationType]: kind, [attribute.calls]: event.merged }),
      // Several operations are fields of one document, which has no name.
      ...(kind !== 'login' && operations.length === 1 ? { [attribute.operation]: operation } : {}),
      ...(event.user === null ? {} : { [attribute.user]: event.user }),
      [attribute.operations]: [...operations],
      [attribute.tenant]: event.tenant,
      [attribute.requestId]: event.requestId,
    };
  }
}

/** Spans of older SDKs take no links once they have begun. */
function linked(span: Span, other: Span): void {
  quietly(() => span.addLink({ context: other.spanContext() }))(undefined);
}

function follow(span: Span, inside: Context, headers: Readonly<Record<string, string>>): FollowedRequest {
  return {
    headers,
    run: (task) => context.with(inside, task),
    end: (event, failure) => endRequest(span, event, failure),
  };
}

function endCall(span: Span, event: CallEvent): void {
  const error = errorOfCall(event);
  span.setAttributes({
    ...errorAttributes(error),
    ...(event.user === null ? {} : { [attribute.user]: event.user }),
    [attribute.outcome]: event.outcome,
    [attribute.wait]: event.waitMs / 1000,
    [attribute.requestIds]: [...event.requestIds],
  });
  if (error !== null) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

function endRequest(span: Span, event: ResponseEvent, failure: string | null): void {
  const error = errorOfRequest(event, failure);
  span.setAttributes({
    ...errorAttributes(error),
    ...(event.status === null ? {} : { [attribute.status]: event.status }),
    ...(event.bytes === null ? {} : { [attribute.responseSize]: event.bytes }),
    ...(event.responseId === null ? {} : { [attribute.responseId]: event.responseId }),
  });
  if (error !== null) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
