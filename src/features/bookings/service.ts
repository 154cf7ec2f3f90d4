import type { Scope } from '../../auth/scopes.ts';
import { seesAll } from '../../auth/viewer.ts';
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
import { type Booking, type BookingStatus, bookingTree, JOINS } from './booking.ts';

export interface BookingFilter {
  /** Bookings that overlap [from, to); either may be missing. */
  from?: Date | undefined;
  to?: Date | undefined;
  resourceId?: string | undefined;
  locationId?: string | undefined;
  memberId?: string | undefined;
  seriesId?: string | undefined;
  ids?: string[] | undefined;
  status?: BookingStatus | undefined;
}

/** By start. Members see their own only. */
export const list = (ctx: Ctx, filter: BookingFilter, page: PageRequest): Promise<Page<Booking>> =>
  readPage(ctx.sql, listing(ctx, filter), page);

/** The same list as finished JSON with snake_case keys: what legacy clients poll. */
export const listJson = (ctx: Ctx, filter: BookingFilter, page: PageRequest): Promise<JsonPage> =>
  readJson(ctx.sql, listing(ctx, filter), page, 'snake');

/** Throws NOT_FOUND also for a booking that the viewer may not see. */
export const get = (ctx: Ctx, id: string): Promise<Booking> => getWith(ctx, id, 'bookings:read');

/** For those who change bookings, and need not see others than those. Throws NOT_FOUND. */
export const getForWriting = (ctx: Ctx, id: string): Promise<Booking> =>
  getWith(ctx, id, 'bookings:write');

/** Of those that the scope opens to the viewer. Throws NOT_FOUND. */
export async function getWith(ctx: Ctx, id: string, scope: Scope): Promise<Booking> {
  const found = isUuid(id)
    ? await readOne<Booking>(ctx.sql, listing(ctx, {}, scope), (bind) => `id = ${bind(id, 'uuid')}`)
    : null;
  if (found === null) throw notFound('booking');
  return found;
}

/** The bookings of a series, by start, that the viewer may change. */
export const ofSeries = (ctx: Ctx, seriesId: string): Promise<Booking[]> => all(ctx, { seriesId });

/** These, by start, of those that the viewer may change. */
export const ofIds = (ctx: Ctx, ids: string[]): Promise<Booking[]> => all(ctx, { ids });

async function all(ctx: Ctx, filter: BookingFilter): Promise<Booking[]> {
  const items: Booking[] = [];
  let cursor: string | undefined;
  do {
    const page = { limit: 100, cursor };
    const found = listing(ctx, filter, 'bookings:write');
    const { items: more, nextCursor } = await readPage<Booking>(ctx.sql, found, page);
    items.push(...more);
    cursor = nextCursor ?? undefined;
  } while (cursor);
  return items;
}

const listing = (ctx: Ctx, filter: BookingFilter, scope: Scope = 'bookings:read'): Listing => ({
  table: 'bookings',
  tree: bookingTree,
  joins: () => JOINS,
  from: filter.from,
  to: filter.to,
  where: (bind) => [...visible(ctx, bind, scope), ...matching(filter, bind)],
});

function visible({ viewer }: Ctx, bind: Bind, scope: Scope): string[] {
  if (seesAll(viewer, scope)) return [];
  return viewer.kind === 'member' ? [`member_id = ${bind(viewer.id, 'uuid')}`] : ['false'];
}

function matching(filter: BookingFilter, bind: Bind): string[] {
  const conditions: string[] = [];
  if (filter.resourceId) conditions.push(`resource_id = ${bind(filter.resourceId, 'uuid')}`);
  if (filter.locationId) conditions.push(`location_id = ${bind(filter.locationId, 'uuid')}`);
  if (filter.memberId) conditions.push(`member_id = ${bind(filter.memberId, 'uuid')}`);
  if (filter.seriesId) conditions.push(`series_id = ${bind(filter.seriesId, 'uuid')}`);
  if (filter.ids) conditions.push(`id = ANY (${bind(filter.ids, 'uuid[]')})`);
  if (filter.status) conditions.push(`status = ${bind(filter.status, 'booking_status')}`);
  return conditions;
}
