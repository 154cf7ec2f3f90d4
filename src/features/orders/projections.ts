import { canReadCodes, type Viewer } from '../../auth/viewer.ts';
import {
  type Projection,
  projectDate,
  projectIfVisible,
  projectInstant,
  projectList,
  projectMoney,
  projectNumber,
  projectRow,
  projectRows,
  projectUnescaped,
  projectWhen,
  type RowProjection,
} from '../../db/json-projection.ts';
import { toLocationProjection } from '../spaces/types.ts';
import type { Order } from './types.ts';

// How orders, tickets and day passes are read: `orderProjection` with everything that services and REST need, the others for
// GraphQL, which selects fields and follows relations.

const toDateSql = (expression: string) => `to_char(${expression}, 'YYYY-MM-DD')`;
/**
 * When a date begins in a time zone, as `toStartOfDay`. Where clocks go back to midnight, PostgreSQL takes the second of two
 * midnights, an hour after the first.
 */
export const toDayStartSql = (date: string, timeZone: string) => {
  const midnight = `${date}::timestamp AT TIME ZONE ${timeZone}`;
  const hourBefore = `(${midnight} - interval '1 hour')`;
  return `CASE WHEN ${hourBefore} AT TIME ZONE ${timeZone} = ${date}::timestamp
    THEN ${hourBefore} ELSE ${midnight} END`;
};
/** When a date ends in a time zone. */
export const toDayEndSql = (date: string, timeZone: string) =>
  toDayStartSql(`(${date} + 1)`, timeZone);

const IS_ISSUED = `IN ('valid', 'cancelled')`;

const orderItemProjection = {
  ticketType: projectWhen('unit.ticket_type_id IS NOT NULL', {
    id: 'unit.ticket_type_id',
    name: 'unit.name',
  }),
  dayPassType: projectWhen('unit.type_id IS NOT NULL', { id: 'unit.type_id', name: 'unit.name' }),
  validOn: toDateSql('unit.valid_on'),
  quantity: 'unit.quantity',
  unitPrice: projectMoney('unit.unit_price', 'item.currency'),
} satisfies Projection;

/** SQL expressions that an order needs from other tables. */
interface OrderSources {
  eventStartsAt: string;
  eventEndsAt: string;
  refundHours: string;
  /** When the first day of its day passes begins. */
  firstDay: string;
  /** When the last day of its day passes ends. */
  lastDayEnd: string;
  /** Payments in its currency, and what was refunded of them. */
  paid: string;
  refunded: string;
  canConfirm: string;
  discountCode: string;
}

/** The fields of an order that belong to no other object. `clock.now` is the current time. */
function toOrderFields(row: string, sources: OrderSources) {
  const { eventStartsAt, eventEndsAt, firstDay, lastDayEnd, refundHours, paid, refunded } = sources;
  // Refunds are possible until the refund hours before the event, and for day passes until the day begins.
  const refundUntil = `CASE WHEN ${row}.event_id IS NULL THEN ${firstDay}
    ELSE ${eventStartsAt} - ${refundHours} * interval '1 hour' END`;
  const hasValid = `(EXISTS (SELECT FROM tickets t WHERE t.order_id = ${row}.id AND t.status = 'valid')
    OR EXISTS (SELECT FROM day_passes p WHERE p.order_id = ${row}.id AND p.status = 'valid'))`;
  // Used tickets cannot be cancelled.
  const hasUnused = `(EXISTS (SELECT FROM tickets t WHERE t.order_id = ${row}.id AND t.status = 'valid'
      AND NOT EXISTS (SELECT FROM check_ins c WHERE c.ticket_id = t.id AND c.result = 'admitted'))
    OR EXISTS (SELECT FROM day_passes p WHERE p.order_id = ${row}.id AND p.status = 'valid'
      AND NOT EXISTS (SELECT FROM check_ins c WHERE c.day_pass_id = p.id AND c.result = 'admitted')))`;
  const isOpen = `(${row}.status = 'pending' AND ${row}.expires_at > clock.now)`;
  const startsAt = `coalesce(${eventStartsAt}, ${firstDay})`;
  return {
    id: `${row}.id`,
    code: `${row}.code`,
    status: `${row}.status`,
    buyer: { name: `${row}.buyer_name`, email: `${row}.buyer_email` },
    memberId: `${row}.member_id`,
    total: projectMoney(`${row}.total_amount`, `${row}.currency`),
    discountCodeId: `${row}.discount_code_id`,
    discount: {
      code: sources.discountCode,
      amount: projectMoney(`${row}.discount_amount`, `${row}.currency`),
    },
    paid: projectMoney(paid, `${row}.currency`),
    refunded: projectMoney(refunded, `${row}.currency`),
    // The column keeps its value when the order ends.
    expiresAt: `CASE WHEN ${row}.status = 'pending' THEN ${projectInstant(`${row}.expires_at`)} END`,
    paidAt: projectInstant(`${row}.paid_at`),
    cancelledAt: projectInstant(`${row}.cancelled_at`),
    createdAt: projectInstant(`${row}.created_at`),
    payment: projectWhen(`${row}.total_amount > 0`, {
      provider: `${row}.provider`,
      url: null, // it contains the secret
      // A refund of a second payment does not count, since the remaining amount still covers the price.
      status: `CASE WHEN ${row}.status = 'pending' THEN 'pending' WHEN ${paid} = 0 THEN 'none'
        WHEN ${paid} - ${refunded} >= ${row}.total_amount THEN 'paid'
        WHEN ${refunded} < ${paid} THEN 'partially_refunded' ELSE 'refunded' END`,
    }),
    confirmationRequired: `(${isOpen} AND ${row}.total_amount = 0)`,
    allowedActions: {
      pay: `(${isOpen} AND ${row}.total_amount > 0)`,
      confirm: `(${isOpen} AND ${row}.total_amount = 0 AND ${sources.canConfirm})`,
      cancel: `(${row}.status = 'pending' OR ${row}.status = 'paid' AND ${startsAt} > clock.now AND ${hasUnused}
        AND (${paid} = ${refunded} OR coalesce(${refundUntil} > clock.now, false)))`,
      refundUntil: `CASE WHEN ${row}.total_amount > 0 THEN ${projectInstant(`(${refundUntil})`)} END`,
      changeAttendees: `(${row}.status = 'paid' AND ${hasValid} AND coalesce(${eventEndsAt}, ${lastDayEnd}) > clock.now)`,
    },
    secret: 'NULL::text',
  } satisfies Projection;
}

