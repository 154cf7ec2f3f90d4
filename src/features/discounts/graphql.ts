import { z } from 'zod';
import { builder } from '../../graphql/builder.ts';
import { Money, MoneyInput } from '../../graphql/money.ts';
import { pagedBy } from '../../graphql/pages.ts';
import { createdPosition } from '../../page.ts';
import { definite, money, unlessNull, valid } from '../../validation.ts';
import * as discounts from './service.ts';

// Not events:read: members have that, and a code is worth money.
const READ = { access: 'orders:read' } as const;
const WRITE = { access: 'events:write' } as const;

const DiscountCode = builder.objectRef<discounts.Discount>('DiscountCode').implement({
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

const filter = z.object({ eventId: z.uuid().optional(), active: z.boolean().optional() });

builder.queryField('discountCodes', (t) =>
  t.connection({
    type: DiscountCode,
    description: 'Newest first',
    authScopes: READ,
    args: { filter: t.arg({ type: DiscountCodeFilter }) },
    ...pagedBy(filter, discounts.list, createdPosition),
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

const CODE = /^[A-Z0-9-]{3,40}$/;
const maxUses = z.int().min(1).max(1_000_000_000);

const createInput = z
  .object({
    code: z
      .string()
      .trim()
      .toUpperCase()
      .regex(CODE, 'must be from 3 to 40 letters, digits and dashes such as SPRING-26')
      .optional(),
    eventId: z.uuid().optional(),
    percent: z.int().min(1).max(100).optional(),
    amount: money.extend({ amount: money.shape.amount.min(1) }).optional(),
    maxUses: maxUses.optional(),
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
    resolve: (_, { input }, { ctx }) => discounts.create(ctx, valid(createInput, definite(input))),
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

const changes = z.object({
  maxUses: maxUses.nullish(),
  startsAt: z.date().nullish(),
  endsAt: z.date().nullish(),
  active: unlessNull(z.boolean()),
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
    resolve: (_, { id, input }, { ctx }) => discounts.update(ctx, id, valid(changes, input)),
  }),
);

builder.mutationField('deleteDiscountCode', (t) =>
  t.field({
    type: DiscountCode,
    description: 'Only while no order was placed with it. Answers with what it was',
    authScopes: WRITE,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => discounts.remove(ctx, id),
  }),
);
