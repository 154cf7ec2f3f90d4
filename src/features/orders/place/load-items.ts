import type { Context } from '../../../context.ts';
import { isUuid } from '../../../core/ids.ts';
import type { Instant } from '../../../core/time/time-zone.ts';
import { projectInstant } from '../../../db/json-projection.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import { notFound } from '../../../errors.ts';
import type { EventStatus, EventVisibility } from '../../events/rows.ts';
import { canSeeEvent } from '../../events/types.ts';
import type { OrderLimits } from '../../order-limits/types.ts';
import type { LimitedSale } from '../limits/seat-limits.ts';

export interface OfferedTicketType {
  id: string;
  name: string;
  amount: number;
  currency: string;
  maxPerOrder: number;
  audience: EventVisibility;
  active: boolean;
  salesStartAt: Instant | null;
  salesEndAt: Instant | null;
  quantity: number | null;
  left: number | null;
}

export interface OfferedEvent {
  id: string;
  title: string;
  status: EventStatus;
  visibility: EventVisibility;
  wasPublished: boolean;
  startsAt: Instant;
  endsAt: Instant;
  timeZone: string;
  locationId: string;
  locationName: string;
  address: string | null;
  capacity: number | null;
  left: number | null;
  limits: OrderLimits;
  types: OfferedTicketType[];
}

export interface OfferedDiscount {
  id: string;
  code: string;
  eventId: string | null;
  percent: number | null;
  amount: number | null;
  currency: string | null;
  startsAt: Instant | null;
  endsAt: Instant | null;
  active: boolean;
  usedUp: boolean;
}

const SELECT_DISCOUNT = `(SELECT json_build_object('id', d.id, 'code', d.code, 'eventId', d.event_id, 'percent', d.percent,
    'amount', d.amount, 'currency', d.currency, 'startsAt', ${projectInstant('d.starts_at')}, 'endsAt', ${projectInstant('d.ends_at')},
    'active', d.active, 'usedUp', coalesce(d.uses >= d.max_uses, false))
  FROM discount_codes d WHERE d.code = $2::text)`;

const toOfferedEventQuery = (condition: string) =>
  prepareStatement(`
  SELECT json_build_object('id', e.id, 'title', e.title, 'status', e.status, 'visibility', e.visibility,
      'wasPublished', e.published_at IS NOT NULL, 'startsAt', ${projectInstant('e.starts_at')}, 'endsAt', ${projectInstant('e.ends_at')},
      'timeZone', l.time_zone, 'locationId', l.id, 'locationName', l.name, 'address', l.address,
      'capacity', e.capacity, 'left', CASE WHEN e.offers_pending THEN 0 ELSE e.capacity - e.reserved_count END,
      'limits', json_build_object('maxSeatsPerEmail', e.max_seats_per_email, 'maxSeatsPerAddress', e.max_seats_per_address,
        'maxSeatsPerNetwork', e.max_seats_per_network, 'limitWindowHours', e.limit_window_hours,
        'confirmFreeOrders', e.confirm_free_orders, 'unpaidHold', e.unpaid_hold, 'unpaidHoldAmount', e.unpaid_hold_amount),
      'types', (SELECT coalesce(json_agg(json_build_object('id', t.id, 'name', t.name, 'amount', t.price_amount,
          'currency', t.price_currency, 'maxPerOrder', t.max_per_order, 'audience', t.audience, 'active', t.active,
          'salesStartAt', ${projectInstant('t.sales_start_at')}, 'salesEndAt', ${projectInstant('t.sales_end_at')},
          'quantity', t.quantity, 'left', CASE WHEN e.offers_pending THEN 0
            ELSE least(t.quantity - t.reserved_count, e.capacity - e.reserved_count) END)), '[]'::json)
        FROM ticket_types t WHERE t.event_id = e.id)) AS event,
    ${SELECT_DISCOUNT} AS discount
  FROM events e JOIN locations l ON l.id = e.location_id
  WHERE ${condition}`);

const FIND_OFFERED_EVENT_BY_ID = toOfferedEventQuery('e.id = $1::uuid');
const FIND_OFFERED_EVENT_BY_SLUG = toOfferedEventQuery('e.slug = $1::text');

const FIND_DISCOUNT = prepareStatement(`SELECT $1::text AS unused, ${SELECT_DISCOUNT} AS discount`);

/**
 * Gets an event with its ticket types, and the discount of the code.
 * @throws NOT_FOUND for an event that the viewer cannot see.
 */
export async function getOfferedEvent(
  ctx: Context,
  event: string,
  discountCode: string | undefined,
): Promise<{ event: OfferedEvent; discount: OfferedDiscount | null }> {
  const code = normalizeDiscountCode(discountCode);
  const find = () =>
    ctx.pipelinedSql<{ event: OfferedEvent; discount: OfferedDiscount | null }>(
      isUuid(event) ? FIND_OFFERED_EVENT_BY_ID : FIND_OFFERED_EVENT_BY_SLUG,
      [event, code],
    );
  const [row] = await (ctx.isInTransaction
    ? find()
    : ctx.queues.sharedReads(JSON.stringify(['offer', event, code]), find));
  if (row === undefined || !canSeeEvent(ctx.viewer, row.event)) throw notFound('event');
  return row;
}

/** Finds the discount of a code. */
export async function findDiscount(ctx: Context, code: string): Promise<OfferedDiscount | null> {
  const [row] = await ctx.pipelinedSql<{ discount: OfferedDiscount | null }>(FIND_DISCOUNT, [
    null,
    normalizeDiscountCode(code),
  ]);
  return row?.discount ?? null;
}

const normalizeDiscountCode = (code: string | undefined) => code?.trim().toUpperCase() ?? null;

/** Tickets of one type that an order or a waiting list requests. */
type OfferedTickets = { type: OfferedTicketType };

/** Returns the capacity of an event, also limited by the quantities of its ticket types. Null if unlimited. */
function findTicketCapacity({ capacity, types }: OfferedEvent): number | null {
  return minOrUnlimited(
    capacity,
    sumOrUnlimited(types.filter(({ active }) => active).map(({ quantity }) => quantity)),
  );
}

/** Returns the sale of an order. The requested ticket type with the fewest seats left determines `left`. */
export const toTicketSale = (event: OfferedEvent, requested: OfferedTickets[]): LimitedSale => ({
  target: event.id,
  limits: event.limits,
  capacity: findTicketCapacity(event),
  left: requested.map(({ type }) => type.left).reduce(minOrUnlimited, event.left),
  maxPerOrder: Math.max(...requested.map(({ type }) => type.maxPerOrder)),
});

/** Returns the smallest capacity of the event and the requested types. Null if unlimited. */
export const findMinCapacity = (event: OfferedEvent, requested: OfferedTickets[]): number | null =>
  requested.map(({ type }) => type.quantity).reduce(minOrUnlimited, findTicketCapacity(event));

/** Returns the capacity for one ticket type. Null if unlimited. */
export const findTypeCapacity = (
  { capacity }: Pick<OfferedEvent, 'capacity'>,
  { type }: { type: Pick<OfferedTicketType, 'quantity'> },
): number | null => minOrUnlimited(capacity, type.quantity);

/** Returns the smaller number. Null means unlimited. */
function minOrUnlimited(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.min(a, b);
}

const sumOrUnlimited = (numbers: (number | null)[]): number | null =>
  numbers.reduce<number | null>((sum, n) => (sum === null || n === null ? null : sum + n), 0);
