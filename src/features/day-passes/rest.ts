import { z } from 'zod';
import { isDay } from '../../dates.ts';
import { route } from '../../rest/route.ts';
import { money, zonedLocation } from '../../rest/shapes.ts';
import { UNSOLD_REASONS } from './sale.ts';
import * as dayPasses from './service.ts';

const dayPassType = z
  .object({
    id: z.uuid(),
    name: z.string(),
    description: z.string().nullable(),
    price: money,
    location: zonedLocation,
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
  route({
    method: 'GET',
    path: '/public/day-passes',
    access: 'public',
    summary: "What is sold for a date, each location's own today if left out",
    query: z.strictObject({
      location_id: z.uuid().optional(),
      date: z.string().refine(isDay, 'must be a real date such as 2026-01-31').optional(),
    }),
    data: z.object({ day_pass_types: z.array(dayPassType) }),
    answer: async (ctx, { query: { location_id: locationId, date } }) => {
      const types = await dayPasses.dayPassTypesOn(ctx, { locationId, date });
      return { data: { day_pass_types: types.map(write) } };
    },
  }),
];

const write = (it: dayPasses.DayPassType) => ({
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
