import type { IncomingMessage, ServerResponse } from 'node:http';
import cors from 'cors';
import express, { type ErrorRequestHandler, type Express } from 'express';
import type { Deps } from '../deps.ts';
import { DomainError, notFound } from '../errors.ts';
import type { Route } from './route.ts';
import { refuse, serve } from './serve.ts';

/** The REST door: every route of the table, and the envelope for whatever else is asked. */
export function createRest(deps: Deps, routes: Route[], more: (app: Express) => void): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.enable('case sensitive routing');
  if (deps.config.corsOrigins.length > 0) {
    app.use(
      cors({
        origin: deps.config.corsOrigins,
        credentials: true,
        maxAge: 600,
        exposedHeaders: ['ETag', 'Retry-After'],
      }),
    );
  }
  for (const entry of routes) {
    app.get(entry.path.replaceAll(/\{(\w+)\}/g, ':$1'), (req, res) =>
      serve(entry, deps, req, res, {
        params: req.params as Record<string, string>,
        search: searchOf(req.url),
      }),
    );
  }
  more(app);
  app.use(() => {
    throw new DomainError('NOT_FOUND', 'There is nothing at this path with this method.');
  });
  app.use(answerErrors(deps));
  return app;
}

const searchOf = (url: string) => {
  const mark = url.indexOf('?');
  return mark === -1 ? '' : url.slice(mark);
};

const answerErrors =
  (deps: Deps): ErrorRequestHandler =>
  (thrown, _req: IncomingMessage, res: ServerResponse, _next) => {
    refuse(deps, res, readableError(thrown));
  };

/** Express tells by a status of its own that a request could not be read. */
function readableError(thrown: unknown): unknown {
  if (thrown instanceof DomainError || !(thrown instanceof Error)) return thrown;
  const { status } = thrown as { status?: number };
  if (status === 404) return notFound('path');
  if (status !== undefined && status >= 400 && status < 500) {
    return new DomainError(
      'BAD_REQUEST',
      'The request cannot be read: check the percent-encoding of its path.',
      {},
      { cause: thrown },
    );
  }
  return thrown;
}
