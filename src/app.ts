import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import cors from 'cors';
import type { Logger } from 'pino';
import { authenticate, createCredentialLookup } from './auth/authenticate.ts';
import { createRateLimits } from './auth/rate-limits.ts';
import { anonymous, system, type Viewer } from './auth/viewer.ts';
import type { Config } from './config.ts';
import type { Context, JobTrigger } from './context.ts';
import { loadSpreader } from './core/load-spreading.ts';
import type { Database } from './db/database.ts';
import { createOccupancyFeed } from './features/check-ins/service.ts';
import { createDeviceGateway, createDisplayStatusFeed } from './features/displays/service.ts';
import { sendGraphqlError } from './graphql/errors.ts';
import { createGraphql } from './graphql/yoga.ts';
import { createPaymentProvider } from './integrations/payments/create-provider.ts';
import { startWriteBehind } from './jobs/write-behind.ts';
import { createRestApp } from './rest/express-app.ts';
import { createFastPath } from './rest/fast-path.ts';
import { handleError } from './rest/handle-request.ts';
import type { Route } from './rest/route.ts';
import { isEventVisible, registerPages, routes } from './rest/route-table.ts';
import type { Dependencies } from './server/dependencies.ts';
import { registerHealthRoutes } from './server/health-routes.ts';
import { getCommonHeaders } from './server/http-server.ts';
import { createProxyWarning, toLoggableUrl } from './server/logger.ts';
import { createMetrics, createMetricsListener } from './server/metrics.ts';
import { createRequestGate, type RequestLimits } from './server/request-gate.ts';
import { createStreamRegistry } from './server/stream-registry.ts';
import { registerWebAssets } from './server/web-assets.ts';

export interface App {
  listener: RequestListener;
  /** For METRICS_PORT. */
  metricsListener: RequestListener;
  /** For every new connection of the server. */
  onConnection(socket: Socket): void;
  /** For work that nobody outside asked for. */
  systemContext: Context;
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
  triggerJob?: JobTrigger;
  routes?: Route[];
  limits?: Partial<RequestLimits>;
}): App {
  const { config, database, log } = given;
  const now = given.now ?? (() => new Date());
  const payments = createPaymentProvider(config);
  const writeBehind = startWriteBehind({ sql: database.lockingSql, now, log });
  const stopping = new AbortController();
  const gate = createRequestGate({
    trustedProxies: config.trustProxy,
    ...(given.limits ? { limits: given.limits } : {}),
    refuse: (req, res, error) =>
      isGraphqlRequest(req)
        ? sendGraphqlError(deps, req, res, error)
        : handleError(deps, res, error),
    retryAfterSeconds: (req) => getRetryAfterSeconds(req.url ?? '', now()),
  });
  const streams = createStreamRegistry(stopping.signal, gate.detachStream);
  const createContext = (viewer: Viewer): Context => ({
    db: database.prisma,
    pipelinedSql: database.pipelinedSql,
    lockingSql: database.lockingSql,
    viewer,
    now,
    log,
    payments,
    baseUrl: config.baseUrl,
    ...(given.triggerJob ? { triggerJob: given.triggerJob } : {}),
  });
  const systemContext = createContext(system);
  const deps: Dependencies = {
    config,
    streams,
    log,
    writeBehind,
    credentials: createCredentialLookup(database.pipelinedSql, now),
    rateLimits: createRateLimits(database.lockingSql, now, log),
    deviceGateway: createDeviceGateway({ ...systemContext, writeBehind }),
    displayStatusFeed: createDisplayStatusFeed(systemContext),
    occupancyFeed: createOccupancyFeed(systemContext),
    createContext,
    anonymousContext: createContext(anonymous),
  };
  const metrics = createMetrics();
  const state = { isDraining: false };
  const table = given.routes ?? routes;
  const graphql = createGraphql(deps);
  const rest = createRestApp(deps, table, (app) => {
    registerHealthRoutes(app, { config, database, metrics, routes: table, state });
    registerPages(app, deps);
    registerWebAssets(app, config, {
      isEventVisible: async ({ headers }, slug) => {
        const { viewer } = await authenticate(headers, deps);
        return isEventVisible(deps.createContext(viewer), slug);
      },
    });
  });
  const front = createFastPath(rest, deps, table);
  const shareWithPages = createCorsHandler(config);
  const warnOfProxy = createProxyWarning(config, log);
  const basePath = new URL(config.baseUrl).pathname.replace(/\/$/, '');

  const everyResponse = Object.entries(getCommonHeaders(config));

  const listener = (req: IncomingMessage, res: ServerResponse) => {
    req.url = stripBasePath(toPath(req.url ?? '/'), basePath);
    const isGraphql = isGraphqlRequest(req);
    const started = performance.now();
    res.once('close', () => {
      if (res.writableFinished) metrics.observe(isGraphql ? 'graphql' : 'rest', req, res, started);
    });
    for (const [name, value] of everyResponse) res.setHeader(name, value);
    if (log.isLevelEnabled('debug')) logRequest(log, req, res);
    if (state.isDraining) res.setHeader('connection', 'close');
    warnOfProxy(req);
    const handle = isGraphql ? () => graphql(req, res) : () => front(req, res);
    shareWithPages(req, res, () => gate.admit(req, res, handle));
  };

  return {
    listener,
    metricsListener: createMetricsListener(config, metrics),
    onConnection: gate.trackConnection,
    systemContext,
    drain: () => {
      state.isDraining = true;
      stopping.abort();
    },
    close: () => {
      gate.close();
      return writeBehind.stop();
    },
  };
}

/** People come back soon; devices that are refused together must not come back together. */
const getRetryAfterSeconds = (url: string, now: Date) =>
  url.startsWith('/displays/') ? loadSpreader.pickRetryDelaySeconds(now.getTime(), Math.random) : 2;

const isGraphqlRequest = ({ url = '' }: IncomingMessage) => /^\/graphql(\?|$)/.test(url);

/** Lets the pages of CORS_ORIGINS read the answers of both doors. */
function createCorsHandler({ corsOrigins }: Config) {
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
const toPath = (target: string) =>
  target.startsWith('/')
    ? target
    : target.replace(/^https?:\/\/[^/?#]*/i, '').replace(/^(?!\/)/, '/');

/** Proxies may or may not strip the path of BASE_URL; both ways lead to the same place. */
function stripBasePath(url: string, basePath: string): string {
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
