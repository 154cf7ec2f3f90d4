import { z } from 'zod';
import { builder } from '../../../graphql/builder.ts';
import { MoneyInput } from '../../../graphql/money.ts';
import { definite, money, text, valid } from '../../../validation.ts';
import { ResourceType } from '../../spaces/graphql.ts';
import { RESOURCE_TYPES } from '../../spaces/resources/types.ts';
import { Plan, PlanInterval } from '../graphql.ts';
import * as plans from '../service.ts';

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
  name: text(200),
  price: money,
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
    resolve: (_, { input }, { ctx }) => plans.create(ctx, valid(createInput, definite(input))),
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

const changes = details.extend({ active: z.boolean() }).partial();

builder.mutationField('updatePlan', (t) =>
  t.field({
    type: Plan,
    description: 'Bookings that were made keep what they were priced by',
    authScopes: WRITE,
    args: {
      id: t.arg.id({ required: true }),
      input: t.arg({ type: UpdatePlanInput, required: true }),
    },
    resolve: (_, { id, input }, { ctx }) => plans.update(ctx, id, valid(changes, definite(input))),
  }),
);
