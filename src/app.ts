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
  /** Serves METRICS_PORT. */
  metricsListener: RequestListener;
  /** Call it with every new connection of the server. */
  onConnection(socket: Socket): void;
  /** For jobs and startup, which have no caller. */
  systemContext: Context;
  /** Makes /readyz fail, so that load balancers stop sending requests. */
  drain(): void;
  /** Flushes pending writes. Call it after the last response. */
  close(): Promise<void>;
}

/** Creates the GraphQL and REST APIs on top of a migrated database. */
export function createApp(options: {
  config: Config;
  database: Database;
  log: Logger;
  now?: () => Date;
  /** Present in processes that run jobs. */
  triggerJob?: JobTrigger;
  routes?: Route[];
  limits?: Partial<RequestLimits>;
}): App {
  const { config, database, log } = options;
  const now = options.now ?? (() => new Date());
  const payments = createPaymentProvider(config);
  const writeBehind = startWriteBehind({ sql: database.lockingSql, now, log });
  const stopping = new AbortController();
  const gate = createRequestGate({
    trustedProxies: config.trustProxy,
    ...(options.limits ? { limits: options.limits } : {}),
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
    ...(options.triggerJob ? { triggerJob: options.triggerJob } : {}),
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
  const routeTable = options.routes ?? routes;
  const graphql = createGraphql(deps);
  const rest = createRestApp(deps, routeTable, (app) => {
    registerHealthRoutes(app, { config, database, metrics, routes: routeTable, state });
    registerPages(app, deps);
    registerWebAssets(app, config, {
      isEventVisible: async ({ headers }, slug) => {
        const { viewer } = await authenticate(headers, deps);
        return isEventVisible(deps.createContext(viewer), slug);
      },
    });
  });
  const handleRest = createFastPath(rest, deps, routeTable);
  const handleCors = createCorsHandler(config);
  const warnAboutProxy = createProxyWarning(config, log);
  const basePath = new URL(config.baseUrl).pathname.replace(/\/$/, '');

  const commonHeaders = Object.entries(getCommonHeaders(config));

  const listener = (req: IncomingMessage, res: ServerResponse) => {
    req.url = stripBasePath(toPath(req.url ?? '/'), basePath);
    const isGraphql = isGraphqlRequest(req);
    const started = performance.now();
    res.once('close', () => {
      if (res.writableFinished) metrics.observe(isGraphql ? 'graphql' : 'rest', req, res, started);
    });
    for (const [name, value] of commonHeaders) res.setHeader(name, value);
    if (log.isLevelEnabled('debug')) logRequest(log, req, res);
    if (state.isDraining) res.setHeader('connection', 'close');
    warnAboutProxy(req);
    const handle = isGraphql ? () => graphql(req, res) : () => handleRest(req, res);
    handleCors(req, res, () => gate.admit(req, res, handle));
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

/** People can retry soon. Devices that were rejected together must not retry together. */
const getRetryAfterSeconds = (url: string, now: Date) =>
  url.startsWith('/displays/') ? loadSpreader.pickRetryDelaySeconds(now.getTime(), Math.random) : 2;

const isGraphqlRequest = ({ url = '' }: IncomingMessage) => /^\/graphql(\?|$)/.test(url);

/** Allows the pages of CORS_ORIGINS to read the responses of both APIs. */
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

/** A request line can contain an absolute URL, as proxies send it. */
const toPath = (target: string) =>
  target.startsWith('/')
    ? target
    : target.replace(/^https?:\/\/[^/?#]*/i, '').replace(/^(?!\/)/, '/');

/** Some proxies strip the path of BASE_URL and others do not. Both work. */
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
