import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import express, { type ErrorRequestHandler, type Express } from 'express';
import { DomainError, notFound } from '../errors.ts';
import type { Dependencies } from '../server/dependencies.ts';
import { handleError, handleRequest } from './handle-request.ts';
import type { Route } from './route.ts';

/** The REST door: every route of the table, and the envelope for whatever else is asked. */
export function createRestApp(
  deps: Dependencies,
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
      handleRequest(entry, deps, req, res, {
        params: req.params as Record<string, string>,
        search: toSearch(req.url),
      }),
    );
  }
  more(app);
  app.use(() => {
    throw unknownPath();
  });
  app.use(createErrorHandler(deps));
  // Express gives up by itself on an address that it cannot take apart; its types do not tell of that.
  const answer = app as unknown as (
    req: unknown,
    res: unknown,
    done: (thrown?: unknown) => void,
  ) => void;
  return (req, res) =>
    answer(req, res, (thrown) => handleError(deps, res, thrown ?? unknownPath()));
}

const unknownPath = () =>
  new DomainError('NOT_FOUND', 'There is nothing at this path with this method.', {
    reason: 'UNKNOWN_PATH',
  });

const toSearch = (url: string) => {
  const mark = url.indexOf('?');
  return mark === -1 ? '' : url.slice(mark);
};

const createErrorHandler =
  (deps: Dependencies): ErrorRequestHandler =>
  (thrown, _req: IncomingMessage, res: ServerResponse, _next) => {
    handleError(deps, res, toReadableError(thrown));
  };

/** Express tells by a status of its own that a request could not be read. */
function toReadableError(thrown: unknown): unknown {
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
