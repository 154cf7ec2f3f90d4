import { type Ctx, inTransaction } from '../../../context.ts';
import { fromColumn, toColumn } from '../../../dates.ts';
import { isInUse, refuseTaken } from '../../../db/refusals.ts';
import { DomainError, notFound } from '../../../errors.ts';
import { isUuid, type Money } from '../../../values.ts';
import type { OrderLimits } from '../../orders/limits/settings.ts';
import { type DayPassType, dayPassTypesOn, todayAt } from '../service.ts';

type Details = Pick<
  DayPassType,
  'name' | 'description' | 'price' | 'dailyCapacity' | 'maxAdvanceDays'
> &
  OrderLimits;

type Changes = { [K in keyof Details]?: Details[K] | undefined } & {
  active?: boolean | undefined;
};

/** Throws NOT_FOUND for the location, CONFLICT, reason TAKEN, for a name that it has already. */
export const create = (
  ctx: Ctx,
  { price, ...input }: Pick<Details, 'name' | 'price'> & Changes & { locationId: string },
): Promise<DayPassType> =>
  inTransaction(ctx, async (ctx) => {
    const data = { ...input, ...priceColumns(price), createdAt: ctx.now() };
    try {
      const { id } = await refuseTaken(`The name ${input.name}`, () =>
        ctx.db.dayPassType.create({ data }),
      );
      return await read(ctx, id);
    } catch (error) {
      throw isInUse(error) ? notFound('location') : error;
    }
  });

/**
 * What is not named stays; passes that were made keep their price, and those of days to come count against the new
 * number. Throws NOT_FOUND, CONFLICT, reason TAKEN or PER_DAY_BELOW_SOLD.
 */
export const update = (
  ctx: Ctx,
  id: string,
  { price, ...changes }: Changes,
): Promise<DayPassType> =>
  inTransaction(ctx, async (ctx) => {
    await lock(ctx, id);
    const { db } = ctx;
    const { location } = await read(ctx, id);
    if (changes.dailyCapacity !== undefined)
      await stockDays(ctx, { id, location }, changes.dailyCapacity);
    await refuseTaken(`The name ${changes.name}`, () =>
      db.dayPassType.update({ where: { id }, data: { ...changes, ...priceColumns(price) } }),
    );
    return read(ctx, id);
  });

/** Only while no pass was made of it. Answers with what it was. Throws NOT_FOUND, CONFLICT, reason DAY_PASS_TYPE_IN_USE. */
export async function remove(ctx: Ctx, id: string): Promise<DayPassType> {
  const type = await read(ctx, id);
  try {
    await ctx.db.dayPassType.deleteMany({ where: { id } });
  } catch (error) {
    if (!isInUse(error)) throw error;
    throw new DomainError(
      'CONFLICT',
      'Day passes of this type were ordered. Stop its sale instead.',
      {
        reason: 'DAY_PASS_TYPE_IN_USE',
      },
    );
  }
  return type;
}

/** Gives the days that have a stock of their own already the new number, from the location's today on. */
async function stockDays(
  ctx: Ctx,
  { id, location }: Pick<DayPassType, 'id' | 'location'>,
  dailyCapacity: number | null,
): Promise<void> {
  const today = todayAt(ctx, location);
  const days = await ctx.db.$queryRaw<{ date: Date; reserved_count: number }[]>`
    SELECT date, reserved_count FROM day_pass_days
    WHERE type_id = ${id}::uuid AND date >= ${today}::date ORDER BY date FOR NO KEY UPDATE`;
  const full =
    dailyCapacity === null
      ? undefined
      : days.find(({ reserved_count }) => reserved_count > dailyCapacity);
  if (full) {
    const date = fromColumn(full.date);
    throw new DomainError(
      'CONFLICT',
      `${full.reserved_count} are sold or held on ${date}. Choose at least so many a day.`,
      { reason: 'PER_DAY_BELOW_SOLD', date, taken: full.reserved_count },
    );
  }
  await ctx.db.dayPassDay.updateMany({
    where: { typeId: id, date: { gte: toColumn(today) } },
    data: { capacity: dailyCapacity },
  });
}

/** Until the transaction is over no day of it gets a stock: see `stockDay`. Throws NOT_FOUND. */
async function lock({ db }: Ctx, id: string): Promise<void> {
  const rows = isUuid(id)
    ? await db.$queryRaw<
        object[]
      >`SELECT 1 FROM day_pass_types WHERE id = ${id}::uuid FOR NO KEY UPDATE`
    : [];
  if (rows.length === 0) throw notFound('day pass type');
}

async function read(ctx: Ctx, id: string): Promise<DayPassType> {
  const [type] = isUuid(id) ? await dayPassTypesOn(ctx, { ids: [id] }) : [];
  if (type === undefined) throw notFound('day pass type');
  return type;
}

const priceColumns = (price: Money | undefined) =>
  price && { priceAmount: price.amount, priceCurrency: price.currency };
