import type { IncomingHttpHeaders } from 'node:http';
import { parse, serialize } from 'cookie';
import { DomainError } from '../errors.ts';

const DAY_SECONDS = 24 * 3600;
export const SESSION_LIFETIME_SECONDS = 14 * DAY_SECONDS;
const BROWSER_LIFETIME_SECONDS = 400 * DAY_SECONDS; // the maximum that browsers accept

const SESSION_COOKIE = 'foyer_session';
const BROWSER_COOKIE = 'foyer_browser';

interface Installation {
  /** The public URL of the service. */
  baseUrl: string;
}

/**
 * Browsers send a cookie to all ports and paths of a host, so the name has those of the public URL: installations on one host do not
 * replace each other's cookies. The prefix makes browsers accept the cookie only over https and only from this host.
 */
function toCookieName(cookie: string, installation: Installation): string {
  const { port, pathname } = new URL(installation.baseUrl);
  const path = pathname.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-|-$/g, '');
  const name = [cookie, port, path].filter(Boolean).join('_');
  return usesHttps(installation) ? `__Host-${name}` : name;
}

/** Over https, this reads only the cookie that no other host can set. */
export const readSessionCookie = (header: string | undefined, installation: Installation) =>
  header === undefined ? undefined : parse(header)[toCookieName(SESSION_COOKIE, installation)];

/** Returns the secret of a browser that has signed in before. */
export const readBrowserCookie = (header: string | undefined, installation: Installation) =>
  header === undefined ? undefined : parse(header)[toCookieName(BROWSER_COOKIE, installation)];

/** An empty secret deletes the cookie. */
export const formatSessionCookie = (secret: string, installation: Installation): string =>
  formatCookie(SESSION_COOKIE, secret, installation, secret === '' ? 0 : SESSION_LIFETIME_SECONDS);

export const formatBrowserCookie = (secret: string, installation: Installation): string =>
  formatCookie(BROWSER_COOKIE, secret, installation, BROWSER_LIFETIME_SECONDS);

const formatCookie = (name: string, secret: string, installation: Installation, maxAge: number) =>
  serialize(toCookieName(name, installation), secret, {
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    secure: usesHttps(installation),
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
  // The service can be reached under other names than its own, but not without its encryption.
  const isOwnHost = (url: string) =>
    URL.canParse(url) &&
    new URL(url).host === host &&
    (!usesHttps({ baseUrl }) || new URL(url).protocol === 'https:');
  if (
    origin === undefined ||
    origin === new URL(baseUrl).origin ||
    corsOrigins.includes(origin) ||
    isOwnHost(origin)
  )
    return;
  throw new DomainError(
    'FORBIDDEN',
    `Pages of ${origin} cannot use your session. Add the origin to CORS_ORIGINS to allow it.`,
    { reason: 'FOREIGN_ORIGIN' },
  );
}
