import { createHmac } from 'node:crypto';
import { deriveSecret, hashSecret, isWellFormed, type Secret } from '../../../auth/secrets.ts';
import { type Ctx, inTransaction } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import { DAY_MS, MINUTE_MS } from '../../../time.ts';

/** How long after the claim the screen may come for its token. */
const COLLECT_MS = 10 * MINUTE_MS;
const TOLD_AGAIN_MS = MINUTE_MS;
const KEPT_MS = DAY_MS;
const NO_SALT = new Uint8Array(0);

/** Of no token, as none is such a text. Another pairing's is another one, so that a screen knows when it was replaced. */
export const hashWhileWaiting = (pairingId: string) => hashSecret(`pairing ${pairingId}`);

interface Polled {
  /** Expired: the screen begins anew. */
  status: 'pending' | 'claimed' | 'expired';
  /** Only when claimed, and for a minute from the first telling on. */
  deviceToken?: string;
  expiresAt: Date;
}

/** For the screen that began. Throws NOT_FOUND. */
export async function poll(ctx: Ctx, pollToken: string): Promise<Polled> {
  const pairing = isWellFormed('pairing', pollToken)
    ? await ctx.db.displayPairing.findUnique({ where: { pollHash: hashSecret(pollToken) } })
    : null;
  if (pairing === null) throw notFound('pairing');
  const { claimedAt, collectedAt, displayId, salt, expiresAt } = pairing;
  const now = ctx.now();
  if (claimedAt === null || displayId === null)
    return { status: now < expiresAt ? 'pending' : 'expired', expiresAt };
  if (salt.length > 0 && now < endOfTelling({ claimedAt, collectedAt })) {
    const key = createHmac('sha256', pollToken).update(salt).digest();
    const secret = deriveSecret('deviceToken', key);
    if (collectedAt !== null || (await installed(ctx, { id: pairing.id, displayId, secret })))
      return { status: 'claimed', deviceToken: secret.plainText, expiresAt };
  }
  // Too late, or another screen has taken the display over.
  await ctx.db.displayPairing.updateMany({
    where: { id: pairing.id, NOT: { salt: NO_SALT } },
    data: { salt: NO_SALT },
  });
  return { status: collectedAt === null ? 'expired' : 'claimed', expiresAt };
}

const endOfTelling = ({ claimedAt, collectedAt }: { claimedAt: Date; collectedAt: Date | null }) =>
  collectedAt === null
    ? new Date(claimedAt.getTime() + COLLECT_MS)
    : new Date(collectedAt.getTime() + TOLD_AGAIN_MS);

/** Whether the display still waits for this very screen, and so has its token from now on; or got it from a poll beside this one. */
const installed = (
  ctx: Ctx,
  { id, displayId, secret }: { id: string; displayId: string; secret: Secret },
): Promise<boolean> =>
  inTransaction(ctx, async ({ db, now }) => {
    const { hash, prefix } = secret;
    const { count } = await db.display.updateMany({
      where: { id: displayId, tokenHash: hashWhileWaiting(id), revokedAt: null },
      data: { tokenHash: hash, tokenPrefix: prefix },
    });
    if (count === 0) {
      const given = { id: displayId, tokenHash: hash, revokedAt: null };
      return (await db.display.count({ where: given })) === 1;
    }
    await db.displayPairing.update({ where: { id }, data: { collectedAt: now() } });
    return true;
  });

/** Timed work: takes away the salts by which nothing is told any longer, and after a day the whole. */
export async function forgetPairings({ db, now }: Ctx): Promise<number> {
  const before = (ms: number) => new Date(now().getTime() - ms);
  const { count } = await db.displayPairing.deleteMany({
    where: { createdAt: { lt: before(KEPT_MS) } },
  });
  await db.displayPairing.updateMany({
    where: {
      NOT: { salt: NO_SALT },
      OR: [
        { claimedAt: null, expiresAt: { lte: now() } },
        { collectedAt: null, claimedAt: { lte: before(COLLECT_MS) } },
        { collectedAt: { lte: before(TOLD_AGAIN_MS) } },
      ],
    },
    data: { salt: NO_SALT },
  });
  return count;
}
