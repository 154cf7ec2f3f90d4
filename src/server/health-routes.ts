import type { Express } from 'express';
import type { Config } from '../config.ts';
import { type Database, findUnreadiness } from '../db/database.ts';
import { shuttingDown, unavailable } from '../errors.ts';
import { sendResponse, toSuccessBody } from '../rest/envelope.ts';
import { buildOpenapiDocument } from '../rest/openapi.ts';
import type { Route } from '../rest/route.ts';
import { type Metrics, sendMetrics } from './metrics.ts';

/** What those who run the service ask for. */
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
  const description = JSON.stringify(buildOpenapiDocument(routes, config.baseUrl));

  // It is never refused, so those who ask at the same time share one check.
  let checking: ReturnType<typeof findUnreadiness> | undefined;
  const checkReadiness = () => {
    checking ??= findUnreadiness(database).finally(() => {
      checking = undefined;
    });
    return checking;
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
  // As it is, without the envelope: the programs that read such descriptions expect the document itself.
  app.get('/openapi.json', (_req, res) => sendResponse(res, 200, description));
}