/** The lines of an order, as `unit`. */
const toOrderUnits = (
  row: string,
) => `(SELECT t.ticket_type_id, NULL::uuid AS type_id, NULL::date AS valid_on, type.name, t.unit_price,
      count(*)::int AS quantity, min(t.position) AS position
    FROM tickets t JOIN ticket_types type ON type.id = t.ticket_type_id
    WHERE t.order_id = ${row}.id GROUP BY t.ticket_type_id, type.name, t.unit_price
    UNION ALL
    SELECT NULL, p.type_id, p.valid_on, type.name, p.unit_price, count(*)::int, min(p.position)
    FROM day_passes p JOIN day_pass_types type ON type.id = p.type_id
    WHERE p.order_id = ${row}.id GROUP BY p.type_id, p.valid_on, type.name, p.unit_price) unit`;

/** `item` is the row of the order, `clock.now` the current time. */
export const orderProjection = {
  ...toOrderFields('item', {
    eventStartsAt: 'event.starts_at',
    eventEndsAt: 'event.ends_at',
    refundHours: 'event.refund_hours',
    firstDay: 'pass_days.begins',
    lastDayEnd: 'pass_days.ends',
    paid: 'paid.amount',
    refunded: 'paid.refunded',
    canConfirm: 'item.can_confirm',
    discountCode: 'discount.code',
  }),
  event: projectWhen('event.id IS NOT NULL', {
    id: 'event.id',
    slug: 'event.slug',
    title: 'event.title',
    status: 'event.status',
    startsAt: projectInstant('event.starts_at'),
    endsAt: projectInstant('event.ends_at'),
    timeZone: 'location.time_zone',
    location: { id: 'location.id', name: 'location.name', address: 'location.address' },
    refundHours: 'event.refund_hours',
    updatedAt: projectInstant('event.updated_at'),
  }),
  locationName: 'coalesce(location.name, pass_days.location_name)',
  items: projectList(orderItemProjection, toOrderUnits('item'), 'unit.position'),
  tickets: projectList(
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
        startsAt: projectInstant('event.starts_at'),
        endsAt: projectInstant('event.ends_at'),
        timeZone: 'location.time_zone',
      },
      price: projectMoney('ticket.amount', 'item.currency'),
    },
    `tickets ticket JOIN ticket_types type ON type.id = ticket.ticket_type_id
     WHERE ticket.order_id = item.id AND ticket.status ${IS_ISSUED}`,
    'ticket.position',
  ),
  dayPasses: projectList(
    {
      id: 'pass.id',
      code: 'pass.code',
      status: 'pass.status',
      validOn: toDateSql('pass.valid_on'),
      holder: { name: 'pass.holder_name', email: 'pass.holder_email' },
      dayPassType: { id: 'type.id', name: 'type.name' },
      location: {
        id: 'pass_location.id',
        name: 'pass_location.name',
        timeZone: 'pass_location.time_zone',
      },
      price: projectMoney('pass.amount', 'item.currency'),
    },
    `day_passes pass JOIN day_pass_types type ON type.id = pass.type_id JOIN locations pass_location ON pass_location.id = type.location_id
     WHERE pass.order_id = item.id AND pass.status ${IS_ISSUED}`,
    'pass.position',
  ),
} satisfies Projection & Record<keyof Order, unknown>;

