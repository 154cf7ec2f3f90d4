import { createHash } from 'node:crypto';
import type { Express } from 'express';
import type { Config } from '../config.ts';
import { type Database, findUnreadiness } from '../db/database.ts';
import { shuttingDown, unavailable } from '../errors.ts';
import { sendResponse, toSuccessBody } from '../rest/envelope.ts';
import { matchesEtag } from '../rest/handle-request.ts';
import { buildOpenapiDocument } from '../rest/openapi/document.ts';
import type { Route } from '../rest/route.ts';
import type { Metrics } from './metrics.ts';
import { sendMetrics } from './metrics-route.ts';

/** Long enough for the jobs of one build, short enough for a client that is generated after an upgrade. */
const SCHEMA_MAX_AGE_SECONDS = 300;

/** Registers the routes for operators: health, metrics and the descriptions of both APIs. */
export function registerHealthRoutes(
  app: Express,
  deps: {
    config: Config;
    database: Database;
    metrics: Metrics;
    routes: Route[];
    state: { isDraining: boolean };
    /** Returns the text of the GraphQL schema. */
    printSchema: () => string;
  },
): void {
  const { config, database, metrics, routes, state, printSchema } = deps;
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
  let schemaDocument: { text: string; etag: string } | undefined;
  app.get('/schema.graphql', (req, res) => {
    schemaDocument ??= withEtag(printSchema());
    const { text, etag } = schemaDocument;
    res.set({
      etag: `"${etag}"`,
      'cache-control': `public, max-age=${SCHEMA_MAX_AGE_SECONDS}`,
      'x-content-type-options': 'nosniff',
    });
    if (matchesEtag(req.headers['if-none-match'], etag)) res.status(304).end();
    else res.type('text/plain').send(text);
  });
}

const withEtag = (text: string) => ({
  text,
  etag: createHash('sha256').update(text).digest('base64url'),
});
