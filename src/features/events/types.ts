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

export const EVENT_STATUSES = ['draft', 'published', 'cancelled'] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];

/** Whom something is for. */
export const EVENT_VISIBILITIES = ['public', 'members'] as const;
export type EventVisibility = (typeof EVENT_VISIBILITIES)[number];

/** As the wire shows it. */
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
  /** Buyers get their money back until so many hours before the start; null: never. */
  refundHours: number | null;
  publishedAt: Instant | null;
  cancelledAt: Instant | null;
  cancelReason: string | null;
  /** Sold and held, of all types. For those who see all events. */
  reservedCount?: number;
  /** For those who see all events. */
  orderLimits?: OrderLimits;
}

type SaleState = 'not_yet' | 'open' | 'sold_out' | 'closed';

/** As the wire shows it. */
interface ListedTicketType {
  id: string;
  name: string;
  price: Money;
  /** What can be bought now: held is not left. Null where unlimited. */
  left: number | null;
  /** Whether it is the time to buy it, if there is any left. */
  salesOpen: boolean;
}

/** What an event sells. */
export interface TicketType extends ListedTicketType {
  description: string | null;
  position: number;
  /** At most so many in one order. */
  maxPerOrder: number;
  /** Who may buy it. */
  audience: EventVisibility;
  salesStartAt: Instant | null;
  salesEndAt: Instant | null;
  saleState: SaleState;
  /** Null: as many as the event holds. This and what follows: for those who see all events. */
  quantity?: number | null;
  /** Sold and held. */
  reservedCount?: number;
  /** Whether it is offered at all. */
  active?: boolean;
}

/** Expressions over the rows of a type and its event, by the names that they have in a statement; `clock.now` is the present. */
function toSaleExpressions(type: string, event: string) {
  const left = `least(${type}.quantity - ${type}.reserved_count, ${event}.capacity - ${event}.reserved_count)`;
  const isOver = `(${event}.status = 'cancelled' OR ${event}.ends_at <= clock.now
    OR coalesce(${type}.sales_end_at <= clock.now, false) OR NOT ${type}.active)`;
  const isToCome = `(${event}.status = 'draft' OR coalesce(${type}.sales_start_at > clock.now, false))`;
  return {
    left: `CASE WHEN ${type}.active THEN ${left} ELSE 0 END`,
    salesOpen: `(${event}.status = 'published' AND ${event}.ends_at > clock.now AND ${type}.active
      AND coalesce(${type}.sales_start_at <= clock.now, true) AND coalesce(${type}.sales_end_at > clock.now, true))`,
    saleState: `CASE WHEN ${isOver} THEN 'closed' WHEN ${isToCome} THEN 'not_yet'
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

/** In the lists of events, where the type's row is `type` and the event's `item`. */
const listedTicketTypeProjection: Projection = toListedTicketTypeProjection('type', 'item');

/** A ticket type as one statement reads it, and for those who see all events what is sold of it. */
export const toTicketTypeProjection = (
  type: string,
  event: string,
  reader?: 'knowing',
): Projection =>
  reader
    ? ({
        ...toPublicTicketTypeProjection(type, event),
        ...toStaffTicketTypeFields(type),
      } satisfies Record<keyof TicketType, unknown>)
    : toPublicTicketTypeProjection(type, event);

const toTicketTypeList = (tree: Projection, condition = '') =>
  projectList(
    tree,
    `ticket_types type WHERE type.event_id = item.id${condition}`,
    'type.position, type.id',
  );

const AND_OFFERED = ' AND type.active';

/** An event as one statement reads it; `item` is the event's row, `clock.now` the present. */
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

/** All that anybody may know of an event that they see. */
export const eventProjection = {
  ...listedEventProjection,
  ticketTypes: toTicketTypeList(toTicketTypeProjection('type', 'item'), AND_OFFERED),
  refundHours: 'item.refund_hours',
  publishedAt: projectInstant('item.published_at'),
  cancelledAt: projectInstant('item.cancelled_at'),
  cancelReason: 'item.cancel_reason',
} satisfies Projection &
  Record<keyof Omit<CommunityEvent, 'reservedCount' | 'orderLimits'>, unknown>;

/** For those who see all events: how many are sold, and ticket types that are not offered. */
export const staffEventProjection = {
  ...eventProjection,
  ticketTypes: toTicketTypeList(toTicketTypeProjection('type', 'item', 'knowing')),
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
