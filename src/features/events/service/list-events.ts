import type { Scope } from '../../../auth/scopes.ts';
import type { Viewer } from '../../../auth/viewer.ts';
import type { Context } from '../../../context.ts';
import type { Bind } from '../../../db/prepared-statement.ts';
import { matchWords } from '../../../db/text-search.ts';
import { findRows } from '../../../lists/read-list.ts';
import {
  type ListRules,
  type ListScope,
  matchEnum,
  type RowList,
  type ToItem,
} from '../../../lists/row-list.ts';
import type { EventStatus } from '../rows.ts';
import {
  type CommunityEvent,
  canSeeAllEvents,
  EVENT_JOINS,
  eventProjection,
  listedEventProjection,
  staffEventProjection,
  type TicketType,
  toEverPublishedConditions,
  toTicketTypeProjection,
  toVisibleConditions,
} from '../types.ts';

export interface EventFilter {
  /** Only events that overlap [from, to). Default for `from`: now. */
  from?: Date | undefined;
  to?: Date | undefined;
  locationId?: string | undefined;
  resourceId?: string | undefined;
  tag?: string | undefined;
  /** Words that must all match the title or the summary. */
  q?: string | undefined;
  status?: readonly EventStatus[] | undefined;
}

const toEventItem: ToItem = (scope) => ({
  projection: canSeeAllEvents(scope.viewer) ? staffEventProjection : eventProjection,
  joins: `${EVENT_JOINS} ${toClockJoin(scope)}`,
});

/** Provides `clock.now` to projections. */
const toClockJoin = ({ now, bind }: Pick<ListScope, 'now' | 'bind'>) =>
  `CROSS JOIN (SELECT ${bind(now(), 'timestamptz')} AS now) clock`;

/** Events that are not over, soonest first. `toVisibleConditions` decides which ones a viewer sees. */
const createEventList = (scope: Scope) =>
  ({
    name: 'events',
    table: 'events',
    sortKeys: {
      STARTS_AT: { column: 'starts_at', type: 'timestamptz', label: 'start' },
      CREATED_AT: { column: 'created_at', type: 'timestamptz', label: 'time of creation' },
      TITLE: { column: 'title', type: 'text', label: 'title' },
    },
    defaultOrder: 'STARTS_AT_ASC',
    sharedQueryPlans: { STARTS_AT: ['from', 'to'] },
    where: (row, filter, { viewer, bind }) => [
      ...toVisibleConditions(row, viewer, scope),
      ...toFilterConditions(row, filter, bind),
    ],
    getRange: ({ from, to }, { now }) => ({ from: from ?? now(), to }),
    toItem: toEventItem,
    findByIds: (ctx, ids) => findRows<CommunityEvent>(ctx, eventRows, ids),
  }) satisfies RowList<CommunityEvent, EventFilter, 'STARTS_AT' | 'CREATED_AT' | 'TITLE'>;

const eventRows = { table: 'events', toItem: toEventItem };

/** The events that the viewer can read. */
export const eventList = createEventList('events:read');

/** The events that the viewer can change, which needs no scope to read them. */
export const editableEventList = createEventList('events:write');

/** The events that the viewer can read, as REST lists them. */
export const listedEventList = {
  ...eventList,
  toItem: (scope) => ({
    projection: listedEventProjection,
    joins: `${EVENT_JOINS} ${toClockJoin(scope)}`,
  }),
} satisfies ListRules;

/** The events that the viewer can open by their link. */
export const visibleEvents = {
  ...eventRows,
  where: (row: string, _: object, { viewer }: ListScope) => toEverPublishedConditions(row, viewer),
  findByIds: (ctx: Context, ids: string[]) =>
    findRows<CommunityEvent>(ctx, eventRows, ids, (row) =>
      toEverPublishedConditions(row, ctx.viewer),
    ),
};

/** The conditions of a filter, apart from its period. */
export function toFilterConditions(
  row: string,
  filter: Omit<EventFilter, 'from' | 'to'>,
  bind: Bind,
): string[] {
  const conditions: string[] = [];
  if (filter.locationId) conditions.push(`${row}.location_id = ${bind(filter.locationId, 'uuid')}`);
  if (filter.resourceId) conditions.push(`${row}.resource_id = ${bind(filter.resourceId, 'uuid')}`);
  if (filter.tag) conditions.push(`${bind(filter.tag.toLowerCase(), 'text')} = ANY (${row}.tags)`);
  if (filter.status) conditions.push(matchEnum(`${row}.status`, filter.status));
  const words = filter.q?.split(/\s+/).filter(Boolean).slice(0, 8) ?? [];
  // The index events_search_idx contains the same expression.
  if (words.length > 0)
    conditions.push(
      matchWords(`(${row}.title || ' ' || coalesce(${row}.summary, ''))`, words, bind),
    );
  return conditions;
}

/** Ticket types with what can be bought now. Callers check that the viewer sees the event. */
export const ticketTypeRows = {
  table: 'ticket_types',
  toItem: (scope) => ({
    projection: canSeeAllEvents(scope.viewer)
      ? staffTicketTypeProjection
      : publicTicketTypeProjection,
    joins: `JOIN events event ON event.id = item.event_id ${toClockJoin(scope)}`,
  }),
} satisfies { table: string; toItem: ToItem };

/**
 * Finds ticket types by id, for fields that lead to one type. Leaves out those of events that the viewer cannot open, and
 * for viewers who do not see all events also types that are not for sale.
 */
export const visibleTicketTypes = {
  table: 'ticket_types',
  where: (row: string, _: object, { viewer }: ListScope) => toOfferedConditions(row, viewer),
  findByIds: (ctx: Context, ids: string[]): Promise<TicketType[]> =>
    findRows(ctx, ticketTypeRows, ids, (row) => toOfferedConditions(row, ctx.viewer)),
};

const toOfferedConditions = (row: string, viewer: Viewer): string[] => [
  ...toEverPublishedConditions('offered', viewer).map(
    (condition) =>
      `EXISTS (SELECT FROM events offered WHERE offered.id = ${row}.event_id AND ${condition})`,
  ),
  ...(canSeeAllEvents(viewer) ? [] : [`${row}.active`]),
];

const publicTicketTypeProjection = toTicketTypeProjection('item', 'event');
const staffTicketTypeProjection = toTicketTypeProjection('item', 'event', 'staff');
