import { z } from 'zod';
import { boundedText, moneyInput, omitNull, parseInput } from '../../../core/validation.ts';
import { builder, Money, MoneyInput } from '../../../graphql/builder.ts';
import { paginateField, toNamePosition } from '../../../graphql/connections.ts';
import { ResourceType } from '../../spaces/graphql.ts';
import { RESOURCE_TYPES } from '../../spaces/types.ts';
import * as plans from '../plans.ts';
import { createPlan, updatePlan } from '../plans.ts';

const READ = { access: 'plans:read' } as const;

const PlanInterval = builder.enumType('PlanInterval', {
  values: {
    MONTH: { value: 'month' },
    QUARTER: { value: 'quarter' },
    YEAR: { value: 'year' },
  } as const,
});

const PlanBenefit = builder.objectRef<plans.Benefit>('PlanBenefit').implement({
  description: 'What a plan means for one type of resource, in a calendar month',
  fields: (t) => ({
    resourceType: t.expose('resourceType', { type: ResourceType }),
    includedHours: t.exposeInt('includedHours', { description: 'Without further payment' }),
    discountPercent: t.exposeInt('discountPercent', {
      description: 'Off the public price for what goes beyond',
    }),
    limitHours: t.exposeInt('limitHours', {
      nullable: true,
      description: 'Not more than this, paid or not; null: as much as they like',
    }),
  }),
});

export const Plan = builder.objectRef<plans.Plan>('Plan');
Plan.implement({
  description: 'What members subscribe to',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    price: t.expose('price', { type: Money, description: 'For each interval; told, not charged' }),
    interval: t.expose('interval', { type: PlanInterval }),
    active: t.exposeBoolean('active', {
      description: 'Whether new memberships may begin on it',
    }),
    benefits: t.expose('benefits', { type: [PlanBenefit] }),
  }),
});

builder.queryField('plans', (t) =>
  t.connection({
    type: Plan,
    description: 'By name, those that are no longer offered too',
    authScopes: READ,
    ...paginateField(plans.listPlans, toNamePosition),
  }),
);

builder.queryField('plan', (t) =>
  t.field({
    type: Plan,
    authScopes: READ,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => plans.getPlan(ctx, id),
  }),
);

const WRITE = { access: 'plans:write' } as const;

const PlanBenefitInput = builder.inputType('PlanBenefitInput', {
  fields: (t) => ({
    resourceType: t.field({ type: ResourceType, required: true }),
    includedHours: t.int({ defaultValue: 0 }),
    discountPercent: t.int({ defaultValue: 0 }),
    limitHours: t.int({
      description: 'Included hours and more; as much as they like, if left out',
    }),
  }),
});

const CreatePlanInput = builder.inputType('CreatePlanInput', {
  fields: (t) => ({
    name: t.string({ required: true }),
    price: t.field({ type: MoneyInput, required: true }),
    interval: t.field({ type: PlanInterval, defaultValue: 'month' }),
    benefits: t.field({ type: [PlanBenefitInput], description: 'One for each type of resource' }),
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
  description: 'What is left out stays',
  fields: (t) => ({
    name: t.string(),
    price: t.field({ type: MoneyInput }),
    interval: t.field({ type: PlanInterval }),
    active: t.boolean({ description: 'Whether new memberships may begin on it' }),
    benefits: t.field({ type: [PlanBenefitInput], description: 'Replaced as a whole' }),
  }),
});

const updateInput = details.extend({ active: z.boolean() }).partial();

builder.mutationField('updatePlan', (t) =>
  t.field({
    type: Plan,
    description: 'Bookings that were made keep what they were priced by',
    authScopes: WRITE,
    args: {
      id: t.arg.id({ required: true }),
      input: t.arg({ type: UpdatePlanInput, required: true }),
    },
    resolve: (_, { id, input }, { ctx }) =>
      updatePlan(ctx, id, parseInput(updateInput, omitNull(input))),
  }),
);
