import { v7 } from 'uuid';
import { createSecret } from '../../../auth/tokens.ts';
import type { Context } from '../../../context.ts';
import { generateCode } from '../../../core/ids.ts';
import { MINUTE_MS } from '../../../core/time/time-zone.ts';
import type { OutgoingEmail } from '../../../integrations/email/outbox.ts';
import { applyDiscount } from '../../discounts/service.ts';
import { confirmationRequested, orderConfirmed } from '../emails/confirmation.ts';
import type { OrderSubject } from '../emails/format.ts';
import type { SeatClaim } from '../limits/seat-limits.ts';
import { portalUrl } from '../links.ts';
import type { OfferedDiscount } from './load-items.ts';
import {
  type Attendee,
  type Buyer,
  canBuyAsMember,
  normalizeAttendee,
  orderRejected,
  type RequestedTickets,
} from './validate-order.ts';

const ORDER_CODE_LENGTH = 9;
/** How long an order holds its stock for the buyer to pay. */
const HOLD_MINUTES = 15;
/** How long it holds what is free until the buyer opens the link in the mail. */
const CONFIRMATION_HOLD_MINUTES = 30;

/** An order as it is written. */
export type OrderRow = ReturnType<typeof buildOrder>['row'];

/**
 * What is free is confirmed at once, unless it is an offer, which waits for a yes, or the buyer has to confirm the
 * e-mail address; the rest holds its stock until `expiresAt`. `mailSecret` opens the order too, and confirms it: only
 * the mail may contain it.
 */
export function buildOrder(
  ctx: Context,
  bill: Pick<OrderPricing<object>, 'totalAmount' | 'discountAmount' | 'currency'>,
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
  const { plainText: secret, hash } = createSecret('orderLink');
  const isFree = bill.totalAmount === 0;
  const isOffer = more.holdUntil !== undefined;
  const awaitsMail = isFree && !isOffer && more.requiresConfirmation === true;
  const confirmed = isFree && !isOffer && !awaitsMail;
  const mailed = awaitsMail ? createSecret('orderLink') : null;
  const holdMinutes = awaitsMail ? CONFIRMATION_HOLD_MINUTES : HOLD_MINUTES;
  const limits = 'limits' in more.seats ? more.seats.limits : [];
  const row = {
    id: v7(),
    code: generateCode(ORDER_CODE_LENGTH),
    status: confirmed ? ('paid' as const) : ('pending' as const),
    admission: confirmed ? ('valid' as const) : ('held' as const),
    eventId: more.eventId,
    memberId: more.memberId !== undefined ? more.memberId : findViewerMemberId(ctx),
    buyerName: more.buyer.name,
    buyerEmail: more.buyer.email.toLowerCase(),
    currency: bill.currency,
    totalAmount: bill.totalAmount,
    discountAmount: bill.discountAmount,
    discountCodeId: more.discountCodeId ?? null,
    provider: isFree ? null : ctx.payments.name,
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
  return { row, secret, emailSecret: mailed?.plainText ?? null };
}

const toHex = (hash: Uint8Array) => Buffer.from(hash).toString('hex');

const findViewerMemberId = ({ viewer }: Context) => (viewer.kind === 'member' ? viewer.id : null);

/** One admission that is wanted, with its price before and after the discount, in minor units. */
export interface OrderUnit {
  id: string;
  code: string;
  position: number;
  name: string;
  email: string | null;
  unitPrice: number;
  amount: number;
}

interface OrderPricing<Extra> {
  units: (OrderUnit & Extra)[];
  totalAmount: number;
  discountAmount: number;
  currency: string;
}

const MAX_TOTAL_AMOUNT = 2_000_000_000; // a 32-bit number holds it
/** Of what lets people in. */
export const ADMISSION_CODE_LENGTH = 12;

/** Each ticket by itself; those without an attendee of their own are the buyer's. */
export const toOrderUnits = (wanted: RequestedTickets[], buyer: Buyer) =>
  wanted.flatMap(({ type, quantity, attendees }) =>
    Array.from({ length: quantity }, (_, n) => ({
      ticketTypeId: type.id,
      unitPrice: type.amount,
      person: attendees[n] ?? (buyer as Attendee),
    })),
  );

/** Throws VALIDATION where the sum is more than can be charged at once. */
export function priceOrder<Extra extends object>(
  wanted: (Extra & { unitPrice: number; person: Attendee })[],
  discount: OfferedDiscount | null,
  currency: string,
): OrderPricing<Extra> {
  const list = wanted.map(({ unitPrice }) => unitPrice);
  const { discount: discountAmount, amounts } = applyDiscount(
    discount ?? { percent: null, amount: null },
    list,
  );
  const totalAmount = amounts.reduce((sum, amount) => sum + amount, 0);
  if (totalAmount + discountAmount > MAX_TOTAL_AMOUNT)
    throw orderRejected('That is more than can be paid at once. Order fewer.', 'TOO_EXPENSIVE');
  const units = wanted.map(({ person, ...unit }, position) => ({
    ...unit,
    ...normalizeAttendee(person),
    id: v7(),
    code: generateCode(ADMISSION_CODE_LENGTH),
    position,
    amount: assertAmount(amounts[position]),
  })) as unknown as (OrderUnit & Extra)[];
  return { units, totalAmount, discountAmount, currency };
}

function assertAmount(amount: number | undefined): number {
  if (amount === undefined) throw new Error('a discount answers for each amount');
  return amount;
}

/** Members and staff have signed in, and programs with orders:write are trusted. */
export const canRequireConfirmation = ({ viewer }: Pick<Context, 'viewer'>) =>
  !canBuyAsMember(viewer);

/** Builds the mail that a new order sends at once: that it is confirmed, or how to confirm it. Null where it is to be paid. */
export function buildPlacedOrderEmail(
  ctx: Context,
  { row, secret, emailSecret }: { row: OrderRow; secret: string; emailSecret: string | null },
  of: { orderSubject: OrderSubject; admissions: { name: string; code: string }[] },
): OutgoingEmail | null {
  const buyer = { name: row.buyerName, email: row.buyerEmail };
  if (emailSecret !== null) {
    return confirmationRequested({
      to: buyer.email,
      orderSubject: of.orderSubject,
      quantity: of.admissions.length,
      portalUrl: portalUrl(ctx, emailSecret),
    });
  }
  if (row.status !== 'paid') return null;
  return orderConfirmed({
    ...of,
    buyer,
    orderCode: row.code,
    paid: null,
    portalUrl: portalUrl(ctx, secret),
  });
}
