import { parse, serialize } from 'cookie';

const DAYS = 24 * 3600;
export const SESSION_SECONDS = 14 * DAYS;
const BROWSER_SECONDS = 400 * DAYS; // as long as browsers keep any cookie

const SESSION = 'foyer_session';
const BROWSER = 'foyer_browser';

/** Over https browsers take the name from this host alone: no other host can set it. */
const nameOf = (cookie: string, secure: boolean) => (secure ? `__Host-${cookie}` : cookie);

/** Over https only the name that no other host can set counts. */
export const sessionFrom = (header: string | undefined, { secure }: { secure: boolean }) =>
  header === undefined ? undefined : parse(header)[nameOf(SESSION, secure)];

/** The secret of a browser that has signed in before. */
export const browserFrom = (header: string | undefined, { secure }: { secure: boolean }) =>
  header === undefined ? undefined : parse(header)[nameOf(BROWSER, secure)];

/** An empty secret takes the cookie away. */
export const sessionCookie = (secret: string, { secure }: { secure: boolean }): string =>
  cookieOf(SESSION, secret, { secure, maxAge: secret === '' ? 0 : SESSION_SECONDS });

export const browserCookie = (secret: string, { secure }: { secure: boolean }): string =>
  cookieOf(BROWSER, secret, { secure, maxAge: BROWSER_SECONDS });

const cookieOf = (name: string, secret: string, more: { secure: boolean; maxAge: number }) =>
  serialize(nameOf(name, more.secure), secret, {
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    ...more,
  });

/** Whether callers come by https. */
export const isSecure = ({ baseUrl }: { baseUrl: string }) => baseUrl.startsWith('https:');
