import { type Context, runInTransaction } from '../../context.ts';
import { isUuid } from '../../core/ids.ts';
import type { Money } from '../../core/money.ts';
import {
  orderByName,
  type Page,
  type PageRequest,
  toPageByName,
  whereAfterName,
} from '../../core/pagination.ts';
import { rejectDuplicate } from '../../db/constraint-errors.ts';
import type {
  PlanBenefit as BenefitRow,
  Plan as PlanRow,
  ResourceType,
} from '../../db/generated/client.ts';
import type { PlanInterval } from '../../db/generated/enums.ts';
import { DomainError, notFound } from '../../errors.ts';

/** A subscription that members and teams can have. */
export interface Plan {
  id: string;
  name: string;
  /** The price for each interval. Foyer shows it but does not charge it. */
  price: Money;
  interval: PlanInterval;
  /** Whether new memberships can use it. */
  active: boolean;
  benefits: Benefit[];
}

/** What a plan grants for one type of resource per calendar month. */
export interface Benefit {
  resourceType: ResourceType;
  /** Hours included in the plan's price. */
  includedHours: number;
  /** Discount on the public price after the included hours. */
  discountPercent: number;
  /** The most hours that can be booked, included or paid; null: no limit. */
  limitHours: number | null;
}

export const WITH_BENEFITS = {
  include: { benefits: { orderBy: { resourceType: 'asc' } } },
} as const;

/** Lists plans by name, including inactive ones. */
export async function listPlans({ db }: Context, page: PageRequest): Promise<Page<Plan>> {
  const rows = await db.plan.findMany({
    ...WITH_BENEFITS,
    where: whereAfterName(page),
    orderBy: orderByName,
    take: page.limit + 1,
  });
  return toPageByName(rows.map(toPlan), page.limit);
}

/** @throws NOT_FOUND */
export async function getPlan({ db }: Context, id: string): Promise<Plan> {
  const row = isUuid(id) ? await db.plan.findUnique({ ...WITH_BENEFITS, where: { id } }) : null;
  if (row === null) throw notFound('plan');
  return toPlan(row);
}

/**
 * Creates a plan.
 *
 * @throws VALIDATION for contradictory benefits, CONFLICT when the name is taken
 */
export async function createPlan(
  { db }: Context,
  { price, benefits, ...input }: Pick<Plan, 'name' | 'price' | 'interval' | 'benefits'>,
): Promise<Plan> {
  assertConsistentBenefits(benefits);
  const data = { ...input, ...toPlanPriceColumns(price), benefits: { create: benefits } };
  return toPlan(
    await rejectDuplicate(`The name ${input.name}`, () =>
      db.plan.create({ ...WITH_BENEFITS, data }),
    ),
  );
}

/**
 * Updates a plan. Omitted fields stay as they are; benefits are replaced as a whole. Existing bookings keep their prices.
 *
 * @throws NOT_FOUND, VALIDATION for contradictory benefits, CONFLICT when the name is taken
 */
export function updatePlan(
  ctx: Context,
  id: string,
  { price, benefits, ...changes }: { [K in keyof Omit<Plan, 'id'>]?: Plan[K] | undefined },
): Promise<Plan> {
  if (benefits) assertConsistentBenefits(benefits);
  return runInTransaction(ctx, async (ctx) => {
    await lockPlan(ctx, id);
    await rejectDuplicate(`The name ${changes.name}`, () =>
      ctx.db.plan.update({ where: { id }, data: { ...changes, ...toPlanPriceColumns(price) } }),
    );
    if (benefits) {
      await ctx.db.planBenefit.deleteMany({ where: { planId: id } });
      await ctx.db.planBenefit.createMany({
        data: benefits.map((benefit) => ({ ...benefit, planId: id })),
      });
    }
    return getPlan(ctx, id);
  });
}

/**
 * Serializes updates, so that two of them cannot mix their benefits.
 *
 * @throws NOT_FOUND
 */
async function lockPlan({ db }: Context, id: string): Promise<void> {
  const rows = isUuid(id)
    ? await db.$queryRaw<object[]>`SELECT 1 FROM plans WHERE id = ${id}::uuid FOR NO KEY UPDATE`
    : [];
  if (rows.length === 0) throw notFound('plan');
}

function assertConsistentBenefits(benefits: Benefit[]): void {
  const types = benefits.map(({ resourceType }) => resourceType);
  const duplicate = types.find((type, index) => types.indexOf(type) !== index);
  if (duplicate) {
    throw new DomainError(
      'VALIDATION',
      `benefits: there are two entries for ${duplicate}. Combine them.`,
      { reason: 'BENEFIT_TWICE' },
    );
  }
  for (const { resourceType, includedHours, limitHours } of benefits) {
    if (limitHours !== null && limitHours < includedHours) {
      throw new DomainError(
        'VALIDATION',
        `benefits: the limit of ${limitHours} hours for ${resourceType} is below the ${includedHours} included hours.`,
        { reason: 'LIMIT_BELOW_INCLUDED' },
      );
    }
  }
}

const toPlanPriceColumns = (price: Money | undefined) =>
  price && { priceAmount: price.amount, priceCurrency: price.currency };

export const toPlan = (row: PlanRow & { benefits: BenefitRow[] }): Plan => ({
  id: row.id,
  name: row.name,
  price: { amount: row.priceAmount, currency: row.priceCurrency },
  interval: row.interval,
  active: row.active,
  benefits: row.benefits.map(({ planId: _, ...benefit }) => benefit),
});
