import type { Context } from '../../../context.ts';
import { isUuid } from '../../../core/ids.ts';
import type { PageRequest } from '../../../core/pagination.ts';
import { findRow, type JsonPage, type ListQuery, readJsonPage } from '../../../db/list-query.ts';
import type { Bind } from '../../../db/prepared-statement.ts';
import type { SharedQueryPlans } from '../../../db/query-plan-choice.ts';
import { matchEnum } from '../../../db/row-list.ts';
import { notFound, toDomainError } from '../../../errors.ts';
import type { EventStatus } from '../rows.ts';
import {
  type CommunityEvent,
  canSeeAllEvents,
  EVENT_JOINS,
  eventProjection,
  type ListedEvent,
  listedEventProjection,
  staffEventProjection,
  toEverPublishedConditions,
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

/**
 * Lists events that are not over yet as JSON text with snake_case keys, for REST. Requests of strangers for the same page
 * share a statement, which begins after they arrive, so that each sees every change that was committed before it.
 */
export function listEventsAsJson(
  ctx: Context,
  filter: EventFilter,
  page: PageRequest,
): Promise<JsonPage> {
  const read = () => {
    const now = ctx.now();
    const from = filter.from && filter.from > now ? filter.from : now;
    const query = buildEventQuery(ctx, { ...filter, from });
    const projection = listedEventProjection;
    return readJsonPage(ctx.pipelinedSql, { ...query, projection }, page, 'snake');
  };
  if (ctx.viewer.kind !== 'anonymous' || ctx.isInTransaction) return read();
  return ctx.queues.sharedReads(JSON.stringify(['events', filter, page]), read);
}

/** Gets an event by slug or id. @throws NOT_FOUND, also for an event that the viewer cannot see. */
export const getEvent = (ctx: Context, slugOrId: string): Promise<CommunityEvent> =>
  readEvent(
    ctx,
    slugOrId,
    buildEventQuery(ctx, {}, (row) => toEverPublishedConditions(row, ctx.viewer)),
  );

/** Whether the viewer can open the page of an event, given by slug or id. */
export async function isEventVisible(ctx: Context, slugOrId: string): Promise<boolean> {
  try {
    await getEvent(ctx, slugOrId);
    return true;
  } catch (error) {
    if (toDomainError(error).code === 'NOT_FOUND') return false;
    throw error;
  }
}

/** Gets an event as REST lists it. @throws as `getEvent`. */
export const getListedEvent = (ctx: Context, slugOrId: string): Promise<ListedEvent> =>
  readEvent(ctx, slugOrId, {
    ...buildEventQuery(ctx, {}, (row) => toEverPublishedConditions(row, ctx.viewer)),
    projection: listedEventProjection,
  });

/** Gets an event for editing. @throws NOT_FOUND. */
export const getEditableEvent = (ctx: Context, id: string): Promise<CommunityEvent> =>
  readEvent(
    ctx,
    id,
    buildEventQuery(ctx, {}, (row) => toVisibleConditions(row, ctx.viewer, 'events:write')),
  );

async function readEvent<T>(ctx: Context, slugOrId: string, query: ListQuery): Promise<T> {
  const event = await findRow<T>(ctx.pipelinedSql, query, (row, bind) =>
    isUuid(slugOrId)
      ? `${row}.id = ${bind(slugOrId, 'uuid')}`
      : `${row}.slug = ${bind(slugOrId, 'text')}`,
  );
  if (event === null) throw notFound('event');
  return event;
}

export const eventQueryPlans: SharedQueryPlans<'STARTS_AT'> = { STARTS_AT: ['from', 'to'] };

const buildEventQuery = (
  ctx: Context,
  filter: EventFilter,
  toVisible = (row: string) => toVisibleConditions(row, ctx.viewer),
): ListQuery => ({
  table: 'events',
  projection: canSeeAllEvents(ctx.viewer) ? staffEventProjection : eventProjection,
  joins: (bind) => `${EVENT_JOINS} ${toClockJoin(ctx, bind)}`,
  from: filter.from,
  to: filter.to,
  filter,
  sharedQueryPlans: eventQueryPlans,
  where: (row, bind) => [...toVisible(row), ...toFilterConditions(row, filter, bind)],
});

/** Provides `clock.now` to projections. */
export const toClockJoin = ({ now }: Context, bind: Bind) =>
  `CROSS JOIN (SELECT ${bind(now(), 'timestamptz')} AS now) clock`;

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
  if (words.length > 0) {
    const patterns = words.map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`);
    conditions.push(
      `concat_ws(' ', ${row}.title, ${row}.summary) ILIKE ALL (${bind(patterns, 'text[]')})`,
    );
  }
  return conditions;
}
