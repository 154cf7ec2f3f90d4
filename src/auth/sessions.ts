import type { Context } from '../context.ts';
import { DAY_MS } from '../core/time/time-zone.ts';
import type { Prisma } from '../db/generated/client.ts';
import { prepareStatement, type Sql } from '../db/prepared-statement.ts';
import { DomainError, notFound } from '../errors.ts';
import { createSecret, hashSecret, isWellFormedSecret } from './tokens.ts';
import type { Viewer } from './viewer.ts';

/** A browser in which a person is signed in. */
export interface Session {
  id: string;
  /** Such as "Firefox on Linux"; null until it is used. */
  browser: string | null;
  createdAt: Date;
  lastUsedAt: Date | null;
  expiresAt: Date;
  /** Whether the current request uses this session. */
  isCurrent: boolean;
}

const SESSION_COLUMNS = {
  id: true,
  browser: true,
  createdAt: true,
  lastUsedAt: true,
  expiresAt: true,
} as const;

/** Lists the caller's active sessions, newest first. @throws FORBIDDEN for a caller without a session. */
export async function listSessions(ctx: Context): Promise<Session[]> {
  const { userId } = await getOwnSession(ctx);
  return (await findSessionsByUsers(ctx, [userId])).get(userId) ?? [];
}

/** Finds the active sessions of each user, newest first. Callers must check that the viewer may see them. */
export async function findSessionsByUsers(
  { db, now, viewer }: Context,
  userIds: string[],
): Promise<Map<string, Session[]>> {
  const sessionsByUser = new Map<string, Session[]>(userIds.map((id) => [id, []]));
  const rows = await db.session.findMany({
    select: { ...SESSION_COLUMNS, userId: true },
    where: { userId: { in: userIds }, expiresAt: { gt: now() } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
  for (const { userId, ...row } of rows) {
    const isCurrent = hasSession(viewer) && row.id === viewer.sessionId;
    sessionsByUser.get(userId)?.push({ ...row, isCurrent });
  }
  return sessionsByUser;
}

/** Ends one of the caller's sessions immediately, on every instance. @throws NOT_FOUND, also for another person's session. */
export async function endSession(ctx: Context, id: string): Promise<Session> {
  const session = (await listSessions(ctx)).find((session) => session.id === id);
  if (session === undefined) throw notFound('session');
  await ctx.db.session.deleteMany({ where: { id } });
  return session;
}

/** Ends all sessions of the caller except the current one and returns the ended ones. */
export async function endOtherSessions(ctx: Context): Promise<Session[]> {
  const others = (await listSessions(ctx)).filter(({ isCurrent }) => !isCurrent);
  const { userId, sessionId } = await getOwnSession(ctx);
  // This also ends sessions that were opened since the listing.
  await endUserSessions(ctx, { id: userId }, sessionId);
  return others;
}

/**
 * Ends all sessions of users except this one, and forgets their browsers: one that is lost or was someone else's must not keep the rate limits
 * of a known one. The browser of the session that stays is known again after the next sign-in.
 */
export async function endUserSessions(
  { db }: Context,
  user: Prisma.UserWhereInput,
  exceptId?: string,
): Promise<void> {
  await db.session.deleteMany({
    where: { user, ...(exceptId !== undefined && { id: { not: exceptId } }) },
  });
  await db.knownBrowser.deleteMany({ where: { user } });
}

async function getOwnSession({
  db,
  viewer,
}: Context): Promise<{ userId: string; sessionId: string }> {
  if (!hasSession(viewer)) {
    throw new DomainError('FORBIDDEN', 'Sign in to do this.', { reason: 'SIGN_IN_NEEDED' });
  }
  const { sessionId } = viewer;
  const session = await db.session.findUnique({
    where: { id: sessionId },
    select: { userId: true },
  });
  if (session === null) throw notFound('session');
  return { userId: session.userId, sessionId };
}

const hasSession = (viewer: Viewer): viewer is Extract<Viewer, { sessionId: string }> =>
  viewer.kind === 'staff' || viewer.kind === 'member';

export interface SessionUse {
  at: Date;
  userAgent: string | undefined;
}

// Once a minute is enough for people to recognize a session. The user row keeps the time after the session has ended.
// Disabling an account locks the user before its sessions. This statement locks in the same order and skips locked users,
// since it must not wait.
const RECORD_USES = prepareStatement(`
  WITH seen AS (
    SELECT * FROM unnest($1::uuid[], $2::timestamptz[], $3::text[]) AS seen (session_id, at, browser)
  ), due AS MATERIALIZED (
    SELECT u.id AS user_id, seen.* FROM seen JOIN sessions s ON s.id = seen.session_id JOIN users u ON u.id = s.user_id
    WHERE s.last_used_at IS NULL OR s.last_used_at < seen.at - interval '1 minute'
    ORDER BY u.id FOR NO KEY UPDATE OF u SKIP LOCKED
  ), used AS (
    UPDATE sessions SET last_used_at = due.at, browser = due.browser FROM due WHERE sessions.id = due.session_id
  ), latest AS (SELECT user_id, max(at) AS at FROM due GROUP BY user_id)
  UPDATE users SET last_active_at = latest.at FROM latest
  WHERE users.id = latest.user_id AND (last_active_at IS NULL OR last_active_at < latest.at)`);

export async function recordSessionUses(sql: Sql, uses: Map<string, SessionUse>): Promise<void> {
  const rows = [...uses];
  await sql(RECORD_USES, [
    rows.map(([id]) => id),
    rows.map(([, { at }]) => at),
    rows.map(([, { userAgent }]) => toBrowserLabel(userAgent)),
  ]);
}

// The first match counts, since a User-Agent header also names older browsers for compatibility.
const BROWSERS: [pattern: RegExp, name: string][] = [
  [/Edg(A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\/|Chromium\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const SYSTEMS: [pattern: RegExp, name: string][] = [
  [/iPhone|iPad|iPod/, 'iOS'],
  [/Android/, 'Android'],
  [/CrOS/, 'ChromeOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/Linux/, 'Linux'],
];

/** Shortens a User-Agent header to a label by which people recognize their browser. The header itself is not stored. */
export function toBrowserLabel(userAgent = ''): string | null {
  const find = (list: typeof BROWSERS) => list.find(([pattern]) => pattern.test(userAgent))?.[1];
  const browser = find(BROWSERS);
  const system = find(SYSTEMS);
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? null;
}

// A browser that has signed in to an account has a random secret in a cookie, and the database stores its hash. Sign-in
// attempts of that browser have their own limit, so that a stranger who exhausts the attempts for the account or the
// address does not lock out its owner. The cookie grants nothing else. It contains a secret for each account: whoever knows the
// secret of one account, and puts it into the browser of another person, learns nothing about theirs.

export const KNOWN_BROWSER_RETENTION_DAYS = 400;
const MAX_BROWSERS_PER_USER = 20;
const MAX_ACCOUNTS_PER_BROWSER = 5;
const SECRET_SEPARATOR = '.';

/** Finds the browser's id for rate limits. Null if it has not signed in to the account of this email address before. */
export async function findKnownBrowser(
  { db, now }: Context,
  email: string,
  cookie: string | undefined,
): Promise<string | null> {
  const hashes = parseBrowserSecrets(cookie).map(hashSecret);
  if (hashes.length === 0) return null;
  const browser = await db.knownBrowser.findFirst({
    where: { hash: { in: hashes }, lastUsedAt: { gt: getOldestUse(now()) }, user: { email } },
    select: { id: true },
  });
  return browser?.id ?? null;
}

const parseBrowserSecrets = (cookie = ''): string[] =>
  cookie
    .split(SECRET_SEPARATOR, MAX_ACCOUNTS_PER_BROWSER)
    .filter((secret) => isWellFormedSecret('browser', secret));

/**
 * Records that this browser has signed in to the account and returns its new cookie, which begins with the secret of this account.
 * Secrets of other accounts stay, so that the browser is known to all of them. Unknown ones are removed.
 */
export async function recordKnownBrowser(
  { db, now }: Context,
  userId: string,
  cookie: string | undefined,
): Promise<string> {
  const presented = parseBrowserSecrets(cookie).map((secret) => ({
    secret,
    hash: hashSecret(secret),
  }));
  const known = await db.knownBrowser.findMany({
    where: { hash: { in: presented.map(({ hash }) => hash) } },
    select: { userId: true, hash: true },
  });
  const isKnown = (hash: Uint8Array, userId?: string) =>
    known.some(
      (row) =>
        Buffer.compare(row.hash, hash) === 0 && (userId === undefined || row.userId === userId),
    );
  const own = presented.find(({ hash }) => isKnown(hash, userId));
  const created = createSecret('browser');
  const { secret, hash } = own ?? { secret: created.plainText, hash: created.hash };
  await db.knownBrowser.upsert({
    where: { userId_hash: { userId, hash } },
    create: { userId, hash, createdAt: now(), lastUsedAt: now() },
    update: { lastUsedAt: now() },
  });
  const surplus = await db.knownBrowser.findMany({
    where: { userId },
    orderBy: [{ lastUsedAt: 'desc' }, { id: 'desc' }],
    skip: MAX_BROWSERS_PER_USER,
    select: { id: true },
  });
  if (surplus.length > 0)
    await db.knownBrowser.deleteMany({ where: { id: { in: surplus.map(({ id }) => id) } } });
  const others = presented.filter((other) => other.secret !== secret && isKnown(other.hash));
  return [secret, ...others.map((other) => other.secret)]
    .slice(0, MAX_ACCOUNTS_PER_BROWSER)
    .join(SECRET_SEPARATOR);
}

/** Job: deletes browsers after 400 days without a sign-in and returns how many. */
export async function purgeKnownBrowsers({ db, now }: Context): Promise<number> {
  const { count } = await db.knownBrowser.deleteMany({
    where: { lastUsedAt: { lte: getOldestUse(now()) } },
  });
  return count;
}

const getOldestUse = (now: Date) => new Date(now.getTime() - KNOWN_BROWSER_RETENTION_DAYS * DAY_MS);
