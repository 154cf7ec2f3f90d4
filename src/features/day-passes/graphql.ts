import { z } from 'zod';
import { canSeeAll } from '../../auth/viewer.ts';
import {
  boundedText,
  ignoreNull,
  moneyInput,
  omitNull,
  parseInput,
  singleLine,
} from '../../core/validation.ts';
import { builder, Money, MoneyInput } from '../../graphql/builder.ts';
import {
  createLimits,
  limitInputFields,
  OrderLimitsType,
  updateLimits,
} from '../order-limits/graphql.ts';
import { Location } from '../spaces/graphql.ts';
import { createDayPassType, deleteDayPassType, updateDayPassType } from './manage-types.ts';
import * as dayPasses from './service.ts';

const UnsoldReason = builder.enumType('DayPassUnsoldReason', {
  description: 'Why there is none to be had on a date',
  values: {
    INACTIVE: { description: 'It is no longer offered' },
    DATE_PAST: {},
    TOO_FAR_AHEAD: { description: 'It is not sold so long before' },
    CLOSED: { description: 'The location is shut all day' },
    SOLD_OUT: {},
  } as const,
});

const DayPassType = builder.objectRef<dayPasses.DayPassType>('DayPassType');
DayPassType.implement({
  description: 'What is sold for a day at a location, as it stands on one date',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    description: t.exposeString('description', { nullable: true }),
    price: t.expose('price', { type: Money }),
    location: t.expose('location', { type: Location }),
    perDay: t.exposeInt('dailyCapacity', {
      nullable: true,
      description: 'How many there are of it each day; null: as many as like',
    }),
    daysAhead: t.exposeInt('maxAdvanceDays', { description: 'Sold so many days before, at most' }),
    active: t.exposeBoolean('active', { description: 'Whether it is offered' }),
    orderLimits: t.field({
      type: OrderLimitsType,
      nullable: true,
      description: 'For those with day-passes:read',
      resolve: ({ limits }, _, { ctx }) =>
        canSeeAll(ctx.viewer, 'day-passes:read') ? limits : null,
    }),
    date: t.expose('date', {
      type: 'Date',
      description: "The day of which the rest speaks, by the location's calendar",
    }),
    left: t.exposeInt('left', {
      nullable: true,
      description: 'What can be bought for that date now; null where unlimited',
    }),
    closed: t.exposeBoolean('closed', { description: 'Whether the location is shut all that day' }),
    reason: t.expose('reason', {
      type: UnsoldReason,
      nullable: true,
      description: 'Why none is left; null where there are some',
    }),
  }),
});

const typeFilterInput = z.object({
  locationId: z.uuid().optional(),
  date: z.string().optional(),
  includeInactive: z.boolean().optional(),
});

builder.queryField('dayPassTypes', (t) =>
  t.field({
    type: [DayPassType],
    description: 'By location and name',
    authScopes: { access: 'public' },
    complexity: { field: 1, multiplier: 20 },
    args: {
      locationId: t.arg.id(),
      date: t.arg({ type: 'Date', description: "Each location's own today, if left out" }),
      includeInactive: t.arg.boolean({
        description: 'Those that are no longer offered too; needs day-passes:read',
      }),
    },
    resolve: (_, args, { ctx }) =>
      dayPasses.listDayPassTypes(ctx, parseInput(typeFilterInput, omitNull(args))),
  }),
);

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

const nameSchema = singleLine(200);
const descriptionSchema = boundedText(5000);
const perDaySchema = z.int().min(0).max(1_000_000);
const daysAheadSchema = z.int().min(0).max(1000);

const createInput = z.object({
  ...z.object(createLimits).partial().shape,
  locationId: z.uuid(),
  name: nameSchema,
  description: descriptionSchema.optional(),
  price: moneyInput,
  perDay: perDaySchema.optional(),
  daysAhead: daysAheadSchema.optional(),
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
      createDayPassType(ctx, toDetails(parseInput(createInput, omitNull(input)))),
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

const updateInput = z.object({
  name: ignoreNull(nameSchema),
  description: descriptionSchema.nullish(),
  price: ignoreNull(moneyInput),
  perDay: perDaySchema.nullish(),
  daysAhead: ignoreNull(daysAheadSchema),
  ...updateLimits,
  active: ignoreNull(z.boolean()),
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
      updateDayPassType(ctx, id, toDetails(parseInput(updateInput, input))),
  }),
);

builder.mutationField('deleteDayPassType', (t) =>
  t.field({
    type: DayPassType,
    description: 'Only while no pass was made of it. Answers with what it was',
    authScopes: WRITE,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => deleteDayPassType(ctx, id),
  }),
);
