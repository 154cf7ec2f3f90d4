import { seesAll } from '../../../auth/viewer.ts';
import type { Ctx } from '../../../context.ts';
import { statement } from '../../../db/sql.ts';
import { instant } from '../../../db/tree.ts';
import { notFound } from '../../../errors.ts';
import { type Instant, isUuid } from '../../../values.ts';
import type { EventStatus, EventVisibility } from '../../events/event.ts';
import type { OrderLimits } from '../limits/settings.ts';

export interface OfferedType {
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
  place: string;
  address: string | null;
  capacity: number | null;
  left: number | null;
  limits: OrderLimits;
  types: OfferedType[];
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

const DISCOUNT = `(SELECT json_build_object('id', d.id, 'code', d.code, 'eventId', d.event_id, 'percent', d.percent,
    'amount', d.amount, 'currency', d.currency, 'startsAt', ${instant('d.starts_at')}, 'endsAt', ${instant('d.ends_at')},
    'active', d.active, 'usedUp', coalesce(d.uses >= d.max_uses, false))
  FROM discount_codes d WHERE d.code = $2::text)`;

const basketBy = (condition: string) =>
  statement(`
  SELECT json_build_object('id', e.id, 'title', e.title, 'status', e.status, 'visibility', e.visibility,
      'wasPublished', e.published_at IS NOT NULL, 'startsAt', ${instant('e.starts_at')}, 'endsAt', ${instant('e.ends_at')},
      'timeZone', l.time_zone, 'place', l.name, 'address', l.address,
      'capacity', e.capacity, 'left', e.capacity - e.reserved_count,
      'limits', json_build_object('maxSeatsPerEmail', e.max_seats_per_email, 'maxSeatsPerAddress', e.max_seats_per_address,
        'maxSeatsPerNetwork', e.max_seats_per_network, 'limitWindowHours', e.limit_window_hours,
        'confirmFreeOrders', e.confirm_free_orders),
      'types', (SELECT coalesce(json_agg(json_build_object('id', t.id, 'name', t.name, 'amount', t.price_amount,
          'currency', t.price_currency, 'maxPerOrder', t.max_per_order, 'audience', t.audience, 'active', t.active,
          'salesStartAt', ${instant('t.sales_start_at')}, 'salesEndAt', ${instant('t.sales_end_at')},
          'quantity', t.quantity, 'left', least(t.quantity - t.reserved_count, e.capacity - e.reserved_count))), '[]'::json)
        FROM ticket_types t WHERE t.event_id = e.id)) AS event,
    ${DISCOUNT} AS discount
  FROM events e JOIN locations l ON l.id = e.location_id
  WHERE ${condition}`);

const BY_ID = basketBy('e.id = $1::uuid');
const BY_SLUG = basketBy('e.slug = $1::text');

const DISCOUNT_ALONE = statement(`SELECT $1::text AS asked, ${DISCOUNT} AS discount`);

/** An event with what it sells, and the discount code that was named. Throws NOT_FOUND for one that the viewer may not see. */
export async function basketOf(
  ctx: Ctx,
  event: string,
  discountCode: string | undefined,
): Promise<{ event: OfferedEvent; discount: OfferedDiscount | null }> {
  const [row] = await ctx.sql<{ event: OfferedEvent; discount: OfferedDiscount | null }>(
    isUuid(event) ? BY_ID : BY_SLUG,
    [event, codeOf(discountCode)],
  );
  if (row === undefined || !isKnownTo(ctx, row.event)) throw notFound('event');
  return row;
}

/** The discount code that was named, if there is such. */
export async function discountNamed(ctx: Ctx, code: string): Promise<OfferedDiscount | null> {
  const [row] = await ctx.sql<{ discount: OfferedDiscount | null }>(DISCOUNT_ALONE, [
    null,
    codeOf(code),
  ]);
  return row?.discount ?? null;
}

const codeOf = (code: string | undefined) => code?.trim().toUpperCase() ?? null;

/** As the events' own service sees it: drafts are staff's, members' events are members'. */
function isKnownTo({ viewer }: Ctx, { status, visibility, wasPublished }: OfferedEvent): boolean {
  if (seesAll(viewer, 'events:read')) return true;
  if (visibility === 'members' && viewer.kind !== 'member') return false;
  return status === 'published' || (status === 'cancelled' && wasPublished);
}
