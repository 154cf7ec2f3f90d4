import { can, type Viewer } from '../../../auth/viewer.ts';
import type { Context } from '../../../context.ts';
import type { ErrorReason, FieldReason } from '../../../core/error-reasons.ts';
import { formatLongTime, formatTimeZone } from '../../../core/time/format.ts';
import type { InputOf } from '../../../core/validation.ts';
import { DomainError, RetryableConflict } from '../../../errors.ts';
import type { orderDayPassesInput, placeOrderInput } from '../inputs.ts';
import type { Person } from '../types.ts';
import {
  findDiscount,
  type OfferedDiscount,
  type OfferedEvent,
  type OfferedTicketType,
} from './load-items.ts';

/** The address is null if staff sell at the front desk to a person without one. */
export type Buyer = Person;

export interface TicketOrderInput
  extends Omit<InputOf<typeof placeOrderInput>, 'eventId' | 'buyer'> {
  buyer: Buyer;
  /** Slug or id. */
  event: string;
}

export interface DayPassOrderInput extends Omit<InputOf<typeof orderDayPassesInput>, 'buyer'> {
  buyer: Buyer;
}

/** Whether the viewer can buy tickets for members: members, and staff who order for them. */
export const canBuyAsMember = (viewer: Viewer) =>
  viewer.kind === 'member' || viewer.kind === 'system' || can(viewer, 'orders:write');

/** The requested tickets of one type. */
export interface RequestedTickets {
  type: OfferedTicketType;
  quantity: number;
  attendees: NonNullable<TicketOrderInput['items'][number]['attendees']>;
}

/** Checks that an event sells tickets. @throws CONFLICT (EVENT_CANCELLED, EVENT_NOT_PUBLISHED or EVENT_OVER) */
export function validateEventOnSale({ now }: Context, event: OfferedEvent): void {
  if (event.status === 'cancelled')
    throw orderRejected(
      `${event.title} is cancelled. Tickets are no longer available.`,
      'EVENT_CANCELLED',
      'CONFLICT',
    );
  if (event.status === 'draft')
    throw orderRejected(
      `${event.title} is not published yet. Publish it before you sell tickets.`,
      'EVENT_NOT_PUBLISHED',
      'CONFLICT',
    );
  if (Date.parse(event.endsAt) <= now().getTime())
    throw orderRejected(
      `${event.title} is over. Tickets are no longer available.`,
      'EVENT_OVER',
      'CONFLICT',
    );
}

/**
 * Validates the items of an order and merges items of the same type. `toField` names the fields of the input in errors.
 *
 * @throws VALIDATION for a type that the event does not sell at all, to this buyer, at this time or in this quantity
 */
export function validateItems(
  ctx: Context,
  event: OfferedEvent,
  items: TicketOrderInput['items'],
  toField = (index: number, name: string) => `items.${index}.${name}`,
): RequestedTickets[] {
  const requested = new Map<string, RequestedTickets>();
  for (const [index, { ticketTypeId, quantity, attendees = [] }] of items.entries()) {
    const type = event.types.find(({ id, active }) => id === ticketTypeId && active);
    if (!type) {
      throw orderRejected(
        `items.${index}: ${event.title} does not sell this ticket type. Choose one of its ticket types.`,
        'TICKET_TYPE_UNKNOWN',
        'VALIDATION',
        { fields: [toField(index, 'ticketTypeId')] },
      );
    }
    if (attendees.length > quantity) {
      throw orderRejected(
        `items.${index}.attendees: There are more attendees than tickets. Remove some, or order more tickets.`,
        'TOO_MANY_ATTENDEES',
        'VALIDATION',
        { fields: [toField(index, 'attendees')] },
      );
    }
    const merged = requested.get(type.id) ?? { type, quantity: 0, attendees: [] };
    requested.set(type.id, {
      type,
      quantity: merged.quantity + quantity,
      attendees: [...merged.attendees, ...attendees],
    });
  }
  const all = [...requested.values()];
  for (const tickets of all) {
    const index = items.findIndex(({ ticketTypeId }) => ticketTypeId === tickets.type.id);
    validateRequestedType(ctx, event, tickets, toField(index, 'quantity'));
  }
  if (new Set(all.map(({ type }) => type.currency)).size > 1) {
    throw orderRejected(
      'These tickets have different currencies. Order them separately.',
      'CURRENCY_MIXED',
    );
  }
  return all;
}

