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
  status?: BookingStatus | undefined;
}

/** By start. Members see their own only. */
export const list = (ctx: Ctx, filter: BookingFilter, page: PageRequest): Promise<Page<Booking>> =>
  readPage(ctx.sql, listing(ctx, filter), page);

/** The same list as finished JSON with snake_case keys: what legacy clients poll. */
export const listJson = (ctx: Ctx, filter: BookingFilter, page: PageRequest): Promise<JsonPage> =>
  readJson(ctx.sql, listing(ctx, filter), page, 'snake');

/** Throws NOT_FOUND also for a booking that the viewer may not see. */
export async function get(ctx: Ctx, id: string): Promise<Booking> {
  const found = isUuid(id)
    ? await readOne<Booking>(ctx.sql, listing(ctx, {}), (bind) => `id = ${bind(id, 'uuid')}`)
    : null;
  if (found === null) throw notFound('booking');
  return found;
}

const listing = (ctx: Ctx, filter: BookingFilter): Listing => ({
  table: 'bookings',
  tree: bookingTree,
  joins: () => JOINS,
  from: filter.from,
  to: filter.to,
  where: (bind) => [...visible(ctx, bind), ...matching(filter, bind)],
});

function visible({ viewer }: Ctx, bind: Bind): string[] {
  if (seesAll(viewer, 'bookings:read')) return [];
  return viewer.kind === 'member' ? [`member_id = ${bind(viewer.id, 'uuid')}`] : ['false'];
}

function matching(filter: BookingFilter, bind: Bind): string[] {
  const conditions: string[] = [];
  if (filter.resourceId) conditions.push(`resource_id = ${bind(filter.resourceId, 'uuid')}`);
  if (filter.locationId) conditions.push(`location_id = ${bind(filter.locationId, 'uuid')}`);
  if (filter.memberId) conditions.push(`member_id = ${bind(filter.memberId, 'uuid')}`);
  if (filter.status) conditions.push(`status = ${bind(filter.status, 'booking_status')}`);
  return conditions;
}
