import type { Express } from 'express';
import type { Config } from '../config.ts';
import { type Database, findUnreadiness } from '../db/database.ts';
import { shuttingDown, unavailable } from '../errors.ts';
import { sendResponse, toSuccessBody } from '../rest/envelope.ts';
import { buildOpenapiDocument } from '../rest/openapi/document.ts';
import type { Route } from '../rest/route.ts';
import { type Metrics, sendMetrics } from './metrics.ts';

/** Registers the routes for operators: health, metrics and the OpenAPI document. */
export function registerHealthRoutes(
  app: Express,
  deps: {
    config: Config;
    database: Database;
    metrics: Metrics;
    routes: Route[];
    state: { isDraining: boolean };
  },
): void {
  const { config, database, metrics, routes, state } = deps;
  // Built for the first request: it contains the schemas of all webhook messages.
  let openapiDocument: string | undefined;

  // /readyz has no limit, so concurrent requests share one check.
  let currentCheck: ReturnType<typeof findUnreadiness> | undefined;
  const checkReadiness = () => {
    currentCheck ??= findUnreadiness(database).finally(() => {
      currentCheck = undefined;
    });
    return currentCheck;
  };

  app.get('/healthz', (_req, res) => sendResponse(res, 200, toSuccessBody({ status: 'alive' })));
  app.get('/readyz', async (_req, res) => {
    if (state.isDraining) throw shuttingDown();
    const unreadiness = await checkReadiness();
    if (unreadiness !== undefined) throw unavailable(`The database is ${unreadiness}.`);
    sendResponse(res, 200, toSuccessBody({ status: 'ready' }));
  });
  if (config.metrics.port === undefined)
    app.get('/metrics', (req, res) => sendMetrics(config, metrics, req, res));
  // Without the envelope, since tools expect the document itself.
  app.get('/openapi.json', (_req, res) => {
    openapiDocument ??= JSON.stringify(buildOpenapiDocument(routes, config));
    sendResponse(res, 200, openapiDocument);
  });
}
