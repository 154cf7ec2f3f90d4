import { z } from 'zod';
import { boundedText, moneyInput, omitNull, parseInput } from '../../../core/validation.ts';
import { builder, Money, MoneyInput } from '../../../graphql/builder.ts';
import { paginateField, toNamePosition } from '../../../graphql/connections.ts';
import { ResourceType } from '../../spaces/graphql.ts';
import { RESOURCE_TYPES } from '../../spaces/types.ts';
import {
  type Benefit,
  createPlan,
  getPlan,
  listPlans,
  type Plan as PlanValue,
  updatePlan,
} from '../plans.ts';

const READ = { access: 'plans:read' } as const;

const PlanInterval = builder.enumType('PlanInterval', {
  values: {
    MONTH: { value: 'month' },
    QUARTER: { value: 'quarter' },
    YEAR: { value: 'year' },
  } as const,
});

const PlanBenefit = builder.objectRef<Benefit>('PlanBenefit').implement({
  description: 'What a plan grants for one type of resource per calendar month',
  fields: (t) => ({
    resourceType: t.expose('resourceType', { type: ResourceType }),
    includedHours: t.exposeInt('includedHours', {
      description: 'Hours included in the price of the plan',
    }),
    discountPercent: t.exposeInt('discountPercent', {
      description: 'Discount on the public price after the included hours',
    }),
    limitHours: t.exposeInt('limitHours', {
      nullable: true,
      description: 'The most hours that can be booked, included or paid. null: no limit.',
    }),
  }),
});

export const Plan = builder.objectRef<PlanValue>('Plan');
Plan.implement({
  description: 'A subscription that members and teams can have',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    price: t.expose('price', {
      type: Money,
      description: 'The price for each interval. Foyer shows it but does not charge it.',
    }),
    interval: t.expose('interval', { type: PlanInterval }),
    active: t.exposeBoolean('active', {
      description: 'Whether new memberships can use it',
    }),
    benefits: t.expose('benefits', { type: [PlanBenefit] }),
  }),
});

builder.queryField('plans', (t) =>
  t.connection({
    type: Plan,
    description: 'Plans by name, including inactive ones',
    authScopes: READ,
    ...paginateField(listPlans, toNamePosition),
  }),
);

builder.queryField('plan', (t) =>
  t.field({
    type: Plan,
    authScopes: READ,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => getPlan(ctx, id),
  }),
);

const WRITE = { access: 'plans:write' } as const;

const PlanBenefitInput = builder.inputType('PlanBenefitInput', {
  fields: (t) => ({
    resourceType: t.field({ type: ResourceType, required: true }),
    includedHours: t.int({ defaultValue: 0 }),
    discountPercent: t.int({ defaultValue: 0 }),
    limitHours: t.int({
      description: 'At least includedHours. Default: no limit',
    }),
  }),
});

const CreatePlanInput = builder.inputType('CreatePlanInput', {
  fields: (t) => ({
    name: t.string({ required: true }),
    price: t.field({ type: MoneyInput, required: true }),
    interval: t.field({ type: PlanInterval, defaultValue: 'month' }),
    benefits: t.field({
      type: [PlanBenefitInput],
      description: 'At most one for each type of resource',
    }),
  }),
});

const hours = z
  .int()
  .min(0)
  .max(31 * 24);

const benefit = z.object({
  resourceType: z.enum(RESOURCE_TYPES),
  includedHours: hours.nullish().transform((value) => value ?? 0),
  discountPercent: z
    .int()
    .min(0)
    .max(100)
    .nullish()
    .transform((value) => value ?? 0),
  limitHours: hours.nullish().transform((value) => value ?? null),
});

const details = z.object({
  name: boundedText(200),
  price: moneyInput,
  interval: z.enum(['month', 'quarter', 'year']),
  benefits: z.array(benefit).max(20),
});

const createInput = details.extend({
  interval: details.shape.interval.default('month'),
  benefits: details.shape.benefits.default([]),
});

builder.mutationField('createPlan', (t) =>
  t.field({
    type: Plan,
    authScopes: WRITE,
    args: { input: t.arg({ type: CreatePlanInput, required: true }) },
    resolve: (_, { input }, { ctx }) => createPlan(ctx, parseInput(createInput, omitNull(input))),
  }),
);

const UpdatePlanInput = builder.inputType('UpdatePlanInput', {
  description: 'Omitted fields stay as they are',
  fields: (t) => ({
    name: t.string(),
    price: t.field({ type: MoneyInput }),
    interval: t.field({ type: PlanInterval }),
    active: t.boolean({ description: 'Whether new memberships can use it' }),
    benefits: t.field({ type: [PlanBenefitInput], description: 'Replaces all benefits' }),
  }),
});

const updateInput = details.extend({ active: z.boolean() }).partial();

builder.mutationField('updatePlan', (t) =>
  t.field({
    type: Plan,
    description: 'Updates a plan. Existing bookings keep their prices.',
    authScopes: WRITE,
    args: {
      id: t.arg.id({ required: true }),
      input: t.arg({ type: UpdatePlanInput, required: true }),
    },
    resolve: (_, { id, input }, { ctx }) =>
      updatePlan(ctx, id, parseInput(updateInput, omitNull(input))),
  }),
);
