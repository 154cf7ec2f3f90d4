import { canSeeAll } from '../../auth/viewer.ts';
import { builder, createArgs, Money, withArgs } from '../../graphql/builder.ts';
import type { RowExtension } from '../../graphql/list-fields.ts';
import { addMutation } from '../../graphql/mutation.ts';
import { Node, type NodeExtension } from '../../graphql/node.ts';
import type { CostExtension } from '../../graphql/query-cost.ts';
import { showFields } from '../../graphql/row-fields.ts';
import { OrderLimitsType } from '../order-limits/graphql.ts';
import { Location } from '../spaces/graphql/locations.ts';
import { OPENING_TIMES_FIELD } from '../spaces/graphql/opening-hours.ts';
import {
  createDayPassTypeInput,
  dayPassStockArgs,
  dayPassTypeFilter,
  dayPassTypeIdInput,
  locationDayPassTypesArgs,
  updateDayPassTypeInput,
} from './inputs.ts';
import { dayPassTypeRow } from './rows.ts';
import { toStockSql } from './service/availability.ts';
import {
  type DayPassStock as DayPassStockValue,
  type DayPassType as DayPassTypeValue,
  listDayPassTypes,
  toDayPassStockProjection,
  toDayPassTypeConditions,
  toDayPassTypeProjection,
  visibleDayPassTypes,
} from './service/day-pass-types.ts';
import { createDayPassType, deleteDayPassType, updateDayPassType } from './service/manage-types.ts';

const UnsoldReason = builder.enumType('DayPassUnsoldReason', {
  description: 'Why a day pass type is not available on a date',
  values: {
    INACTIVE: { description: 'No longer for sale' },
    DATE_PAST: { description: 'The day is over' },
    TOO_FAR_AHEAD: { description: 'Not on sale yet' },
    CLOSED: { description: 'The location is closed all day, or has already closed for the day' },
    SOLD_OUT: { description: 'All passes of the day are sold or held' },
  } as const,
});

const DayPassStock = builder.objectRef<DayPassStockValue>('DayPassStock');
DayPassStock.implement({
  description: 'The availability of a day pass type on one date',
  extensions: { projection: toDayPassStockProjection },
  fields: (t) => ({
    date: t.expose('date', {
      type: 'Date',
      description: 'The date, in the time zone of the location',
    }),
    left: t.exposeInt('left', {
      nullable: true,
      description: 'How many can be bought for the date now; null if unlimited',
    }),
    closed: t.exposeBoolean('closed', {
      description: 'Whether the location is closed on that day, or has already closed for the day',
    }),
    reason: t.expose('reason', {
      type: UnsoldReason,
      nullable: true,
      description: 'Why no passes are available; null if there are some',
    }),
    openingTimes: t.expose('openingTimes', OPENING_TIMES_FIELD),
  }),
});

export const DayPassType = builder.objectRef<DayPassTypeValue>('DayPassType');
DayPassType.implement({
  description: 'A type of day pass for a location',
  interfaces: [Node],
  extensions: {
    projection: toDayPassTypeProjection,
    node: { rows: visibleDayPassTypes, access: 'public' } satisfies NodeExtension,
  },
  fields: (t) => ({
    ...showFields(t, dayPassTypeRow),
    price: t.expose('price', { type: Money, description: 'The price of one pass' }),
    location: t.expose('location', { type: Location, description: 'The location it admits to' }),
    orderLimits: t.field({
      type: OrderLimitsType,
      nullable: true,
      description: 'Only for callers with day-passes:read',
      extensions: { reads: 'limits' },
      resolve: ({ limits }, _, { ctx }) =>
        canSeeAll(ctx.viewer, 'day-passes:read') ? limits : null,
    }),
    stock: t.field({
      type: DayPassStock,
      description: 'How many passes can be bought for a date',
      args: createArgs(dayPassStockArgs),
      extensions: {
        cost: { points: 1 } satisfies CostExtension,
        row: {
          table: ({ date = null }, { parent, bind }) =>
            toStockSql(parent('id'), bind(date, 'date'), 'clock.now'),
          where: () => [],
        } satisfies RowExtension,
      },
      resolve: ({ id }, { date }, { loaders }) => loaders.dayPassStock.load(id, date ?? null),
    }),
  }),
});

builder.queryField('dayPassTypes', (t) =>
  t.field({
    type: [DayPassType],
    description: 'Lists day pass types by location and name',
    authScopes: { access: 'public' },
    extensions: {
      cost: { items: 20 } satisfies CostExtension,
      row: {
        table: 'day_pass_types',
        where: toDayPassTypeConditions,
        toOrder: (row) =>
          `(SELECT name FROM locations WHERE id = ${row}.location_id), ${row}.name, ${row}.id`,
      } satisfies RowExtension,
    },
    ...withArgs(dayPassTypeFilter, (filter, { ctx }) => listDayPassTypes(ctx, filter)),
  }),
);

builder.objectField(Location, 'dayPassTypes', (t) =>
  t.field({
    type: [DayPassType],
    description: 'Its day pass types by name',
    authScopes: { access: 'public' },
    args: createArgs(locationDayPassTypesArgs),
    extensions: {
      row: {
        table: 'day_pass_types',
        where: (row, args, scope) => [
          `${row}.location_id = ${scope.parent('id')}`,
          ...toDayPassTypeConditions(row, args, scope),
        ],
        toOrder: (row) => `${row}.name, ${row}.id`,
      } satisfies RowExtension,
    },
    resolve: ({ id }, { includeInactive }, { loaders }) =>
      loaders.dayPassTypesByLocation.load(id, includeInactive ?? false),
  }),
);

addMutation('createDayPassType', {
  description: 'Creates a day pass type',
  access: 'day-passes:write',
  input: createDayPassTypeInput,
  payload: { dayPassType: { type: DayPassType, description: 'The new day pass type' } },
  resolve: async (input, { ctx }) => ({ dayPassType: await createDayPassType(ctx, input) }),
});

addMutation('updateDayPassType', {
  description: 'Updates a day pass type. Ordered passes keep their price.',
  access: 'day-passes:write',
  input: updateDayPassTypeInput,
  takesVersion: true,
  payload: { dayPassType: { type: DayPassType, description: 'The changed day pass type' } },
  resolve: async ({ id, ...change }, { ctx }) => ({
    dayPassType: await updateDayPassType(ctx, id, change),
  }),
});

addMutation('deleteDayPassType', {
  description: 'Deletes a day pass type without passes',
  access: 'day-passes:write',
  input: dayPassTypeIdInput,
  payload: {
    deletedDayPassTypeId: { type: 'ID', description: 'The id of the deleted day pass type' },
  },
  resolve: async ({ id }, { ctx }) => {
    await deleteDayPassType(ctx, id);
    return { deletedDayPassTypeId: id };
  },
});
