import { z } from 'zod';
import { showRestFields } from '../../objects/row-fields.ts';
import { moneySchema, zonedLocationSchema } from '../../objects/schemas.ts';
import { toRestQuery } from '../../rest/input-schema.ts';
import { defineRoute } from '../../rest/route.ts';
import { dayPassOfferQuery } from './inputs.ts';
import { dayPassTypeRow } from './rows.ts';
import { UNSOLD_REASONS } from './service/availability.ts';
import { listOfferedDayPassTypes, type OfferedDayPassType } from './service/day-pass-types.ts';

const fields = showRestFields(dayPassTypeRow, {
  except: ['dailyCapacity', 'daysAhead', 'active'],
});

const dayPassType = z
  .object({
    ...fields.shape,
    price: moneySchema.meta({ description: 'The price of one pass' }),
    location: zonedLocationSchema.meta({ description: 'Where it admits' }),
    per_day: z
      .int()
      .nullable()
      .meta({ description: 'The number of passes for each day. Null: unlimited' }),
    date: z.iso.date().meta({ description: 'In the time zone of the location' }),
    left: z.int().nullable().meta({
      description: 'How many can be bought for the date now; null if unlimited',
    }),
    closed: z.boolean().meta({
      description: 'Whether the location is closed on that day, or has already closed for the day',
    }),
    reason: z
      .enum(UNSOLD_REASONS)
      .nullable()
      .meta({ description: 'Why no passes are available; null if there are some' }),
  })
  .meta({ id: 'DayPassType', description: 'A day pass for sale, and how many are left' });

export const routes = [
  defineRoute({
    method: 'GET',
    path: '/public/day-passes',
    access: 'public',
    summary: 'List day pass types with their availability on a date',
    query: toRestQuery(dayPassOfferQuery),
    data: z.object({
      day_pass_types: z.array(dayPassType).meta({ description: 'All types for sale' }),
    }),
    handler: async (ctx, { query }) => {
      const types = await listOfferedDayPassTypes(ctx, query);
      return { data: { day_pass_types: types.map(toDayPassTypeJson) } };
    },
  }),
];

const toDayPassTypeJson = (type: OfferedDayPassType) => ({
  ...fields.serialize(type),
  price: type.price,
  location: { id: type.location.id, name: type.location.name, time_zone: type.location.timeZone },
  per_day: type.dailyCapacity,
  date: type.date,
  left: type.left,
  closed: type.closed,
  reason: type.reason,
});
