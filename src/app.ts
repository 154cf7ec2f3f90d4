import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import cors from 'cors';
import type { Logger } from 'pino';
import { credentialsIn } from './auth/credentials.ts';
import { redact } from './auth/secrets.ts';
import { throttlesOn } from './auth/throttle.ts';
import { system, type Viewer } from './auth/viewer.ts';
import type { Config } from './config.ts';
import type { Ctx, Wake } from './context.ts';
import type { Database } from './db/database.ts';
import type { Deps } from './deps.ts';
import { overloaded } from './errors.ts';
import { appointments } from './features/displays/pace.ts';
import { payments as paymentPages } from './features/payments/rest.ts';
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
import { streamsUntil } from './streams.ts';

export interface App {
  listener: RequestListener;
  /** For work that nobody outside asked for. */
  ctx: Ctx;
  /** From now on /readyz says no, so that nobody sends new requests here. */
  drain(): void;
  /** Writes what is waiting; call it when the last request is answered. */
  close(): Promise<void>;
}

/** More at once than this is refused, so that those at work get done. */
const MOST_AT_ONCE = 2_000;

/** Puts the doors together over a migrated database. */
export function createApp(given: {
  config: Config;
  database: Database;
  log: Logger;
  now?: () => Date;
  /** Where jobs run. */
  wake?: Wake;
  routes?: Route[];
}): App {
  const { config, database, log } = given;
  const now = given.now ?? (() => new Date());
  const payments = openPayments(config);
  const writeBehind = startWriteBehind({ sql: database.write, now, log });
  const stopping = new AbortController();
  let atWork = 0;
  const streams = streamsUntil(stopping.signal, () => {
    atWork -= 1;
  });
  const deps: Deps = {
    config,
    streams,
    log,
    writeBehind,
    credentials: credentialsIn(database.sql, now),
    ...throttlesOn(database.pool, log),
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
  const basePath = new URL(config.baseUrl).pathname.replace(/\/$/, '');

  const listener = (req: IncomingMessage, res: ServerResponse) => {
    req.url = withoutBase(pathOf(req.url ?? '/'), basePath);
    const isGraphql = /^\/graphql(\?|$)/.test(req.url ?? '');
    const started = performance.now();
    atWork += 1;
    res.once('close', () => {
      if (!streams.has(res)) atWork -= 1;
      if (res.writableFinished) metrics.observe(isGraphql ? 'graphql' : 'rest', req, res, started);
    });
    if (log.isLevelEnabled('debug')) logRequest(log, req, res);
    if (state.draining) res.setHeader('connection', 'close');
    if (atWork > MOST_AT_ONCE && !/^\/(healthz|metrics)$/.test(req.url))
      refuse(deps, res, overloaded(undefined, comeBackAfter(req.url, now())));
    else shareWithPages(req, res, () => (isGraphql ? graphql(req, res) : front(req, res)));
  };

  return {
    listener,
    ctx: deps.ctx(system),
    drain: () => {
      state.draining = true;
      stopping.abort();
    },
    close: () => writeBehind.stop(),
  };
}

/** People come back soon; devices that are refused together must not come back together. */
const comeBackAfter = (url: string, now: Date) =>
  url.startsWith('/displays/') ? appointments.retry(now.getTime(), Math.random) : 2;

/** Lets the pages of CORS_ORIGINS read the answers of both doors. */
function crossOrigin({ corsOrigins }: Config) {
  if (corsOrigins.length === 0) {
    return (_req: IncomingMessage, _res: ServerResponse, next: () => void) => next();
  }
  return cors<IncomingMessage>({
    origin: corsOrigins,
    credentials: true,
    maxAge: 600,
    exposedHeaders: ['ETag', 'Retry-After'],
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
      url: redact(url),
      status: res.statusCode,
      ms: Math.round(performance.now() - started),
    });
  });
}
