import type { IncomingMessage, ServerResponse } from 'node:http';
import cors from 'cors';
import type { Config } from '../config.ts';

const MAX_AGE_SECONDS = 600;
const EXPOSED_HEADERS = [
  'ETag',
  'Foyer-Error-Reason',
  'Mcp-Session-Id',
  'Preference-Applied',
  'Retry-After',
  'X-Request-Id',
];

/** What anybody can read there without credentials, so can pages of every origin. */
const PUBLIC_PATHS = /^\/public\//;
const READ_METHODS = ['GET', 'HEAD'];

/** Allows the pages of CORS_ORIGINS to read the responses of all APIs, and those of all other origins to read what is public, without credentials. */
export function createCorsHandler({ corsOrigins }: Config) {
  const allowListed = cors<IncomingMessage>({
    origin: corsOrigins,
    credentials: true,
    maxAge: MAX_AGE_SECONDS,
    exposedHeaders: EXPOSED_HEADERS,
  });
  const allowAnonymous = cors<IncomingMessage>({
    origin: '*',
    methods: READ_METHODS,
    // Of all headers, only Authorization is not among these.
    allowedHeaders: '*',
    maxAge: MAX_AGE_SECONDS,
    exposedHeaders: EXPOSED_HEADERS,
  });
  return (req: IncomingMessage, res: ServerResponse, next: () => void) => {
    const { origin = '', 'access-control-request-method': requested } = req.headers;
    const method = req.method === 'OPTIONS' ? requested : req.method;
    const isPublicRead =
      PUBLIC_PATHS.test(req.url ?? '') && method !== undefined && READ_METHODS.includes(method);
    if (isPublicRead && !corsOrigins.includes(origin)) {
      if (corsOrigins.length > 0) res.appendHeader('vary', 'Origin');
      return allowAnonymous(req, res, next);
    }
    return corsOrigins.length > 0 ? allowListed(req, res, next) : next();
  };
}
