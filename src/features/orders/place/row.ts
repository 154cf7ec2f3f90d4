import { v7 } from 'uuid';
import { makeSecret } from '../../../auth/secrets.ts';
import { randomCode } from '../../../codes.ts';
import type { Ctx } from '../../../context.ts';
import { MINUTE_MS } from '../../../time.ts';
import type { SeatClaim } from '../limits/subjects.ts';
import type { Bill } from './bill.ts';
import type { Buyer } from './request.ts';

const CODE_LENGTH = 9;
/** How long an order holds its stock for the buyer to pay. */
const HOLD_MINUTES = 15;
/** How long it holds what is free until the buyer opens the link in the mail. */
const CONFIRMATION_HOLD_MINUTES = 30;

/** An order as it is written. */
export type OrderRow = ReturnType<typeof newOrder>['row'];

/**
 * What is free is confirmed at once, unless it is an offer, which waits for a yes, or the buyer has to confirm the
 * e-mail address; the rest holds its stock until `expiresAt`. `mailSecret` opens the order too, and confirms it: only
 * the mail may contain it.
 */
export function newOrder(
  ctx: Ctx,
  bill: Pick<Bill<object>, 'totalAmount' | 'discountAmount' | 'currency'>,
  more: {
    buyer: Buyer;
    eventId: string | null;
    discountCodeId?: string | undefined;
    memberId?: string | null | undefined;
    /** For an offer: whoever freed the tickets asks, but it is for somebody else. */
    holdUntil?: Date;
    /** Who joined the waiting list was counted then. */
    seats: SeatClaim | { countedKeys: string[] };
    /** Whether a free order waits for the link in the mail. */
    requiresConfirmation?: boolean;
  },
) {
  const now = ctx.now();
  const { plainText: secret, hash } = makeSecret('orderLink');
  const isFree = bill.totalAmount === 0;
  const isOffer = more.holdUntil !== undefined;
  const awaitsMail = isFree && !isOffer && more.requiresConfirmation === true;
  const confirmed = isFree && !isOffer && !awaitsMail;
  const mailed = awaitsMail ? makeSecret('orderLink') : null;
  const holdMinutes = awaitsMail ? CONFIRMATION_HOLD_MINUTES : HOLD_MINUTES;
  const limits = 'limits' in more.seats ? more.seats.limits : [];
  const row = {
    id: v7(),
    code: randomCode(CODE_LENGTH),
    status: confirmed ? ('paid' as const) : ('pending' as const),
    admission: confirmed ? ('valid' as const) : ('held' as const),
    eventId: more.eventId,
    memberId: more.memberId !== undefined ? more.memberId : viewerAsMember(ctx),
    buyerName: more.buyer.name,
    buyerEmail: more.buyer.email.toLowerCase(),
    currency: bill.currency,
    totalAmount: bill.totalAmount,
    discountAmount: bill.discountAmount,
    discountCodeId: more.discountCodeId ?? null,
    provider: isFree ? null : ctx.payments.provider,
    expiresAt: confirmed
      ? null
      : (more.holdUntil ?? new Date(now.getTime() + holdMinutes * MINUTE_MS)).toISOString(),
    paidAt: confirmed ? now.toISOString() : null,
    createdAt: now.toISOString(),
    links: [
      { hash: toHex(hash), canConfirm: isOffer },
      ...(mailed ? [{ hash: toHex(mailed.hash), canConfirm: true }] : []),
    ],
    seatLimits: limits,
    seatKeys: 'limits' in more.seats ? limits.map(({ key }) => key) : more.seats.countedKeys,
    windowHours: 'limits' in more.seats ? more.seats.windowHours : 0,
  };
  return { row, secret, mailSecret: mailed?.plainText ?? null };
}

const toHex = (hash: Uint8Array) => Buffer.from(hash).toString('hex');

const viewerAsMember = ({ viewer }: Ctx) => (viewer.kind === 'member' ? viewer.id : null);
