import { canSeeAll, requireAccess } from '../../../auth/viewer.ts';
import type { Context } from '../../../context.ts';
import type { Money } from '../../../core/money.ts';
import type { CalendarDate } from '../../../core/time/calendar-date.ts';
import type { OpeningTime } from '../../../core/time/format.ts';
import { toZonedDateTime } from '../../../core/time/time-zone.ts';
import type { DayPassType as Row } from '../../../db/generated/client.ts';
import {
  type Projection,
  projectDate,
  projectIfVisible,
  projectJson,
  projectMoney,
  projectNumber,
  projectRow,
  projectUnescaped,
  type RowProjection,
} from '../../../db/json-projection.ts';
import type { ListScope } from '../../../lists/row-list.ts';
import { projectFields } from '../../../rows/projection.ts';
import { type OrderLimits, toOrderLimitsProjection } from '../../order-limits/types.ts';
import { toLocationProjection } from '../../spaces/types.ts';
import { dayPassTypeRow } from '../rows.ts';
import { toStockSql, type UnsoldReason } from './availability.ts';

type StoredType = Row & { location: { id: string; name: string; timeZone: string } };

/** A type of day pass that a location sells. */
export type DayPassType = Omit<
  StoredType,
  'locationId' | 'priceAmount' | 'priceCurrency' | keyof OrderLimits
> & {
  price: Money;
  /** The limits that orders apply. Only staff see them. */
  limits: OrderLimits;
};

/** The availability of a day pass type on one date. */
export interface DayPassStock {
  /** The date that `left`, `closed` and `reason` refer to, in the time zone of the location. */
  date: CalendarDate;
  /** How many passes can be bought for the date now, without held ones. Null if unlimited, 0 if there is a reason. */
  left: number | null;
  /** Whether the location is closed that day, or has already closed for the day. */
  closed: boolean;
  reason: UnsoldReason | null;
  /** Of the location on the date. Empty if it is closed all day, null if it is always open. */
  openingTimes: OpeningTime[] | null;
}

/** A type of day pass with its availability on one date. */
export type OfferedDayPassType = DayPassType & DayPassStock;

interface DayPassTypeFilter {
  locationId?: string | undefined;
  locationIds?: string[] | undefined;
  /** Finds types by id, including those that are no longer for sale. */
  ids?: string[] | undefined;
  /** Default: today at each location. */
  date?: CalendarDate | undefined;
  /** Includes types that are no longer for sale. Needs day-passes:read. */
  includeInactive?: boolean | undefined;
}

const LOCATION_SELECT = { select: { id: true, name: true, timeZone: true } } as const;

/**
 * Lists day pass types, by location and name.
 *
 * @throws UNAUTHENTICATED or FORBIDDEN for `includeInactive` without day-passes:read
 */
export const listDayPassTypes = async (
  ctx: Context,
  filter: Omit<DayPassTypeFilter, 'date'>,
): Promise<DayPassType[]> => (await readTypes(ctx, filter)).map(toTypeFields);

/**
 * Lists day pass types with their availability on a date, by location and name.
 *
 * @throws as `listDayPassTypes`
 */
export async function listOfferedDayPassTypes(
  ctx: Context,
  { date, ...filter }: DayPassTypeFilter,
): Promise<OfferedDayPassType[]> {
  const rows = await readTypes(ctx, filter);
  const stock = await findDayPassStock(
    ctx,
    rows.map(({ id }) => id),
    date ?? null,
  );
  return rows.flatMap((row) => {
    const onDate = stock.get(row.id);
    return onDate ? [{ ...toTypeFields(row), ...onDate }] : []; // it was deleted in the meantime
  });
}

const READ_STOCK = `
  SELECT offered.id, to_char(stock.date, 'YYYY-MM-DD') AS date, stock.left, stock.closed, stock.reason,
    stock.opening_times AS "openingTimes"
  FROM unnest($1::uuid[]) offered (id)
  CROSS JOIN LATERAL ${toStockSql('offered.id', '$2::date', '$3::timestamptz')} stock`;

/** Finds the availability of types on a date, by type. Default: today at each location. */
export async function findDayPassStock(
  { db, now }: Context,
  ids: string[],
  date: CalendarDate | null,
): Promise<Map<string, DayPassStock>> {
  const rows = await db.$queryRawUnsafe<(DayPassStock & { id: string })[]>(
    READ_STOCK,
    ids,
    date,
    now(),
  );
  return new Map(rows.map(({ id, ...stock }) => [id, stock]));
}

