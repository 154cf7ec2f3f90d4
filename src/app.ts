import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import cors from 'cors';
import type { Logger } from 'pino';
import { credentialsIn } from './auth/credentials.ts';
import { createRateLimits } from './auth/rate-limits.ts';
import { system, type Viewer } from './auth/viewer.ts';
import type { Config } from './config.ts';
import type { Ctx, Wake } from './context.ts';
import type { Database } from './db/database.ts';
import type { Deps } from './deps.ts';
import { appointments } from './features/displays/pace.ts';
import { payments as paymentPages } from './features/payments/rest.ts';
import { refuseGraphql } from './graphql/refuse.ts';
import { createGraphql } from './graphql/yoga.ts';
import { startWriteBehind } from './jobs/write-behind.ts';
import { createMetrics } from './metrics.ts';
import { operations } from './operations.ts';
import { panel } from './panel.ts';
import { openPayments } from './payments/open.ts';
import { createRest } from './rest/express.ts';
import { inFrontOf } from './rest/front.ts';
import type { Route } from './rest/route.ts';
import { routes } from './rest/routes.ts';
import { refuse } from './rest/serve.ts';
import { commonHeaders } from './server/common-headers.ts';
import { toLoggableUrl } from './server/loggable-url.ts';
import { createMetricsListener } from './server/metrics-routes.ts';
import { createProxyWarning } from './server/proxy-warning.ts';
import { createRequestGate } from './server/request-gate.ts';
import type { RequestLimits } from './server/request-limits.ts';
import { streamsUntil } from './streams.ts';

export interface App {
  listener: RequestListener;
  /** For METRICS_PORT. */
  metricsListener: RequestListener;
  /** For every new connection of the server. */
  onConnection(socket: Socket): void;
  /** For work that nobody outside asked for. */
  ctx: Ctx;
  /** From now on /readyz says no, so that nobody sends new requests here. */
  drain(): void;
  /** Writes what is waiting; call it when the last request is answered. */
  close(): Promise<void>;
}

/** Puts the doors together over a migrated database. */
export function createApp(given: {
  config: Config;
  database: Database;
  log: Logger;
  now?: () => Date;
  /** Where jobs run. */
  wake?: Wake;
  routes?: Route[];
  limits?: Partial<RequestLimits>;
}): App {
  const { config, database, log } = given;
  const now = given.now ?? (() => new Date());
  const payments = openPayments(config);
  const writeBehind = startWriteBehind({ sql: database.write, now, log });
  const stopping = new AbortController();
  const gate = createRequestGate({
    trustedProxies: config.trustProxy,
    ...(given.limits ? { limits: given.limits } : {}),
    refuse: (req, res, error) =>
      isForGraphql(req) ? refuseGraphql(deps, req, res, error) : refuse(deps, res, error),
    retryAfterSeconds: (req) => comeBackAfter(req.url ?? '', now()),
  });
  const streams = streamsUntil(stopping.signal, gate.leave);
  const deps: Deps = {
    config,
    streams,
    log,
    writeBehind,
    credentials: credentialsIn(database.sql, now),
    rateLimits: createRateLimits(database.write, now, log),
    ctx: (viewer: Viewer) => ({
      db: database.prisma,
      sql: database.sql,
      write: database.write,
      viewer,
      now,
      log,
      writeBehind,
      payments,
      baseUrl: config.baseUrl,
      ...(given.wake ? { wake: given.wake } : {}),
    }),
  };
  const metrics = createMetrics();
  const state = { draining: false };
  const table = given.routes ?? routes;
  const graphql = createGraphql(deps);
  const rest = createRest(deps, table, (app) => {
    operations(app, { config, database, metrics, routes: table, state });
    panel(app, config);
    paymentPages(app, deps);
  });
  const front = inFrontOf(rest, deps, table);
  const shareWithPages = crossOrigin(config);
  const warnOfProxy = createProxyWarning(config, log);
  const basePath = new URL(config.baseUrl).pathname.replace(/\/$/, '');

  const everyResponse = Object.entries(commonHeaders(config));

  const listener = (req: IncomingMessage, res: ServerResponse) => {
    req.url = withoutBase(pathOf(req.url ?? '/'), basePath);
    const isGraphql = isForGraphql(req);
    const started = performance.now();
    res.once('close', () => {
      if (res.writableFinished) metrics.observe(isGraphql ? 'graphql' : 'rest', req, res, started);
    });
    for (const [name, value] of everyResponse) res.setHeader(name, value);
    if (log.isLevelEnabled('debug')) logRequest(log, req, res);
    if (state.draining) res.setHeader('connection', 'close');
    warnOfProxy(req);
    const handle = isGraphql ? () => graphql(req, res) : () => front(req, res);
    shareWithPages(req, res, () => gate.pass(req, res, handle));
  };

  return {
    listener,
    metricsListener: createMetricsListener(config, metrics),
    onConnection: gate.connect,
    ctx: deps.ctx(system),
    drain: () => {
      state.draining = true;
      stopping.abort();
    },
    close: () => {
      gate.close();
      return writeBehind.stop();
    },
  };
}

/** People come back soon; devices that are refused together must not come back together. */
const comeBackAfter = (url: string, now: Date) =>
  url.startsWith('/displays/') ? appointments.retry(now.getTime(), Math.random) : 2;

const isForGraphql = ({ url = '' }: IncomingMessage) => /^\/graphql(\?|$)/.test(url);

/** Lets the pages of CORS_ORIGINS read the answers of both doors. */
function crossOrigin({ corsOrigins }: Config) {
  if (corsOrigins.length === 0) {
    return (_req: IncomingMessage, _res: ServerResponse, next: () => void) => next();
  }
  return cors<IncomingMessage>({
    origin: corsOrigins,
    credentials: true,
    maxAge: 600,
    exposedHeaders: ['ETag', 'Foyer-Error-Reason', 'Retry-After'],
  });
}

/** A request may name the whole address, as proxies do. */
const pathOf = (target: string) =>
  target.startsWith('/')
    ? target
    : target.replace(/^https?:\/\/[^/?#]*/i, '').replace(/^(?!\/)/, '/');

/** Proxies may or may not strip the path of BASE_URL; both ways lead to the same place. */
function withoutBase(url: string, basePath: string): string {
  if (basePath === '' || !url.startsWith(basePath)) return url;
  const rest = url.slice(basePath.length);
  if (rest === '') return '/';
  return rest.startsWith('/') ? rest : rest.startsWith('?') ? `/${rest}` : url;
}

function logRequest(log: Logger, req: IncomingMessage, res: ServerResponse): void {
  const started = performance.now();
  const { method, url = '' } = req;
  res.once('finish', () => {
    log.debug({
      method,
      url: toLoggableUrl(url),
      status: res.statusCode,
      ms: Math.round(performance.now() - started),
    });
  });
}
