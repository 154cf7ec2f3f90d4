import type { Money } from '../../core/money.ts';
import type { Instant } from '../../core/time/instant.ts';
import {
  type Projection,
  projectInstant,
  projectList,
  projectMoney,
  projectWhen,
} from '../../db/json-projection.ts';
import type { OrderLimits } from '../order-limits/types.ts';

// Orders import this rule from here: events/service.ts calls orders, so importing it would be a circle.
export { canSeeEvent } from './visibility.ts';

export const EVENT_STATUSES = ['draft', 'published', 'cancelled'] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];

/** The audience of an event or a ticket type. */
export const EVENT_VISIBILITIES = ['public', 'members'] as const;
export type EventVisibility = (typeof EVENT_VISIBILITIES)[number];

/** An event as REST lists it. */
export interface ListedEvent {
  id: string;
  slug: string;
  title: string;
  summary: string | null;
  description: string | null;
  status: EventStatus;
  visibility: EventVisibility;
  startsAt: Instant;
  endsAt: Instant;
  timeZone: string;
  location: { id: string; name: string; address: string | null };
  resource: { id: string; name: string } | null;
  tags: string[];
  capacity: number | null;
  ticketTypes: ListedTicketType[];
  createdAt: Instant;
}

export interface CommunityEvent extends ListedEvent {
  ticketTypes: TicketType[];
  /** Buyers can cancel for a refund until this many hours before the start; null: no refunds. */
  refundHours: number | null;
  publishedAt: Instant | null;
  cancelledAt: Instant | null;
  cancelReason: string | null;
  /** Sold and held tickets of all types. Only for viewers who see all events. */
  reservedCount?: number;
  /** Only for viewers who see all events. */
  orderLimits?: OrderLimits;
}

type SaleState = 'not_yet' | 'open' | 'sold_out' | 'closed';

/** A ticket type as REST lists it. */
interface ListedTicketType {
  id: string;
  name: string;
  price: Money;
  /** The number of tickets that can be bought now, without held ones; null where unlimited. */
  left: number | null;
  /** Whether sales are open by time. The type can still be sold out. */
  salesOpen: boolean;
}

/** A kind of ticket that an event sells. */
export interface TicketType extends ListedTicketType {
  description: string | null;
  position: number;
  /** The largest quantity in one order. */
  maxPerOrder: number;
  /** Who may buy it. */
  audience: EventVisibility;
  salesStartAt: Instant | null;
  salesEndAt: Instant | null;
  saleState: SaleState;
  /** Null: limited only by the capacity of the event. This and the next two: only for viewers who see all events. */
  quantity?: number | null;
  /** Sold and held tickets. */
  reservedCount?: number;
  /** Whether the type is for sale at all. */
  active?: boolean;
}

/** SQL over the aliases of a ticket type and its event; `clock.now` is the current time. */
function toSaleExpressions(type: string, event: string) {
  const left = `least(${type}.quantity - ${type}.reserved_count, ${event}.capacity - ${event}.reserved_count)`;
  const isOver = `(${event}.status = 'cancelled' OR ${event}.ends_at <= clock.now
    OR coalesce(${type}.sales_end_at <= clock.now, false) OR NOT ${type}.active)`;
  const isNotYetOnSale = `(${event}.status = 'draft' OR coalesce(${type}.sales_start_at > clock.now, false))`;
  return {
    left: `CASE WHEN ${type}.active THEN ${left} ELSE 0 END`,
    salesOpen: `(${event}.status = 'published' AND ${event}.ends_at > clock.now AND ${type}.active
      AND coalesce(${type}.sales_start_at <= clock.now, true) AND coalesce(${type}.sales_end_at > clock.now, true))`,
    saleState: `CASE WHEN ${isOver} THEN 'closed' WHEN ${isNotYetOnSale} THEN 'not_yet'
      WHEN ${left} <= 0 THEN 'sold_out' ELSE 'open' END`,
  };
}

const toListedTicketTypeProjection = (type: string, event: string) => {
  const { left, salesOpen } = toSaleExpressions(type, event);
  return {
    id: `${type}.id`,
    name: `${type}.name`,
    price: projectMoney(`${type}.price_amount`, `${type}.price_currency`),
    left,
    salesOpen,
  } satisfies Projection & Record<keyof ListedTicketType, unknown>;
};

