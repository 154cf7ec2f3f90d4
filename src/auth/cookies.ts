import { parse, serialize } from 'cookie';

const DAYS = 24 * 3600;
export const SESSION_SECONDS = 14 * DAYS;

const NAME = 'foyer_session';
/** A browser takes a cookie of this name only over https, from this host alone. */
const SECURE_NAME = '__Host-foyer_session';

/** Over https only the name that no other host can set counts. */
export function sessionFrom(
  header: string | undefined,
  { secure }: { secure: boolean },
): string | undefined {
  if (header === undefined) return undefined;
  return parse(header)[secure ? SECURE_NAME : NAME];
}

/** An empty secret takes the cookie away. */
export function sessionCookie(secret: string, { secure }: { secure: boolean }): string {
  return serialize(secure ? SECURE_NAME : NAME, secret, {
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    secure,
    maxAge: secret === '' ? 0 : SESSION_SECONDS,
  });
}

/** Whether callers come by https. */
export const isSecure = ({ baseUrl }: { baseUrl: string }) => baseUrl.startsWith('https:');
