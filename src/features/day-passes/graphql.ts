import { z } from 'zod';
import { seesAll } from '../../auth/viewer.ts';
import { builder } from '../../graphql/builder.ts';
import { Money } from '../../graphql/money.ts';
import { definite, valid } from '../../validation.ts';
import { OrderLimitsType } from '../orders/limits/graphql.ts';
import { Location } from '../spaces/graphql.ts';
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

export const DayPassType = builder.objectRef<dayPasses.DayPassType>('DayPassType');
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
      resolve: ({ limits }, _, { ctx }) => (seesAll(ctx.viewer, 'day-passes:read') ? limits : null),
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

const filter = z.object({
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
    resolve: (_, args, { ctx }) => dayPasses.dayPassTypesOn(ctx, valid(filter, definite(args))),
  }),
);
