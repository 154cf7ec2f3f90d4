import { randomBytes } from 'node:crypto';
import { makeSecret } from '../../../auth/secrets.ts';
import { randomConsonants } from '../../../codes.ts';
import { type Ctx, inTransaction } from '../../../context.ts';
import type { Display as Row } from '../../../db/generated/client.ts';
import { DomainError } from '../../../errors.ts';
import { MINUTE_MS } from '../../../time.ts';
import {
  asDisplay,
  checkPlacement,
  type Display,
  type DisplayKind,
  find,
  refusal,
  SHOWN,
} from '../display.ts';
import { hashWhileWaiting } from './telling.ts';

// A screen asks to be taken in and shows a code; staff types the code in; the screen fetches its token.
//
// The token is kept nowhere: it is made of what only the screen has, its poll token, and of a salt that only the table
// has. So the screen may fetch it again after a lost answer. Poll tokens stand in addresses, which proxies write down:
// hence the salt is there for a minute after the first telling and no longer, and whoever finds a poll token later can
// make nothing of it. As the table does not have the poll token either, the claim cannot know the token's hash: it
// gives the display one that no token has, and the first telling puts the right one in its place.

const CODE_LENGTH = 8;
const CODE_MS = 10 * MINUTE_MS;

interface Begun {
  pairingCode: string;
  pollToken: string;
  expiresAt: Date;
}

/** For a screen that belongs to nobody yet. */
export async function begin({ db, now }: Ctx): Promise<Begun> {
  const at = now();
  const expiresAt = new Date(at.getTime() + CODE_MS);
  const { plainText: pollToken, hash: pollHash } = makeSecret('pairing');
  const salt = Uint8Array.from(randomBytes(32));
  for (;;) {
    const pairingCode = randomConsonants(CODE_LENGTH);
    const { count } = await db.displayPairing.createMany({
      data: { code: pairingCode, pollHash, salt, createdAt: at, expiresAt },
      skipDuplicates: true,
    });
    if (count === 1) return { pairingCode, pollToken, expiresAt };
  }
}

/** Either a new display, or the one whose screen is replaced: its place stays. */
export type Wish =
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
export function claim(ctx: Ctx, pairingCode: string, wish: Wish): Promise<Display> {
  const code = pairingCode.replace(/[\s\p{Pd}]/gu, '').toUpperCase();
  return inTransaction(ctx, async (ctx) => {
    const now = ctx.now();
    // The condition stands in the statement: whoever comes second finds nothing.
    const [pairing] = await ctx.db.displayPairing.updateManyAndReturn({
      where: { code, claimedAt: null, expiresAt: { gt: now } },
      data: { claimedAt: now },
    });
    if (pairing === undefined) throw unknownCode();
    const { id } = pairing;
    const waiting = { tokenHash: hashWhileWaiting(id), tokenPrefix: '' };
    const display = await ('displayId' in wish
      ? replaced(ctx, wish.displayId, waiting)
      : made(ctx, wish, waiting));
    await ctx.db.displayPairing.update({ where: { id }, data: { displayId: display.id } });
    return display;
  });
}

type Waiting = Pick<Row, 'tokenHash' | 'tokenPrefix'>;

async function replaced(ctx: Ctx, id: string, waiting: Waiting): Promise<Display> {
  const { count } = await ctx.db.display.updateMany({
    where: { id, revokedAt: null },
    data: { ...waiting, previousTokenHash: null, previousTokenUntil: null },
  });
  if (count === 0) throw await refusal(ctx, id);
  return find(ctx, id);
}

async function made(
  ctx: Ctx,
  wish: Exclude<Wish, { displayId: string }>,
  waiting: Waiting,
): Promise<Display> {
  const { name, locationId, resourceId = null } = wish;
  const kind = wish.kind ?? (resourceId === null ? 'welcome' : 'room_panel');
  await checkPlacement(ctx, { kind, locationId, resourceId });
  const data = { name, kind, locationId, resourceId, ...waiting, createdAt: ctx.now() };
  return asDisplay(await ctx.db.display.create({ ...SHOWN, data }), ctx.now());
}

const unknownCode = () =>
  new DomainError(
    'NOT_FOUND',
    'No screen shows this code. A code holds for ten minutes and once: look at the screen for the one it shows now.',
    { reason: 'PAIRING_CODE' },
  );
