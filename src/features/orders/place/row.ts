import { v7 } from 'uuid';
import { makeSecret } from '../../../auth/secrets.ts';
import { randomCode } from '../../../codes.ts';
import type { Ctx } from '../../../context.ts';
import { MINUTE_MS } from '../../../time.ts';
import type { Bill } from './bill.ts';
import type { Buyer } from './request.ts';

const CODE_LENGTH = 9;
/** How long an order holds its stock for the buyer to pay. */
const HOLD_MINUTES = 15;

/** An order as it is written. */
export type OrderRow = ReturnType<typeof newOrder>['row'];

/** What is free is confirmed at once, unless it is an offer, which waits for a yes; the rest holds its stock until `expiresAt`. */
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
  },
) {
  const now = ctx.now();
  const { plainText: secret, hash } = makeSecret('orderLink');
  const isFree = bill.totalAmount === 0;
  const confirmed = isFree && more.holdUntil === undefined;
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
      : (more.holdUntil ?? new Date(now.getTime() + HOLD_MINUTES * MINUTE_MS)).toISOString(),
    paidAt: confirmed ? now.toISOString() : null,
    createdAt: now.toISOString(),
    linkHash: Buffer.from(hash).toString('hex'),
  };
  return { row, secret };
}

const viewerAsMember = ({ viewer }: Ctx) => (viewer.kind === 'member' ? viewer.id : null);
