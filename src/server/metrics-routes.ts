import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { hashSecret } from '../auth/secrets.ts';
import type { Config } from '../config.ts';
import { notFound, toDomainError, unauthenticated } from '../errors.ts';
import type { Metrics } from '../metrics.ts';
import { send, sendError } from '../rest/envelope.ts';

type MetricsConfig = Pick<Config, 'metrics'>;

/** Sends what Prometheus reads. Throws UNAUTHENTICATED where METRICS_TOKEN is set and the request does not have it. */
export async function sendMetrics(
  { metrics: { token } }: MetricsConfig,
  metrics: Metrics,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  if (token !== undefined && !hasToken(req, token)) throw unauthenticated();
  send(res, 200, await metrics.text(), { 'content-type': metrics.contentType });
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
