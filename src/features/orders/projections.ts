import { canReadCodes } from '../../auth/viewer.ts';
import { toDayEndSql, toDayStartSql } from '../../db/day-bounds.ts';
import {
  orNull,
  type Projection,
  type ProjectionPart,
  projectDate,
  projectIfVisible,
  projectInstant,
  projectJson,
  projectList,
  projectMoney,
  projectNumber,
  projectRow,
  projectRows,
  projectUnescaped,
  projectWhen,
  type RowProjection,
} from '../../db/json-projection.ts';
import { projectFields } from '../../rows/projection.ts';
import { toOpeningTimesSql } from '../spaces/service/opening-hours.ts';
import { toLocationProjection } from '../spaces/types.ts';
import { dayPassRow, isHoldUnconfirmed, orderRow, ticketRow } from './rows.ts';
import type { DayPass, Dispute, Order, OrderedDay, OrderItem, Ticket } from './types.ts';

// How orders, tickets and day passes are read. Services and both APIs use the same projections. They differ in where the columns
// of related rows come from: from a join if all of them are read, and from a subquery for what GraphQL selects.

/** Returns the SQL of a column of a related row. */
type Related = (column: string) => string;

const toJoined =
  (alias: string): Related =>
  (column) =>
    `${alias}.${column}`;

const toLookup =
  (table: string, id: string): Related =>
  (column) =>
    `(SELECT related.${column} FROM ${table} related WHERE related.id = ${id})`;

const IS_ISSUED = `IN ('valid', 'cancelled')`;

