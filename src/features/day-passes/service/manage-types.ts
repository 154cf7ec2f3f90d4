import { type Context, runInTransaction } from '../../../context.ts';
import { isUuid } from '../../../core/ids.ts';
import type { Money } from '../../../core/money.ts';
import { parseDateColumn, toDateColumn } from '../../../core/time/calendar-date.ts';
import { formatLongDate } from '../../../core/time/format.ts';
import type { InputOf } from '../../../core/validation.ts';
import { isForeignKeyViolation, rejectDuplicate } from '../../../db/constraint-errors.ts';
import { DomainError, notFound } from '../../../errors.ts';
import { requireChargeablePrice } from '../../../integrations/payments/require-chargeable.ts';
import { recordCreated, recordDeleted, recordUpdated } from '../../../journal/record-changes.ts';
import type { createDayPassTypeInput, updateDayPassTypeInput } from '../inputs.ts';
import { type DayPassType, listDayPassTypes, toLocalToday } from './day-pass-types.ts';

/**
 * Creates a day pass type.
 * @throws NOT_FOUND for an unknown location, CONFLICT (TAKEN) for a name that the location already uses,
 *   VALIDATION (AMOUNT_NOT_CHARGEABLE)
 *
 * @example
 * await createDayPassType(ctx, {
 *   ...{ name: 'Day pass', locationId, dailyCapacity: 20 },
 *   price: { amount: 1_500, currency: 'EUR' },
 * });
 */
export const createDayPassType = (
  ctx: Context,
  { price, ...input }: InputOf<typeof createDayPassTypeInput>,
): Promise<DayPassType> =>
  runInTransaction(ctx, async (ctx) => {
    requireChargeablePrice(ctx, price);
    const data = { ...input, ...toPriceColumns(price), createdAt: ctx.now() };
    try {
      const { id } = await rejectDuplicate(`The name ${input.name}`, 'name', () =>
        ctx.db.dayPassType.create({ data }),
      );
      await recordCreated(ctx, 'day_pass_type.created', [id]);
      return await getDayPassType(ctx, id);
    } catch (error) {
      throw isForeignKeyViolation(error) ? notFound('location') : error;
    }
  });

/**
 * Updates the given fields of a day pass type. Ordered passes keep their price. A new daily capacity also applies to
 * future dates that have orders.
 * @throws NOT_FOUND, CONFLICT (TAKEN or DAILY_CAPACITY_BELOW_SOLD), VALIDATION (AMOUNT_NOT_CHARGEABLE)
 */
export const updateDayPassType = (
  ctx: Context,
  id: string,
  { price, ...changes }: Omit<InputOf<typeof updateDayPassTypeInput>, 'id'>,
): Promise<DayPassType> =>
  runInTransaction(ctx, async (ctx) => {
    requireChargeablePrice(ctx, price);
    await lockDayPassType(ctx, id);
    const { location } = await getDayPassType(ctx, id);
    if (changes.dailyCapacity !== undefined)
      await updateFutureStock(ctx, { id, location }, changes.dailyCapacity);
    const data = { ...changes, ...toPriceColumns(price) };
    await rejectDuplicate(`The name ${changes.name}`, 'name', () =>
      recordUpdated(ctx, 'day_pass_type.updated', [id], () =>
        ctx.db.dayPassType.update({ where: { id }, data }),
      ),
    );
    return getDayPassType(ctx, id);
  });

/** Deletes a day pass type without passes, and returns it. @throws NOT_FOUND, and CONFLICT (DAY_PASS_TYPE_IN_USE). */
export async function deleteDayPassType(ctx: Context, id: string): Promise<DayPassType> {
  const type = await getDayPassType(ctx, id);
  try {
    await runInTransaction(ctx, async (ctx) => {
      await recordDeleted(ctx, 'day_pass_type.deleted', [id]);
      await ctx.db.dayPassType.deleteMany({ where: { id } });
    });
  } catch (error) {
    if (!isForeignKeyViolation(error)) throw error;
    throw new DomainError('CONFLICT', 'This day pass type has orders. Stop its sales instead.', {
      reason: 'DAY_PASS_TYPE_IN_USE',
    });
  }
  return type;
}

/** Sets the capacity of existing stock rows for today and later, in the time zone of the location. */
async function updateFutureStock(
  ctx: Context,
  { id, location }: Pick<DayPassType, 'id' | 'location'>,
  dailyCapacity: number | null,
): Promise<void> {
  const today = toLocalToday(ctx, location);
  const days = await ctx.db.$queryRaw<{ date: Date; reserved_count: number }[]>`
    SELECT date, reserved_count FROM day_pass_days
    WHERE type_id = ${id}::uuid AND date >= ${today}::date ORDER BY date FOR NO KEY UPDATE`;
  const full =
    dailyCapacity === null
      ? undefined
      : days.find(({ reserved_count }) => reserved_count > dailyCapacity);
  if (full) {
    const date = parseDateColumn(full.date);
    throw new DomainError(
      'CONFLICT',
      `${full.reserved_count} day passes are sold or held for ${formatLongDate(date)}. Choose a daily capacity of at least ${full.reserved_count}.`,
      {
        reason: 'DAILY_CAPACITY_BELOW_SOLD',
        fields: ['dailyCapacity'],
        date,
        taken: full.reserved_count,
      },
    );
  }
  await ctx.db.dayPassDay.updateMany({
    where: { typeId: id, date: { gte: toDateColumn(today) } },
    data: { capacity: dailyCapacity },
  });
}

/** Locks a type until the transaction ends, so that `ensureDailyStock` creates no rows in the meantime. @throws NOT_FOUND. */
async function lockDayPassType({ db }: Context, id: string): Promise<void> {
  const rows = isUuid(id)
    ? await db.$queryRaw<
        object[]
      >`SELECT 1 FROM day_pass_types WHERE id = ${id}::uuid FOR NO KEY UPDATE`
    : [];
  if (rows.length === 0) throw notFound('day pass type');
}

async function getDayPassType(ctx: Context, id: string): Promise<DayPassType> {
  const [type] = isUuid(id) ? await listDayPassTypes(ctx, { ids: [id] }) : [];
  if (type === undefined) throw notFound('day pass type');
  return type;
}

const toPriceColumns = (price: Money | undefined) =>
  price && { priceAmount: price.amount, priceCurrency: price.currency };
