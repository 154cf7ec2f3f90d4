import type { IncomingMessage, ServerResponse } from 'node:http';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

export interface Metrics {
  /** Counts a request that is answered. `door` is one of few words, never a path; `started` as `performance.now()` says. */
  observe(door: string, req: IncomingMessage, res: ServerResponse, started: number): void;
  text(): Promise<string>;
  contentType: string;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'foyer_request_duration_seconds',
    help: 'How long requests took, by door, method and status',
    labelNames: ['door', 'method', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  return {
    observe: (door, req, res, started) => {
      durations.observe(
        { door, method: methodOf(req), status: res.statusCode },
        (performance.now() - started) / 1000,
      );
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

// Whatever a caller makes up must not become a time series of its own.
const METHODS = new Set(['GET', 'HEAD', 'POST', 'OPTIONS']);
const methodOf = ({ method = '' }: IncomingMessage) => (METHODS.has(method) ? method : 'other');
