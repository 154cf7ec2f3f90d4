import type { Context } from '../../../context.ts';
import { toJsonSql } from '../../../db/json-projection.ts';
import { createParameters, prepareStatement } from '../../../db/prepared-statement.ts';
import type { ListScope, RowList } from '../../../db/row-list.ts';
import {
  type CommunityEvent,
  canSeeAllEvents,
  EVENT_JOINS,
  eventProjection,
  staffEventProjection,
  type TicketType,
  toEverPublishedConditions,
  toTicketTypeProjection,
  toVisibleConditions,
} from '../types.ts';
import { type EventFilter, eventQueryPlans, toClockJoin, toFilterConditions } from './get-event.ts';

/** Events that are not over, soonest first. `toVisibleConditions` decides which ones a viewer sees. */
export const eventList: RowList<CommunityEvent, EventFilter, 'STARTS_AT' | 'CREATED_AT' | 'TITLE'> =
  {
    name: 'events',
    table: 'events',
    sortKeys: {
      STARTS_AT: { column: 'starts_at', type: 'timestamptz', label: 'start' },
      CREATED_AT: { column: 'created_at', type: 'timestamptz', label: 'time of creation' },
      TITLE: { column: 'title', type: 'text', label: 'title' },
    },
    defaultOrder: 'STARTS_AT_ASC',
    sharedQueryPlans: eventQueryPlans,
    where: (row, filter, { viewer, bind }) => [
      ...toVisibleConditions(row, viewer),
      ...toFilterConditions(row, filter, bind),
    ],
    getRange: ({ from, to }, { now }) => ({ from: from ?? now(), to }),
    findByIds: (ctx, ids) => readEvents(ctx, ids, []),
  };

/** Finds events by id, for fields that lead to one event. Leaves out those that the viewer cannot open by their link. */
export const visibleEvents = {
  table: 'events',
  where: (row: string, _: object, { viewer }: ListScope) => toEverPublishedConditions(row, viewer),
  findByIds: (ctx: Context, ids: string[]) =>
    readEvents(ctx, ids, toEverPublishedConditions('item', ctx.viewer)),
};

async function readEvents(
  ctx: Context,
  ids: string[],
  conditions: string[],
): Promise<CommunityEvent[]> {
  const { values, bind } = createParameters();
  const projection = canSeeAllEvents(ctx.viewer) ? staffEventProjection : eventProjection;
  const text = `SELECT ${toJsonSql(projection, 'camel')} AS event
    FROM unnest(${bind(ids, 'uuid[]')}) listed (id) JOIN events item ON item.id = listed.id
    ${EVENT_JOINS} ${toClockJoin(ctx, bind)} WHERE ${['true', ...conditions].join(' AND ')}`;
  const rows = await ctx.pipelinedSql<{ event: CommunityEvent }>(prepareStatement(text), values);
  return rows.map(({ event }) => event);
}

/**
 * Finds ticket types by id, for fields that lead to one type. Leaves out those of events that the viewer cannot open, and
 * for viewers who do not see all events also types that are not for sale.
 */
export const visibleTicketTypes = {
  table: 'ticket_types',
  where: (row: string, _: object, { viewer }: ListScope) => [
    ...toEverPublishedConditions('offered', viewer).map(
      (condition) =>
        `EXISTS (SELECT FROM events offered WHERE offered.id = ${row}.event_id AND ${condition})`,
    ),
    ...(canSeeAllEvents(viewer) ? [] : [`${row}.active`]),
  ],
  findByIds: async (ctx: Context, ids: string[]): Promise<TicketType[]> => {
    const { values, bind } = createParameters();
    const seesAll = canSeeAllEvents(ctx.viewer);
    const projection = seesAll ? staffTicketTypeProjection : publicTicketTypeProjection;
    const conditions = [
      ...toEverPublishedConditions('event', ctx.viewer),
      ...(seesAll ? [] : ['item.active']),
    ];
    const text = `SELECT ${toJsonSql(projection, 'camel')} AS type
      FROM unnest(${bind(ids, 'uuid[]')}) listed (id) JOIN ticket_types item ON item.id = listed.id
      JOIN events event ON event.id = item.event_id ${toClockJoin(ctx, bind)}
      WHERE ${['true', ...conditions].join(' AND ')}`;
    const rows = await ctx.pipelinedSql<{ type: TicketType }>(prepareStatement(text), values);
    return rows.map(({ type }) => type);
  },
};

const publicTicketTypeProjection = toTicketTypeProjection('item', 'event');
const staffTicketTypeProjection = toTicketTypeProjection('item', 'event', 'staff');
