import type { Scope } from '../../auth/scopes.ts';
import { seesAll, type Viewer } from '../../auth/viewer.ts';
import type { Ctx } from '../../context.ts';
import {
  type Bind,
  type JsonPage,
  type Listing,
  readJson,
  readOne,
  readPage,
} from '../../db/listing.ts';
import { notFound } from '../../errors.ts';
import type { Page, PageRequest } from '../../page.ts';
import { isUuid } from '../../values.ts';
import {
  type CommunityEvent,
  type EventStatus,
  eventTree,
  JOINS,
  knowingTree,
  type ListedEvent,
  listedTree,
} from './event.ts';

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
export const list = (
  ctx: Ctx,
  filter: EventFilter,
  page: PageRequest,
): Promise<Page<CommunityEvent>> =>
  readPage(ctx.sql, listing(ctx, { ...filter, from: filter.from ?? ctx.now() }), page);

/** What is public and not yet over, as finished JSON with snake_case keys. */
export function listJson(ctx: Ctx, filter: EventFilter, page: PageRequest): Promise<JsonPage> {
  const now = ctx.now();
  const from = filter.from && filter.from > now ? filter.from : now;
  const listed = { ...listing(ctx, { ...filter, from }), tree: listedTree };
  return readJson(ctx.sql, listed, page, 'snake');
}

/**
 * By slug or id. What was published and then cancelled is still shown to whom it was for, since ticket holders look
 * it up. Throws NOT_FOUND also for an event that the viewer may not see.
 */
export const get = (ctx: Ctx, slugOrId: string): Promise<CommunityEvent> =>
  read(ctx, slugOrId, listing(ctx, {}, everPublished(ctx.viewer)));

/** The same, as lists on the wire show it. */
export const getListed = (ctx: Ctx, slugOrId: string): Promise<ListedEvent> =>
  read(ctx, slugOrId, { ...listing(ctx, {}, everPublished(ctx.viewer)), tree: listedTree });

/** For those who change events. Throws NOT_FOUND. */
export const getForWriting = (ctx: Ctx, id: string): Promise<CommunityEvent> =>
  read(ctx, id, listing(ctx, {}, visible(ctx.viewer, 'events:write')));

async function read<T>(ctx: Ctx, slugOrId: string, listing: Listing): Promise<T> {
  const found = await readOne<T>(ctx.sql, listing, (bind) =>
    isUuid(slugOrId) ? `id = ${bind(slugOrId, 'uuid')}` : `slug = ${bind(slugOrId, 'text')}`,
  );
  if (found === null) throw notFound('event');
  return found;
}

const listing = (ctx: Ctx, filter: EventFilter, rows = visible(ctx.viewer)): Listing => ({
  table: 'events',
  tree: knows(ctx.viewer) ? knowingTree : eventTree,
  joins: (bind) => `${JOINS} ${clock(ctx, bind)}`,
  from: filter.from,
  to: filter.to,
  where: (bind) => [...rows, ...matching(filter, bind)],
});

/** The present, for trees that ask for it. */
export const clock = ({ now }: Ctx, bind: Bind) =>
  `CROSS JOIN (SELECT ${bind(now(), 'timestamptz')} AS now) clock`;

/** Whether the viewer may know what is sold and what is not offered. */
export const knows = (viewer: Viewer) => seesAll(viewer, 'events:read');

function visible(viewer: Viewer, scope: Scope = 'events:read'): string[] {
  if (seesAll(viewer, scope)) return [];
  return [`status = 'published'`, ...forWhom(viewer)];
}

function everPublished(viewer: Viewer): string[] {
  if (knows(viewer)) return [];
  const shown = `(status = 'published' OR status = 'cancelled' AND published_at IS NOT NULL)`;
  return [shown, ...forWhom(viewer)];
}

const forWhom = (viewer: Viewer) => (viewer.kind === 'member' ? [] : [`visibility = 'public'`]);

function matching(filter: EventFilter, bind: Bind): string[] {
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
