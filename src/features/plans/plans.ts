import { type Context, runInTransaction } from '../../context.ts';
import { isUuid } from '../../core/ids.ts';
import type { Money } from '../../core/money.ts';
import { rejectDuplicate } from '../../db/constraint-errors.ts';
import type {
  PlanBenefit as BenefitRow,
  Plan as PlanRow,
  ResourceType,
} from '../../db/generated/client.ts';
import type { PlanInterval } from '../../db/generated/enums.ts';
import {
  type Projection,
  projectInstant,
  projectMoney,
  projectNumber,
  projectRows,
  projectUnescaped,
} from '../../db/json-projection.ts';
import { type CreationFilter, matchCreation, matchEnum, type RowList } from '../../db/row-list.ts';
import { matchText } from '../../db/text-search.ts';
import { DomainError, notFound } from '../../errors.ts';
import { recordCreated, recordUpdated } from '../../journal/record-changes.ts';

/** A subscription that members and teams can have. */
export interface Plan {
  id: string;
  name: string;
  /** The price per interval. Foyer shows it but does not charge it. */
  price: Money;
  interval: PlanInterval;
  /** Whether new memberships can use it. */
  active: boolean;
  createdAt: Date;
  benefits: Benefit[];
}

/** The benefit of a plan for one type of resource per calendar month. */
export interface Benefit {
  resourceType: ResourceType;
  /** Hours included in the plan's price. */
  includedHours: number;
  /** Discount on the public price after the included hours. */
  discountPercent: number;
  /** The maximum hours that can be booked, included or paid. Null if there is no limit. */
  limitHours: number | null;
}

const WITH_BENEFITS = {
  include: { benefits: { orderBy: { resourceType: 'asc' } } },
} as const;

interface PlanFilter extends CreationFilter {
  /** Part of the name. */
  q?: string | undefined;
  active?: boolean | undefined;
  interval?: readonly PlanInterval[] | undefined;
}

/** Plans, including inactive ones, by default sorted by name. */
export const planList: RowList<Plan, PlanFilter, 'NAME' | 'CREATED_AT'> = {
  name: 'plans',
  table: 'plans',
  sortKeys: {
    NAME: { column: 'name', type: 'text', label: 'name' },
    CREATED_AT: { column: 'created_at', type: 'timestamptz', label: 'time of creation' },
  },
  defaultOrder: 'NAME_ASC',
  where: (row, { q, active, interval, ...creation }, { bind }) => [
    ...(q ? [matchText([`${row}.name`], q, bind)] : []),
    ...(active === undefined ? [] : [`${row}.active = ${active}`]),
    ...(interval ? [matchEnum(`${row}.interval`, interval)] : []),
    ...matchCreation(row, creation, bind),
  ],
  findByIds: async ({ db }, ids) =>
    (await db.plan.findMany({ ...WITH_BENEFITS, where: { id: { in: ids } } })).map(toPlan),
};

/** Projects a plan with its benefits. */
export const toPlanProjection = (row: string) =>
  ({
    id: projectUnescaped(`${row}.id`),
    name: `${row}.name`,
    price: projectMoney(`${row}.price_amount`, `${row}.price_currency`),
    interval: projectUnescaped(`${row}.interval`),
    active: projectNumber(`${row}.active`),
    createdAt: projectUnescaped(projectInstant(`${row}.created_at`)),
    benefits: projectRows('plan_benefits', (benefit) => ({
      projection: {
        resourceType: projectUnescaped(`${benefit}.resource_type`),
        includedHours: projectNumber(`${benefit}.included_hours`),
        discountPercent: projectNumber(`${benefit}.discount_percent`),
        limitHours: projectNumber(`${benefit}.limit_hours`),
      } satisfies Projection & Record<keyof Benefit, unknown>,
      where: `${benefit}.plan_id = ${row}.id`,
      order: `${benefit}.resource_type`,
    })),
  }) satisfies Projection & Record<keyof Plan, unknown>;

/** Gets a plan. @throws NOT_FOUND */
export async function getPlan({ db }: Context, id: string): Promise<Plan> {
  const row = isUuid(id) ? await db.plan.findUnique({ ...WITH_BENEFITS, where: { id } }) : null;
  if (row === null) throw notFound('plan');
  return toPlan(row);
}

/**
 * Creates a plan.
 *
 * @throws VALIDATION for contradictory benefits, CONFLICT if the name is in use
 */
export async function createPlan(
  ctx: Context,
  { price, benefits, ...input }: Pick<Plan, 'name' | 'price' | 'interval' | 'benefits'>,
): Promise<Plan> {
  assertConsistentBenefits(benefits);
  const data = { ...input, ...toPlanPriceColumns(price), benefits: { create: benefits } };
  return runInTransaction(ctx, async (ctx) => {
    const row = await rejectDuplicate(`The name ${input.name}`, () =>
      ctx.db.plan.create({ ...WITH_BENEFITS, data }),
    );
    await recordCreated(ctx, 'plan.created', [row.id]);
    return toPlan(row);
  });
}

/**
 * Updates a plan. Omitted fields stay unchanged. Benefits are replaced as a whole. Existing bookings keep their prices.
 *
 * @throws NOT_FOUND, VALIDATION for contradictory benefits, CONFLICT if the name is in use
 */
export function updatePlan(
  ctx: Context,
  id: string,
  {
    price,
    benefits,
    ...changes
  }: { [K in keyof Omit<Plan, 'id' | 'createdAt'>]?: Plan[K] | undefined },
): Promise<Plan> {
  if (benefits) assertConsistentBenefits(benefits);
  return runInTransaction(ctx, async (ctx) => {
    await getPlan(ctx, id);
    // This locks the plan, so that two concurrent updates cannot mix their benefits.
    await recordUpdated(ctx, 'plan.updated', [id], async () => {
      await rejectDuplicate(`The name ${changes.name}`, () =>
        ctx.db.plan.update({ where: { id }, data: { ...changes, ...toPlanPriceColumns(price) } }),
      );
      if (!benefits) return;
      await ctx.db.planBenefit.deleteMany({ where: { planId: id } });
      await ctx.db.planBenefit.createMany({
        data: benefits.map((benefit) => ({ ...benefit, planId: id })),
      });
    });
    return getPlan(ctx, id);
  });
}

function assertConsistentBenefits(benefits: Benefit[]): void {
  const types = benefits.map(({ resourceType }) => resourceType);
  const duplicate = types.find((type, index) => types.indexOf(type) !== index);
  if (duplicate) {
    throw new DomainError(
      'VALIDATION',
      `benefits: There are two entries for ${duplicate}. Combine them.`,
      { reason: 'BENEFIT_TWICE' },
    );
  }
  for (const { resourceType, includedHours, limitHours } of benefits) {
    if (limitHours !== null && limitHours < includedHours) {
      throw new DomainError(
        'VALIDATION',
        `benefits: The limit of ${limitHours} hours for ${resourceType} is below the ${includedHours} included hours.`,
        { reason: 'LIMIT_BELOW_INCLUDED' },
      );
    }
  }
}

const toPlanPriceColumns = (price: Money | undefined) =>
  price && { priceAmount: price.amount, priceCurrency: price.currency };

const toPlan = (row: PlanRow & { benefits: BenefitRow[] }): Plan => ({
  id: row.id,
  name: row.name,
  price: { amount: row.priceAmount, currency: row.priceCurrency },
  interval: row.interval,
  active: row.active,
  createdAt: row.createdAt,
  benefits: row.benefits.map(({ planId: _, ...benefit }) => benefit),
});
