import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import express, { type ErrorRequestHandler, type Express } from 'express';
import type { Deps } from '../deps.ts';
import { DomainError, notFound } from '../errors.ts';
import type { Route } from './route.ts';
import { refuse, serve } from './serve.ts';

/** The REST door: every route of the table, and the envelope for whatever else is asked. */
export function createRest(
  deps: Deps,
  routes: Route[],
  more: (app: Express) => void,
): RequestListener {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.enable('case sensitive routing');
  for (const entry of routes) {
    const path = entry.path.replaceAll(/\{(\w+)\}/g, ':$1');
    app[entry.method === 'GET' ? 'get' : 'post'](path, (req, res) =>
      serve(entry, deps, req, res, {
        params: req.params as Record<string, string>,
        search: searchOf(req.url),
      }),
    );
  }
  more(app);
  app.use(() => {
    throw nothingHere();
  });
  app.use(answerErrors(deps));
  // Express gives up by itself on an address that it cannot take apart; its types do not tell of that.
  const answer = app as unknown as (
    req: unknown,
    res: unknown,
    done: (thrown?: unknown) => void,
  ) => void;
  return (req, res) => answer(req, res, (thrown) => refuse(deps, res, thrown ?? nothingHere()));
}

const nothingHere = () =>
  new DomainError('NOT_FOUND', 'There is nothing at this path with this method.', {
    reason: 'UNKNOWN_PATH',
  });

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
      { reason: 'INVALID_INPUT' },
      { cause: thrown },
    );
  }
  return thrown;
}
