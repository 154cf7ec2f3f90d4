import { z } from 'zod';
import { builder } from '../../../graphql/builder.ts';
import { MoneyInput } from '../../../graphql/money.ts';
import { definite, line, money, text, unlessNull, valid } from '../../../validation.ts';
import { createLimits, limitInputFields, updateLimits } from '../../orders/limits/graphql.ts';
import { DayPassType } from '../graphql.ts';
import * as dayPassTypes from './service.ts';

const WRITE = { access: 'day-passes:write' } as const;

const CreateDayPassTypeInput = builder.inputType('CreateDayPassTypeInput', {
  fields: (t) => ({
    locationId: t.id({ required: true }),
    name: t.string({ required: true }),
    description: t.string(),
    price: t.field({ type: MoneyInput, required: true }),
    perDay: t.int({ description: 'As many as like, if left out' }),
    daysAhead: t.int({ description: 'Sold so many days before, at most; 60, if left out' }),
    ...limitInputFields(t),
  }),
});

const name = line(200);
const description = text(5000);
const perDay = z.int().min(0).max(1_000_000);
const daysAhead = z.int().min(0).max(1000);

const createInput = z.object({
  ...z.object(createLimits).partial().shape,
  locationId: z.uuid(),
  name,
  description: description.optional(),
  price: money,
  perDay: perDay.optional(),
  daysAhead: daysAhead.optional(),
});

/** Input as the service names it. */
const toDetails = <
  T extends { perDay?: number | null | undefined; daysAhead?: number | undefined },
>({
  perDay,
  daysAhead,
  ...input
}: T) => ({ ...input, dailyCapacity: perDay, maxAdvanceDays: daysAhead });

builder.mutationField('createDayPassType', (t) =>
  t.field({
    type: DayPassType,
    authScopes: WRITE,
    args: { input: t.arg({ type: CreateDayPassTypeInput, required: true }) },
    resolve: (_, { input }, { ctx }) =>
      dayPassTypes.create(ctx, toDetails(valid(createInput, definite(input)))),
  }),
);

const UpdateDayPassTypeInput = builder.inputType('UpdateDayPassTypeInput', {
  description:
    'What is left out stays; null empties the description, takes the daily limit away and puts order limits back to their defaults',
  fields: (t) => ({
    name: t.string(),
    description: t.string(),
    price: t.field({ type: MoneyInput }),
    perDay: t.int({ description: 'Of days to come too, never below what is sold on one of them' }),
    daysAhead: t.int(),
    ...limitInputFields(t),
    active: t.boolean({ description: 'Whether it is offered' }),
  }),
});

const changes = z.object({
  name: unlessNull(name),
  description: description.nullish(),
  price: unlessNull(money),
  perDay: perDay.nullish(),
  daysAhead: unlessNull(daysAhead),
  ...updateLimits,
  active: unlessNull(z.boolean()),
});

builder.mutationField('updateDayPassType', (t) =>
  t.field({
    type: DayPassType,
    description: 'Passes that were made keep their price',
    authScopes: WRITE,
    args: {
      id: t.arg.id({ required: true }),
      input: t.arg({ type: UpdateDayPassTypeInput, required: true }),
    },
    resolve: (_, { id, input }, { ctx }) =>
      dayPassTypes.update(ctx, id, toDetails(valid(changes, input))),
  }),
);

builder.mutationField('deleteDayPassType', (t) =>
  t.field({
    type: DayPassType,
    description: 'Only while no pass was made of it. Answers with what it was',
    authScopes: WRITE,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => dayPassTypes.remove(ctx, id),
  }),
);
