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
import { type CommunityEvent, type EventStatus, eventTree, JOINS } from './event.ts';

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
  return readJson(ctx.sql, listing(ctx, { ...filter, from }), page, 'snake');
}

/** By slug or id. Throws NOT_FOUND also for an event that the viewer may not see. */
export async function get(ctx: Ctx, slugOrId: string): Promise<CommunityEvent> {
  const found = await readOne<CommunityEvent>(ctx.sql, listing(ctx, {}), (bind) =>
    isUuid(slugOrId) ? `id = ${bind(slugOrId, 'uuid')}` : `slug = ${bind(slugOrId, 'text')}`,
  );
  if (found === null) throw notFound('event');
  return found;
}

function listing(ctx: Ctx, filter: EventFilter): Listing {
  return {
    table: 'events',
    tree: eventTree,
    joins: (bind) => `${JOINS} CROSS JOIN (SELECT ${bind(ctx.now(), 'timestamptz')} AS now) clock`,
    from: filter.from,
    to: filter.to,
    where: (bind) => [...visible(ctx.viewer), ...matching(filter, bind)],
  };
}

function visible(viewer: Viewer): string[] {
  if (seesAll(viewer, 'events:read')) return [];
  if (viewer.kind === 'member') return [`status = 'published'`];
  return [`status = 'published'`, `visibility = 'public'`];
}

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
