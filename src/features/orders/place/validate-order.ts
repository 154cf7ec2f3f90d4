import { can, type Viewer } from '../../../auth/viewer.ts';
import type { Context } from '../../../context.ts';
import type { ErrorReason } from '../../../core/error-reasons.ts';
import { formatWallClock } from '../../../core/time/time-zone.ts';
import { DomainError } from '../../../errors.ts';
import type { OfferedDiscount, OfferedEvent, OfferedTicketType } from './load-items.ts';

export interface Buyer {
  name: string;
  email: string;
}

export interface Attendee {
  name: string;
  email?: string | null | undefined;
}

export interface TicketOrderInput {
  /** Slug or id. */
  event: string;
  buyer: Buyer;
  items: {
    ticketTypeId: string;
    quantity: number;
    /** By name, the first of them; the rest are the buyer's. */
    attendees?: Attendee[] | undefined;
  }[];
  discountCode?: string | undefined;
}

export interface DayPassOrderInput {
  buyer: Buyer;
  dayPassTypeId: string;
  /** YYYY-MM-DD, by the location's calendar. */
  validOn: string;
  /** One pass each; the buyer, if left out. */
  holders?: Attendee[] | undefined;
  discountCode?: string | undefined;
}

/** Whether what is for members is for this viewer: for a member, and for staff who place an order for one. */
export const canBuyAsMember = (viewer: Viewer) =>
  viewer.kind === 'member' || viewer.kind === 'system' || can(viewer, 'orders:write');

export const normalizeAttendee = ({ name, email }: Attendee) => ({
  name,
  email: email ? email.toLowerCase() : null,
});

/** What is wanted of one type. */
export interface RequestedTickets {
  type: OfferedTicketType;
  quantity: number;
  attendees: NonNullable<TicketOrderInput['items'][number]['attendees']>;
}

/** Throws CONFLICT where the event sells nothing any more. */
export function validateEventOnSale({ now }: Context, event: OfferedEvent): void {
  if (event.status === 'cancelled')
    throw orderRejected(`${event.title} is cancelled.`, 'EVENT_CANCELLED', 'CONFLICT');
  if (event.status === 'draft')
    throw orderRejected(`${event.title} is not published yet.`, 'EVENT_NOT_PUBLISHED', 'CONFLICT');
  if (Date.parse(event.endsAt) <= now().getTime())
    throw orderRejected(`${event.title} is over.`, 'EVENT_OVER', 'CONFLICT');
}

/**
 * What the items ask for, the same type put together. Throws VALIDATION for what the event does not sell, or not to
 * this buyer, not now, or not so many.
 */
export function validateItems(
  ctx: Context,
  event: OfferedEvent,
  items: TicketOrderInput['items'],
): RequestedTickets[] {
  const wanted = new Map<string, RequestedTickets>();
  for (const [index, { ticketTypeId, quantity, attendees = [] }] of items.entries()) {
    const type = event.types.find(({ id, active }) => id === ticketTypeId && active);
    if (!type) {
      throw orderRejected(
        `items.${index}: ${event.title} sells no ticket of this type.`,
        'TICKET_TYPE_UNKNOWN',
      );
    }
    if (attendees.length > quantity) {
      throw orderRejected(
        `items.${index}.attendees: there are more of them than tickets.`,
        'TOO_MANY_ATTENDEES',
      );
    }
    const one = wanted.get(type.id) ?? { type, quantity: 0, attendees: [] };
    wanted.set(type.id, {
      type,
      quantity: one.quantity + quantity,
      attendees: [...one.attendees, ...attendees],
    });
  }
  const all = [...wanted.values()];
  for (const one of all) validateRequestedType(ctx, event, one);
  if (new Set(all.map(({ type }) => type.currency)).size > 1) {
    throw orderRejected(
      'These tickets are sold in different currencies. Order them one by one.',
      'CURRENCY_MIXED',
    );
  }
  return all;
}

function validateRequestedType(
  ctx: Context,
  { timeZone }: OfferedEvent,
  { type, quantity }: RequestedTickets,
): void {
  const now = ctx.now().toISOString();
  const { name, salesStartAt, salesEndAt, maxPerOrder } = type;
  const local = (at: string) => `${formatWallClock(new Date(at), timeZone)} (${timeZone})`;
  if (type.audience === 'members' && !canBuyAsMember(ctx.viewer))
    throw orderRejected(`${name} is for members: sign in as one.`, 'MEMBERS_ONLY');
  if (salesStartAt !== null && now < salesStartAt) {
    throw orderRejected(
      `The sale of ${name} begins at ${local(salesStartAt)}.`,
      'SALE_NOT_OPEN',
      'VALIDATION',
      {
        salesStartAt,
      },
    );
  }
  if (salesEndAt !== null && now >= salesEndAt) {
    throw orderRejected(
      `The sale of ${name} ended at ${local(salesEndAt)}.`,
      'SALE_CLOSED',
      'VALIDATION',
      {
        salesEndAt,
      },
    );
  }
  if (quantity > maxPerOrder) {
    throw orderRejected(
      `At most ${maxPerOrder} of ${name} in one order.`,
      'TOO_MANY',
      'VALIDATION',
      {
        perOrder: maxPerOrder,
      },
    );
  }
}

/** The code, if it counts for this order. Throws VALIDATION with why it does not, CONFLICT once it is used up. */
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
      `The discount code ${code.slice(0, 40)} is not known here.`,
      'DISCOUNT_UNKNOWN',
    );
  }
  if (discount.startsAt !== null && now < discount.startsAt)
    throw orderRejected(
      `The discount code ${discount.code} does not count yet.`,
      'DISCOUNT_NOT_YET',
    );
  if (discount.endsAt !== null && now >= discount.endsAt)
    throw orderRejected(`The discount code ${discount.code} has ended.`, 'DISCOUNT_ENDED');
  return discount;
}

export const discountUsedUp = () =>
  orderRejected('The discount code is used up. Order without it.', 'DISCOUNT_USED_UP', 'CONFLICT');

export const orderRejected = (
  message: string,
  reason: ErrorReason,
  code: 'VALIDATION' | 'CONFLICT' = 'VALIDATION',
  details: object = {},
) => new DomainError(code, message, { reason, ...details });
