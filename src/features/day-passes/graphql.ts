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
import { type DayPassType as DayPassTypeValue, listDayPassTypes } from './service.ts';

const UnsoldReason = builder.enumType('DayPassUnsoldReason', {
  description: 'Why a day pass type is not available on a date',
  values: {
    INACTIVE: { description: 'No longer for sale' },
    DATE_PAST: {},
    TOO_FAR_AHEAD: { description: 'Not on sale yet' },
    CLOSED: { description: 'The location is closed all day, or has already closed for the day' },
    SOLD_OUT: {},
  } as const,
});

const DayPassType = builder.objectRef<DayPassTypeValue>('DayPassType');
DayPassType.implement({
  description: 'A kind of day pass of a location, with its availability on one date',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    description: t.exposeString('description', { nullable: true }),
    price: t.expose('price', { type: Money }),
    location: t.expose('location', { type: Location }),
    perDay: t.exposeInt('dailyCapacity', {
      nullable: true,
      description: 'The number of passes for each day. Null: unlimited.',
    }),
    daysAhead: t.exposeInt('maxAdvanceDays', {
      description: 'How many days in advance passes are sold',
    }),
    active: t.exposeBoolean('active', { description: 'Whether it is for sale' }),
    orderLimits: t.field({
      type: OrderLimitsType,
      nullable: true,
      description: 'Only for callers with day-passes:read',
      resolve: ({ limits }, _, { ctx }) =>
        canSeeAll(ctx.viewer, 'day-passes:read') ? limits : null,
    }),
    date: t.expose('date', {
      type: 'Date',
      description:
        'The date that left, closed and reason refer to, in the time zone of the location',
    }),
    left: t.exposeInt('left', {
      nullable: true,
      description: 'The number that can be bought for the date now; null where unlimited',
    }),
    closed: t.exposeBoolean('closed', {
      description: 'Whether the location is closed that day, or has already closed for the day',
    }),
    reason: t.expose('reason', {
      type: UnsoldReason,
      nullable: true,
      description: 'Why none is available; null if some are',
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
    description: 'Lists day pass types by location and name',
    authScopes: { access: 'public' },
    complexity: { field: 1, multiplier: 20 },
    args: {
      locationId: t.arg.id(),
      date: t.arg({ type: 'Date', description: 'Default: today at each location' }),
      includeInactive: t.arg.boolean({
        description: 'Also list types that are no longer for sale. Needs day-passes:read.',
      }),
    },
    resolve: (_, args, { ctx }) =>
      listDayPassTypes(ctx, parseInput(typeFilterInput, omitNull(args))),
  }),
);

const WRITE = { access: 'day-passes:write' } as const;

const CreateDayPassTypeInput = builder.inputType('CreateDayPassTypeInput', {
  fields: (t) => ({
    locationId: t.id({ required: true }),
    name: t.string({ required: true }),
    description: t.string(),
    price: t.field({ type: MoneyInput, required: true }),
    perDay: t.int({ description: 'The number of passes for each day. Default: unlimited.' }),
    daysAhead: t.int({ description: 'How many days in advance passes are sold. Default: 60.' }),
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

/** Renames the input to the names of the service. */
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
    'Omitted fields stay as they are. Null clears the description, removes the daily limit and resets order limits to their defaults.',
  fields: (t) => ({
    name: t.string(),
    description: t.string(),
    price: t.field({ type: MoneyInput }),
    perDay: t.int({
      description: 'Also for future dates. At least the number sold on each of them.',
    }),
    daysAhead: t.int(),
    ...limitInputFields(t),
    active: t.boolean({ description: 'Whether it is for sale' }),
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
    description: 'Updates a day pass type. Ordered passes keep their price.',
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
    description: 'Deletes a day pass type without passes and returns it',
    authScopes: WRITE,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => deleteDayPassType(ctx, id),
  }),
);
