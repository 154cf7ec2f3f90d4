import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Telemetry } from './open-telemetry.ts';

/** Starts the export if the configuration names a collector. Otherwise it loads nothing. */
export async function startTelemetry(
  { telemetry }: Pick<Config, 'telemetry'>,
  log: Logger,
): Promise<Telemetry | undefined> {
  if (telemetry.traces === undefined && telemetry.metrics === undefined) return undefined;
  const { startOpenTelemetry } = await import('./open-telemetry.ts');
  return startOpenTelemetry(telemetry, log);
}
