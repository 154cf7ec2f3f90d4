import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { authenticate, createCredentialLookup, joinCredentials } from './auth/authenticate.ts';
import { createCredentialUses } from './auth/credential-uses.ts';
import { isSetupOpen } from './auth/first-owner.ts';
import { createRateLimits } from './auth/rate-limits.ts';
import { anonymous, system, type Viewer } from './auth/viewer.ts';
import type { Config } from './config.ts';
import { type Context, createQueues, type JobTrigger } from './context.ts';
import type { ErrorReason } from './core/error-reasons.ts';
import { createLoadSpreader, type LoadSpreader } from './core/load-spreading.ts';
import { assignRequestId } from './core/request-id.ts';
import type { Tracer } from './core/tracing.ts';
import { startWriteBehind } from './core/write-behind.ts';
import type { Database } from './db/database.ts';
import { createJournalFeed } from './features/changes/service/list-changes.ts';
import { createOccupancyFeed } from './features/check-ins/service/occupancy.ts';
import { createDeviceGateway } from './features/displays/service/device-gateway.ts';
import { createDisplayStatusFeed } from './features/displays/service/status-changes.ts';
import { readBacklog } from './features/monitoring/service.ts';
import { readSettings } from './features/settings/service.ts';
import { recordLastRuns } from './features/system/service/last-runs.ts';
import { createProblemWatch } from './features/system/service/watch-problems.ts';
import { createAnonymousExecution } from './graphql/anonymous-execution.ts';
import { sendGraphqlError } from './graphql/errors.ts';
import { createQueryBudget } from './graphql/query-budget.ts';
import { printSortedSchema, schema } from './graphql/schema.ts';
import {
  loadTrustedDocuments,
  type TrustedDocuments,
} from './graphql/trusted-documents/trusted-documents.ts';
import { createGraphql } from './graphql/yoga.ts';
import { createPaymentProvider } from './integrations/payments/create-provider.ts';
import { jobs } from './jobs/job-definitions.ts';
import { readLag } from './journal/read-changes.ts';
import { createMcpListener } from './mcp/http.ts';
import { createRestApp } from './rest/express-app.ts';
import { createFastPath } from './rest/fast-path.ts';
import { handleError } from './rest/handle-request.ts';
import type { Route } from './rest/route.ts';
import { isEventVisible, registerPages, routes } from './rest/route-table.ts';
import { createCorsHandler } from './server/cors.ts';
import type { Dependencies } from './server/dependencies.ts';
import { registerDocsSite } from './server/docs-site.ts';
import { registerHealthRoutes } from './server/health-routes.ts';
import { getCommonHeaders } from './server/http-server.ts';
import { createProxyWarning, logRequest } from './server/logger.ts';
import { type Api, createMetrics, type LimitName, type MetricObject } from './server/metrics.ts';
import { createMetricsListener } from './server/metrics-route.ts';
import { createPageSettings } from './server/page-settings.ts';
import { createRenderedPages } from './server/rendered-pages.ts';
import { createRequestGate, type RequestLimits } from './server/request-gate.ts';
import { normalizePath, stripBasePath, toPath } from './server/request-url.ts';
import { registerSiteFiles } from './server/site-files.ts';
import { createStreamRegistry } from './server/stream-registry.ts';
import { traceRequest } from './server/trace-requests.ts';
import { createNotFoundPage, registerWebAssets } from './server/web-assets.ts';

export interface App {
  listener: RequestListener;
  /** Serves METRICS_PORT. */
  metricsListener: RequestListener;
  /** Call it with every new connection of the server. */
  onConnection(socket: Socket): void;
  /** Returns the metrics for their export. */
  collectMetrics(): Promise<MetricObject[]>;
  /** Looks for problems of the installation and logs what has begun or ended. */
  checkSystem(): Promise<void>;
  /** For jobs and startup, which have no caller. */
  systemContext: Context;
  /** Makes /readyz respond with 503, so that load balancers stop sending requests, and closes connections after their response. */
  drain(): void;
  /** Ends all streams so that their clients connect again, to another instance, and accepts no new ones. */
  endStreams(): void;
  /** Flushes pending writes. Call it after the last response. */
  close(): Promise<void>;
}

