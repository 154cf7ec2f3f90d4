import type { IncomingHttpHeaders } from 'node:http';
import { parse, serialize } from 'cookie';
import { DomainError } from '../errors.ts';

const DAY_SECONDS = 24 * 3600;
export const SESSION_LIFETIME_SECONDS = 14 * DAY_SECONDS;
const BROWSER_LIFETIME_SECONDS = 400 * DAY_SECONDS; // as long as browsers keep any cookie

const SESSION_COOKIE = 'foyer_session';
const BROWSER_COOKIE = 'foyer_browser';

/** Over https browsers take the name from this host alone: no other host can set it. */
const toCookieName = (cookie: string, secure: boolean) => (secure ? `__Host-${cookie}` : cookie);

/** Over https only the name that no other host can set counts. */
export const readSessionCookie = (header: string | undefined, { secure }: { secure: boolean }) =>
  header === undefined ? undefined : parse(header)[toCookieName(SESSION_COOKIE, secure)];

/** The secret of a browser that has signed in before. */
export const readBrowserCookie = (header: string | undefined, { secure }: { secure: boolean }) =>
  header === undefined ? undefined : parse(header)[toCookieName(BROWSER_COOKIE, secure)];

/** An empty secret takes the cookie away. */
export const formatSessionCookie = (secret: string, { secure }: { secure: boolean }): string =>
  formatCookie(SESSION_COOKIE, secret, {
    secure,
    maxAge: secret === '' ? 0 : SESSION_LIFETIME_SECONDS,
  });

export const formatBrowserCookie = (secret: string, { secure }: { secure: boolean }): string =>
  formatCookie(BROWSER_COOKIE, secret, { secure, maxAge: BROWSER_LIFETIME_SECONDS });

const formatCookie = (name: string, secret: string, more: { secure: boolean; maxAge: number }) =>
  serialize(toCookieName(name, more.secure), secret, {
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    ...more,
  });

/** Whether callers come by https. */
export const usesHttps = ({ baseUrl }: { baseUrl: string }) => baseUrl.startsWith('https:');

/**
 * Browsers send the cookie along whoever's page asks; only our own pages and those of CORS_ORIGINS may use it.
 * Throws FORBIDDEN for any other. What does not say whose page it is, is no page.
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
    `Pages of ${origin} may not act for you here. Add it to CORS_ORIGINS to allow it.`,
    { reason: 'FOREIGN_ORIGIN' },
  );
}
