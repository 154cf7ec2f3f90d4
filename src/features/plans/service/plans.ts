import { type Context, runInTransaction } from '../../../context.ts';
import { isUuid } from '../../../core/ids.ts';
import type { Money } from '../../../core/money.ts';
import type { InputOf } from '../../../core/validation.ts';
import { rejectDuplicate } from '../../../db/constraint-errors.ts';
import type { PlanBenefit as BenefitRow, Plan as PlanRow } from '../../../db/generated/client.ts';
import type { PlanInterval } from '../../../db/generated/enums.ts';
import {
  type Projection,
  projectMoney,
  projectNumber,
  projectRows,
} from '../../../db/json-projection.ts';
import { matchText } from '../../../db/text-search.ts';
import { DomainError, notFound } from '../../../errors.ts';
import { recordCreated, recordUpdated } from '../../../journal/record-changes.ts';
import {
  type CreationFilter,
  matchCreation,
  matchEnum,
  type RowList,
} from '../../../lists/row-list.ts';
import { projectFields } from '../../../rows/projection.ts';
import type { createPlanInput, updatePlanInput } from '../inputs.ts';
import { planBenefitRow, planRow } from '../rows.ts';

/** A subscription that members and teams can have. */
export type Plan = Omit<PlanRow, 'priceAmount' | 'priceCurrency'> & {
  /** The price per interval. Foyer shows it but does not charge it. */
  price: Money;
  benefits: Benefit[];
};

/** The benefit of a plan for one type of resource per calendar month. */
export type Benefit = Omit<BenefitRow, 'planId'>;

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
export const toPlanProjection = (row: string): Projection => ({
  ...projectFields(planRow, row),
  price: projectMoney(`${row}.price_amount`, `${row}.price_currency`),
  memberCount: projectNumber(countMembers(row, 'clock.now')),
  benefits: projectRows('plan_benefits', (benefit) => ({
    projection: projectFields(planBenefitRow, benefit),
    where: `${benefit}.plan_id = ${row}.id`,
    order: `${benefit}.resource_type`,
  })),
});

/** SQL: how many members have the plan at this time, themselves or through their team. A former member has no plan. */
const countMembers = (plan: string, now: string) => {
  const today = `(${now} AT TIME ZONE 'UTC')::date`;
  const isActive = `held.starts_on <= ${today} AND (held.ends_on IS NULL OR held.ends_on >= ${today})`;
  return `(SELECT count(*)::int FROM (
    SELECT m.id FROM memberships held JOIN members m ON m.id = held.member_id
    WHERE held.plan_id = ${plan}.id AND ${isActive} AND m.status <> 'former'
    UNION SELECT m.id FROM memberships held JOIN members m ON m.team_id = held.team_id
    WHERE held.plan_id = ${plan}.id AND ${isActive} AND m.status <> 'former') AS holders)`;
};

/** Counts the members of these plans today, by plan, in one statement. */
export async function countMembersByPlan(
  { db, now }: Context,
  planIds: string[],
): Promise<Map<string, number>> {
  const rows = await db.$queryRawUnsafe<{ id: string; count: number }[]>(
    `SELECT p.id, ${countMembers('p', '$1::timestamptz')} AS count FROM plans p WHERE p.id = ANY ($2::uuid[])`,
    now(),
    planIds,
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
}

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
 *
 * @example
 * await createPlan(ctx, {
 *   ...{ name: 'Part time', interval: 'month', price: { amount: 12_000, currency: 'EUR' } },
 *   benefits: [{ resourceType: 'room', includedHours: 5, discountPercent: 20, limitHours: null }],
 * });
 */
export async function createPlan(
  ctx: Context,
  { price, benefits, ...input }: InputOf<typeof createPlanInput>,
): Promise<Plan> {
  assertConsistentBenefits(benefits);
  const data = { ...input, ...toPlanPriceColumns(price), benefits: { create: benefits } };
  return runInTransaction(ctx, async (ctx) => {
    const row = await rejectDuplicate(`The name ${input.name}`, 'name', () =>
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
  { price, benefits, ...changes }: Omit<InputOf<typeof updatePlanInput>, 'id'>,
): Promise<Plan> {
  if (benefits) assertConsistentBenefits(benefits);
  return runInTransaction(ctx, async (ctx) => {
    await getPlan(ctx, id);
    // This locks the plan, so that two concurrent updates cannot mix their benefits.
    await recordUpdated(ctx, 'plan.updated', [id], async () => {
      await rejectDuplicate(`The name ${changes.name}`, 'name', () =>
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
      { reason: 'BENEFIT_TWICE', fields: ['benefits'] },
    );
  }
  for (const { resourceType, includedHours, limitHours } of benefits) {
    if (limitHours !== null && limitHours < includedHours) {
      throw new DomainError(
        'VALIDATION',
        `benefits: The limit of ${limitHours} hours for ${resourceType} is below the ${includedHours} included hours.`,
        { reason: 'LIMIT_BELOW_INCLUDED', fields: ['benefits'] },
      );
    }
  }
}

const toPlanPriceColumns = (price: Money | undefined) =>
  price && { priceAmount: price.amount, priceCurrency: price.currency };

const toPlan = ({
  priceAmount,
  priceCurrency,
  benefits,
  ...row
}: PlanRow & { benefits: BenefitRow[] }): Plan => ({
  ...row,
  price: { amount: priceAmount, currency: priceCurrency },
  benefits: benefits.map(({ planId: _, ...benefit }) => benefit),
});