/** Creates the APIs on top of a migrated database. */
export function createApp(options: {
  config: Config;
  database: Database;
  log: Logger;
  now?: () => Date;
  /** Absent unless traces are exported. */
  tracer?: Tracer;
  /** Shown beside the metrics of the service. */
  processMetrics?: Registry;
  /** Present in processes that run jobs. */
  triggerJob?: JobTrigger;
  /** Loaded by default. */
  trustedDocuments?: TrustedDocuments;
  routes?: Route[];
  limits?: Partial<RequestLimits>;
  /** How often subscriptions poll the database. Default: once a second. */
  feedIntervalMs?: number;
}): App {
  const { config, database, log, tracer } = options;
  const now = options.now ?? (() => new Date());
  const payments = createPaymentProvider(config);
  const writeBehind = startWriteBehind(log);
  const loadSpreader = createLoadSpreader();
  const gate = createRequestGate({
    trustedProxies: config.trustProxy,
    ...(options.limits ? { limits: options.limits } : {}),
    reject: (req, res, error) => {
      const limit = REQUEST_LIMITS[error.details.reason];
      if (limit) metrics.countRejection(limit);
      if (findApi(req) === 'graphql') sendGraphqlError({ log }, req, res, error);
      else handleError({ log }, res, error);
    },
    retryAfterSeconds: (req) => getRetryAfterSeconds(loadSpreader, req.url ?? '', now()),
  });
  const streams = createStreamRegistry(gate.detachStream, () => metrics.countRejection('streams'));
  const queues = createQueues(database.pool.options.max);
  const metrics = createMetrics({
    readLag: () => readLag(systemContext),
    readBacklog: () => readBacklog(systemContext),
    countStreams: streams.count,
    pools: database.watchedPools,
    processMetrics: options.processMetrics,
    queues: {
      queries: queues.queries,
      'keyed writes': queues.keyedWrites,
      pdfs: queues.pdfs,
      hashes: queues.hashes,
      imports: queues.imports,
    },
    jobs: jobs.map(({ name }) => name),
    now,
  });
  const workMetrics = recordLastRuns(metrics, writeBehind, database.lockingSql, now);
  const installation = { config, database, jobs, startedAt: now() };
  const createContext = (viewer: Viewer): Context => ({
    db: database.prisma,
    pipelinedSql: database.pipelinedSql,
    lockingSql: database.lockingSql,
    sqlTransaction: database.sqlTransaction,
    viewer,
    now,
    log,
    metrics: workMetrics,
    ...(tracer && { tracer }),
    payments,
    queues,
    baseUrl: config.baseUrl,
    mailFrom: config.mailFrom,
    hasMailServer: config.smtpUrl !== undefined,
    allowsPrivateWebhooks: config.allowPrivateWebhookTargets,
    ...(options.triggerJob ? { triggerJob: options.triggerJob } : {}),
  });
  const systemContext = createContext(system);
  const feedOptions = { intervalMs: options.feedIntervalMs };
  const deps: Dependencies = {
    config,
    streams,
    takeTurn: gate.takeTurn,
    log,
    tracer,
    credentials: createCredentialLookup(database.pipelinedSql, now),
    credentialUses: createCredentialUses(writeBehind, database.lockingSql, now),
    rateLimits: createRateLimits(database.lockingSql, now, log, metrics.countRejection),
    queryBudget: createQueryBudget(config.queryBudget, now, () =>
      metrics.countRejection('queryBudget'),
    ),
    trustedDocuments:
      options.trustedDocuments ?? loadTrustedDocuments(schema, config.trustedDocuments),
    deviceGateway: createDeviceGateway({ ...systemContext, writeBehind, loadSpreader }),
    displayStatusFeed: createDisplayStatusFeed(systemContext, feedOptions),
    occupancyFeed: createOccupancyFeed(systemContext, feedOptions),
    journalFeed: createJournalFeed(systemContext, feedOptions),
    installation,
    readPageSettings: createPageSettings(() => readSettings(systemContext)),
    createContext,
    anonymousContext: createContext(anonymous),
  };
  const state = { isDraining: false };
  const routeTable = options.routes ?? routes;
  const graphql = createGraphql(deps);
  const mcp = createMcpListener(deps);
  const rest = createRestApp(deps, routeTable, {
    registerMore: (app) => {
      registerHealthRoutes(app, {
        config,
        database,
        metrics,
        routes: routeTable,
        state,
        printSchema: printSortedSchema,
      });
      registerPages(app, deps);
      registerSiteFiles(app, { config, now });
      registerDocsSite(app, deps);
      registerWebAssets(app, deps, {
        pages: createRenderedPages({
          baseUrl: config.baseUrl,
          now,
          execute: createAnonymousExecution(deps),
          readSettings: deps.readPageSettings,
        }),
        isSetupOpen: () => isSetupOpen(systemContext),
        isEventVisible: async ({ headers }, slug) => {
          const { viewer } = await authenticate(headers, deps);
          return isEventVisible(deps.createContext(viewer), slug);
        },
      });
    },
    handleUnknownPath: createNotFoundPage(config),
  });
  const handleRest = createFastPath(rest, deps, routeTable);
  const handleCors = createCorsHandler(config);
  const warnAboutProxy = createProxyWarning(config, log);
  const basePath = new URL(config.baseUrl).pathname.replace(/\/$/, '');

  const commonHeaders = Object.entries(getCommonHeaders(config));

  const listener = (req: IncomingMessage, res: ServerResponse) => {
    req.url = stripBasePath(normalizePath(toPath(req.url ?? '/')), basePath);
    joinCredentials(req);
    const api = findApi(req);
    const started = performance.now();
    res.once('close', () => {
      if (res.writableFinished) metrics.observe(api, req, res, started);
    });
    for (const [name, value] of commonHeaders) res.setHeader(name, value);
    if (api === 'graphql') setPrivateHeaders(res);
    assignRequestId(req, res);
    if (log.isLevelEnabled('debug')) logRequest(log, req, res);
    if (state.isDraining) res.setHeader('connection', 'close');
    warnAboutProxy(req);
    const handleApi = { graphql, mcp, rest: handleRest }[api];
    const handle = () => handleApi(req, res);
    const handleTraced = tracer
      ? traceRequest(tracer, req, res, { route: api === 'rest' ? undefined : `/${api}`, handle })
      : handle;
    handleCors(req, res, () => gate.admit(req, res, handleTraced));
  };

  return {
    listener,
    metricsListener: createMetricsListener(config, metrics),
    onConnection: gate.trackConnection,
    collectMetrics: metrics.collect,
    checkSystem: createProblemWatch(systemContext, installation),
    systemContext,
    drain: () => {
      state.isDraining = true;
    },
    endStreams: streams.endAll,
    close: () => {
      gate.close();
      return writeBehind.stop();
    },
  };
}

/** The limits of the request gate, by the reasons of its errors. */
const REQUEST_LIMITS: Partial<Record<ErrorReason, LimitName>> = {
  TOO_MANY_REQUESTS: 'requests',
  TOO_MANY_CONNECTIONS: 'connections',
  UNAVAILABLE: 'capacity',
};

/** Keeps proxies and browsers from storing responses of GraphQL, and browsers from guessing their type. */
function setPrivateHeaders(res: ServerResponse): void {
  res.setHeader('cache-control', 'no-store');
  res.setHeader('x-content-type-options', 'nosniff');
}

/** People can retry soon. Devices that were rejected at the same time must not retry at the same time. */
const getRetryAfterSeconds = (loadSpreader: LoadSpreader, url: string, now: Date) =>
  url.startsWith('/displays/') ? loadSpreader.pickRetryDelaySeconds(now.getTime(), Math.random) : 2;

/** The API that answers a path, with or without a slash at its end. All other paths are those of REST and of pages. */
const findApi = ({ url = '' }: IncomingMessage): Api =>
  (/^\/(graphql|mcp)\/?(?:\?|$)/.exec(url)?.[1] as Api | undefined) ?? 'rest';
