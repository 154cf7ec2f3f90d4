import type { Express } from 'express';
import type { Config } from './config.ts';
import { type Database, isReady } from './db/database.ts';
import { shuttingDown, unavailable } from './errors.ts';
import type { Metrics } from './metrics.ts';
import { send, success } from './rest/envelope.ts';
import { describe } from './rest/openapi.ts';
import type { Route } from './rest/route.ts';

/** What those who run the service ask for. */
export function operations(
  app: Express,
  deps: {
    config: Config;
    database: Database;
    metrics: Metrics;
    routes: Route[];
    state: { draining: boolean };
  },
): void {
  const { config, database, metrics, routes, state } = deps;
  const description = JSON.stringify(describe(routes, config.baseUrl));

  app.get('/healthz', (_req, res) => send(res, 200, success({ status: 'alive' })));
  app.get('/readyz', async (_req, res) => {
    if (state.draining) throw shuttingDown();
    if (!(await isReady(database)))
      throw unavailable('The database does not answer or lacks migrations.');
    send(res, 200, success({ status: 'ready' }));
  });
  app.get('/metrics', async (_req, res) =>
    send(res, 200, await metrics.text(), { 'content-type': metrics.contentType }),
  );
  // As it is, without the envelope: the programs that read such descriptions expect the document itself.
  app.get('/openapi.json', (_req, res) => send(res, 200, description));
}
