import { builder, createInputType, Money } from '../../../graphql/builder.ts';
import { getOrderEnum, listField, selectById } from '../../../graphql/list-fields.ts';
import { addMutation } from '../../../graphql/mutation.ts';
import { Node } from '../../../graphql/node.ts';
import { showFields } from '../../../graphql/row-fields.ts';
import { createPlanInput, planBenefitInput, planFilter, updatePlanInput } from '../inputs.ts';
import { planBenefitRow, planRow } from '../rows.ts';
import {
  type Benefit,
  createPlan,
  getPlan,
  type Plan as PlanValue,
  planList,
  toPlanProjection,
  updatePlan,
} from '../service/plans.ts';

const READ = { access: 'plans:read' } as const;

builder.enumType('PlanInterval', {
  description: 'How often the price of a plan is due',
  values: {
    MONTH: { value: 'month', description: 'Every month' },
    QUARTER: { value: 'quarter', description: 'Every three months' },
    YEAR: { value: 'year', description: 'Every year' },
  } as const,
});

const PlanBenefit = builder.objectRef<Benefit>('PlanBenefit').implement({
  description: 'What a plan grants for one type of resource per calendar month',
  fields: (t) => showFields(t, planBenefitRow),
});

export const Plan = builder.objectRef<PlanValue>('Plan');
Plan.implement({
  description: 'A subscription that members and teams can have',
  interfaces: [Node],
  extensions: { projection: toPlanProjection },
  fields: (t) => ({
    ...showFields(t, planRow),
    price: t.expose('price', {
      type: Money,
      description: 'The price for each interval. Foyer shows it but does not charge it.',
    }),
    memberCount: t.int({
      description: 'How many members have it today, themselves or through their team',
      authScopes: { access: 'members:read' },
      extensions: { reads: 'memberCount' },
      resolve: async ({ id }, _, { loaders }) => (await loaders.memberCountByPlan.load(id)) ?? 0,
    }),
    benefits: t.expose('benefits', {
      type: [PlanBenefit],
      description: 'What the plan grants for each type of resource',
    }),
  }),
});

const PlanFilter = createInputType('PlanFilter', planFilter);
const PlanOrder = getOrderEnum('Plan', planList);

builder.queryField('plans', (t) =>
  t.connection({
    type: Plan,
    description: 'Plans, including inactive ones, sorted by name',
    authScopes: READ,
    args: {
      filter: t.arg({ type: PlanFilter, description: 'Which plans to list' }),
      orderBy: t.arg({ type: PlanOrder, description: 'Default: NAME_ASC' }),
    },
    ...listField(planList),
  }),
);

builder.queryField('plan', (t) =>
  t.field({
    type: Plan,
    description: 'Gets a plan',
    authScopes: READ,
    args: { id: t.arg.id({ description: 'The id of the plan', required: true }) },
    extensions: { row: selectById(planList) },
    resolve: (_, { id }, { ctx }) => getPlan(ctx, id),
  }),
);

createInputType('PlanBenefitInput', planBenefitInput);

addMutation('createPlan', {
  description: 'Creates a plan',
  access: 'plans:write',
  input: createPlanInput,
  payload: { plan: { type: Plan, description: 'The new plan' } },
  creates: { plan: planList },
  resolve: async (input, { ctx }) => ({ plan: await createPlan(ctx, input) }),
});

addMutation('updatePlan', {
  description: 'Updates a plan. Existing bookings keep their prices.',
  access: 'plans:write',
  input: updatePlanInput,
  takesVersion: true,
  payload: { plan: { type: Plan, description: 'The changed plan' } },
  resolve: async ({ id, ...change }, { ctx }) => ({ plan: await updatePlan(ctx, id, change) }),
});
