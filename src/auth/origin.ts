import type { IncomingHttpHeaders } from 'node:http';
import { DomainError } from '../errors.ts';

/**
 * Browsers send the cookie along whoever's page asks; only our own pages and those of CORS_ORIGINS may use it.
 * Throws FORBIDDEN for any other. What does not say whose page it is, is no page.
 */
export function refuseForeignPage(
  { origin, host }: IncomingHttpHeaders,
  { baseUrl, corsOrigins }: { baseUrl: string; corsOrigins: string[] },
): void {
  if (
    origin === undefined ||
    origin === new URL(baseUrl).origin ||
    corsOrigins.includes(origin) ||
    (URL.canParse(origin) && new URL(origin).host === host)
  )
    return;
  throw new DomainError(
    'FORBIDDEN',
    `Pages of ${origin} may not act for you here. Add it to CORS_ORIGINS to allow it.`,
    { reason: 'FOREIGN_ORIGIN' },
  );
}
