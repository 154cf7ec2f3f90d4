import { createHmac, randomBytes } from 'node:crypto';
import {
  createSecret,
  deriveSecret,
  hashSecret,
  isWellFormedSecret,
  type Secret,
} from '../../auth/tokens.ts';
import { type Context, runInTransaction } from '../../context.ts';
import { generateConsonantCode } from '../../core/ids.ts';
import { DAY_MS, MINUTE_MS } from '../../core/time/time-zone.ts';
import type { Display as Row } from '../../db/generated/client.ts';
import { DomainError, notFound } from '../../errors.ts';
import {
  assertPlacement,
  DISPLAY_QUERY,
  type Display,
  type DisplayKind,
  getDisplay,
  toDisplay,
  toUpdateError,
} from './display.ts';

// A screen asks to be taken in and shows a code; staff types the code in; the screen fetches its token.
//
// The token is kept nowhere: it is made of what only the screen has, its poll token, and of a salt that only the table
// has. So the screen may fetch it again after a lost answer. Poll tokens stand in addresses, which proxies write down:
// hence the salt is there for a minute after the first telling and no longer, and whoever finds a poll token later can
// make nothing of it. As the table does not have the poll token either, the claim cannot know the token's hash: it
// gives the display one that no token has, and the first telling puts the right one in its place.

const PAIRING_CODE_LENGTH = 8;
const PAIRING_CODE_LIFETIME_MS = 10 * MINUTE_MS;

interface StartedPairing {
  pairingCode: string;
  pollToken: string;
  expiresAt: Date;
}

/** For a screen that belongs to nobody yet. */
export async function startPairing({ db, now }: Context): Promise<StartedPairing> {
  const at = now();
  const expiresAt = new Date(at.getTime() + PAIRING_CODE_LIFETIME_MS);
  const { plainText: pollToken, hash: pollHash } = createSecret('pairing');
  const salt = Uint8Array.from(randomBytes(32));
  for (;;) {
    const pairingCode = generateConsonantCode(PAIRING_CODE_LENGTH);
    const { count } = await db.displayPairing.createMany({
      data: { code: pairingCode, pollHash, salt, createdAt: at, expiresAt },
      skipDuplicates: true,
    });
    if (count === 1) return { pairingCode, pollToken, expiresAt };
  }
}

/** Either a new display, or the one whose screen is replaced: its place stays. */
export type PairingTarget =
  | { displayId: string }
  | {
      name: string;
      locationId: string;
      resourceId?: string | undefined;
      /** A room panel where there is a resource, else a welcome screen. */
      kind?: DisplayKind | undefined;
    };

/**
 * Takes in the screen that shows the code, typed in any case, with spaces and dashes. The token of a screen that it
 * replaces ends at once. Of two claims of one code one succeeds. Throws NOT_FOUND, reason PAIRING_CODE, CONFLICT, reason
 * DISPLAY_REVOKED, and as `checkPlacement` does: then the code holds on.
 */
export function claimPairing(
  ctx: Context,
  pairingCode: string,
  wish: PairingTarget,
): Promise<Display> {
  const code = pairingCode.replace(/[\s\p{Pd}]/gu, '').toUpperCase();
  return runInTransaction(ctx, async (ctx) => {
    const now = ctx.now();
    // The condition stands in the statement: whoever comes second finds nothing.
    const [pairing] = await ctx.db.displayPairing.updateManyAndReturn({
      where: { code, claimedAt: null, expiresAt: { gt: now } },
      data: { claimedAt: now },
    });
    if (pairing === undefined) throw unknownPairingCode();
    const { id } = pairing;
    const waiting = { tokenHash: toPlaceholderHash(id), tokenPrefix: '' };
    const display = await ('displayId' in wish
      ? replaceScreen(ctx, wish.displayId, waiting)
      : createPairedDisplay(ctx, wish, waiting));
    await ctx.db.displayPairing.update({ where: { id }, data: { displayId: display.id } });
    return display;
  });
}

type PlaceholderToken = Pick<Row, 'tokenHash' | 'tokenPrefix'>;

async function replaceScreen(
  ctx: Context,
  id: string,
  waiting: PlaceholderToken,
): Promise<Display> {
  const { count } = await ctx.db.display.updateMany({
    where: { id, revokedAt: null },
    data: { ...waiting, previousTokenHash: null, previousTokenUntil: null },
  });
  if (count === 0) throw await toUpdateError(ctx, id);
  return getDisplay(ctx, id);
}

