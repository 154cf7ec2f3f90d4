import type { Scope } from '../../../auth/scopes.ts';
import { canSeeAll, type Viewer } from '../../../auth/viewer.ts';
import type { Context } from '../../../context.ts';
import { isUuid } from '../../../core/ids.ts';
import type { PageRequest } from '../../../core/pagination.ts';
import type { Bind } from '../../../db/prepared-statement.ts';
import { notFound } from '../../../errors.ts';
import {
  findRow,
  findRows,
  type JsonPage,
  listAllRows,
  readJsonPage,
} from '../../../lists/read-list.ts';
import { matchEnum, type RowList } from '../../../lists/row-list.ts';
import type { BookingStatus } from '../rows.ts';
import {
  BOOKING_JOINS,
  type Booking,
  type BookingPaymentStatus,
  bookingProjection,
  listedBookingProjection,
  toPaymentStatusSql,
} from '../types.ts';

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
  payment?: readonly BookingPaymentStatus[] | undefined;
  teamId?: string | undefined;
}

/** Bookings, by default sorted by start. Members see only their own, other viewers need the scope. */
const createBookingList = (scope: Scope) =>
  ({
    name: 'bookings',
    table: 'bookings',
    sortKeys: {
      STARTS_AT: { column: 'starts_at', type: 'timestamptz', label: 'start' },
      CREATED_AT: { column: 'created_at', type: 'timestamptz', label: 'time of booking' },
    },
    defaultOrder: 'STARTS_AT_ASC',
    sharedQueryPlans: { STARTS_AT: ['from', 'to', 'ids'] },
    where: (row, filter, { viewer, bind }) => [
      ...toVisibleConditions(row, viewer, bind, scope),
      ...toFilterConditions(row, filter, bind),
    ],
    getRange: ({ from, to }) => ({ from, to }),
    getWeeks: (filter, { viewer }, key) =>
      key === 'CREATED_AT' && canSeeAll(viewer, scope) && leavesMost(filter)
        ? { column: 'starts_at', from: filter.from, to: filter.to, ownerColumns: ['location_id'] }
        : null,
    // A room has a few thousand bookings a year, so some 30,000 in ten years.
    ownersInOrder: { CREATED_AT: ['resource_id'] },
    toItem: () => ({ projection: bookingProjection, joins: BOOKING_JOINS }),
    findByIds: findBookingsByIds,
  }) satisfies RowList<Booking, BookingFilter, 'STARTS_AT' | 'CREATED_AT'>;

/** Whether most bookings of any period, or of one of a location, match: most are confirmed. */
const leavesMost = ({ from, to, locationId, status, ...others }: BookingFilter) =>
  (!status || status.includes('confirmed')) &&
  Object.values(others).every((value) => value == null);

/** The bookings that the viewer can read. */
export const bookingList = createBookingList('bookings:read');

/** The bookings that the viewer can read, as REST lists them. */
const listedBookingList = {
  ...bookingList,
  toItem: () => ({ projection: listedBookingProjection, joins: BOOKING_JOINS }),
};

/** The bookings that the viewer can change, which needs no scope to read them. */
const writableBookingList = createBookingList('bookings:write');

/** Finds bookings by id, in any order. Unknown ids are left out. */
function findBookingsByIds(ctx: Context, ids: string[]): Promise<Booking[]> {
  return findRows(ctx, bookingList, ids);
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
): Promise<JsonPage> => readJsonPage(ctx, listedBookingList, filter, page, 'snake');

/**
 * Gets one booking.
 *
 * @throws NOT_FOUND, also for a booking that the viewer cannot see
 */
export const getBooking = (ctx: Context, id: string): Promise<Booking> =>
  getListedBooking(ctx, bookingList, id);

/**
 * Gets a booking that the viewer can change. Needs no scope to read bookings.
 *
 * @throws NOT_FOUND
 */
export const getWritableBooking = (ctx: Context, id: string): Promise<Booking> =>
  getListedBooking(ctx, writableBookingList, id);

/**
 * Gets a booking that the viewer can access with this scope.
 *
 * @throws NOT_FOUND
 */
export const getBookingWithScope = (ctx: Context, id: string, scope: Scope): Promise<Booking> =>
  getListedBooking(ctx, createBookingList(scope), id);

async function getListedBooking(
  ctx: Context,
  list: typeof bookingList,
  id: string,
): Promise<Booking> {
  const booking = isUuid(id)
    ? await findRow<Booking>(ctx, list, (row, bind) => `${row}.id = ${bind(id, 'uuid')}`)
    : null;
  if (booking === null) throw notFound('booking');
  return booking;
}

/** Lists the bookings of a series that the viewer can change, by start. */
export const listSeriesBookings = (ctx: Context, seriesId: string): Promise<Booking[]> =>
  listAllRows(ctx, writableBookingList, { seriesId });

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
  if (filter.payment) conditions.push(matchEnum(toPaymentStatusSql(row), filter.payment));
  if (filter.teamId)
    conditions.push(
      `${row}.member_id = ANY (ARRAY(SELECT id FROM members WHERE team_id = ${bind(filter.teamId, 'uuid')}))`,
    );
  return conditions;
}