/** SQL expressions that an order needs from other tables. */
interface OrderSources {
  eventStartsAt: string;
  eventEndsAt: string;
  refundHours: string;
  /** When the first day of its day passes begins. */
  firstDay: string;
  /** When the last day of its day passes ends. */
  lastDayEnd: string;
  /** The location of its event or day passes. */
  locationId: string;
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
  // The buyer has paid. Another payment would be one too many.
  const isPaying = `(${isOpen} AND ${row}.delayed_payment_at IS NOT NULL)`;
  const needsConfirmation = `(${row}.total_amount = 0 OR ${isHoldUnconfirmed(row)})`;
  const startsAt = `coalesce(${eventStartsAt}, ${firstDay})`;
  return {
    ...projectFields(orderRow, row),
    code: `${row}.code`,
    eventId: projectUnescaped(`${row}.event_id`),
    locationId: projectUnescaped(sources.locationId),
    buyer: { name: `${row}.buyer_name`, email: `${row}.buyer_email` },
    total: projectMoney(`${row}.total_amount`, `${row}.currency`),
    discountCodeId: `${row}.discount_code_id`,
    discount: {
      code: sources.discountCode,
      amount: projectMoney(`${row}.discount_amount`, `${row}.currency`),
    },
    paid: projectMoney(paid, `${row}.currency`),
    refunded: projectMoney(refunded, `${row}.currency`),
    payment: projectWhen(`${row}.total_amount > 0`, {
      provider: `${row}.provider`,
      url: null, // it contains the secret
      // A refund of a second payment does not count, since the remaining amount still covers the price.
      status: `CASE WHEN ${row}.status = 'pending' THEN 'pending' WHEN ${paid} = 0 THEN 'none'
        WHEN ${paid} - ${refunded} >= ${row}.total_amount THEN 'paid'
        WHEN ${refunded} < ${paid} THEN 'partially_refunded' ELSE 'refunded' END`,
    }),
    isOffer: `EXISTS (SELECT FROM waitlist_entries w WHERE w.order_id = ${row}.id)`,
    paymentInProgress: isPaying,
    confirmationRequired: `(${isOpen} AND ${needsConfirmation})`,
    allowedActions: {
      pay: `(${isOpen} AND ${row}.total_amount > 0 AND NOT ${isPaying})`,
      confirm: `(${isOpen} AND ${needsConfirmation} AND ${sources.canConfirm})`,
      cancel: `(${row}.status = 'pending' OR ${row}.status = 'paid' AND ${startsAt} > clock.now AND ${hasUnused}
        AND (${paid} = ${refunded} OR ${row}.disputed_at IS NULL AND coalesce(${refundUntil} > clock.now, false)))`,
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

/** The lines of an order. */
const toItemList = (row: string) =>
  projectList(
    {
      typeName: 'unit.name',
      ticketTypeId: projectUnescaped('unit.ticket_type_id'),
      dayPassTypeId: projectUnescaped('unit.type_id'),
      validOn: projectDate('unit.valid_on'),
      quantity: projectNumber('unit.quantity'),
      unitPrice: projectMoney('unit.unit_price', `${row}.currency`),
    } satisfies Projection & Record<keyof OrderItem, unknown>,
    toOrderUnits(row),
    'unit.position',
  );

/** The disputes about the payments of an order. */
const toDisputeList = (row: string) =>
  projectList(
    {
      reference: 'dispute.ref',
      status: projectUnescaped('dispute.status'),
      amount: projectMoney('dispute.amount', 'coalesce(dispute.currency, disputed.currency)'),
      reason: 'dispute.reason',
      createdAt: projectInstant('dispute.created_at'),
      endedAt: projectInstant('dispute.ended_at'),
    } satisfies Projection & Record<keyof Dispute, unknown>,
    `disputes dispute JOIN payments disputed ON disputed.id = dispute.payment_id WHERE dispute.order_id = ${row}.id`,
    'dispute.created_at, dispute.ref',
  );

/** What everyone with an order sees of its event. */
const toOrderedEventFields = (event: Related, location: Related) =>
  ({
    id: projectUnescaped(event('id')),
    slug: event('slug'),
    title: event('title'),
    status: projectUnescaped(event('status')),
    startsAt: projectInstant(event('starts_at')),
    endsAt: projectInstant(event('ends_at')),
    timeZone: location('time_zone'),
    location: {
      id: projectUnescaped(location('id')),
      name: location('name'),
      address: location('address'),
    },
    roomId: projectUnescaped(event('resource_id')),
    roomName: toLookup('resources', event('resource_id'))('name'),
    refundHours: projectNumber(event('refund_hours')),
    updatedAt: projectInstant(event('updated_at')),
  }) satisfies Projection & Record<keyof NonNullable<Order['event']>, unknown>;

/** The rows that a ticket or a day pass is read with. */
interface AdmissionSources {
  type: Related;
  location: Related;
  currency: string;
}

const toDisputedSql = (order: string) =>
  `(${toLookup('orders', order)('disputed_at')} IS NOT NULL)`;

const toTicketFields = (
  row: string,
  { type, event, location, currency }: AdmissionSources & { event: Related },
) =>
  ({
    ...projectFields(ticketRow, row),
    code: `${row}.code`,
    orderId: projectUnescaped(`${row}.order_id`),
    attendee: { name: `${row}.attendee_name`, email: `${row}.attendee_email` },
    ticketType: { id: projectUnescaped(`${row}.ticket_type_id`), name: type('name') },
    event: {
      id: projectUnescaped(`${row}.event_id`),
      slug: event('slug'),
      title: event('title'),
      startsAt: projectInstant(event('starts_at')),
      endsAt: projectInstant(event('ends_at')),
      timeZone: location('time_zone'),
    },
    price: projectMoney(`${row}.amount`, currency),
    isDisputed: toDisputedSql(`${row}.order_id`),
  }) satisfies Projection & Record<keyof Ticket, unknown>;

const toDayPassFields = (row: string, { type, location, currency }: AdmissionSources) =>
  ({
    ...projectFields(dayPassRow, row),
    code: `${row}.code`,
    orderId: projectUnescaped(`${row}.order_id`),
    holder: { name: `${row}.holder_name`, email: `${row}.holder_email` },
    dayPassType: { id: projectUnescaped(`${row}.type_id`), name: type('name') },
    location: {
      id: projectUnescaped(location('id')),
      name: location('name'),
      timeZone: location('time_zone'),
    },
    price: projectMoney(`${row}.amount`, currency),
    isDisputed: toDisputedSql(`${row}.order_id`),
  }) satisfies Projection & Record<keyof DayPass, unknown>;

/** A whole ticket; `item`, `purchase`, `type`, `event` and `location` are its rows. */
export const ticketProjection: Projection = toTicketFields('item', {
  type: toJoined('type'),
  event: toJoined('event'),
  location: toJoined('location'),
  currency: 'purchase.currency',
});

/** A whole day pass; `item`, `purchase`, `type` and `location` are its rows. */
export const dayPassProjection: Projection = toDayPassFields('item', {
  type: toJoined('type'),
  location: toJoined('location'),
  currency: 'purchase.currency',
});

/** A whole order; `item` is its row, `clock.now` the current time. */
export const orderProjection = {
  ...toOrderFields('item', {
    eventStartsAt: 'event.starts_at',
    eventEndsAt: 'event.ends_at',
    refundHours: 'event.refund_hours',
    firstDay: 'pass_days.begins',
    lastDayEnd: 'pass_days.ends',
    locationId: 'coalesce(event.location_id, pass_days.location_id)',
    paid: 'paid.amount',
    refunded: 'paid.refunded',
    canConfirm: 'item.can_confirm',
    discountCode: 'discount.code',
  }),
  event: projectWhen(
    'event.id IS NOT NULL',
    toOrderedEventFields(toJoined('event'), toJoined('location')),
  ),
  day: projectWhen('pass_days.location_id IS NOT NULL', {
    locationName: 'pass_days.location_name',
    address: 'pass_days.address',
    timeZone: 'pass_days.time_zone',
    openingTimes: projectJson(toOpeningTimesSql('pass_days.location_id', 'pass_days.date')),
  } satisfies Projection & Record<keyof OrderedDay, unknown>),
  locationName: 'coalesce(location.name, pass_days.location_name)',
  items: toItemList('item'),
  disputes: toDisputeList('item'),
  tickets: projectList(
    toTicketFields('ticket', {
      type: toJoined('type'),
      event: toJoined('event'),
      location: toJoined('location'),
      currency: 'item.currency',
    }),
    `tickets ticket JOIN ticket_types type ON type.id = ticket.ticket_type_id
     WHERE ticket.order_id = item.id AND ticket.status ${IS_ISSUED}`,
    'ticket.position',
  ),
  dayPasses: projectList(
    toDayPassFields('pass', {
      type: toJoined('type'),
      location: toJoined('pass_location'),
      currency: 'item.currency',
    }),
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
    locationId: `coalesce(${ofEvent('location_id')}, ${ofDayPasses('(array_agg(place.id))[1]')})`,
    paid: sumPayments('amount'),
    refunded: sumPayments('refunded'),
    canConfirm: 'true',
    discountCode: `(SELECT discount.code FROM discount_codes discount WHERE discount.id = ${row}.discount_code_id)`,
  });
  const { code, ...others } = fields;
  return {
    ...others,
    ...projectIfVisible(canReadCodes(viewer, 'orders:write'), { code }),
    event: projectRow('events', `${row}.event_id`, (event) =>
      toOrderedEventFields(toJoined(event), toLookup('locations', `${event}.location_id`)),
    ),
    day: toOrderedDay(row),
    items: toItemList(row),
    disputes: toDisputeList(row),
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

const toOrderedDay = (row: string): ProjectionPart => ({
  render: (renderer) => {
    const day = renderer.nextAlias();
    const { isText, toObject } = renderer;
    // All day passes of an order are for one location and date.
    const sql = `(SELECT ${toObject({
      locationName: `${day}.name`,
      address: `${day}.address`,
      timeZone: `${day}.time_zone`,
      openingTimes: projectJson(toOpeningTimesSql(`${day}.id`, `${day}.date`)),
    } satisfies Projection & Record<keyof OrderedDay, unknown>)} FROM (
      SELECT place.*, p.valid_on AS date FROM day_passes p
      JOIN day_pass_types type ON type.id = p.type_id JOIN locations place ON place.id = type.location_id
      WHERE p.order_id = ${row}.id LIMIT 1) ${day})`;
    return isText ? orNull(sql) : sql;
  },
});

/** Projects a ticket as the viewer sees it. Codes admit people, so that reading the ticket is not enough for its code. */
export const toTicketProjection: RowProjection = (row, viewer) => {
  const event = toLookup('events', `${row}.event_id`);
  const { code, ...others } = toTicketFields(row, {
    type: toLookup('ticket_types', `${row}.ticket_type_id`),
    event,
    location: toLookup('locations', event('location_id')),
    currency: toLookup('orders', `${row}.order_id`)('currency'),
  });
  return { ...others, ...projectIfVisible(canReadCodes(viewer, 'orders:write'), { code }) };
};

/** Projects a day pass as the viewer sees it, with its whole location. */
export const toDayPassProjection: RowProjection = (row, viewer) => {
  const type = toLookup('day_pass_types', `${row}.type_id`);
  const location = toLookup('locations', type('location_id'));
  const { code, ...others } = toDayPassFields(row, {
    type,
    location,
    currency: toLookup('orders', `${row}.order_id`)('currency'),
  });
  return {
    ...others,
    ...projectIfVisible(canReadCodes(viewer, 'orders:write'), { code }),
    location: projectRow('locations', type('location_id'), toLocationProjection),
    locationName: location('name'),
  };
};