async function createPairedDisplay(
  ctx: Context,
  wish: Exclude<PairingTarget, { displayId: string }>,
  waiting: PlaceholderToken,
): Promise<Display> {
  const { name, locationId, resourceId = null } = wish;
  const kind = wish.kind ?? (resourceId === null ? 'welcome' : 'room_panel');
  await assertPlacement(ctx, { kind, locationId, resourceId });
  const data = { name, kind, locationId, resourceId, ...waiting, createdAt: ctx.now() };
  return toDisplay(await ctx.db.display.create({ ...DISPLAY_QUERY, data }), ctx.now());
}

const unknownPairingCode = () =>
  new DomainError(
    'NOT_FOUND',
    'No screen shows this code. A code holds for ten minutes and once: look at the screen for the one it shows now.',
    { reason: 'PAIRING_CODE' },
  );

/** How long after the claim the screen may come for its token. */
const TOKEN_COLLECTION_WINDOW_MS = 10 * MINUTE_MS;
const TOKEN_REPEAT_WINDOW_MS = MINUTE_MS;
const PAIRING_RETENTION_MS = DAY_MS;
const NO_SALT = new Uint8Array(0);

/** Of no token, as none is such a text. Another pairing's is another one, so that a screen knows when it was replaced. */
const toPlaceholderHash = (pairingId: string) => hashSecret(`pairing ${pairingId}`);

interface PairingState {
  /** Expired: the screen begins anew. */
  status: 'pending' | 'claimed' | 'expired';
  /** Only when claimed, and for a minute from the first telling on. */
  deviceToken?: string;
  expiresAt: Date;
}

/** For the screen that began. Throws NOT_FOUND. */
export async function pollPairing(ctx: Context, pollToken: string): Promise<PairingState> {
  const pairing = isWellFormedSecret('pairing', pollToken)
    ? await ctx.db.displayPairing.findUnique({ where: { pollHash: hashSecret(pollToken) } })
    : null;
  if (pairing === null) throw notFound('pairing');
  const { claimedAt, collectedAt, displayId, salt, expiresAt } = pairing;
  const now = ctx.now();
  if (claimedAt === null || displayId === null)
    return { status: now < expiresAt ? 'pending' : 'expired', expiresAt };
  if (salt.length > 0 && now < toHandoverEnd({ claimedAt, collectedAt })) {
    const key = createHmac('sha256', pollToken).update(salt).digest();
    const secret = deriveSecret('deviceToken', key);
    if (collectedAt !== null || (await installToken(ctx, { id: pairing.id, displayId, secret })))
      return { status: 'claimed', deviceToken: secret.plainText, expiresAt };
  }
  // Too late, or another screen has taken the display over.
  await ctx.db.displayPairing.updateMany({
    where: { id: pairing.id, NOT: { salt: NO_SALT } },
    data: { salt: NO_SALT },
  });
  return { status: collectedAt === null ? 'expired' : 'claimed', expiresAt };
}

const toHandoverEnd = ({
  claimedAt,
  collectedAt,
}: {
  claimedAt: Date;
  collectedAt: Date | null;
}) =>
  collectedAt === null
    ? new Date(claimedAt.getTime() + TOKEN_COLLECTION_WINDOW_MS)
    : new Date(collectedAt.getTime() + TOKEN_REPEAT_WINDOW_MS);

/** Whether the display still waits for this very screen, and so has its token from now on; or got it from a poll beside this one. */
const installToken = (
  ctx: Context,
  { id, displayId, secret }: { id: string; displayId: string; secret: Secret },
): Promise<boolean> =>
  runInTransaction(ctx, async ({ db, now }) => {
    const { hash, prefix } = secret;
    const { count } = await db.display.updateMany({
      where: { id: displayId, tokenHash: toPlaceholderHash(id), revokedAt: null },
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
export async function purgePairings({ db, now }: Context): Promise<number> {
  const before = (ms: number) => new Date(now().getTime() - ms);
  const { count } = await db.displayPairing.deleteMany({
    where: { createdAt: { lt: before(PAIRING_RETENTION_MS) } },
  });
  await db.displayPairing.updateMany({
    where: {
      NOT: { salt: NO_SALT },
      OR: [
        { claimedAt: null, expiresAt: { lte: now() } },
        { collectedAt: null, claimedAt: { lte: before(TOKEN_COLLECTION_WINDOW_MS) } },
        { collectedAt: { lte: before(TOKEN_REPEAT_WINDOW_MS) } },
      ],
    },
    data: { salt: NO_SALT },
  });
  return count;
}
