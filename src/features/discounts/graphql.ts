import { z } from 'zod';
import { toCreatedPosition } from '../../core/pagination.ts';
import { ignoreNull, moneyInput, omitNull, parseInput } from '../../core/validation.ts';
import { builder, Money, MoneyInput } from '../../graphql/builder.ts';
import { paginateFilteredField } from '../../graphql/connections.ts';
import {
  createDiscountCode,
  type Discount,
  deleteDiscountCode,
  listDiscountCodes,
  updateDiscountCode,
} from './service.ts';

// Not events:read: members have that, and a code is worth money.
const READ = { access: 'orders:read' } as const;
const WRITE = { access: 'events:write' } as const;

const DiscountCode = builder.objectRef<Discount>('DiscountCode').implement({
  description: 'Makes orders cheaper: either by a percentage or by an amount',
  fields: (t) => ({
    id: t.exposeID('id'),
    code: t.exposeString('code'),
    eventId: t.exposeID('eventId', {
      nullable: true,
      description: 'The event that it is for; null: every event, and day passes',
    }),
    percent: t.exposeInt('percent', { nullable: true, description: 'Off the whole order' }),
    amount: t.field({
      type: Money,
      nullable: true,
      description: 'Off the whole order, and only off one in this currency',
      resolve: ({ amount, currency }) =>
        amount === null || currency === null ? null : { amount, currency },
    }),
    maxUses: t.exposeInt('maxUses', { nullable: true, description: 'Null: any number' }),
    uses: t.exposeInt('uses', { description: 'Orders that hold or have it' }),
    startsAt: t.expose('startsAt', { type: 'DateTime', nullable: true }),
    endsAt: t.expose('endsAt', { type: 'DateTime', nullable: true }),
    active: t.exposeBoolean('active'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
  }),
});

const DiscountCodeFilter = builder.inputType('DiscountCodeFilter', {
  fields: (t) => ({ eventId: t.id(), active: t.boolean() }),
});

const discountFilterSchema = z.object({
  eventId: z.uuid().optional(),
  active: z.boolean().optional(),
});

builder.queryField('discountCodes', (t) =>
  t.connection({
    type: DiscountCode,
    description: 'Newest first',
    authScopes: READ,
    args: { filter: t.arg({ type: DiscountCodeFilter }) },
    ...paginateFilteredField(discountFilterSchema, listDiscountCodes, toCreatedPosition),
  }),
);

const CreateDiscountCodeInput = builder.inputType('CreateDiscountCodeInput', {
  description: 'Either a percentage or an amount',
  fields: (t) => ({
    code: t.string({
      description:
        'From 3 to 40 letters, digits and dashes, kept in capitals; made up, if left out',
    }),
    eventId: t.id({ description: 'Every event, and day passes, if left out' }),
    percent: t.int({ description: 'From 1 to 100' }),
    amount: t.field({ type: MoneyInput }),
    maxUses: t.int({ description: 'Any number, if left out' }),
    startsAt: t.field({ type: 'DateTime' }),
    endsAt: t.field({ type: 'DateTime' }),
  }),
});

const DISCOUNT_CODE_PATTERN = /^[A-Z0-9-]{3,40}$/;
const maxUsesSchema = z.int().min(1).max(1_000_000_000);

const createDiscountInput = z
  .object({
    code: z
      .string()
      .trim()
      .toUpperCase()
      .regex(
        DISCOUNT_CODE_PATTERN,
        'must be from 3 to 40 letters, digits and dashes such as SPRING-26',
      )
      .optional(),
    eventId: z.uuid().optional(),
    percent: z.int().min(1).max(100).optional(),
    amount: moneyInput.extend({ amount: moneyInput.shape.amount.min(1) }).optional(),
    maxUses: maxUsesSchema.optional(),
    startsAt: z.date().optional(),
    endsAt: z.date().optional(),
  })
  .refine(({ percent, amount }) => (percent === undefined) !== (amount === undefined), {
    message: 'Say how much it takes off: either percent or amount.',
  });

builder.mutationField('createDiscountCode', (t) =>
  t.field({
    type: DiscountCode,
    authScopes: WRITE,
    args: { input: t.arg({ type: CreateDiscountCodeInput, required: true }) },
    resolve: (_, { input }, { ctx }) =>
      createDiscountCode(ctx, parseInput(createDiscountInput, omitNull(input))),
  }),
);

const UpdateDiscountCodeInput = builder.inputType('UpdateDiscountCodeInput', {
  description: 'What is left out stays; null takes a limit away',
  fields: (t) => ({
    maxUses: t.int(),
    startsAt: t.field({ type: 'DateTime' }),
    endsAt: t.field({ type: 'DateTime' }),
    active: t.boolean(),
  }),
});

const updateDiscountInput = z.object({
  maxUses: maxUsesSchema.nullish(),
  startsAt: z.date().nullish(),
  endsAt: z.date().nullish(),
  active: ignoreNull(z.boolean()),
});

builder.mutationField('updateDiscountCode', (t) =>
  t.field({
    type: DiscountCode,
    description: 'Orders that have it keep it',
    authScopes: WRITE,
    args: {
      id: t.arg.id({ required: true }),
      input: t.arg({ type: UpdateDiscountCodeInput, required: true }),
    },
    resolve: (_, { id, input }, { ctx }) =>
      updateDiscountCode(ctx, id, parseInput(updateDiscountInput, input)),
  }),
);

builder.mutationField('deleteDiscountCode', (t) =>
  t.field({
    type: DiscountCode,
    description: 'Only while no order was placed with it. Answers with what it was',
    authScopes: WRITE,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => deleteDiscountCode(ctx, id),
  }),
);
