import type { Ctx } from '../../../context.ts';
import type { ErrorReason } from '../../../error-reasons.ts';
import { DomainError } from '../../../errors.ts';
import { wallClock } from '../../../time.ts';
import type { OfferedDiscount, OfferedEvent, OfferedType } from './basket.ts';
import { buysAsMember, type TicketOrderInput } from './request.ts';

/** What is wanted of one type. */
export interface Wanted {
  type: OfferedType;
  quantity: number;
  attendees: NonNullable<TicketOrderInput['items'][number]['attendees']>;
}

/** Throws CONFLICT where the event sells nothing any more. */
export function checkEvent({ now }: Ctx, event: OfferedEvent): void {
  if (event.status === 'cancelled')
    throw refused(`${event.title} is cancelled.`, 'EVENT_CANCELLED', 'CONFLICT');
  if (event.status === 'draft')
    throw refused(`${event.title} is not published yet.`, 'EVENT_NOT_PUBLISHED', 'CONFLICT');
  if (Date.parse(event.endsAt) <= now().getTime())
    throw refused(`${event.title} is over.`, 'EVENT_OVER', 'CONFLICT');
}

/**
 * What the items ask for, the same type put together. Throws VALIDATION for what the event does not sell, or not to
 * this buyer, not now, or not so many.
 */
export function checkItems(
  ctx: Ctx,
  event: OfferedEvent,
  items: TicketOrderInput['items'],
): Wanted[] {
  const wanted = new Map<string, Wanted>();
  for (const [index, { ticketTypeId, quantity, attendees = [] }] of items.entries()) {
    const type = event.types.find(({ id, active }) => id === ticketTypeId && active);
    if (!type) {
      throw refused(
        `items.${index}: ${event.title} sells no ticket of this type.`,
        'TICKET_TYPE_UNKNOWN',
      );
    }
    if (attendees.length > quantity) {
      throw refused(
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
  for (const one of all) checkType(ctx, event, one);
  if (new Set(all.map(({ type }) => type.currency)).size > 1) {
    throw refused(
      'These tickets are sold in different currencies. Order them one by one.',
      'CURRENCY_MIXED',
    );
  }
  return all;
}

function checkType(ctx: Ctx, { timeZone }: OfferedEvent, { type, quantity }: Wanted): void {
  const now = ctx.now().toISOString();
  const { name, salesStartAt, salesEndAt, maxPerOrder } = type;
  const local = (at: string) => `${wallClock(new Date(at), timeZone)} (${timeZone})`;
  if (type.audience === 'members' && !buysAsMember(ctx.viewer))
    throw refused(`${name} is for members: sign in as one.`, 'MEMBERS_ONLY');
  if (salesStartAt !== null && now < salesStartAt) {
    throw refused(
      `The sale of ${name} begins at ${local(salesStartAt)}.`,
      'SALE_NOT_OPEN',
      'VALIDATION',
      {
        salesStartAt,
      },
    );
  }
  if (salesEndAt !== null && now >= salesEndAt) {
    throw refused(
      `The sale of ${name} ended at ${local(salesEndAt)}.`,
      'SALE_CLOSED',
      'VALIDATION',
      {
        salesEndAt,
      },
    );
  }
  if (quantity > maxPerOrder) {
    throw refused(`At most ${maxPerOrder} of ${name} in one order.`, 'TOO_MANY', 'VALIDATION', {
      perOrder: maxPerOrder,
    });
  }
}

/** The code, if it counts for this order. Throws VALIDATION with why it does not, CONFLICT once it is used up. */
export function checkDiscount(
  ctx: Ctx,
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
    throw refused(`The discount code ${code.slice(0, 40)} is not known here.`, 'DISCOUNT_UNKNOWN');
  }
  if (discount.startsAt !== null && now < discount.startsAt)
    throw refused(`The discount code ${discount.code} does not count yet.`, 'DISCOUNT_NOT_YET');
  if (discount.endsAt !== null && now >= discount.endsAt)
    throw refused(`The discount code ${discount.code} has ended.`, 'DISCOUNT_ENDED');
  return discount;
}

export const discountUsedUp = () =>
  refused('The discount code is used up. Order without it.', 'DISCOUNT_USED_UP', 'CONFLICT');

export const refused = (
  message: string,
  reason: ErrorReason,
  code: 'VALIDATION' | 'CONFLICT' = 'VALIDATION',
  details: object = {},
) => new DomainError(code, message, { reason, ...details });