const toPublicTicketTypeProjection = (type: string, event: string) =>
  ({
    ...toListedTicketTypeProjection(type, event),
    description: `${type}.description`,
    position: `${type}.position`,
    maxPerOrder: `${type}.max_per_order`,
    audience: `${type}.audience`,
    salesStartAt: projectInstant(`${type}.sales_start_at`),
    salesEndAt: projectInstant(`${type}.sales_end_at`),
    saleState: toSaleExpressions(type, event).saleState,
  }) satisfies Projection;

const toStaffTicketTypeFields = (type: string) =>
  ({
    quantity: `${type}.quantity`,
    reservedCount: `${type}.reserved_count`,
    active: `${type}.active`,
  }) satisfies Projection;

/** For lists of events: the row of the ticket type is `type`, the row of the event `item`. */
const listedTicketTypeProjection: Projection = toListedTicketTypeProjection('type', 'item');

/** The projection of a ticket type; for staff with the sold count. */
export const toTicketTypeProjection = (
  type: string,
  event: string,
  reader?: 'staff',
): Projection =>
  reader
    ? ({
        ...toPublicTicketTypeProjection(type, event),
        ...toStaffTicketTypeFields(type),
      } satisfies Record<keyof TicketType, unknown>)
    : toPublicTicketTypeProjection(type, event);

const toTicketTypeList = (projection: Projection, condition = '') =>
  projectList(
    projection,
    `ticket_types type WHERE type.event_id = item.id${condition}`,
    'type.position, type.id',
  );

const AND_OFFERED = ' AND type.active';

/** The projection of an event for REST lists; `item` is the row of the event, `clock.now` the current time. */
export const listedEventProjection = {
  id: 'item.id',
  slug: 'item.slug',
  title: 'item.title',
  summary: 'item.summary',
  description: 'item.description',
  status: 'item.status',
  visibility: 'item.visibility',
  startsAt: projectInstant('item.starts_at'),
  endsAt: projectInstant('item.ends_at'),
  timeZone: 'location.time_zone',
  location: { id: 'location.id', name: 'location.name', address: 'location.address' },
  resource: projectWhen('resource.id IS NOT NULL', { id: 'resource.id', name: 'resource.name' }),
  tags: 'item.tags',
  capacity: 'item.capacity',
  ticketTypes: toTicketTypeList(listedTicketTypeProjection, AND_OFFERED),
  createdAt: projectInstant('item.created_at'),
} satisfies Projection & Record<keyof ListedEvent, unknown>;

/** The projection of an event for everybody who sees it. */
export const eventProjection = {
  ...listedEventProjection,
  ticketTypes: toTicketTypeList(toTicketTypeProjection('type', 'item'), AND_OFFERED),
  refundHours: 'item.refund_hours',
  publishedAt: projectInstant('item.published_at'),
  cancelledAt: projectInstant('item.cancelled_at'),
  cancelReason: 'item.cancel_reason',
} satisfies Projection &
  Record<keyof Omit<CommunityEvent, 'reservedCount' | 'orderLimits'>, unknown>;

/** The projection for viewers who see all events: with sold counts and ticket types that are not for sale. */
export const staffEventProjection = {
  ...eventProjection,
  ticketTypes: toTicketTypeList(toTicketTypeProjection('type', 'item', 'staff')),
  reservedCount: 'item.reserved_count',
  orderLimits: {
    maxSeatsPerEmail: 'item.max_seats_per_email',
    maxSeatsPerAddress: 'item.max_seats_per_address',
    maxSeatsPerNetwork: 'item.max_seats_per_network',
    limitWindowHours: 'item.limit_window_hours',
    confirmFreeOrders: 'item.confirm_free_orders',
  },
} satisfies Projection & Record<keyof CommunityEvent, unknown>;

export const EVENT_JOINS = `
  JOIN locations location ON location.id = item.location_id
  LEFT JOIN resources resource ON resource.id = item.resource_id`;
