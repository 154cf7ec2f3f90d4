import { z } from 'zod';
import { builder } from '../../../graphql/builder.ts';
import { valid } from '../../../validation.ts';
import { Location } from '../locations/graphql.ts';
import * as hours from './service.ts';
import { clockTime, minuteOf } from './words.ts';

const Weekday = builder.enumType('Weekday', {
  values: {
    MONDAY: { value: 1 },
    TUESDAY: { value: 2 },
    WEDNESDAY: { value: 3 },
    THURSDAY: { value: 4 },
    FRIDAY: { value: 5 },
    SATURDAY: { value: 6 },
    SUNDAY: { value: 7 },
  } as const,
});

type Weekday = typeof Weekday.$inferType;

const OpeningHours = builder.objectRef<hours.OpeningHours>('OpeningHours').implement({
  description: "One span of a weekday by the location's wall clock",
  fields: (t) => ({
    weekday: t.field({ type: Weekday, resolve: ({ weekday }) => weekday as Weekday }),
    opens: t.string({
      description: 'HH:MM',
      resolve: ({ opensMinute }) => clockTime(opensMinute),
    }),
    closes: t.string({
      description: 'HH:MM; 24:00 is the end of the day',
      resolve: ({ closesMinute }) => clockTime(closesMinute),
    }),
  }),
});

builder.objectField(Location, 'openingHours', (t) =>
  t.field({
    type: [OpeningHours],
    description: 'Through the week; a location without any is always open',
    authScopes: { access: 'spaces:read' },
    resolve: ({ id }, _, { loaders }) => loaders.openingHours.load(id),
  }),
);

const OpeningHoursInput = builder.inputType('OpeningHoursInput', {
  fields: (t) => ({
    weekday: t.field({ type: Weekday, required: true }),
    opens: t.string({ required: true, description: 'HH:MM, such as 09:00' }),
    closes: t.string({ required: true, description: 'HH:MM; 24:00 is the end of the day' }),
  }),
});

const time = z
  .string()
  .regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, 'must be a time from 00:00 to 24:00 such as 09:30')
  .transform(minuteOf);

const week = z.object({
  hours: z.array(z.object({ weekday: z.int().min(1).max(7), opens: time, closes: time })).max(100),
});

builder.mutationField('setOpeningHours', (t) =>
  t.field({
    type: Location,
    description: 'Replaces the whole week; without any hours the location is always open',
    authScopes: { access: 'spaces:write' },
    args: {
      locationId: t.arg.id({ required: true }),
      hours: t.arg({ type: [OpeningHoursInput], required: true }),
    },
    resolve: (_, args, { ctx }) =>
      hours.setOpeningHours(
        ctx,
        args.locationId,
        valid(week, { hours: args.hours }).hours.map(({ weekday, opens, closes }) => ({
          weekday,
          opensMinute: opens,
          closesMinute: closes,
        })),
      ),
  }),
);
