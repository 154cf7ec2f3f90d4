import { randomCode } from '../../codes.ts';
import { type Ctx, inTransaction } from '../../context.ts';
import type { DiscountCode as Row } from '../../db/generated/client.ts';
import { isInUse, refuseTaken } from '../../db/refusals.ts';
import { DomainError, notFound } from '../../errors.ts';
import {
  createdPosition,
  newestFirst,
  olderThan,
  type Page,
  type PageRequest,
  pageOf,
} from '../../page.ts';
import { isUuid } from '../../values.ts';

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

const SHOWN = { omit: { updatedAt: true } } as const;
const MADE_UP_LENGTH = 10;

/** Newest first, those that count no longer too. */
export async function list(
  { db }: Ctx,
  { eventId, active }: DiscountFilter,
  page: PageRequest,
): Promise<Page<Discount>> {
  const rows = await db.discountCode.findMany({
    ...SHOWN,
    where: {
      AND: [eventId ? { eventId } : {}, active === undefined ? {} : { active }, olderThan(page)],
    },
    orderBy: newestFirst,
    take: page.limit + 1,
  });
  return pageOf(rows, page.limit, createdPosition);
}

/** Throws NOT_FOUND for the event, CONFLICT, reason TAKEN, VALIDATION, reason ENDS_BEFORE_START. */
export async function create(
  { db, now }: Ctx,
  { code = randomCode(MADE_UP_LENGTH), amount, ...input }: NewDiscount,
): Promise<Discount> {
  checkWindow(input);
  const data = { ...input, code, ...amount, createdAt: now() };
  try {
    return await refuseTaken(`The code ${code}`, () => db.discountCode.create({ ...SHOWN, data }));
  } catch (error) {
    throw isInUse(error) ? notFound('event') : error;
  }
}

/**
 * What is not named stays; orders that have it keep it. Throws NOT_FOUND, CONFLICT, reason USES_ABOVE_LIMIT, and
 * VALIDATION as `create` does.
 */
export function update(ctx: Ctx, id: string, changes: DiscountChanges): Promise<Discount> {
  return inTransaction(ctx, async ({ db }) => {
    const { uses, startsAt, endsAt } = await locked(db, id);
    checkWindow({ startsAt, endsAt, ...definedIn(changes) });
    if (typeof changes.maxUses === 'number' && changes.maxUses < uses) {
      throw new DomainError(
        'CONFLICT',
        `${uses} orders use this code. Choose a limit of at least ${uses}.`,
        { reason: 'USES_ABOVE_LIMIT', uses },
      );
    }
    return db.discountCode.update({ ...SHOWN, where: { id }, data: changes });
  });
}

/** Only while no order was placed with it. Answers with what it was. Throws NOT_FOUND, CONFLICT, reason CODE_IN_USE. */
export async function remove({ db }: Ctx, id: string): Promise<Discount> {
  const found = isUuid(id) ? await db.discountCode.findUnique({ ...SHOWN, where: { id } }) : null;
  if (found === null) throw notFound('discount code');
  try {
    await db.discountCode.deleteMany({ where: { id } });
  } catch (error) {
    if (!isInUse(error)) throw error;
    throw new DomainError(
      'CONFLICT',
      'Orders were placed with this code. Make it inactive instead.',
      { reason: 'CODE_IN_USE' },
    );
  }
  return found;
}

/** Until the transaction is over nobody uses it. Throws NOT_FOUND. */
async function locked(db: Ctx['db'], id: string): Promise<Row> {
  if (isUuid(id))
    await db.$queryRaw`SELECT 1 FROM discount_codes WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  const row = isUuid(id) ? await db.discountCode.findUnique({ where: { id } }) : null;
  if (row === null) throw notFound('discount code');
  return row;
}

function checkWindow({ startsAt, endsAt }: Pick<DiscountChanges, 'startsAt' | 'endsAt'>): void {
  if (!startsAt || !endsAt || startsAt < endsAt) return;
  throw new DomainError(
    'VALIDATION',
    'endsAt: the code ends before it begins. Choose a later end.',
    {
      reason: 'ENDS_BEFORE_START',
    },
  );
}

const definedIn = (changes: DiscountChanges) =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
