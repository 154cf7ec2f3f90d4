import { context, DiagLogLevel, diag, propagation } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  detectResources,
  envDetector,
  hostDetector,
  type Resource,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { Logger } from 'pino';
import type { TelemetryConfig } from '../config.ts';
import { readPackageVersion } from '../core/package-version.ts';
import type { Tracer } from '../core/tracing.ts';
import { createMetricProducer } from './metric-producer.ts';
import type { MetricObject } from './metrics.ts';

/** Exports traces and metrics to a collector of OpenTelemetry. */
export interface Telemetry {
  /** Absent if only metrics are exported. */
  tracer?: Tracer;
  /** Exports what `collect` returns at intervals, unless only traces are exported. */
  startMetrics(collect: () => Promise<MetricObject[]>): void;
  /** Sends what has not been sent. */
  stop(): Promise<void>;
}

/**
 * Starts the SDK of OpenTelemetry. It reads headers, timeouts, samplers and limits from the variables `OTEL_*` itself.
 * Only `telemetry.ts` imports this file, so that a process without a collector does not load the SDK.
 */
export async function startOpenTelemetry(config: TelemetryConfig, log: Logger): Promise<Telemetry> {
  logDiagnostics(log);
  const resource = createResource();
  const exporters = await loadExporters(config);
  const traces = exporters.traces && startTraces(exporters.traces, resource);
  let metrics: MeterProvider | undefined;
  return {
    ...(traces && { tracer: traces.getTracer('foyer') }),
    startMetrics: (collect) => {
      if (exporters.metrics === undefined) return;
      const reader = new PeriodicExportingMetricReader({
        exporter: exporters.metrics,
        metricProducers: [createMetricProducer(collect, resource)],
        exportIntervalMillis: config.metricIntervalMs,
        exportTimeoutMillis: Math.min(config.metricIntervalMs, 30_000),
      });
      metrics = new MeterProvider({ resource, readers: [reader] });
    },
    stop: async () => {
      for (const outcome of await Promise.allSettled([traces?.shutdown(), metrics?.shutdown()]))
        if (outcome.status === 'rejected')
          log.warn({ err: outcome.reason }, 'could not export the last traces or metrics');
      for (const api of [context, propagation, diag]) api.disable();
    },
  };
}

/** Loads only the exporters that are used. */
async function loadExporters({ traces, metrics, protocol }: TelemetryConfig) {
  const [{ OTLPTraceExporter }, { OTLPMetricExporter }] = await (protocol === 'http/json'
    ? Promise.all([
        import('@opentelemetry/exporter-trace-otlp-http'),
        import('@opentelemetry/exporter-metrics-otlp-http'),
      ])
    : Promise.all([
        import('@opentelemetry/exporter-trace-otlp-proto'),
        import('@opentelemetry/exporter-metrics-otlp-proto'),
      ]));
  return {
    traces: traces === undefined ? undefined : new OTLPTraceExporter({ url: traces }),
    metrics: metrics === undefined ? undefined : new OTLPMetricExporter({ url: metrics }),
  };
}

function startTraces(
  exporter: ConstructorParameters<typeof BatchSpanProcessor>[0],
  resource: Resource,
): BasicTracerProvider {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  return new BasicTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(exporter)] });
}

/** The attributes of OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES override those of the process. */
const createResource = (): Resource =>
  resourceFromAttributes({
    'service.name': 'foyer',
    'service.version': readPackageVersion(),
  }).merge(detectResources({ detectors: [hostDetector, serviceInstanceIdDetector, envDetector] }));

/** One line of the log says that the collector is unreachable, not one for each export. */
const WARNING_INTERVAL_MS = 60_000;

function logDiagnostics(log: Logger): void {
  let silentUntil = 0;
  const warn = (message: string) => {
    if (performance.now() < silentUntil) return;
    silentUntil = performance.now() + WARNING_INTERVAL_MS;
    log.warn({ problem: message.slice(0, 500) }, 'OpenTelemetry reported a problem');
  };
  const ignore = () => {};
  diag.setLogger(
    { error: warn, warn, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}
