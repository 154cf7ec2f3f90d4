import type { Scope } from '../../../auth/scopes.ts';
import { canSeeAll } from '../../../auth/viewer.ts';
import type { Context } from '../../../context.ts';
import { isUuid } from '../../../core/ids.ts';
import type { Page, PageRequest } from '../../../core/pagination.ts';
import {
  type Bind,
  findRow,
  type JsonPage,
  type ListQuery,
  readJsonPage,
  readPage,
} from '../../../db/list-query.ts';
import { notFound } from '../../../errors.ts';
import { BOOKING_JOINS, type Booking, type BookingStatus, bookingProjection } from '../types.ts';

export interface BookingFilter {
  /** Only bookings that overlap [from, to). Each bound is optional. */
  from?: Date | undefined;
  to?: Date | undefined;
  resourceId?: string | undefined;
  locationId?: string | undefined;
  memberId?: string | undefined;
  seriesId?: string | undefined;
  ids?: string[] | undefined;
  status?: BookingStatus | undefined;
}

/**
 * Lists bookings by start. Members see only their own.
 *
 * @throws BAD_REQUEST for an invalid cursor
 */
export const listBookings = (
  ctx: Context,
  filter: BookingFilter,
  page: PageRequest,
): Promise<Page<Booking>> => readPage(ctx.pipelinedSql, buildListQuery(ctx, filter), page);

/** The same list as finished JSON with snake_case keys, which the REST API sends without parsing it. */
export const listBookingsJson = (
  ctx: Context,
  filter: BookingFilter,
  page: PageRequest,
): Promise<JsonPage> => readJsonPage(ctx.pipelinedSql, buildListQuery(ctx, filter), page, 'snake');

/**
 * Gets one booking.
 *
 * @throws NOT_FOUND, also for a booking that the viewer cannot see
 */
export const getBooking = (ctx: Context, id: string): Promise<Booking> =>
  getBookingWithScope(ctx, id, 'bookings:read');

/**
 * Gets a booking that the viewer can change. Needs no scope to read bookings.
 *
 * @throws NOT_FOUND
 */
export const getWritableBooking = (ctx: Context, id: string): Promise<Booking> =>
  getBookingWithScope(ctx, id, 'bookings:write');

/**
 * Gets a booking that the viewer can access with this scope.
 *
 * @throws NOT_FOUND
 */
export async function getBookingWithScope(
  ctx: Context,
  id: string,
  scope: Scope,
): Promise<Booking> {
  const booking = isUuid(id)
    ? await findRow<Booking>(
        ctx.pipelinedSql,
        buildListQuery(ctx, {}, scope),
        (bind) => `id = ${bind(id, 'uuid')}`,
      )
    : null;
  if (booking === null) throw notFound('booking');
  return booking;
}

/** Lists the bookings of a series that the viewer can change, by start. */
export const listSeriesBookings = (ctx: Context, seriesId: string): Promise<Booking[]> =>
  readAllPages(ctx, { seriesId });

/** Lists those of these bookings that the viewer can change, by start. */
export const listWritableBookings = (ctx: Context, ids: string[]): Promise<Booking[]> =>
  readAllPages(ctx, { ids });

async function readAllPages(ctx: Context, filter: BookingFilter): Promise<Booking[]> {
  const items: Booking[] = [];
  let cursor: string | undefined;
  do {
    const page = { limit: 100, cursor };
    const query = buildListQuery(ctx, filter, 'bookings:write');
    const { items: pageItems, nextCursor } = await readPage<Booking>(ctx.pipelinedSql, query, page);
    items.push(...pageItems);
    cursor = nextCursor ?? undefined;
  } while (cursor);
  return items;
}

const buildListQuery = (
  ctx: Context,
  filter: BookingFilter,
  scope: Scope = 'bookings:read',
): ListQuery => ({
  table: 'bookings',
  projection: bookingProjection,
  joins: () => BOOKING_JOINS,
  from: filter.from,
  to: filter.to,
  where: (bind) => [...visible(ctx, bind, scope), ...toBookingConditions(filter, bind)],
});

function visible({ viewer }: Context, bind: Bind, scope: Scope): string[] {
  if (canSeeAll(viewer, scope)) return [];
  return viewer.kind === 'member' ? [`member_id = ${bind(viewer.id, 'uuid')}`] : ['false'];
}

function toBookingConditions(filter: BookingFilter, bind: Bind): string[] {
  const conditions: string[] = [];
  if (filter.resourceId) conditions.push(`resource_id = ${bind(filter.resourceId, 'uuid')}`);
  if (filter.locationId) conditions.push(`location_id = ${bind(filter.locationId, 'uuid')}`);
  if (filter.memberId) conditions.push(`member_id = ${bind(filter.memberId, 'uuid')}`);
  if (filter.seriesId) conditions.push(`series_id = ${bind(filter.seriesId, 'uuid')}`);
  if (filter.ids) conditions.push(`id = ANY (${bind(filter.ids, 'uuid[]')})`);
  if (filter.status) conditions.push(`status = ${bind(filter.status, 'booking_status')}`);
  return conditions;
}
