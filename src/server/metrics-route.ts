import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import ipaddr from 'ipaddr.js';
import { hashSecret } from '../auth/tokens.ts';
import type { Config } from '../config.ts';
import { notFound, toDomainError, unauthenticated } from '../errors.ts';
import { sendError, sendResponse } from '../rest/envelope.ts';
import type { Metrics } from './metrics.ts';

type MetricsConfig = Pick<Config, 'metrics' | 'trustProxy' | 'baseUrl'>;

/**
 * Sends the metrics in Prometheus format: to requests with METRICS_TOKEN or, if it is not set, to everyone who reaches METRICS_PORT, and
 * on the public port to programs on this machine, unless Foyer is behind a reverse proxy.
 *
 * @throws UNAUTHENTICATED for all other requests
 */
export async function sendMetrics(
  config: MetricsConfig,
  metrics: Pick<Metrics, 'render' | 'contentType'>,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const { token, port } = config.metrics;
  const isOpen = port !== undefined || (isLocalService(config) && isFromThisMachine(req));
  const isAllowed = token === undefined ? isOpen : hasToken(req, token);
  if (!isAllowed) throw unauthenticated();
  sendResponse(res, 200, await metrics.render(), { 'content-type': metrics.contentType });
}

/** Creates the listener of METRICS_PORT, which serves only `GET /metrics`. */
export const createMetricsListener =
  (config: MetricsConfig, metrics: Pick<Metrics, 'render' | 'contentType'>): RequestListener =>
  (req, res) => {
    const handle = async () => {
      if (req.method !== 'GET' || req.url?.split('?')[0] !== '/metrics') throw notFound('path');
      await sendMetrics(config, metrics, req, res);
    };
    handle().catch((thrown) => sendError(res, toDomainError(thrown)));
  };

/**
 * Whether the configuration shows no reverse proxy. A proxy on this machine can pass on requests of the whole internet that look
 * exactly like those of a local program.
 */
const isLocalService = ({ trustProxy, baseUrl }: MetricsConfig) =>
  trustProxy === 0 && isLoopbackHost(new URL(baseUrl).host);

/** What reverse proxies add. Behind one on the same machine, every client has the loopback address. */
const FORWARDING_HEADERS = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

/**
 * Whether a program on this machine sent the request itself: the peer is the loopback address, the host is too, and no proxy has
 * added a header. The host keeps out proxies that pass it on, and web pages that resolve to the loopback address.
 */
function isFromThisMachine({ socket, headers }: IncomingMessage): boolean {
  if (FORWARDING_HEADERS.some((name) => headers[name] !== undefined)) return false;
  return isLoopback(socket.remoteAddress ?? '') && isLoopbackHost(headers.host ?? '');
}

const isLoopback = (address: string) =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';

export function isLoopbackHost(host: string): boolean {
  const name = host.replace(/:\d{1,5}$/, '').replace(/^\[(.*)\]$/, '$1');
  return name.toLowerCase() === 'localhost' || isLoopback(name);
}

/** Compares digests, which have equal lengths, in constant time. */
function hasToken({ headers }: IncomingMessage, token: string): boolean {
  const presented = /^bearer +([^ ]+) *$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(hashSecret(presented), hashSecret(token));
}
