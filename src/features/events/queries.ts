import type { Scope } from '../../auth/scopes.ts';
import { canSeeAll, type Viewer } from '../../auth/viewer.ts';
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
import { notFound } from '../../errors.ts';
import {
  type CommunityEvent,
  EVENT_JOINS,
  type EventStatus,
  eventProjection,
  type ListedEvent,
  listedEventProjection,
  staffEventProjection,
} from './types.ts';

interface EventFilter {
  /** Events that overlap [from, to). Without `from`: those not yet over. */
  from?: Date | undefined;
  to?: Date | undefined;
  locationId?: string | undefined;
  tag?: string | undefined;
  /** Words in the title or the summary. */
  q?: string | undefined;
  status?: EventStatus | undefined;
}

/** Soonest first. The public sees published public events, members those for members too, staff all. */
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

/** What is public and not yet over, as finished JSON with snake_case keys. */
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

/**
 * By slug or id. What was published and then cancelled is still shown to whom it was for, since ticket holders look
 * it up. Throws NOT_FOUND also for an event that the viewer may not see.
 */
export const getEvent = (ctx: Context, slugOrId: string): Promise<CommunityEvent> =>
  readEvent(ctx, slugOrId, toEventListing(ctx, {}, toEverPublishedConditions(ctx.viewer)));

/** The same, as lists on the wire show it. */
export const getListedEvent = (ctx: Context, slugOrId: string): Promise<ListedEvent> =>
  readEvent(ctx, slugOrId, {
    ...toEventListing(ctx, {}, toEverPublishedConditions(ctx.viewer)),
    projection: listedEventProjection,
  });

/** For those who change events. Throws NOT_FOUND. */
export const getEditableEvent = (ctx: Context, id: string): Promise<CommunityEvent> =>
  readEvent(ctx, id, toEventListing(ctx, {}, toVisibleConditions(ctx.viewer, 'events:write')));

async function readEvent<T>(ctx: Context, slugOrId: string, listing: ListQuery): Promise<T> {
  const found = await findRow<T>(ctx.pipelinedSql, listing, (bind) =>
    isUuid(slugOrId) ? `id = ${bind(slugOrId, 'uuid')}` : `slug = ${bind(slugOrId, 'text')}`,
  );
  if (found === null) throw notFound('event');
  return found;
}

const toEventListing = (
  ctx: Context,
  filter: EventFilter,
  rows = toVisibleConditions(ctx.viewer),
): ListQuery => ({
  table: 'events',
  projection: canSeeAllEvents(ctx.viewer) ? staffEventProjection : eventProjection,
  joins: (bind) => `${EVENT_JOINS} ${toClockJoin(ctx, bind)}`,
  from: filter.from,
  to: filter.to,
  where: (bind) => [...rows, ...toFilterConditions(filter, bind)],
});

/** The present, for trees that ask for it. */
export const toClockJoin = ({ now }: Context, bind: Bind) =>
  `CROSS JOIN (SELECT ${bind(now(), 'timestamptz')} AS now) clock`;

/** Whether the viewer may know what is sold and what is not offered. */
export const canSeeAllEvents = (viewer: Viewer) => canSeeAll(viewer, 'events:read');

function toVisibleConditions(viewer: Viewer, scope: Scope = 'events:read'): string[] {
  if (canSeeAll(viewer, scope)) return [];
  return [`status = 'published'`, ...toAudienceConditions(viewer)];
}

function toEverPublishedConditions(viewer: Viewer): string[] {
  if (canSeeAllEvents(viewer)) return [];
  const shown = `(status = 'published' OR status = 'cancelled' AND published_at IS NOT NULL)`;
  return [shown, ...toAudienceConditions(viewer)];
}

const toAudienceConditions = (viewer: Viewer) =>
  viewer.kind === 'member' ? [] : [`visibility = 'public'`];

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
