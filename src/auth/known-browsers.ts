import type { Ctx } from '../context.ts';
import { DAY_MS } from '../time.ts';
import { hashSecret, isWellFormed, makeSecret } from './secrets.ts';

// A browser that has signed in to an account keeps a random secret in a cookie; the account keeps its hash. Its attempts to
// sign in to that account have a limit of their own, so that a stranger who uses up the attempts at the account, or from the
// same address, does not lock its owner out. The cookie grants nothing else.

export const KNOWN_BROWSER_DAYS = 400;
const MAX_BROWSERS_PER_USER = 20;

/** Names the browser for rate limits, if it has signed in to the account of this e-mail address before; else null. */
export async function findKnownBrowser(
  { db, now }: Ctx,
  email: string,
  secret: string | undefined,
): Promise<string | null> {
  if (secret === undefined || !isWellFormed('browser', secret)) return null;
  const browser = await db.knownBrowser.findFirst({
    where: { hash: hashSecret(secret), lastUsedAt: { gt: oldestUse(now()) }, user: { email } },
    select: { id: true },
  });
  return browser?.id ?? null;
}

/**
 * Records that this browser has signed in and returns the secret for its cookie. A secret that no account knows is replaced:
 * nobody can choose it for somebody else.
 */
export async function rememberBrowser(
  { db, now }: Ctx,
  userId: string,
  presented: string | undefined,
): Promise<string> {
  const isKnown =
    presented !== undefined &&
    isWellFormed('browser', presented) &&
    (await db.knownBrowser.count({ where: { hash: hashSecret(presented) } })) > 0;
  const secret = isKnown ? presented : makeSecret('browser').plainText;
  const hash = hashSecret(secret);
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
  return secret;
}

/** Timed work: deletes browsers that have not signed in for so long, and says how many there were. */
export async function purgeKnownBrowsers({ db, now }: Ctx): Promise<number> {
  const { count } = await db.knownBrowser.deleteMany({
    where: { lastUsedAt: { lte: oldestUse(now()) } },
  });
  return count;
}

const oldestUse = (now: Date) => new Date(now.getTime() - KNOWN_BROWSER_DAYS * DAY_MS);