function validateRequestedType(
  ctx: Context,
  { timeZone }: OfferedEvent,
  { type, quantity }: RequestedTickets,
  quantityField: string,
): void {
  const now = ctx.now().toISOString();
  const { name, salesStartAt, salesEndAt, maxPerOrder } = type;
  const formatLocal = (instant: string) =>
    `${formatLongTime(instant, timeZone)} (${formatTimeZone(timeZone)})`;
  if (type.audience === 'members' && !canBuyAsMember(ctx.viewer))
    throw orderRejected(
      `${name} is for members only. Sign in as a member to order it.`,
      'MEMBERS_ONLY',
    );
  if (salesStartAt !== null && now < salesStartAt) {
    throw orderRejected(
      `Sales of ${name} start at ${formatLocal(salesStartAt)}. Try again then.`,
      'SALE_NOT_OPEN',
      'VALIDATION',
      { salesStartAt },
    );
  }
  if (salesEndAt !== null && now >= salesEndAt) {
    throw orderRejected(
      `Sales of ${name} ended at ${formatLocal(salesEndAt)}.`,
      'SALE_CLOSED',
      'VALIDATION',
      { salesEndAt },
    );
  }
  if (quantity > maxPerOrder) {
    throw orderRejected(
      `You can order at most ${maxPerOrder} of ${name} at a time. Choose a lower quantity.`,
      'TOO_MANY',
      'VALIDATION',
      { perOrder: maxPerOrder, fields: [quantityField] },
    );
  }
}

/**
 * Returns the discount if it applies to this order.
 *
 * @throws VALIDATION (DISCOUNT_UNKNOWN, DISCOUNT_NOT_YET or DISCOUNT_ENDED) if it does not
 */
export function validateDiscount(
  ctx: Context,
  code: string,
  discount: OfferedDiscount | null,
  { eventId, currency }: { eventId: string | null; currency: string },
): OfferedDiscount {
  const now = ctx.now().toISOString();
  if (
    discount === null ||
    !discount.active ||
    (discount.eventId !== null && discount.eventId !== eventId) ||
    (discount.currency !== null && discount.currency !== currency)
  ) {
    throw orderRejected(
      `The discount code ${code.slice(0, 40)} is not valid for this order. Check it for typos.`,
      'DISCOUNT_UNKNOWN',
      'VALIDATION',
      DISCOUNT_FIELD,
    );
  }
  if (discount.startsAt !== null && now < discount.startsAt)
    throw orderRejected(
      `The discount code ${discount.code} is not valid yet. Order without it, or try again later.`,
      'DISCOUNT_NOT_YET',
      'VALIDATION',
      DISCOUNT_FIELD,
    );
  if (discount.endsAt !== null && now >= discount.endsAt)
    throw orderRejected(
      `The discount code ${discount.code} has expired. Order without it.`,
      'DISCOUNT_ENDED',
      'VALIDATION',
      DISCOUNT_FIELD,
    );
  return discount;
}

const discountUsedUp = () =>
  orderRejected(
    'The discount code is used up. Order without it.',
    'DISCOUNT_USED_UP',
    'CONFLICT',
    DISCOUNT_FIELD,
  );

const DISCOUNT_FIELD = { fields: ['discountCode'] };

/** Returns the error for a code that is used up, or null if an expired order has released a use of it. */
export async function findDiscountUsedUp(
  ctx: Context,
  discount: OfferedDiscount | null,
): Promise<DomainError | null> {
  const current = discount && (await findDiscount(ctx, discount.code));
  return current?.usedUp === false ? null : discountUsedUp();
}

export const tooManyOrders = () =>
  new RetryableConflict({ reason: 'TRY_AGAIN' }, 'Many people are ordering right now. Try again.');

/** Creates the error of a rejected order. */
export const orderRejected = <Reason extends ErrorReason>(
  message: string,
  reason: Reason,
  code: 'VALIDATION' | 'CONFLICT' = 'VALIDATION',
  ...[details]: Reason extends FieldReason ? [FieldDetails] : [details?: object]
) => new DomainError(code, message, { reason, ...details } as FieldDetails & { reason: Reason });

interface FieldDetails {
  fields: string[];
  [detail: string]: unknown;
}
