import type { Scope } from '../../../auth/scopes.ts';
import { canSeeAll, type Viewer } from '../../../auth/viewer.ts';
import type { Context } from '../../../context.ts';
import { isUuid } from '../../../core/ids.ts';
import type { PageRequest } from '../../../core/pagination.ts';
import { toJsonSql } from '../../../db/json-projection.ts';
import {
  findRow,
  type JsonPage,
  type ListQuery,
  readJsonPage,
  readPage,
} from '../../../db/list-query.ts';
import { type Bind, prepareStatement } from '../../../db/prepared-statement.ts';
import { matchEnum, type RowList } from '../../../db/row-list.ts';
import { notFound } from '../../../errors.ts';
import type { BookingStatus } from '../rows.ts';
import { BOOKING_JOINS, type Booking, bookingProjection } from '../types.ts';

export interface BookingFilter {
  /** Only bookings that overlap [from, to). Each bound is optional. */
  from?: Date | undefined;
  to?: Date | undefined;
  resourceId?: string | undefined;
  locationId?: string | undefined;
  memberId?: string | undefined;
  seriesId?: string | undefined;
  ids?: string[] | undefined;
  status?: readonly BookingStatus[] | undefined;
}

/** Bookings, by default sorted by start. Members see only their own. */
export const bookingList: RowList<Booking, BookingFilter, 'STARTS_AT' | 'CREATED_AT'> = {
  name: 'bookings',
  table: 'bookings',
  sortKeys: {
    STARTS_AT: { column: 'starts_at', type: 'timestamptz', label: 'start' },
    CREATED_AT: { column: 'created_at', type: 'timestamptz', label: 'time of booking' },
  },
  defaultOrder: 'STARTS_AT_ASC',
  sharedQueryPlans: { STARTS_AT: ['from', 'to', 'ids'] },
  where: (row, filter, { viewer, bind }) => [
    ...toVisibleConditions(row, viewer, bind, 'bookings:read'),
    ...toFilterConditions(row, filter, bind),
  ],
  getRange: ({ from, to }) => ({ from, to }),
  findByIds: findBookingsByIds,
};

/** Finds bookings by id, in any order. Unknown ids are left out. */
export async function findBookingsByIds(ctx: Context, ids: string[]): Promise<Booking[]> {
  const text = `SELECT ${toJsonSql(bookingProjection, 'camel')} AS booking
    FROM unnest($1::uuid[]) listed (id) JOIN bookings item ON item.id = listed.id ${BOOKING_JOINS}`;
  const rows = await ctx.pipelinedSql<{ booking: Booking }>(prepareStatement(text), [ids]);
  return rows.map(({ booking }) => booking);
}

/**
 * Lists bookings by start as JSON text with snake_case keys, which the REST API sends without parsing. Members see only
 * their own.
 *
 * @throws BAD_REQUEST for an invalid cursor
 */
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
        (row, bind) => `${row}.id = ${bind(id, 'uuid')}`,
      )
    : null;
  if (booking === null) throw notFound('booking');
  return booking;
}

/** Lists the bookings of a series that the viewer can change, by start. */
export const listSeriesBookings = (ctx: Context, seriesId: string): Promise<Booking[]> =>
  readAllPages(ctx, { seriesId });

/** Lists the given bookings that the viewer can change, by start. */
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
  filter,
  sharedQueryPlans: bookingList.sharedQueryPlans,
  where: (row, bind) => [
    ...toVisibleConditions(row, ctx.viewer, bind, scope),
    ...toFilterConditions(row, filter, bind),
  ],
});

function toVisibleConditions(row: string, viewer: Viewer, bind: Bind, scope: Scope): string[] {
  if (canSeeAll(viewer, scope)) return [];
  return viewer.kind === 'member' ? [`${row}.member_id = ${bind(viewer.id, 'uuid')}`] : ['false'];
}

function toFilterConditions(row: string, filter: BookingFilter, bind: Bind): string[] {
  const conditions: string[] = [];
  if (filter.resourceId) conditions.push(`${row}.resource_id = ${bind(filter.resourceId, 'uuid')}`);
  if (filter.locationId) conditions.push(`${row}.location_id = ${bind(filter.locationId, 'uuid')}`);
  if (filter.memberId) conditions.push(`${row}.member_id = ${bind(filter.memberId, 'uuid')}`);
  if (filter.seriesId) conditions.push(`${row}.series_id = ${bind(filter.seriesId, 'uuid')}`);
  if (filter.ids) conditions.push(`${row}.id = ANY (${bind(filter.ids, 'uuid[]')})`);
  if (filter.status) conditions.push(matchEnum(`${row}.status`, filter.status));
  return conditions;
}
