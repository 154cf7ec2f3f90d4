import { type Context, runInTransaction } from '../../context.ts';
import { generateCode, isUuid } from '../../core/ids.ts';
import {
  orderByNewest,
  type Page,
  type PageRequest,
  toCreatedPosition,
  toPage,
  whereOlderThanCursor,
} from '../../core/pagination.ts';
import { isForeignKeyViolation, rejectDuplicate } from '../../db/constraint-errors.ts';
import type { DiscountCode as Row } from '../../db/generated/client.ts';
import { DomainError, notFound } from '../../errors.ts';

/**
 * Makes orders of one event cheaper, or of all events and of day passes: either by so many percent or by an amount in
 * minor units. It counts from `startsAt` on and before `endsAt`, and `uses` counts the orders that hold or have it.
 */
export type Discount = Omit<Row, 'updatedAt'>;

interface DiscountFilter {
  eventId?: string | undefined;
  active?: boolean | undefined;
}

interface NewDiscount {
  /** In capitals; made up if left out. */
  code?: string | undefined;
  eventId?: string | undefined;
  percent?: number | undefined;
  amount?: { amount: number; currency: string } | undefined;
  maxUses?: number | undefined;
  startsAt?: Date | undefined;
  endsAt?: Date | undefined;
}

interface DiscountChanges {
  maxUses?: number | null | undefined;
  startsAt?: Date | null | undefined;
  endsAt?: Date | null | undefined;
  active?: boolean | undefined;
}

const OMIT_INTERNAL = { omit: { updatedAt: true } } as const;
const GENERATED_CODE_LENGTH = 10;

/** Newest first, those that count no longer too. */
export async function listDiscountCodes(
  { db }: Context,
  { eventId, active }: DiscountFilter,
  page: PageRequest,
): Promise<Page<Discount>> {
  const rows = await db.discountCode.findMany({
    ...OMIT_INTERNAL,
    where: {
      AND: [
        eventId ? { eventId } : {},
        active === undefined ? {} : { active },
        whereOlderThanCursor(page),
      ],
    },
    orderBy: orderByNewest,
    take: page.limit + 1,
  });
  return toPage(rows, page.limit, toCreatedPosition);
}

/** Throws NOT_FOUND for the event, CONFLICT, reason TAKEN, VALIDATION, reason ENDS_BEFORE_START. */
export async function createDiscountCode(
  { db, now }: Context,
  { code = generateCode(GENERATED_CODE_LENGTH), amount, ...input }: NewDiscount,
): Promise<Discount> {
  validateDiscountWindow(input);
  const data = { ...input, code, ...amount, createdAt: now() };
  try {
    return await rejectDuplicate(`The code ${code}`, () =>
      db.discountCode.create({ ...OMIT_INTERNAL, data }),
    );
  } catch (error) {
    throw isForeignKeyViolation(error) ? notFound('event') : error;
  }
}

/**
 * What is not named stays; orders that have it keep it. Throws NOT_FOUND, CONFLICT, reason USES_ABOVE_LIMIT, and
 * VALIDATION as `create` does.
 */
export function updateDiscountCode(
  ctx: Context,
  id: string,
  changes: DiscountChanges,
): Promise<Discount> {
  return runInTransaction(ctx, async ({ db }) => {
    const { uses, startsAt, endsAt } = await lockDiscountCode(db, id);
    validateDiscountWindow({ startsAt, endsAt, ...toDefinedChanges(changes) });
    if (typeof changes.maxUses === 'number' && changes.maxUses < uses) {
      throw new DomainError(
        'CONFLICT',
        `${uses} orders use this code. Choose a limit of at least ${uses}.`,
        { reason: 'USES_ABOVE_LIMIT', uses },
      );
    }
    return db.discountCode.update({ ...OMIT_INTERNAL, where: { id }, data: changes });
  });
}

/** Only while no order was placed with it. Answers with what it was. Throws NOT_FOUND, CONFLICT, reason CODE_IN_USE. */
export async function deleteDiscountCode({ db }: Context, id: string): Promise<Discount> {
  const found = isUuid(id)
    ? await db.discountCode.findUnique({ ...OMIT_INTERNAL, where: { id } })
    : null;
  if (found === null) throw notFound('discount code');
  try {
    await db.discountCode.deleteMany({ where: { id } });
  } catch (error) {
    if (!isForeignKeyViolation(error)) throw error;
    throw new DomainError(
      'CONFLICT',
      'Orders were placed with this code. Make it inactive instead.',
      { reason: 'CODE_IN_USE' },
    );
  }
  return found;
}

/** Until the transaction is over nobody uses it. Throws NOT_FOUND. */
async function lockDiscountCode(db: Context['db'], id: string): Promise<Row> {
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
    'endsAt: the code ends before it begins. Choose a later end.',
    {
      reason: 'ENDS_BEFORE_START',
    },
  );
}

const toDefinedChanges = (changes: DiscountChanges) =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));

/** What a code takes off: so many percent, or so many minor units of one order. */
interface Reduction {
  percent: number | null;
  amount: number | null;
}

/**
 * What is taken off the sum of these amounts, in minor units, and what each of them costs then. A percentage is rounded
 * once, half up, on the sum; what is taken off is spread by share, so that the parts always add up to the whole.
 */
export function applyDiscount(
  { percent, amount }: Reduction,
  amounts: number[],
): { discount: number; amounts: number[] } {
  const sum = amounts.reduce((total, one) => total + one, 0);
  const discount = Math.min(sum, percent === null ? (amount ?? 0) : toRoundedShare(sum, percent));
  if (discount === 0) return { discount, amounts };
  // Each part ends where its share of the running sum ends: what is rounded away goes to the next one.
  let before = 0;
  let taken = 0;
  const reduced = amounts.map((one) => {
    before += one;
    const until = Number((BigInt(discount) * BigInt(before)) / BigInt(sum));
    const off = until - taken;
    taken = until;
    return one - off;
  });
  return { discount, amounts: reduced };
}

const toRoundedShare = (sum: number, percent: number) => Math.floor((sum * percent + 50) / 100);
