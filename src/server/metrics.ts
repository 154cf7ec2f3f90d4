import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { hashSecret } from '../auth/tokens.ts';
import type { Config } from '../config.ts';
import { notFound, toDomainError, unauthenticated } from '../errors.ts';
import { sendError, sendResponse } from '../rest/envelope.ts';

export interface Metrics {
  /** Counts a request that is answered. `door` is one of few words, never a path; `started` as `performance.now()` says. */
  observe(door: string, req: IncomingMessage, res: ServerResponse, started: number): void;
  render(): Promise<string>;
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
        { door, method: toMethodLabel(req), status: res.statusCode },
        (performance.now() - started) / 1000,
      );
    },
    render: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

// Whatever a caller makes up must not become a time series of its own.
const KNOWN_METHODS = new Set(['GET', 'HEAD', 'POST', 'OPTIONS']);
const toMethodLabel = ({ method = '' }: IncomingMessage) =>
  KNOWN_METHODS.has(method) ? method : 'other';

type MetricsConfig = Pick<Config, 'metrics'>;

/** Sends what Prometheus reads. Throws UNAUTHENTICATED where METRICS_TOKEN is set and the request does not have it. */
export async function sendMetrics(
  { metrics: { token } }: MetricsConfig,
  metrics: Metrics,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  if (token !== undefined && !hasToken(req, token)) throw unauthenticated();
  sendResponse(res, 200, await metrics.render(), { 'content-type': metrics.contentType });
}

/** All that METRICS_PORT answers: nothing but `GET /metrics`. */
export const createMetricsListener =
  (config: MetricsConfig, metrics: Metrics): RequestListener =>
  (req, res) => {
    const answer = async () => {
      if (req.method !== 'GET' || req.url?.split('?')[0] !== '/metrics') throw notFound('path');
      await sendMetrics(config, metrics, req, res);
    };
    answer().catch((thrown) => sendError(res, toDomainError(thrown)));
  };

/** Compares digests: they are of one length, and how long it takes says nothing about the token. */
function hasToken({ headers }: IncomingMessage, token: string): boolean {
  const given = /^bearer +([^ ]+) *$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(hashSecret(given), hashSecret(token));
}
