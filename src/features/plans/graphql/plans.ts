import { builder, createInputType, Money } from '../../../graphql/builder.ts';
import { getOrderEnum, listField, selectById } from '../../../graphql/list-fields.ts';
import { addMutation } from '../../../graphql/mutation.ts';
import { Node } from '../../../graphql/node.ts';
import { ResourceType } from '../../spaces/graphql.ts';
import { createPlanInput, planBenefitInput, planFilter, updatePlanInput } from '../inputs.ts';
import {
  type Benefit,
  createPlan,
  getPlan,
  type Plan as PlanValue,
  planList,
  toPlanProjection,
  updatePlan,
} from '../plans.ts';

const READ = { access: 'plans:read' } as const;

const PlanInterval = builder.enumType('PlanInterval', {
  description: 'How often the price of a plan is due',
  values: {
    MONTH: { value: 'month', description: 'Every month' },
    QUARTER: { value: 'quarter', description: 'Every three months' },
    YEAR: { value: 'year', description: 'Every year' },
  } as const,
});

const PlanBenefit = builder.objectRef<Benefit>('PlanBenefit').implement({
  description: 'What a plan grants for one type of resource per calendar month',
  fields: (t) => ({
    resourceType: t.expose('resourceType', {
      type: ResourceType,
      description: 'The type of resource that the benefit is for',
    }),
    includedHours: t.exposeInt('includedHours', {
      description: 'Hours included in the price of the plan',
    }),
    discountPercent: t.exposeInt('discountPercent', {
      description: 'Discount on the public price after the included hours',
    }),
    limitHours: t.exposeInt('limitHours', {
      nullable: true,
      description: 'The maximum hours that can be booked, included or paid. null: no limit.',
    }),
  }),
});

export const Plan = builder.objectRef<PlanValue>('Plan');
Plan.implement({
  description: 'A subscription that members and teams can have',
  interfaces: [Node],
  extensions: { projection: toPlanProjection },
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Identifies the plan in memberships' }),
    name: t.exposeString('name', { description: 'The name that members see' }),
    price: t.expose('price', {
      type: Money,
      description: 'The price for each interval. Foyer shows it but does not charge it.',
    }),
    interval: t.expose('interval', {
      type: PlanInterval,
      description: 'How often the price is due',
    }),
    active: t.exposeBoolean('active', {
      description: 'Whether new memberships can use it',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the plan was created',
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
  resolve: async (input, { ctx }) => ({ plan: await createPlan(ctx, input) }),
});

addMutation('updatePlan', {
  description: 'Updates a plan. Existing bookings keep their prices.',
  access: 'plans:write',
  input: updatePlanInput,
  payload: { plan: { type: Plan, description: 'The changed plan' } },
  resolve: async ({ id, ...change }, { ctx }) => ({ plan: await updatePlan(ctx, id, change) }),
});
