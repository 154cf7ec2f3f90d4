import { canSeeAll } from '../../auth/viewer.ts';
import { type Context, runInTransaction } from '../../context.ts';
import { generateCode, isUuid } from '../../core/ids.ts';
import type { InputOf } from '../../core/validation.ts';
import { isForeignKeyViolation, rejectDuplicate } from '../../db/constraint-errors.ts';
import type { DiscountCode } from '../../db/generated/client.ts';
import { type Projection, projectMoney, projectWhen } from '../../db/json-projection.ts';
import { matchText } from '../../db/text-search.ts';
import { DomainError, notFound } from '../../errors.ts';
import { recordCreated, recordDeleted, recordUpdated } from '../../journal/record-changes.ts';
import type { RowList } from '../../lists/row-list.ts';
import { projectFields } from '../../rows/projection.ts';
import type { createDiscountCodeInput, updateDiscountCodeInput } from './inputs.ts';
import { discountCodeRow } from './rows.ts';

/**
 * A discount code for one event, or for all events and day passes: either a percentage or an amount in minor units. It
 * is valid from `startsAt` until just before `endsAt`. `uses` counts the pending and confirmed orders with the code.
 */
export type Discount = DiscountCode;

interface DiscountFilter {
  eventId?: string | undefined;
  active?: boolean | undefined;
  /** Part of the code. */
  q?: string | undefined;
}

type DiscountChanges = Omit<InputOf<typeof updateDiscountCodeInput>, 'id'>;

const GENERATED_CODE_LENGTH = 10;

/** Discount codes, newest first, including expired and inactive ones. For viewers with orders:read. */
export const discountCodeList: RowList<Discount, DiscountFilter, 'CREATED_AT' | 'CODE'> = {
  name: 'discount codes',
  table: 'discount_codes',
  sortKeys: {
    CREATED_AT: { column: 'created_at', type: 'timestamptz', label: 'time of creation' },
    CODE: { column: 'code', type: 'text', label: 'code' },
  },
  defaultOrder: 'CREATED_AT_DESC',
  where: (row, { eventId, active, q }, { viewer, bind }) => [
    ...(canSeeAll(viewer, 'orders:read') ? [] : ['false']),
    ...(eventId ? [`${row}.event_id = ${bind(eventId, 'uuid')}`] : []),
    ...(active === undefined ? [] : [active ? `${row}.active` : `NOT ${row}.active`]),
    ...(q ? [matchText([`${row}.code`], q, bind)] : []),
  ],
  findByIds: ({ db }, ids) => db.discountCode.findMany({ where: { id: { in: ids } } }),
};

/** Projects a discount code. */
export const toDiscountCodeProjection = (row: string): Projection => ({
  ...projectFields(discountCodeRow, row),
  amount: projectWhen(
    `${row}.amount IS NOT NULL`,
    projectMoney(`${row}.amount`, `${row}.currency`),
  ),
});

/**
 * Creates a discount code.
 *
 * @throws NOT_FOUND for an unknown event
 * @throws VALIDATION (ENDS_BEFORE_START), CONFLICT (TAKEN)
 *
 * @example
 * await createDiscountCode(ctx, { code: 'EARLY20', percent: 20, maxUses: 50 });
 */
export async function createDiscountCode(
  ctx: Context,
  {
    code = generateCode(GENERATED_CODE_LENGTH),
    amount,
    ...input
  }: InputOf<typeof createDiscountCodeInput>,
): Promise<Discount> {
  validateDiscountWindow(input);
  const data = { ...input, code, ...amount, createdAt: ctx.now() };
  try {
    return await runInTransaction(ctx, async (ctx) => {
      const discount = await rejectDuplicate(`The code ${code}`, 'code', () =>
        ctx.db.discountCode.create({ data }),
      );
      await recordCreated(ctx, 'discount_code.created', [discount.id]);
      return discount;
    });
  } catch (error) {
    throw isForeignKeyViolation(error) ? notFound('event') : error;
  }
}

/**
 * Updates the given fields of a discount code. Orders with the code keep their discount.
 *
 * @throws NOT_FOUND for an unknown code
 * @throws VALIDATION (ENDS_BEFORE_START), CONFLICT (USES_ABOVE_LIMIT)
 */
