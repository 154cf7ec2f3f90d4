import { instant, jsonOf, listOf, money, type Tree, when } from '../../db/tree.ts';
import type { Order } from './order.ts';

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
  unitPrice: money('unit.unit_price', 'item.currency'),
} satisfies Tree;

// Until when buyers get their money back: an event's own hours before it; a day pass until its day begins.
const REFUND_UNTIL = `CASE WHEN item.event_id IS NULL THEN first_day.begins
  ELSE event.starts_at - event.refund_hours * interval '1 hour' END`;
const STARTS = 'coalesce(event.starts_at, first_day.begins)';
const HAS_VALID = `(EXISTS (SELECT FROM tickets t WHERE t.order_id = item.id AND t.status = 'valid')
  OR EXISTS (SELECT FROM day_passes p WHERE p.order_id = item.id AND p.status = 'valid'))`;
// What has let somebody in is not taken back.
const HAS_UNUSED = `(EXISTS (SELECT FROM tickets t WHERE t.order_id = item.id AND t.status = 'valid'
    AND NOT EXISTS (SELECT FROM check_ins c WHERE c.ticket_id = t.id AND c.result = 'admitted'))
  OR EXISTS (SELECT FROM day_passes p WHERE p.order_id = item.id AND p.status = 'valid'
    AND NOT EXISTS (SELECT FROM check_ins c WHERE c.day_pass_id = p.id AND c.result = 'admitted')))`;
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
    updatedAt: instant('event.updated_at'),
  }),
  placeName: 'coalesce(location.name, first_day.place)',
  items: listOf(
    itemsTree,
    `(SELECT t.ticket_type_id, NULL::uuid AS type_id, NULL::date AS valid_on, type.name, t.unit_price,
        count(*)::int AS quantity, min(t.position) AS position
      FROM tickets t JOIN ticket_types type ON type.id = t.ticket_type_id
      WHERE t.order_id = item.id GROUP BY t.ticket_type_id, type.name, t.unit_price
      UNION ALL
      SELECT NULL, p.type_id, p.valid_on, type.name, p.unit_price, count(*)::int, min(p.position)
      FROM day_passes p JOIN day_pass_types type ON type.id = p.type_id
      WHERE p.order_id = item.id GROUP BY p.type_id, p.valid_on, type.name, p.unit_price) unit`,
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
  confirmationRequired: `(${IN_HAND} AND item.total_amount = 0)`,
  may: {
    pay: `(${IN_HAND} AND item.total_amount > 0)`,
    confirm: `(${IN_HAND} AND item.total_amount = 0 AND item.can_confirm)`,
    cancel: `(item.status = 'pending' OR item.status = 'paid' AND ${STARTS} > clock.now AND ${HAS_UNUSED}
      AND (paid.amount = paid.refunded OR coalesce(${REFUND_UNTIL} > clock.now, false)))`,
    refundUntil: `CASE WHEN item.total_amount > 0 THEN ${instant(`(${REFUND_UNTIL})`)} END`,
    changeAttendees: `(item.status = 'paid' AND ${HAS_VALID} AND coalesce(event.ends_at, first_day.begins) > clock.now)`,
  },
  secret: 'NULL::text',
} satisfies Tree & Record<keyof Order, unknown>;

/** `$1` is the present; `rows` is what stands in parentheses as `item`, with whether its holder may confirm it. */
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
