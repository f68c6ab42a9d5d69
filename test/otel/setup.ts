// A program with its own OpenTelemetry providers, and a client of the reference service.
import { context, propagation, type Tracer, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  AggregationTemporality,
  type DataPoint,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import { onTestFinished } from 'vitest';
import { traceFleet as beginTracing } from '../../src/otel/trace-fleet.js';

/** Ends with the test: the channels belong to the whole process, and so to all its test files. */
export const traceFleet: typeof beginTracing = (...args) => {
  const tracing = beginTracing(...args);
  onTestFinished(() => tracing.end());
  return tracing;
};

export interface Telemetry {
  readonly tracerProvider: NodeTracerProvider;
  readonly meterProvider: MeterProvider;
  readonly tracer: Tracer;
  spans(): ReadableSpan[];
  /** Returns span names in start order, indented below parents, with links after an arrow. */
  tree(): string[];
  /** Returns the points of a metric with their attributes; null when nothing was recorded. */
  points(name: string): Promise<DataPoint<unknown>[] | null>;
  /** Runs a task as in a program that has registered no context manager. */
  withoutContext<T>(task: () => Promise<T>): Promise<T>;
  reset(): void;
  close(): Promise<void>;
}

export function openTelemetry(): Telemetry {
  const exporter = new InMemorySpanExporter();
  const started: string[] = [];
  const order: SpanProcessor = {
    onStart: (span) => started.push(span.spanContext().spanId),
    onEnd: () => {},
    forceFlush: async () => {},
    shutdown: async () => {},
  };
  const tracerProvider = new NodeTracerProvider({ spanProcessors: [order, new SimpleSpanProcessor(exporter)] });
  tracerProvider.register({ contextManager: new AsyncLocalStorageContextManager() });
  const metricExporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  // It exports when the test requests it.
  const reader = new PeriodicExportingMetricReader({ exporter: metricExporter, exportIntervalMillis: 2 ** 31 - 1 });
  const meterProvider = new MeterProvider({ readers: [reader] });
  const spans = () => exporter.getFinishedSpans();
  return {
    tracerProvider,
    meterProvider,
    tracer: tracerProvider.getTracer('program'),
    spans,
    tree: () => treeOf(spans(), started),
    async points(name) {
      metricExporter.reset();
      await meterProvider.forceFlush();
      const [last] = metricExporter.getMetrics().slice(-1);
      const metrics = last?.scopeMetrics.flatMap((scope) => scope.metrics) ?? [];
      return metrics.find(({ descriptor }) => descriptor.name === name)?.dataPoints ?? null;
    },
    async withoutContext(task) {
      context.disable();
      try {
        return await task();
      } finally {
        context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
      }
    },
    reset: () => exporter.reset(),
    async close() {
      // Other tests share this process.
      for (const registered of [trace, context, propagation]) registered.disable();
      await Promise.all([tracerProvider.shutdown(), meterProvider.shutdown()]);
    },
  };
}

function treeOf(spans: readonly ReadableSpan[], started: readonly string[]): string[] {
  const nameOf = (id: string) => spans.find((span) => span.spanContext().spanId === id)?.name ?? '?';
  // Spans may start within one tick of their clock.
  const startOf = (span: ReadableSpan) => started.indexOf(span.spanContext().spanId);
  const ordered = [...spans].sort((a, b) => startOf(a) - startOf(b));
  const below = (parent: string | undefined, depth: number): string[] =>
    ordered
      .filter((span) => span.parentSpanContext?.spanId === parent)
      .flatMap((span) => {
        const links = span.links.map((link) => nameOf(link.context.spanId)).sort();
        const line = `${'  '.repeat(depth)}${span.name}${links.length > 0 ? ` <- ${links.join(', ')}` : ''}`;
        return [line, ...below(span.spanContext().spanId, depth + 1)];
      });
  return below(undefined, 0);
}
