import type { Context } from '../../context.ts';
import { isUuid } from '../../core/ids.ts';
import type { Page, PageRequest } from '../../core/pagination.ts';
import {
  type Bind,
  findRow,
  type JsonPage,
  type ListQuery,
  readJsonPage,
  readPage,
} from '../../db/list-query.ts';
import { notFound, toDomainError } from '../../errors.ts';
import {
  type CommunityEvent,
  EVENT_JOINS,
  type EventStatus,
  eventProjection,
  type ListedEvent,
  listedEventProjection,
  staffEventProjection,
} from './types.ts';
import { canSeeAllEvents, toEverPublishedConditions, toVisibleConditions } from './visibility.ts';

interface EventFilter {
  /** Events that overlap [from, to). Without `from`: those not yet over. */
  from?: Date | undefined;
  to?: Date | undefined;
  locationId?: string | undefined;
  tag?: string | undefined;
  /** All of these words occur in the title or the summary. */
  q?: string | undefined;
  status?: EventStatus | undefined;
}

/** Lists the events that the viewer sees (see `visibility.ts`), soonest first. */
export const listEvents = (
  ctx: Context,
  filter: EventFilter,
  page: PageRequest,
): Promise<Page<CommunityEvent>> =>
  readPage(
    ctx.pipelinedSql,
    toEventListing(ctx, { ...filter, from: filter.from ?? ctx.now() }),
    page,
  );

/** Lists events that are not over yet, as rendered JSON with snake_case keys, for REST. */
export function listEventsAsJson(
  ctx: Context,
  filter: EventFilter,
  page: PageRequest,
): Promise<JsonPage> {
  const now = ctx.now();
  const from = filter.from && filter.from > now ? filter.from : now;
  const listed = { ...toEventListing(ctx, { ...filter, from }), projection: listedEventProjection };
  return readJsonPage(ctx.pipelinedSql, listed, page, 'snake');
}

/** Gets an event by slug or id. Throws NOT_FOUND, also for an event that the viewer cannot see. */
export const getEvent = (ctx: Context, slugOrId: string): Promise<CommunityEvent> =>
  readEvent(ctx, slugOrId, toEventListing(ctx, {}, toEverPublishedConditions(ctx.viewer)));

/** Whether the viewer can open the event's page, by its slug or id. */
export async function isEventVisible(ctx: Context, slugOrId: string): Promise<boolean> {
  try {
    await getEvent(ctx, slugOrId);
    return true;
  } catch (error) {
    if (toDomainError(error).code === 'NOT_FOUND') return false;
    throw error;
  }
}

/** Gets an event as REST lists it. Throws as `getEvent`. */
export const getListedEvent = (ctx: Context, slugOrId: string): Promise<ListedEvent> =>
  readEvent(ctx, slugOrId, {
    ...toEventListing(ctx, {}, toEverPublishedConditions(ctx.viewer)),
    projection: listedEventProjection,
  });

/** Gets an event for editing. Throws NOT_FOUND. */
export const getEditableEvent = (ctx: Context, id: string): Promise<CommunityEvent> =>
  readEvent(ctx, id, toEventListing(ctx, {}, toVisibleConditions(ctx.viewer, 'events:write')));

async function readEvent<T>(ctx: Context, slugOrId: string, listing: ListQuery): Promise<T> {
  const event = await findRow<T>(ctx.pipelinedSql, listing, (bind) =>
    isUuid(slugOrId) ? `id = ${bind(slugOrId, 'uuid')}` : `slug = ${bind(slugOrId, 'text')}`,
  );
  if (event === null) throw notFound('event');
  return event;
}

const toEventListing = (
  ctx: Context,
  filter: EventFilter,
  visible = toVisibleConditions(ctx.viewer),
): ListQuery => ({
  table: 'events',
  projection: canSeeAllEvents(ctx.viewer) ? staffEventProjection : eventProjection,
  joins: (bind) => `${EVENT_JOINS} ${toClockJoin(ctx, bind)}`,
  from: filter.from,
  to: filter.to,
  where: (bind) => [...visible, ...toFilterConditions(filter, bind)],
});

/** Provides `clock.now` to projections. */
export const toClockJoin = ({ now }: Context, bind: Bind) =>
  `CROSS JOIN (SELECT ${bind(now(), 'timestamptz')} AS now) clock`;

function toFilterConditions(filter: EventFilter, bind: Bind): string[] {
  const conditions: string[] = [];
  if (filter.locationId) conditions.push(`location_id = ${bind(filter.locationId, 'uuid')}`);
  if (filter.tag) conditions.push(`${bind(filter.tag.toLowerCase(), 'text')} = ANY (tags)`);
  if (filter.status) conditions.push(`status = ${bind(filter.status, 'event_status')}`);
  const words = filter.q?.split(/\s+/).filter(Boolean).slice(0, 8) ?? [];
  if (words.length > 0) {
    const patterns = words.map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`);
    conditions.push(`concat_ws(' ', title, summary) ILIKE ALL (${bind(patterns, 'text[]')})`);
  }
  return conditions;
}