export function updateDiscountCode(
  ctx: Context,
  id: string,
  changes: DiscountChanges,
): Promise<Discount> {
  return runInTransaction(ctx, async (ctx) => {
    const { uses, maxUses, startsAt, endsAt } = await lockDiscountCode(ctx.db, id);
    validateDiscountWindow({ startsAt, endsAt, ...toDefinedChanges(changes) });
    // Late payments can have exceeded the limit before, which must not prevent other changes.
    const isLimitChanged = changes.maxUses !== undefined && changes.maxUses !== maxUses;
    if (isLimitChanged && typeof changes.maxUses === 'number' && changes.maxUses < uses) {
      throw new DomainError(
        'CONFLICT',
        `${uses} ${uses === 1 ? 'order uses' : 'orders use'} this code. Choose a limit of at least ${uses}.`,
        { reason: 'USES_ABOVE_LIMIT', fields: ['maxUses'], uses },
      );
    }
    // A new limit covers all uses, also those by orders that were paid late.
    const data = { ...changes, ...(isLimitChanged && { lateUses: 0 }) };
    return recordUpdated(ctx, 'discount_code.updated', [id], () =>
      ctx.db.discountCode.update({ where: { id }, data }),
    );
  });
}

/** Deletes a discount code without orders, and returns it. @throws NOT_FOUND, and CONFLICT (CODE_IN_USE). */
export async function deleteDiscountCode(ctx: Context, id: string): Promise<Discount> {
  const discount = isUuid(id) ? await ctx.db.discountCode.findUnique({ where: { id } }) : null;
  if (discount === null) throw notFound('discount code');
  try {
    await runInTransaction(ctx, async (ctx) => {
      await recordDeleted(ctx, 'discount_code.deleted', [id]);
      await ctx.db.discountCode.deleteMany({ where: { id } });
    });
  } catch (error) {
    if (!isForeignKeyViolation(error)) throw error;
    throw new DomainError('CONFLICT', 'This code has orders. Deactivate it instead.', {
      reason: 'CODE_IN_USE',
    });
  }
  return discount;
}

/** Locks a discount code until the transaction ends, so that no order can use it in the meantime. @throws NOT_FOUND. */
async function lockDiscountCode(db: Context['db'], id: string): Promise<DiscountCode> {
  if (isUuid(id))
    await db.$queryRaw`SELECT 1 FROM discount_codes WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  const row = isUuid(id) ? await db.discountCode.findUnique({ where: { id } }) : null;
  if (row === null) throw notFound('discount code');
  return row;
}

function validateDiscountWindow({
  startsAt,
  endsAt,
}: Pick<DiscountChanges, 'startsAt' | 'endsAt'>): void {
  if (!startsAt || !endsAt || startsAt < endsAt) return;
  throw new DomainError(
    'VALIDATION',
    'endsAt: The code ends before it starts. Choose a later end.',
    { reason: 'ENDS_BEFORE_START', fields: ['endsAt'] },
  );
}

const toDefinedChanges = (changes: DiscountChanges) =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));

/** Either a percentage, or an amount in minor units. */
interface Reduction {
  percent: number | null;
  amount: number | null;
}

/**
 * Applies a discount to amounts in minor units. Returns the total discount and the reduced amounts. A percentage of the sum
 * is rounded once, half up, and then distributed proportionally, so the reduced amounts always add up to the total. If the amounts are
 * multiples of `step`, the reduced ones are too, because the payment provider can return no others.
 */
export function applyDiscount(
  { percent, amount }: Reduction,
  amounts: number[],
  step = 1,
): { discount: number; amounts: number[] } {
  const sum = amounts.reduce((total, item) => total + item, 0);
  const wanted = percent === null ? (amount ?? 0) : toRoundedShare(sum, percent);
  const discount = Math.min(sum, Math.floor((wanted + step / 2) / step) * step);
  if (discount === 0) return { discount, amounts };
  // Each amount gets the difference between two running totals, so that rounding carries over to the next amount.
  let runningSum = 0;
  let runningDiscount = 0;
  const reduced = amounts.map((item) => {
    runningSum += item;
    const exact = Number((BigInt(discount) * BigInt(runningSum)) / BigInt(sum));
    // The last one gets the rest, also if the amounts are no multiples.
    const share = runningSum === sum ? discount : exact - (exact % step);
    const itemDiscount = share - runningDiscount;
    runningDiscount = share;
    return item - itemDiscount;
  });
  return { discount, amounts: reduced };
}

const toRoundedShare = (sum: number, percent: number) => Math.floor((sum * percent + 50) / 100);
