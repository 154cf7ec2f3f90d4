import { v7 } from 'uuid';
import { createSecret } from '../../../auth/tokens.ts';
import type { Context } from '../../../context.ts';
import { generateCode } from '../../../core/ids.ts';
import { MINUTE_MS } from '../../../core/time/time-zone.ts';
import type { ChangeType } from '../../../journal/catalog.ts';
import { toOrigin } from '../../../journal/record-changes.ts';
import { applyDiscount } from '../../discounts/service.ts';
import { CONFIRMATION_HOLD_MINUTES, MIN_HOLD_MINUTES } from '../hold-durations.ts';
import { ADMISSION_CODE_LENGTH, type Attendee, normalizeAttendee } from '../types.ts';
import type { FrontDeskHold } from './front-desk-hold.ts';
import type { OfferedDiscount } from './load-items.ts';
import {
  type Buyer,
  canBuyAsMember,
  orderRejected,
  type RequestedTickets,
} from './validate-order.ts';

const ORDER_CODE_LENGTH = 9;

/** The row of a new order, as `insertOrders` writes it. */
export type OrderRow = ReturnType<typeof buildOrder>['row'];

/**
 * Builds a new order. A free order is confirmed immediately, unless it is an offer or the buyer must confirm the email
 * address. All others hold their stock until `expiresAt`. `secret` cannot confirm the order: only an email contains a link that
 * can.
 */
export function buildOrder(
  ctx: Context,
  pricing: Pick<OrderPricing<object>, 'totalAmount' | 'discountAmount' | 'currency'>,
  options: {
    buyer: Buyer;
    eventId: string | null;
    discountCodeId?: string | undefined;
    memberId?: string | null | undefined;
    /** Until when an offer holds its stock. An offer is for another person than the viewer. */
    holdUntil?: Date;
    /** The subjects whose seats include this order. Those of an offer were counted when the person joined the waiting list. */
    seatKeys: string[];
    /** Whether a free order must be confirmed by the link in the email. */
    requiresConfirmation?: boolean;
    /** Until when an order that is paid at the front desk is held. Null for all others. */
    frontDeskHold?: FrontDeskHold | null;
  },
) {
  const now = ctx.now();
  const { plainText: secret, hash } = createSecret('orderLink');
  const isFree = pricing.totalAmount === 0;
  const isOffer = options.holdUntil !== undefined;
  const awaitsEmail = isFree && !isOffer && options.requiresConfirmation === true;
  const confirmed = isFree && !isOffer && !awaitsEmail;
  const holdMinutes = awaitsEmail ? CONFIRMATION_HOLD_MINUTES : MIN_HOLD_MINUTES;
  const holdUntil =
    options.holdUntil ??
    options.frontDeskHold?.expiresAt ??
    new Date(now.getTime() + holdMinutes * MINUTE_MS);
  const row = {
    id: v7(),
    code: generateCode(ORDER_CODE_LENGTH),
    status: confirmed ? ('paid' as const) : ('pending' as const),
    admission: confirmed ? ('valid' as const) : ('held' as const),
    eventId: options.eventId,
    memberId: options.memberId === undefined ? findViewerMemberId(ctx) : options.memberId,
    buyerName: options.buyer.name,
    buyerEmail: options.buyer.email?.toLowerCase() ?? null,
    currency: pricing.currency,
    totalAmount: pricing.totalAmount,
    discountAmount: pricing.discountAmount,
    discountCodeId: options.discountCodeId ?? null,
    provider: isFree ? null : ctx.payments.name,
    expiresAt: confirmed ? null : holdUntil.toISOString(),
    confirmedHoldUntil: options.frontDeskHold?.confirmedHoldUntil?.toISOString() ?? null,
    paidAt: confirmed ? now.toISOString() : null,
    createdAt: now.toISOString(),
    linkHash: toHex(hash),
    seatKeys: options.seatKeys,
    change: toChangeType({ confirmed, isOffer }),
    origin: toOrigin(ctx),
  };
  return { row, secret };
}

function toChangeType(order: { confirmed: boolean; isOffer: boolean }): ChangeType {
  if (order.confirmed) return 'order.confirmed';
  return order.isOffer ? 'order.offered' : 'order.placed';
}

const toHex = (hash: Uint8Array) => Buffer.from(hash).toString('hex');

const findViewerMemberId = ({ viewer }: Context) => (viewer.kind === 'member' ? viewer.id : null);

/** One requested admission, with its price before and after the discount, in minor units. */
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

const MAX_TOTAL_AMOUNT = 2_000_000_000; // fits into a 32-bit column

/** Returns one unit per ticket. Tickets without an attendee get the name of the buyer. */
export const toOrderUnits = (requested: RequestedTickets[], buyer: Buyer) =>
  requested.flatMap(({ type, quantity, attendees }) =>
    Array.from({ length: quantity }, (_, n) => ({
      itemId: type.id,
      unitPrice: type.amount,
      person: attendees[n] ?? (buyer as Attendee),
    })),
  );

/** Prices an order, with the discount, in multiples of `step` if the prices are. @throws VALIDATION (TOO_EXPENSIVE) for a total that one payment cannot cover. */
export function priceOrder<Extra extends object>(
  requested: (Extra & { unitPrice: number; person: Attendee })[],
  discount: OfferedDiscount | null,
  currency: string,
  step = 1,
): OrderPricing<Extra> {
  const { discount: discountAmount, amounts } = applyDiscount(
    discount ?? { percent: null, amount: null },
    requested.map(({ unitPrice }) => unitPrice),
    step,
  );
  const totalAmount = amounts.reduce((sum, amount) => sum + amount, 0);
  if (totalAmount + discountAmount > MAX_TOTAL_AMOUNT)
    throw orderRejected(
      'The total is too high for one payment. Order fewer tickets or passes.',
      'TOO_EXPENSIVE',
    );
  const units = requested.map(({ person, ...unit }, position) => ({
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
  if (amount === undefined) throw new Error('applyDiscount returned too few amounts');
  return amount;
}

/** Whether an order has a price that is paid at the front desk. */
export const isPaidAtFrontDesk = (
  { payments }: Pick<Context, 'payments'>,
  { totalAmount }: Pick<OrderPricing<object>, 'totalAmount'>,
) => totalAmount > 0 && payments.name === 'on_site';

/** Whether a free order of the viewer can require confirmation. Members and callers with orders:write never need it. */
export const canRequireConfirmation = ({ viewer }: Pick<Context, 'viewer'>) =>
  !canBuyAsMember(viewer);
