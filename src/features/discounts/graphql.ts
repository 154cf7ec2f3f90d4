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

// Not events:read, which members have: a code is worth money.
const READ = { access: 'orders:read' } as const;
const WRITE = { access: 'events:write' } as const;

const DiscountCode = builder.objectRef<Discount>('DiscountCode').implement({
  description: 'A discount on orders, either a percentage or an amount',
  fields: (t) => ({
    id: t.exposeID('id'),
    code: t.exposeString('code'),
    eventId: t.exposeID('eventId', {
      nullable: true,
      description: 'The event that the code applies to. Null: all events, and day passes.',
    }),
    percent: t.exposeInt('percent', {
      nullable: true,
      description: 'Percentage off the whole order',
    }),
    amount: t.field({
      type: Money,
      nullable: true,
      description: 'Amount off the whole order. Applies only to orders in this currency.',
      resolve: ({ amount, currency }) =>
        amount === null || currency === null ? null : { amount, currency },
    }),
    maxUses: t.exposeInt('maxUses', { nullable: true, description: 'Null: unlimited' }),
    uses: t.exposeInt('uses', {
      description: 'The number of pending and confirmed orders with this code',
    }),
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
        '3 to 40 letters, digits and dashes, stored in capitals. Default: a random code.',
    }),
    eventId: t.id({ description: 'Default: all events, and day passes' }),
    percent: t.int({ description: 'From 1 to 100' }),
    amount: t.field({ type: MoneyInput }),
    maxUses: t.int({ description: 'Default: unlimited' }),
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
      .regex(DISCOUNT_CODE_PATTERN, 'must be 3 to 40 letters, digits and dashes, such as SPRING-26')
      .optional(),
    eventId: z.uuid().optional(),
    percent: z.int().min(1).max(100).optional(),
    amount: moneyInput.extend({ amount: moneyInput.shape.amount.min(1) }).optional(),
    maxUses: maxUsesSchema.optional(),
    startsAt: z.date().optional(),
    endsAt: z.date().optional(),
  })
  .refine(({ percent, amount }) => (percent === undefined) !== (amount === undefined), {
    message: 'Give either percent or amount.',
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
  description: 'Omitted fields stay as they are. Null removes a limit.',
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
    description: 'Updates a discount code. Orders with the code keep their discount.',
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
    description: 'Deletes a discount code without orders and returns it',
    authScopes: WRITE,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => deleteDiscountCode(ctx, id),
  }),
);
