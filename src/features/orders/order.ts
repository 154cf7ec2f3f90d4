import { instant, jsonOf, listOf, money, type Tree, when } from '../../db/tree.ts';
import type { Provider } from '../../payments/port.ts';
import type { Instant, Money } from '../../values.ts';
import type { EventStatus } from '../events/event.ts';

export const ORDER_STATUSES = ['pending', 'paid', 'expired', 'cancelled'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

export const PAYMENT_STATUSES = [
  'pending',
  'paid',
  'partially_refunded',
  'refunded',
  'none',
] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** What has been issued: a hold is none yet, and what never became one is none either. */
export const ADMISSION_STATUSES = ['valid', 'cancelled'] as const;
export type AdmissionStatus = (typeof ADMISSION_STATUSES)[number];

export interface Person {
  name: string;
  email: string | null;
}

export interface Ticket {
  id: string;
  code: string;
  status: AdmissionStatus;
  attendee: Person;
  ticketType: { id: string; name: string };
  event: {
    id: string;
    slug: string;
    title: string;
    startsAt: Instant;
    endsAt: Instant;
    timeZone: string;
  };
  /** What it costs in its order. */
  price: Money;
}

export interface DayPass {
  id: string;
  code: string;
  status: AdmissionStatus;
  /** YYYY-MM-DD, by the location's calendar. */
  validOn: string;
  holder: Person;
  dayPassType: { id: string; name: string };
  location: { id: string; name: string; timeZone: string };
  price: Money;
}

export interface OrderItem {
  ticketType: { id: string; name: string } | null;
  dayPassType: { id: string; name: string } | null;
  validOn: string | null;
  quantity: number;
  unitPrice: Money;
}

/** What one may still do with it; the services have the last word. */
export interface Possibilities {
  pay: boolean;
  confirm: boolean;
  cancel: boolean;
  /** Until when cancelling gives the money back; null where it never does, or there is none. */
  refundUntil: Instant | null;
  changeAttendees: boolean;
}

/** One purchase. */
export interface Order {
  id: string;
  code: string;
  status: OrderStatus;
  buyer: { name: string; email: string };
  memberId: string | null;
  total: Money;
  discount: { code: string | null; amount: Money };
  paid: Money;
  /** Given back, or about to be. */
  refunded: Money;
  expiresAt: Instant | null;
  paidAt: Instant | null;
  cancelledAt: Instant | null;
  createdAt: Instant;
  event: {
    id: string;
    slug: string;
    title: string;
    status: EventStatus;
    startsAt: Instant;
    endsAt: Instant;
    timeZone: string;
    location: { id: string; name: string; address: string | null };
    refundHours: number | null;
  } | null;
  /** The location's. */
  placeName: string | null;
  items: OrderItem[];
  tickets: Ticket[];
  dayPasses: DayPass[];
  /** Null where there is nothing to pay. */
  payment: { provider: Provider | null; status: PaymentStatus } | null;
  may: Possibilities;
  /** What opens its portal; known only to who placed it or holds it. */
  secret: string | null;
}

const day = (expression: string) => `to_char(${expression}, 'YYYY-MM-DD')`;
const ISSUED = `IN ('valid', 'cancelled')`;

const itemsTree = {
  ticketType: when('unit.ticket_type_id IS NOT NULL', {
    id: 'unit.ticket_type_id',
    name: 'unit.name',
  }),
  dayPassType: when('unit.type_id IS NOT NULL', { id: 'unit.type_id', name: 'unit.name' }),
  validOn: day('unit.valid_on'),
  quantity: 'unit.quantity',
  unitPrice: money('unit.list_amount', 'item.currency'),
} satisfies Tree;

// Until when buyers get their money back: an event's own hours before it; a day pass until its day begins.
const REFUND_UNTIL = `CASE WHEN item.event_id IS NULL THEN first_day.begins
  ELSE event.starts_at - event.refund_hours * interval '1 hour' END`;
const STARTS = 'coalesce(event.starts_at, first_day.begins)';
const HAS_VALID = `(EXISTS (SELECT FROM tickets t WHERE t.order_id = item.id AND t.status = 'valid')
  OR EXISTS (SELECT FROM day_passes p WHERE p.order_id = item.id AND p.status = 'valid'))`;
const IN_HAND = `(item.status = 'pending' AND item.expires_at > clock.now)`;

/** An order as one statement reads it; `item` is its row, `clock.now` the present. */
const orderTree = {
  id: 'item.id',
  code: 'item.code',
  status: 'item.status',
  buyer: { name: 'item.buyer_name', email: 'item.buyer_email' },
  memberId: 'item.member_id',
  total: money('item.total_amount', 'item.currency'),
  discount: { code: 'discount.code', amount: money('item.discount_amount', 'item.currency') },
  paid: money('paid.amount', 'item.currency'),
  refunded: money('paid.refunded', 'item.currency'),
  expiresAt: instant('item.expires_at'),
  paidAt: instant('item.paid_at'),
  cancelledAt: instant('item.cancelled_at'),
  createdAt: instant('item.created_at'),
  event: when('event.id IS NOT NULL', {
    id: 'event.id',
    slug: 'event.slug',
    title: 'event.title',
    status: 'event.status',
    startsAt: instant('event.starts_at'),
    endsAt: instant('event.ends_at'),
    timeZone: 'location.time_zone',
    location: { id: 'location.id', name: 'location.name', address: 'location.address' },
    refundHours: 'event.refund_hours',
  }),
  placeName: 'coalesce(location.name, first_day.place)',
  items: listOf(
    itemsTree,
    `(SELECT t.ticket_type_id, NULL::uuid AS type_id, NULL::date AS valid_on, type.name, t.list_amount,
        count(*)::int AS quantity, min(t.position) AS position
      FROM tickets t JOIN ticket_types type ON type.id = t.ticket_type_id
      WHERE t.order_id = item.id GROUP BY t.ticket_type_id, type.name, t.list_amount
      UNION ALL
      SELECT NULL, p.type_id, p.valid_on, type.name, p.list_amount, count(*)::int, min(p.position)
      FROM day_passes p JOIN day_pass_types type ON type.id = p.type_id
      WHERE p.order_id = item.id GROUP BY p.type_id, p.valid_on, type.name, p.list_amount) unit`,
    'unit.position',
  ),
  tickets: listOf(
    {
      id: 'ticket.id',
      code: 'ticket.code',
      status: 'ticket.status',
      attendee: { name: 'ticket.attendee_name', email: 'ticket.attendee_email' },
      ticketType: { id: 'type.id', name: 'type.name' },
      event: {
        id: 'event.id',
        slug: 'event.slug',
        title: 'event.title',
        startsAt: instant('event.starts_at'),
        endsAt: instant('event.ends_at'),
        timeZone: 'location.time_zone',
      },
      price: money('ticket.amount', 'item.currency'),
    },
    `tickets ticket JOIN ticket_types type ON type.id = ticket.ticket_type_id
     WHERE ticket.order_id = item.id AND ticket.status ${ISSUED}`,
    'ticket.position',
  ),
  dayPasses: listOf(
    {
      id: 'pass.id',
      code: 'pass.code',
      status: 'pass.status',
      validOn: day('pass.valid_on'),
      holder: { name: 'pass.holder_name', email: 'pass.holder_email' },
      dayPassType: { id: 'type.id', name: 'type.name' },
      location: { id: 'place.id', name: 'place.name', timeZone: 'place.time_zone' },
      price: money('pass.amount', 'item.currency'),
    },
    `day_passes pass JOIN day_pass_types type ON type.id = pass.type_id JOIN locations place ON place.id = type.location_id
     WHERE pass.order_id = item.id AND pass.status ${ISSUED}`,
    'pass.position',
  ),
  payment: when('item.total_amount > 0', {
    provider: 'item.provider',
    // What was paid twice and went back is no refund of the order.
    status: `CASE WHEN item.status = 'pending' THEN 'pending' WHEN paid.amount = 0 THEN 'none'
      WHEN paid.amount - paid.refunded >= item.total_amount THEN 'paid'
      WHEN paid.refunded < paid.amount THEN 'partially_refunded' ELSE 'refunded' END`,
  }),
  may: {
    pay: `(${IN_HAND} AND item.total_amount > 0)`,
    confirm: `(${IN_HAND} AND item.total_amount = 0)`,
    cancel: `(item.status = 'pending' OR item.status = 'paid' AND ${HAS_VALID} AND ${STARTS} > clock.now
      AND (paid.amount = paid.refunded OR coalesce(${REFUND_UNTIL} > clock.now, false)))`,
    refundUntil: `CASE WHEN item.total_amount > 0 THEN ${instant(`(${REFUND_UNTIL})`)} END`,
    changeAttendees: `(item.status = 'paid' AND ${HAS_VALID} AND coalesce(event.ends_at, first_day.begins) > clock.now)`,
  },
  secret: 'NULL::text',
} satisfies Tree & Record<keyof Order, unknown>;

/** `$1` is the present; `rows` is what stands in parentheses as `item`. */
export const selectOrders = (rows: string, order = '') => `
  SELECT ${jsonOf(orderTree, 'camel')} AS found
  FROM (${rows}) item
  CROSS JOIN (SELECT $1::timestamptz AS now) clock
  LEFT JOIN events event ON event.id = item.event_id
  LEFT JOIN locations location ON location.id = event.location_id
  LEFT JOIN discount_codes discount ON discount.id = item.discount_code_id
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(p.amount), 0)::int AS amount, coalesce(sum(p.refunded), 0)::int AS refunded
    FROM payments p WHERE p.order_id = item.id AND p.currency = item.currency) paid
  CROSS JOIN LATERAL (
    SELECT min(p.valid_on::timestamp AT TIME ZONE place.time_zone) AS begins, min(place.name) AS place
    FROM day_passes p JOIN day_pass_types type ON type.id = p.type_id JOIN locations place ON place.id = type.location_id
    WHERE p.order_id = item.id) first_day
  ${order}`;
