import { requireAccess } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import type { Money } from '../../core/money.ts';
import { type CalendarDate, toDateColumn } from '../../core/time/calendar-date.ts';
import { toZonedDateTime } from '../../core/time/time-zone.ts';
import type { DayPassType as Row } from '../../db/generated/client.ts';
import type { OrderLimits } from '../order-limits/types.ts';
import { findClosuresByLocation, findOpeningHoursByLocation } from '../spaces/service.ts';
import { findUnsoldReason, hasClosedBy, isClosedOn, type UnsoldReason } from './availability.ts';

/** A kind of day pass of a location, with its availability on one date. */
export interface DayPassType {
  id: string;
  name: string;
  description: string | null;
  price: Money;
  location: { id: string; name: string; timeZone: string };
  /** The number of passes for each day; null: unlimited. */
  dailyCapacity: number | null;
  /** How many days in advance passes are sold, in the time zone of the location. */
  maxAdvanceDays: number;
  active: boolean;
  /** Shown to staff only. Orders apply them. */
  limits: OrderLimits;
  /** The date that `left`, `closed` and `reason` refer to, in the time zone of the location. */
  date: CalendarDate;
  /** The number that can be bought for the date now, without held ones. Null where unlimited, 0 if there is a reason. */
  left: number | null;
  /** Whether the location is closed that day, or has already closed for the day. */
  closed: boolean;
  reason: UnsoldReason | null;
}

interface DayPassTypeFilter {
  locationId?: string | undefined;
  /** Finds types by id, also those that are no longer for sale. */
  ids?: string[] | undefined;
  /** Default: today at each location. */
  date?: CalendarDate | undefined;
  /** Also lists types that are no longer for sale. Needs day-passes:read. */
  includeInactive?: boolean | undefined;
}

const LOCATION_SELECT = { select: { id: true, name: true, timeZone: true } } as const;

/**
 * Lists day pass types with their availability on a date, by location and name.
 *
 * @throws UNAUTHENTICATED or FORBIDDEN for `includeInactive` without day-passes:read
 */
export async function listDayPassTypes(
  ctx: Context,
  { locationId, ids, date, includeInactive = false }: DayPassTypeFilter,
): Promise<DayPassType[]> {
  if (includeInactive) requireAccess(ctx.viewer, 'day-passes:read');
  const rows = await ctx.db.dayPassType.findMany({
    include: { location: LOCATION_SELECT },
    where: {
      ...(locationId !== undefined && { locationId }),
      ...(ids ? { id: { in: ids } } : !includeInactive && { active: true }),
    },
    orderBy: [{ location: { name: 'asc' } }, { name: 'asc' }, { id: 'asc' }],
  });
  const dated = rows.map((row) => {
    const today = toLocalToday(ctx, row.location);
    return { row, today, date: date ?? today };
  });
  const [stock, isClosed] = [await readStock(ctx, dated), await readClosedDays(ctx, dated)];
  return dated.map(({ row, today, date }) => {
    const closed = isClosed(row, date);
    const left = stock(row);
    const { active, maxAdvanceDays } = row;
    const reason = findUnsoldReason(date, { active, maxAdvanceDays, today, closed, stock: left });
    return { ...toTypeFields(row), date, left: reason === null ? left : 0, closed, reason };
  });
}

/** Today at the location. */
export const toLocalToday = (
  { now }: Pick<Context, 'now'>,
  { timeZone }: { timeZone: string },
): CalendarDate => toZonedDateTime(now().getTime(), timeZone).toPlainDate().toString();

interface DatedType {
  row: Row;
  date: CalendarDate;
}

/** Reads how many passes of each type are neither sold nor held on its date. Dates without orders have no row yet. */
async function readStock({ db }: Context, dated: DatedType[]) {
  const days = await db.dayPassDay.findMany({
    where: { OR: dated.map(({ row, date }) => ({ typeId: row.id, date: toDateColumn(date) })) },
  });
  const byType = new Map(days.map((day) => [day.typeId, day]));
  return ({ id, dailyCapacity }: Row): number | null => {
    const { capacity, reservedCount } = byType.get(id) ?? {
      capacity: dailyCapacity,
      reservedCount: 0,
    };
    return capacity === null ? null : capacity - reservedCount;
  };
}

async function readClosedDays(ctx: Context, dated: DatedType[]) {
  const ids = [...new Set(dated.map(({ row }) => row.locationId))];
  const earliest = dated.map(({ date }) => date).toSorted()[0] ?? null;
  const hours = await findOpeningHoursByLocation(ctx, ids);
  const closures = await findClosuresByLocation(ctx, ids, earliest);
  return ({ locationId, location }: Row & Pick<DayPassType, 'location'>, date: CalendarDate) => {
    const open = { hours: hours.get(locationId) ?? [], closures: closures.get(locationId) ?? [] };
    const now = toZonedDateTime(ctx.now().getTime(), location.timeZone);
    const isToday = now.toPlainDate().toString() === date;
    return (
      isClosedOn(date, open) || (isToday && hasClosedBy(now.hour * 60 + now.minute, date, open))
    );
  };
}

const toTypeFields = (row: Row & Pick<DayPassType, 'location'>) => ({
  id: row.id,
  name: row.name,
  description: row.description,
  price: { amount: row.priceAmount, currency: row.priceCurrency },
  location: row.location,
  dailyCapacity: row.dailyCapacity,
  maxAdvanceDays: row.maxAdvanceDays,
  active: row.active,
  limits: {
    maxSeatsPerEmail: row.maxSeatsPerEmail,
    maxSeatsPerAddress: row.maxSeatsPerAddress,
    maxSeatsPerNetwork: row.maxSeatsPerNetwork,
    limitWindowHours: row.limitWindowHours,
    confirmFreeOrders: row.confirmFreeOrders,
  },
});

export { ensureDailyStock } from './availability.ts';
