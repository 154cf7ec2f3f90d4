import { z } from 'zod';
import { isCalendarDate } from '../../core/time/calendar-date.ts';
import { defineRoute } from '../../rest/route.ts';
import { moneySchema, zonedLocationSchema } from '../../rest/serializers.ts';
import { UNSOLD_REASONS } from './availability.ts';
import { type DayPassType, listDayPassTypes } from './service.ts';

const dayPassType = z
  .object({
    id: z.uuid(),
    name: z.string(),
    description: z.string().nullable(),
    price: moneySchema,
    location: zonedLocationSchema,
    per_day: z
      .int()
      .nullable()
      .meta({ description: 'The number of passes for each day. Null: unlimited' }),
    date: z.iso.date().meta({ description: 'In the time zone of the location' }),
    left: z.int().nullable().meta({
      description: 'The number that can be bought for the date now; null where unlimited',
    }),
    closed: z.boolean().meta({
      description: 'Whether the location is closed that day, or has already closed for the day',
    }),
    reason: z
      .enum(UNSOLD_REASONS)
      .nullable()
      .meta({ description: 'Why none is available; null if some are' }),
  })
  .meta({ id: 'DayPassType' });

export const routes = [
  defineRoute({
    method: 'GET',
    path: '/public/day-passes',
    access: 'public',
    summary:
      'List day pass types with their availability on a date. Default: today at each location',
    query: z.strictObject({
      location_id: z.uuid().optional(),
      date: z.string().refine(isCalendarDate, 'must be a real date such as 2026-01-31').optional(),
    }),
    data: z.object({ day_pass_types: z.array(dayPassType) }),
    handler: async (ctx, { query: { location_id: locationId, date } }) => {
      const types = await listDayPassTypes(ctx, { locationId, date });
      return { data: { day_pass_types: types.map(toDayPassTypeJson) } };
    },
  }),
];

const toDayPassTypeJson = (type: DayPassType) => ({
  id: type.id,
  name: type.name,
  description: type.description,
  price: type.price,
  location: { id: type.location.id, name: type.location.name, time_zone: type.location.timeZone },
  per_day: type.dailyCapacity,
  date: type.date,
  left: type.left,
  closed: type.closed,
  reason: type.reason,
});
