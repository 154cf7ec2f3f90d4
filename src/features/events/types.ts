import type { Scope } from '../../auth/scopes.ts';
import { canSeeAll, type Viewer } from '../../auth/viewer.ts';
import type { Money } from '../../core/money.ts';
import {
  type Projection,
  projectIfVisible,
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
import type { ShownRow } from '../../rows/row.ts';
import { type OrderLimits, toOrderLimitsProjection } from '../order-limits/types.ts';
import { toLocationProjection, toResourceProjection } from '../spaces/types.ts';
import { type EventStatus, type EventVisibility, eventRow, ticketTypeRow } from './rows.ts';

// The visibility rules of events, as SQL conditions over rows of `events` and as a predicate. A test compares the two.
// Staff and tokens with the scope see every event. Other viewers see published events; only members see those for members. A
// cancelled event that was published stays visible by its link, since ticket holders look it up.

/** Returns the conditions for lists of events. `row` is the alias of the event. */
export function toVisibleConditions(
  row: string,
  viewer: Viewer,
  scope: Scope = 'events:read',
): string[] {
  if (canSeeAll(viewer, scope)) return [];
  return [`${row}.status = 'published'`, ...toAudienceConditions(row, viewer)];
}

/** Returns the conditions for a single event by slug or id. The same rule as `canSeeEvent`. */
export function toEverPublishedConditions(row: string, viewer: Viewer): string[] {
  if (canSeeAllEvents(viewer)) return [];
  const everPublished = `(${row}.status = 'published' OR ${row}.status = 'cancelled' AND ${row}.published_at IS NOT NULL)`;
  return [everPublished, ...toAudienceConditions(row, viewer)];
}

const toAudienceConditions = (row: string, viewer: Viewer) =>
  viewer.kind === 'member' ? [] : [`${row}.visibility = 'public'`];

/** Whether the viewer can see a single event by slug or id. The same rule as `toEverPublishedConditions`. */
export function canSeeEvent(
  viewer: Viewer,
  event: { status: EventStatus; visibility: EventVisibility; wasPublished: boolean },
): boolean {
  if (canSeeAllEvents(viewer)) return true;
  if (event.visibility === 'members' && viewer.kind !== 'member') return false;
  return event.status === 'published' || (event.status === 'cancelled' && event.wasPublished);
}

/** Whether the viewer sees drafts, sold counts and inactive ticket types. */
export const canSeeAllEvents = (viewer: Viewer) => canSeeAll(viewer, 'events:read');

/** What lists of events leave out. */
export const EVENT_DETAILS = [
  'refundHours',
  'publishedAt',
  'cancelledAt',
  'cancelReason',
  'updatedAt',
] as const;

/** An event as REST lists it. */
export interface ListedEvent
  extends Omit<ShownRow<typeof eventRow>, (typeof EVENT_DETAILS)[number]> {
  timeZone: string;
  location: { id: string; name: string; address: string | null };
  resource: { id: string; name: string } | null;
  ticketTypes: ListedTicketType[];
}

export interface CommunityEvent extends ListedEvent, ShownRow<typeof eventRow> {
  ticketTypes: TicketType[];
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
  /** The number of tickets that can be bought now, without held ones. Null if unlimited. */
  left: number | null;
  /** Whether the current time is within the sales window. The type can still be sold out. */
  salesOpen: boolean;
}

/** A type of ticket that an event sells. */
export interface TicketType extends ListedTicketType, ShownRow<typeof ticketTypeRow> {
  eventId: string;
  saleState: SaleState;
  /**
   * Null if only the capacity of the event limits it. This and the next two fields are only for viewers who see all
   * events.
   */
  quantity?: number | null;
  /** Sold and held tickets. */
  reservedCount?: number;
  /** Whether tickets of this type are sold during the sales window. */
  active?: boolean;
}

/** SQL over the aliases of a ticket type and its event; `clock.now` is the current time. */
function toSaleExpressions(type: string, event: string) {
  // Until the waiting list has its offers, nobody else can buy.
  const left = `CASE WHEN ${event}.offers_pending THEN 0
    ELSE least(${type}.quantity - ${type}.reserved_count, ${event}.capacity - ${event}.reserved_count) END`;
  const isOver = `(${event}.status = 'cancelled' OR ${event}.ends_at <= clock.now
    OR coalesce(${type}.sales_end_at <= clock.now, false) OR NOT ${type}.active)`;
  const isNotYetOnSale = `(${event}.status = 'draft' OR coalesce(${type}.sales_start_at > clock.now, false))`;
  return {
    left: `CASE WHEN ${type}.active THEN ${left} ELSE 0 END`,
    salesOpen: `(${event}.status = 'published' AND ${event}.ends_at > clock.now AND ${type}.active
      AND coalesce(${type}.sales_start_at <= clock.now, true) AND coalesce(${type}.sales_end_at > clock.now, true))`,
    saleState: `CASE WHEN ${isOver} THEN 'closed' WHEN ${isNotYetOnSale} THEN 'not_yet'
      WHEN (${left}) <= 0 THEN 'sold_out' ELSE 'open' END`,
  };
}

const toListedTicketTypeProjection = (type: string, event: string) => {
  const { left, salesOpen } = toSaleExpressions(type, event);
  return {
    id: projectUnescaped(`${type}.id`),
    name: `${type}.name`,
    price: projectMoney(`${type}.price_amount`, `${type}.price_currency`),
    left: projectNumber(left),
    salesOpen: projectNumber(salesOpen),
  } satisfies Projection & Record<keyof ListedTicketType, unknown>;
};

const toPublicTicketTypeProjection = (type: string, event: string) =>
  ({
    ...toListedTicketTypeProjection(type, event),
    ...projectFields(ticketTypeRow, type),
    eventId: projectUnescaped(`${type}.event_id`),
    saleState: projectUnescaped(toSaleExpressions(type, event).saleState),
  }) satisfies Projection;

const toStaffTicketTypeFields = (type: string) =>
  ({
    quantity: projectNumber(`${type}.quantity`),
    reservedCount: projectNumber(`${type}.reserved_count`),
    active: projectNumber(`${type}.active`),
  }) satisfies Projection;

/** For lists of events: the row of the ticket type is `type`, the row of the event `item`. */
const listedTicketTypeProjection: Projection = toListedTicketTypeProjection('type', 'item');

/** Returns the projection of a ticket type. For staff it includes the sold count. */
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

/** Projects a ticket type as the viewer sees it. */
export const toTicketTypeRowProjection: RowProjection = (row, viewer) =>
  toVisibleTicketTypeProjection(
    row,
    `(SELECT sold FROM events sold WHERE sold.id = ${row}.event_id)`,
    canSeeAllEvents(viewer),
  );

const toVisibleTicketTypeProjection = (type: string, event: string, seesAll: boolean) => ({
  ...toPublicTicketTypeProjection(type, event),
  ...projectIfVisible(seesAll, toStaffTicketTypeFields(type)),
});

const toTicketTypeList = (projection: Projection, condition = '') =>
  projectList(
    projection,
    `ticket_types type WHERE type.event_id = item.id${condition}`,
    'type.position, type.id',
  );

const AND_ACTIVE = ' AND type.active';

/** The projection of an event for REST lists; `item` is the row of the event, `clock.now` the current time. */
export const listedEventProjection = {
  ...projectFields(eventRow, 'item', { except: EVENT_DETAILS }),
  timeZone: 'location.time_zone',
  location: {
    id: projectUnescaped('location.id'),
    name: 'location.name',
    address: 'location.address',
  },
  resource: projectWhen('resource.id IS NOT NULL', {
    id: projectUnescaped('resource.id'),
    name: 'resource.name',
  }),
  ticketTypes: toTicketTypeList(listedTicketTypeProjection, AND_ACTIVE),
} satisfies Projection & Record<keyof ListedEvent, unknown>;

const toStaffFields = (row: string) =>
  ({
    reservedCount: projectNumber(`${row}.reserved_count`),
    orderLimits: toOrderLimitsProjection(row),
  }) satisfies Projection;

/** The projection of an event for all viewers. */
export const eventProjection = {
  ...listedEventProjection,
  ...projectFields(eventRow, 'item'),
  ticketTypes: toTicketTypeList(toTicketTypeProjection('type', 'item'), AND_ACTIVE),
} satisfies Projection &
  Record<keyof Omit<CommunityEvent, 'reservedCount' | 'orderLimits'>, unknown>;

/** The projection for viewers who see all events: with sold counts and ticket types that are not for sale. */
export const staffEventProjection = {
  ...eventProjection,
  ticketTypes: toTicketTypeList(toTicketTypeProjection('type', 'item', 'staff')),
  ...toStaffFields('item'),
} satisfies Projection & Record<keyof CommunityEvent, unknown>;

/**
 * Projects an event with its whole location and resource, as the viewer sees it. `clock.now` is the current time.
 */
export const toEventProjection: RowProjection = (row, viewer) => {
  const seesAll = canSeeAllEvents(viewer);
  return {
    ...projectFields(eventRow, row),
    timeZone: `(SELECT time_zone FROM locations WHERE id = ${row}.location_id)`,
    location: projectRow('locations', `${row}.location_id`, toLocationProjection),
    resource: projectRow('resources', `${row}.resource_id`, toResourceProjection),
    ticketTypes: projectRows('ticket_types', (type) => ({
      projection: toVisibleTicketTypeProjection(type, row, seesAll),
      where: `${type}.event_id = ${row}.id${seesAll ? '' : ` AND ${type}.active`}`,
      order: `${type}.position, ${type}.id`,
    })),
    ...projectIfVisible(seesAll, toStaffFields(row)),
  };
};

export const EVENT_JOINS = `
  JOIN locations location ON location.id = item.location_id
  LEFT JOIN resources resource ON resource.id = item.resource_id`;
