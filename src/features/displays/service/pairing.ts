import { createHmac, randomBytes } from 'node:crypto';
import {
  createSecret,
  deriveSecret,
  hashSecret,
  isWellFormedSecret,
  type Secret,
} from '../../../auth/tokens.ts';
import { type Context, runInTransaction } from '../../../context.ts';
import { generateConsonantCode, undoKeyboardSwap } from '../../../core/ids.ts';
import { DAY_MS, MINUTE_MS } from '../../../core/time/time-zone.ts';
import type { DisplayKind, Display as Row } from '../../../db/generated/client.ts';
import { DomainError, notFound } from '../../../errors.ts';
import { recordAction, recordCreated } from '../../../journal/record-changes.ts';
import { restrictLookupsToKiosks } from '../../spaces/service/locations.ts';
import {
  assertCanAdmit,
  assertPlacement,
  type Display,
  getDisplay,
  toUpdateError,
} from './display.ts';

// 1. A screen starts a pairing and shows its code.
// 2. Staff enter the code, which claims the pairing.
// 3. The screen polls and gets its device token.
//
// The device token is not stored. It is derived from the poll token, which only the screen has, and a salt, which only
// the database has, so the screen can fetch it again if a response is lost. Poll tokens are part of URLs, which proxies
// log. The salt is therefore deleted one minute after the first delivery, which makes a poll token that leaks later
// useless. The claim cannot compute the hash of the device token, since the database does not have the poll token. It
// stores a placeholder, which the first delivery replaces.

const PAIRING_CODE_LENGTH = 8;
const PAIRING_CODE_LIFETIME_MS = 10 * MINUTE_MS;

interface StartedPairing {
  pairingCode: string;
  pollToken: string;
  expiresAt: Date;
}

/** Starts a pairing for a new screen. The code is valid for ten minutes. */
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

/** A new display, or an existing one that gets a new screen. */
export type PairingTarget =
  | { displayId: string }
  | {
      name: string;
      locationId: string;
      resourceId?: string | undefined;
      /** Default: a room panel if there is a resource, otherwise a welcome screen. */
      kind?: DisplayKind | undefined;
    };

/**
 * Claims the pairing of the screen that shows this code, ignoring case, spaces and dashes. Replacing a screen ends the
 * token of the old one immediately. If the claim fails, the code stays valid.
 * @throws NOT_FOUND, reason PAIRING_CODE; CONFLICT, reason DISPLAY_REVOKED; and as `assertCanAdmit` and `assertPlacement`.
 *
 * @example
 * await claimPairing(ctx, 'ABC-DEF', { name: 'Room 1', locationId, kind: 'room_panel', resourceId });
 */
export async function claimPairing(
  ctx: Context,
  pairingCode: string,
  target: PairingTarget,
): Promise<Display> {
  const typed = pairingCode.replace(/[\s\p{Pd}]/gu, '').toUpperCase();
  const code = undoKeyboardSwap(typed);
  const displayId = await runInTransaction(ctx, async (ctx) => {
    const now = ctx.now();
    // One statement checks and claims, so the second of two concurrent claims matches no row.
    const [pairing] = await ctx.db.displayPairing.updateManyAndReturn({
      where: { code, claimedAt: null, expiresAt: { gt: now } },
      data: { claimedAt: now },
    });
    if (pairing === undefined) throw unknownPairingCode();
    const { id } = pairing;
    const placeholder = { tokenHash: toPlaceholderHash(id), tokenPrefix: '' };
    const displayId = await ('displayId' in target
      ? replaceScreen(ctx, target.displayId, placeholder)
      : createPairedDisplay(ctx, target, placeholder));
    await ctx.db.displayPairing.update({ where: { id }, data: { displayId } });
    return displayId;
  });
  // After the transaction, since Prisma reads relations in parallel and a transaction has one connection.
  return getDisplay(ctx, displayId);
}

type PlaceholderToken = Pick<Row, 'tokenHash' | 'tokenPrefix'>;

async function replaceScreen(
  ctx: Context,
  id: string,
  placeholder: PlaceholderToken,
): Promise<string> {
  const [display] = await ctx.db.display.updateManyAndReturn({
    where: { id, revokedAt: null },
    data: { ...placeholder, previousTokenHash: null, previousTokenUntil: null },
    select: { kind: true },
  });
  if (display === undefined) throw await toUpdateError(ctx, id);
  assertCanAdmit(ctx, display.kind);
  await recordAction(ctx, 'display.paired', [id]);
  return id;
}

async function createPairedDisplay(
  ctx: Context,
  target: Exclude<PairingTarget, { displayId: string }>,
  placeholder: PlaceholderToken,
): Promise<string> {
  const { name, locationId, resourceId = null } = target;
  const kind = target.kind ?? (resourceId === null ? 'welcome' : 'room_panel');
  assertCanAdmit(ctx, kind);
  await assertPlacement(ctx, { kind, locationId, resourceId });
  const data = { name, kind, locationId, resourceId, ...placeholder, createdAt: ctx.now() };
  const { id } = await ctx.db.display.create({ data, select: { id: true } });
  await recordCreated(ctx, 'display.created', [id]);
  if (kind === 'kiosk') await restrictLookupsToKiosks(ctx, locationId);
  return id;
}

const unknownPairingCode = () =>
  new DomainError(
    'NOT_FOUND',
    'No screen shows this code. Codes work once and expire after ten minutes. Enter the code that the screen shows now.',
    { reason: 'PAIRING_CODE', fields: ['pairingCode'] },
  );

/** How long after the claim the screen can fetch its token. */
const TOKEN_COLLECTION_WINDOW_MS = 10 * MINUTE_MS;
const TOKEN_REPEAT_WINDOW_MS = MINUTE_MS;
const PAIRING_RETENTION_MS = DAY_MS;
const NO_SALT = new Uint8Array(0);

/** Matches no token. It differs by pairing, so that a screen notices when a later pairing has replaced it. */
const toPlaceholderHash = (pairingId: string) => hashSecret(`pairing ${pairingId}`);

interface PairingState {
  /** If `expired`, the screen must start a new pairing. */
  status: 'pending' | 'claimed' | 'expired';
  /** Only when claimed, and for one minute after the first delivery. */
  deviceToken?: string;
  expiresAt: Date;
}

/**
 * Returns the state of a pairing to its screen, and the device token once it is claimed.
 * @throws NOT_FOUND for an unknown poll token.
 */
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
  // The screen polled too late, or a later pairing has replaced it.
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

/** Stores the hash of the token if the display still waits for this screen. Returns whether the display has this token. */
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
      // A concurrent poll can have stored it.
      const installed = { id: displayId, tokenHash: hash, revokedAt: null };
      return (await db.display.count({ where: installed })) === 1;
    }
    await db.displayPairing.update({ where: { id }, data: { collectedAt: now() } });
    return true;
  });

/**
 * Job: deletes pairings after a day, and their salts once no token can be delivered. Returns the number of deleted
 * pairings.
 */
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