/** Projects the row of `toStockSql`. */
export const toDayPassStockProjection = (row: string): Projection => ({
  date: projectDate(`${row}.date`),
  left: projectNumber(`${row}.left`),
  closed: projectNumber(`${row}.closed`),
  reason: projectUnescaped(`${row}.reason`),
  openingTimes: projectJson(`${row}.opening_times`),
});

/** Finds the types of each location, by name. @throws as `listDayPassTypes` */
export async function findDayPassTypesByLocation(
  ctx: Context,
  locationIds: string[],
  includeInactive: boolean,
): Promise<Map<string, DayPassType[]>> {
  const types = await listDayPassTypes(ctx, { locationIds, includeInactive });
  return new Map(locationIds.map((id) => [id, types.filter(({ location }) => location.id === id)]));
}

/** Finds types by id, for fields that lead to one type. Types that are not for sale need day-passes:read. */
export const visibleDayPassTypes = {
  table: 'day_pass_types',
  where: (row: string, _: object, { viewer }: ListScope) =>
    canSeeAll(viewer, 'day-passes:read') ? [] : [`${row}.active`],
  findByIds: async (ctx: Context, ids: string[]): Promise<DayPassType[]> => {
    const types = await listDayPassTypes(ctx, { ids });
    return canSeeAll(ctx.viewer, 'day-passes:read') ? types : types.filter(({ active }) => active);
  },
};

/** The conditions of `listDayPassTypes`. @throws as it. */
export const toDayPassTypeConditions = (
  row: string,
  { locationId, includeInactive }: Pick<DayPassTypeFilter, 'locationId' | 'includeInactive'>,
  { viewer, bind }: ListScope,
): string[] => {
  if (includeInactive) requireAccess(viewer, 'day-passes:read');
  return [
    ...(locationId === undefined ? [] : [`${row}.location_id = ${bind(locationId, 'uuid')}`]),
    ...(includeInactive ? [] : [`${row}.active`]),
  ];
};

/** Projects a day pass type. Only staff see its order limits. */
export const toDayPassTypeProjection: RowProjection = (row, viewer) => ({
  ...projectFields(dayPassTypeRow, row),
  price: projectMoney(`${row}.price_amount`, `${row}.price_currency`),
  location: projectRow('locations', `${row}.location_id`, toLocationProjection),
  ...projectIfVisible(canSeeAll(viewer, 'day-passes:read'), {
    limits: toOrderLimitsProjection(row),
  }),
});

async function readTypes(
  ctx: Context,
  { locationId, locationIds, ids, includeInactive = false }: DayPassTypeFilter,
) {
  if (includeInactive) requireAccess(ctx.viewer, 'day-passes:read');
  return ctx.db.dayPassType.findMany({
    include: { location: LOCATION_SELECT },
    where: {
      ...(locationId !== undefined && { locationId }),
      ...(locationIds !== undefined && { locationId: { in: locationIds } }),
      ...(ids ? { id: { in: ids } } : !includeInactive && { active: true }),
    },
    orderBy: [{ location: { name: 'asc' } }, { name: 'asc' }, { id: 'asc' }],
  });
}

/** Returns today's date in the time zone of the location. */
export const toLocalToday = (
  { now }: Pick<Context, 'now'>,
  { timeZone }: { timeZone: string },
): CalendarDate => toZonedDateTime(now().getTime(), timeZone).toPlainDate().toString();

const toTypeFields = ({
  locationId: _,
  priceAmount,
  priceCurrency,
  maxSeatsPerEmail,
  maxSeatsPerAddress,
  maxSeatsPerNetwork,
  limitWindowHours,
  confirmFreeOrders,
  unpaidHold,
  unpaidHoldAmount,
  ...row
}: StoredType): DayPassType => ({
  ...row,
  price: { amount: priceAmount, currency: priceCurrency },
  limits: {
    maxSeatsPerEmail,
    maxSeatsPerAddress,
    maxSeatsPerNetwork,
    limitWindowHours,
    confirmFreeOrders,
    unpaidHold,
    unpaidHoldAmount,
  },
});
