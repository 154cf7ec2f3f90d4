import type { IncomingHttpHeaders } from 'node:http';
import { parse, serialize } from 'cookie';
import { DomainError } from '../errors.ts';

const DAY_SECONDS = 24 * 3600;
export const SESSION_LIFETIME_SECONDS = 14 * DAY_SECONDS;
const BROWSER_LIFETIME_SECONDS = 400 * DAY_SECONDS; // the maximum that browsers accept

const SESSION_COOKIE = 'foyer_session';
const BROWSER_COOKIE = 'foyer_browser';

interface Site {
  /** The public URL of the service. */
  baseUrl: string;
}

/**
 * Browsers send a cookie to all ports and paths of a host, so the name has those of the public URL: installations on one host do not
 * replace each other's cookies. The prefix makes browsers accept the cookie only over https and only from this host.
 */
function toCookieName(cookie: string, site: Site): string {
  const { port, pathname } = new URL(site.baseUrl);
  const path = pathname.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-|-$/g, '');
  const name = [cookie, port, path].filter(Boolean).join('_');
  return usesHttps(site) ? `__Host-${name}` : name;
}

/** Over https, this reads only the cookie that no other host can set. */
export const readSessionCookie = (header: string | undefined, site: Site) =>
  header === undefined ? undefined : parse(header)[toCookieName(SESSION_COOKIE, site)];

/** Returns the secret of a browser that has signed in before. */
export const readBrowserCookie = (header: string | undefined, site: Site) =>
  header === undefined ? undefined : parse(header)[toCookieName(BROWSER_COOKIE, site)];

/** An empty secret deletes the cookie. */
export const formatSessionCookie = (secret: string, site: Site): string =>
  formatCookie(SESSION_COOKIE, secret, site, secret === '' ? 0 : SESSION_LIFETIME_SECONDS);

export const formatBrowserCookie = (secret: string, site: Site): string =>
  formatCookie(BROWSER_COOKIE, secret, site, BROWSER_LIFETIME_SECONDS);

const formatCookie = (name: string, secret: string, site: Site, maxAge: number) =>
  serialize(toCookieName(name, site), secret, {
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    secure: usesHttps(site),
    maxAge,
  });

/** Whether the public URL of the service uses https. */
export const usesHttps = ({ baseUrl }: { baseUrl: string }) => baseUrl.startsWith('https:');

/**
 * Allows only our own pages and those of CORS_ORIGINS to use the session cookie, since browsers also send it with requests
 * of other pages. A request without an Origin header does not come from a page, so it is allowed.
 * @throws FORBIDDEN for pages of other origins.
 */
export function assertSameOrigin(
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
    `Pages of ${origin} cannot use your session. Add the origin to CORS_ORIGINS to allow it.`,
    { reason: 'FOREIGN_ORIGIN' },
  );
}
