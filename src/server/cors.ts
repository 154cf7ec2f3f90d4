import type { IncomingMessage, ServerResponse } from 'node:http';
import cors from 'cors';
import type { Config } from '../config.ts';

/** Allows the pages of CORS_ORIGINS to read the responses of all APIs. */
export function createCorsHandler({ corsOrigins }: Config) {
  if (corsOrigins.length === 0) {
    return (_req: IncomingMessage, _res: ServerResponse, next: () => void) => next();
  }
  return cors<IncomingMessage>({
    origin: corsOrigins,
    credentials: true,
    maxAge: 600,
    exposedHeaders: [
      'ETag',
      'Foyer-Error-Reason',
      'Mcp-Session-Id',
      'Preference-Applied',
      'Retry-After',
      'X-Request-Id',
    ],
  });
}
