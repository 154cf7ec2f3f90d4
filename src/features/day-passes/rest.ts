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
    per_day: z.int().nullable().meta({ description: 'Null: as many as like' }),
    date: z.iso.date().meta({ description: "By the location's calendar" }),
    left: z
      .int()
      .nullable()
      .meta({ description: 'What can be bought for that date now; null where unlimited' }),
    closed: z.boolean().meta({ description: 'Whether the location is shut all that day' }),
    reason: z.enum(UNSOLD_REASONS).nullable().meta({ description: 'Why none is left' }),
  })
  .meta({ id: 'DayPassType' });

export const routes = [
  defineRoute({
    method: 'GET',
    path: '/public/day-passes',
    access: 'public',
    summary: "What is sold for a date, each location's own today if left out",
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

const toDayPassTypeJson = (it: DayPassType) => ({
  id: it.id,
  name: it.name,
  description: it.description,
  price: it.price,
  location: { id: it.location.id, name: it.location.name, time_zone: it.location.timeZone },
  per_day: it.dailyCapacity,
  date: it.date,
  left: it.left,
  closed: it.closed,
  reason: it.reason,
});