/** Projects an order as the viewer sees it without its secret. Relations are left to the fields of other objects. */
export const toOrderProjection: RowProjection = (row, viewer) => {
  const ofEvent = (column: string) =>
    `(SELECT event.${column} FROM events event WHERE event.id = ${row}.event_id)`;
  const sumPayments = (column: string) =>
    `(SELECT coalesce(sum(p.${column}), 0)::int FROM payments p WHERE p.order_id = ${row}.id AND p.currency = ${row}.currency)`;
  const ofDayPasses = (expression: string) =>
    `(SELECT ${expression} FROM day_passes p
      JOIN day_pass_types type ON type.id = p.type_id JOIN locations place ON place.id = type.location_id
      WHERE p.order_id = ${row}.id)`;
  const fields = toOrderFields(row, {
    eventStartsAt: ofEvent('starts_at'),
    eventEndsAt: ofEvent('ends_at'),
    refundHours: ofEvent('refund_hours'),
    firstDay: ofDayPasses(`min(${toDayStartSql('p.valid_on', 'place.time_zone')})`),
    lastDayEnd: ofDayPasses(`max(${toDayEndSql('p.valid_on', 'place.time_zone')})`),
    paid: sumPayments('amount'),
    refunded: sumPayments('refunded'),
    canConfirm: 'true',
    discountCode: `(SELECT discount.code FROM discount_codes discount WHERE discount.id = ${row}.discount_code_id)`,
  });
  const { code, discount, ...others } = fields;
  return {
    ...others,
    ...projectIfVisible(canReadCodes(viewer, 'orders:write'), { code }),
    discount: discount.amount,
    discountCodeText: discount.code,
    eventId: `${row}.event_id`,
    eventSummary: projectRow('events', `${row}.event_id`, toOrderedEventProjection),
    items: projectList(
      {
        typeName: 'unit.name',
        ticketTypeId: 'unit.ticket_type_id',
        dayPassTypeId: 'unit.type_id',
        validOn: projectDate('unit.valid_on'),
        quantity: projectNumber('unit.quantity'),
        unitPrice: projectMoney('unit.unit_price', `${row}.currency`),
      },
      toOrderUnits(row),
      'unit.position',
    ),
    tickets: projectRows('tickets', (ticket) => ({
      projection: toTicketProjection(ticket, viewer),
      where: `${ticket}.order_id = ${row}.id AND ${ticket}.status ${IS_ISSUED}`,
      order: `${ticket}.position`,
    })),
    dayPasses: projectRows('day_passes', (pass) => ({
      projection: toDayPassProjection(pass, viewer),
      where: `${pass}.order_id = ${row}.id AND ${pass}.status ${IS_ISSUED}`,
      order: `${pass}.position`,
    })),
  };
};

function toOrderedEventProjection(row: string): Projection {
  const ofLocation = (column: string) =>
    `(SELECT place.${column} FROM locations place WHERE place.id = ${row}.location_id)`;
  return {
    id: `${row}.id`,
    slug: `${row}.slug`,
    title: `${row}.title`,
    status: `${row}.status`,
    startsAt: projectInstant(`${row}.starts_at`),
    endsAt: projectInstant(`${row}.ends_at`),
    timeZone: ofLocation('time_zone'),
    locationName: ofLocation('name'),
    address: ofLocation('address'),
    refundHours: `${row}.refund_hours`,
  };
}

/** Codes admit people, so that reading a ticket or a day pass is not enough. */
const toCodeProjection = (row: string, viewer: Viewer): Projection =>
  projectIfVisible(canReadCodes(viewer, 'orders:write'), { code: `${row}.code` });

const projectPrice = (row: string): Projection => ({
  amount: projectNumber(`${row}.amount`),
  currency: `(SELECT placed.currency FROM orders placed WHERE placed.id = ${row}.order_id)`,
});

/** Projects a ticket as the viewer sees it. */
export const toTicketProjection: RowProjection = (row, viewer) => ({
  id: projectUnescaped(`${row}.id`),
  ...toCodeProjection(row, viewer),
  status: projectUnescaped(`${row}.status`),
  attendee: { name: `${row}.attendee_name`, email: `${row}.attendee_email` },
  typeName: `(SELECT type.name FROM ticket_types type WHERE type.id = ${row}.ticket_type_id)`,
  ticketTypeId: projectUnescaped(`${row}.ticket_type_id`),
  eventId: projectUnescaped(`${row}.event_id`),
  orderId: projectUnescaped(`${row}.order_id`),
  price: projectPrice(row),
});

/** Projects a day pass as the viewer sees it. */
export const toDayPassProjection: RowProjection = (row, viewer) => ({
  id: projectUnescaped(`${row}.id`),
  ...toCodeProjection(row, viewer),
  status: projectUnescaped(`${row}.status`),
  validOn: projectDate(`${row}.valid_on`),
  holder: { name: `${row}.holder_name`, email: `${row}.holder_email` },
  typeName: `(SELECT type.name FROM day_pass_types type WHERE type.id = ${row}.type_id)`,
  dayPassTypeId: projectUnescaped(`${row}.type_id`),
  location: projectRow('locations', toLocationId(row), toLocationProjection),
  locationName: `(SELECT name FROM locations WHERE id = ${toLocationId(row)})`,
  orderId: projectUnescaped(`${row}.order_id`),
  price: projectPrice(row),
});

const toLocationId = (row: string) =>
  `(SELECT type.location_id FROM day_pass_types type WHERE type.id = ${row}.type_id)`;
