import { demand } from '../../auth/viewer.ts';
import type { Ctx } from '../../context.ts';
import { type Day, toColumn } from '../../dates.ts';
import type { DayPassType as Row } from '../../db/generated/client.ts';
import { zonedAt } from '../../time.ts';
import type { Money } from '../../values.ts';
import type { OrderLimits } from '../orders/limits/settings.ts';
import { closuresOf, openingHoursOf } from '../spaces/service.ts';
import { hasClosedBy, isClosedOn, reasonOn, type UnsoldReason } from './sale.ts';

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
  date: Day;
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
  date?: Day | undefined;
  /** For staff and tokens with day-passes:read. */
  includeInactive?: boolean | undefined;
}

const NAMED = { select: { id: true, name: true, timeZone: true } } as const;

/** What is offered on a date, by location and name. Throws UNAUTHENTICATED or FORBIDDEN for who may not see the rest. */
export async function dayPassTypesOn(
  ctx: Ctx,
  { locationId, ids, date, includeInactive = false }: DayPassTypeFilter,
): Promise<DayPassType[]> {
  if (includeInactive) demand(ctx.viewer, 'day-passes:read');
  const rows = await ctx.db.dayPassType.findMany({
    include: { location: NAMED },
    where: {
      ...(locationId !== undefined && { locationId }),
      ...(ids ? { id: { in: ids } } : !includeInactive && { active: true }),
    },
    orderBy: [{ location: { name: 'asc' } }, { name: 'asc' }, { id: 'asc' }],
  });
  const dated = rows.map((row) => {
    const today = todayAt(ctx, row.location);
    return { row, today, date: date ?? today };
  });
  const [stock, isClosed] = [await stockOf(ctx, dated), await closedDays(ctx, dated)];
  return dated.map(({ row, today, date }) => {
    const closed = isClosed(row, date);
    const left = stock(row);
    const { active, maxAdvanceDays } = row;
    const reason = reasonOn(date, { active, maxAdvanceDays, today, closed, stock: left });
    return { ...told(row), date, left: reason === null ? left : 0, closed, reason };
  });
}

/** What day it is by the location's clocks. */
export const todayAt = ({ now }: Pick<Ctx, 'now'>, { timeZone }: { timeZone: string }): Day =>
  zonedAt(now().getTime(), timeZone).toPlainDate().toString();

interface Dated {
  row: Row;
  date: Day;
}

/** What is neither sold nor held of a type on its date; days that nobody wanted yet are whole. */
async function stockOf({ db }: Ctx, dated: Dated[]) {
  const days = await db.dayPassDay.findMany({
    where: { OR: dated.map(({ row, date }) => ({ typeId: row.id, date: toColumn(date) })) },
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

async function closedDays(ctx: Ctx, dated: Dated[]) {
  const ids = [...new Set(dated.map(({ row }) => row.locationId))];
  const earliest = dated.map(({ date }) => date).toSorted()[0] ?? null;
  const hours = await openingHoursOf(ctx, ids);
  const closures = await closuresOf(ctx, ids, earliest);
  return ({ locationId, location }: Row & Pick<DayPassType, 'location'>, date: Day) => {
    const open = { hours: hours.get(locationId) ?? [], closures: closures.get(locationId) ?? [] };
    const now = zonedAt(ctx.now().getTime(), location.timeZone);
    const isToday = now.toPlainDate().toString() === date;
    return (
      isClosedOn(date, open) || (isToday && hasClosedBy(now.hour * 60 + now.minute, date, open))
    );
  };
}

const told = (row: Row & Pick<DayPassType, 'location'>) => ({
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
