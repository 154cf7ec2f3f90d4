import { requireAccess } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import type { Money } from '../../core/money.ts';
import { type CalendarDate, toDateColumn } from '../../core/time/calendar-date.ts';
import { toZonedDateTime } from '../../core/time/time-zone.ts';
import type { DayPassType as Row } from '../../db/generated/client.ts';
import type { OrderLimits } from '../order-limits/types.ts';
import { findClosuresByLocation, findOpeningHoursByLocation } from '../spaces/service.ts';
import { findUnsoldReason, hasClosedBy, isClosedOn, type UnsoldReason } from './availability.ts';

/** What is sold for a day at a location, as it stands on one date. */
export interface DayPassType {
  id: string;
  name: string;
  description: string | null;
  price: Money;
  location: { id: string; name: string; timeZone: string };
  /** How many there are of it each day; null: as many as like. */
  dailyCapacity: number | null;
  /** Sold so many days before, at most, by the location's calendar. */
  maxAdvanceDays: number;
  active: boolean;
  /** For staff, and for orders. */
  limits: OrderLimits;
  /** The day of which the rest speaks, by the location's calendar. */
  date: CalendarDate;
  /** What can be bought for that date now, held is not left; null where unlimited, 0 where there is a reason. */
  left: number | null;
  /** Whether the location is shut all that day, or has closed for it. */
  closed: boolean;
  reason: UnsoldReason | null;
}

interface DayPassTypeFilter {
  locationId?: string | undefined;
  /** Those that are no longer offered too, with their reason. */
  ids?: string[] | undefined;
  /** Each location's own today, if left out. */
  date?: CalendarDate | undefined;
  /** For staff and tokens with day-passes:read. */
  includeInactive?: boolean | undefined;
}

const LOCATION_SELECT = { select: { id: true, name: true, timeZone: true } } as const;

/** What is offered on a date, by location and name. Throws UNAUTHENTICATED or FORBIDDEN for who may not see the rest. */
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

/** What day it is by the location's clocks. */
export const toLocalToday = (
  { now }: Pick<Context, 'now'>,
  { timeZone }: { timeZone: string },
): CalendarDate => toZonedDateTime(now().getTime(), timeZone).toPlainDate().toString();

interface DatedType {
  row: Row;
  date: CalendarDate;
}

/** What is neither sold nor held of a type on its date; days that nobody wanted yet are whole. */
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
