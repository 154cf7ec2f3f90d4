import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { DomainError, notFound } from '../errors.ts';
import type { Dependencies } from '../server/dependencies.ts';
import { handleError, handleRequest } from './handle-request.ts';
import type { Route } from './route.ts';

/**
 * Creates the REST API: all routes of the table, and the error envelope for every other path. `handleUnknownPath` gets requests
 * at paths that no route has, with any method, and can answer them otherwise.
 */
export function createRestApp(
  deps: Dependencies,
  routes: Route[],
  {
    registerMore,
    handleUnknownPath,
  }: { registerMore(app: Express): void; handleUnknownPath: RequestHandler },
): RequestListener {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.enable('case sensitive routing');
  for (const route of routes) {
    app[route.method === 'GET' ? 'get' : 'post'](toExpressPath(route.path), (req, res, next) => {
      if (route.sharesPathWithPage) {
        res.vary('accept').vary('authorization');
        if (!isFromProgram(req)) return next();
      }
      return handleRequest(route, deps, req, res, {
        params: req.params as Record<string, string>,
        search: toSearch(req.url),
      });
    });
  }
  registerMore(app);
  // Express matches in order, so these answer only at paths that nothing above has.
  for (const { path, sharesPathWithPage } of routes)
    if (!sharesPathWithPage) app.route(toExpressPath(path)).all(rejectUnknownPath);
  app.use(handleUnknownPath);
  app.use(rejectUnknownPath);
  app.use(createErrorHandler(deps));
  // Express calls the third argument for a URL that it cannot parse. Its types do not declare it.
  const handle = app as unknown as (
    req: unknown,
    res: unknown,
    done: (thrown?: unknown) => void,
  ) => void;
  return (req, res) =>
    handle(req, res, (thrown) => handleError(deps, res, thrown ?? unknownPath()));
}

/** Browsers, search engines and messengers send no token, and many of them accept anything. */
const isFromProgram = ({ headers: { authorization, accept = '' } }: IncomingMessage) =>
  authorization !== undefined || /\bjson\b/i.test(accept);

const toExpressPath = (path: string) => path.replaceAll(/\{(\w+)\}/g, ':$1');

const rejectUnknownPath = () => {
  throw unknownPath();
};

const unknownPath = () =>
  new DomainError('NOT_FOUND', 'No route matches this path and method. See /openapi.json.', {
    reason: 'UNKNOWN_PATH',
  });

const toSearch = (url: string) => {
  const mark = url.indexOf('?');
  return mark === -1 ? '' : url.slice(mark);
};

const createErrorHandler =
  (deps: Dependencies): ErrorRequestHandler =>
  (thrown, _req: IncomingMessage, res: ServerResponse, _next) => {
    handleError(deps, res, normalizeExpressError(thrown));
  };

/** Express marks requests that it cannot parse with a 4xx status. */
function normalizeExpressError(thrown: unknown): unknown {
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
