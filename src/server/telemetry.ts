import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Tracer } from '../core/tracing.ts';
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

/** Starts the export if the configuration names a collector. Otherwise it loads nothing. */
export async function startTelemetry(
  { telemetry }: Pick<Config, 'telemetry'>,
  log: Logger,
): Promise<Telemetry | undefined> {
  if (!telemetry.traces && !telemetry.metrics) return undefined;
  const { startOpenTelemetry } = await import('./open-telemetry.ts');
  return startOpenTelemetry(telemetry, log);
}
