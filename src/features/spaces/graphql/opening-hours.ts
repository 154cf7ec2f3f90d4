import { z } from 'zod';
import { formatClockTime, parseClockTime } from '../../../core/time/format.ts';
import { boundedText, omitNull, parseInput } from '../../../core/validation.ts';
import { builder } from '../../../graphql/builder.ts';
import {
  type Closure as ClosureValue,
  createClosure,
  deleteClosure,
  type OpeningHours as OpeningHoursValue,
  setOpeningHours,
} from '../opening-hours.ts';
import { Location } from './locations.ts';

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

const OpeningHours = builder.objectRef<OpeningHoursValue>('OpeningHours').implement({
  description: 'One opening period on a weekday, in the time zone of the location',
  fields: (t) => ({
    weekday: t.field({ type: Weekday, resolve: ({ weekday }) => weekday as Weekday }),
    opens: t.string({
      description: 'HH:MM',
      resolve: ({ opensMinute }) => formatClockTime(opensMinute),
    }),
    closes: t.string({
      description: 'HH:MM. 24:00 is the end of the day.',
      resolve: ({ closesMinute }) => formatClockTime(closesMinute),
    }),
  }),
});

builder.objectField(Location, 'openingHours', (t) =>
  t.field({
    type: [OpeningHours],
    description: 'Opening hours, sorted by weekday. A location without any is always open.',
    authScopes: { access: 'spaces:read' },
    resolve: ({ id }, _, { loaders }) => loaders.openingHours.load(id),
  }),
);

const OpeningHoursInput = builder.inputType('OpeningHoursInput', {
  fields: (t) => ({
    weekday: t.field({ type: Weekday, required: true }),
    opens: t.string({ required: true, description: 'HH:MM, such as 09:00' }),
    closes: t.string({ required: true, description: 'HH:MM. 24:00 is the end of the day.' }),
  }),
});

const timeOfDaySchema = z
  .string()
  .regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, 'must be a time from 00:00 to 24:00 such as 09:30')
  .transform(parseClockTime);

const weekSchema = z.object({
  hours: z
    .array(
      z.object({ weekday: z.int().min(1).max(7), opens: timeOfDaySchema, closes: timeOfDaySchema }),
    )
    .max(100),
});

builder.mutationField('setOpeningHours', (t) =>
  t.field({
    type: Location,
    description:
      'Replaces the opening hours of the whole week. A location without any is always open.',
    authScopes: { access: 'spaces:write' },
    args: {
      locationId: t.arg.id({ required: true }),
      hours: t.arg({ type: [OpeningHoursInput], required: true }),
    },
    resolve: (_, args, { ctx }) =>
      setOpeningHours(
        ctx,
        args.locationId,
        parseInput(weekSchema, { hours: args.hours }).hours.map(({ weekday, opens, closes }) => ({
          weekday,
          opensMinute: opens,
          closesMinute: closes,
        })),
      ),
  }),
);

const WRITE = { access: 'spaces:write' } as const;

const Closure = builder.objectRef<ClosureValue>('Closure');
Closure.implement({
  description: 'Days on which a location is closed, including the last one',
  fields: (t) => ({
    id: t.exposeID('id'),
    location: t.expose('location', { type: Location }),
    startsOn: t.expose('startsOn', { type: 'Date' }),
    endsOn: t.expose('endsOn', { type: 'Date' }),
    reason: t.exposeString('reason', { nullable: true }),
    bookingsAffected: t.int({
      description:
        'How many pending and confirmed bookings overlap it. A closure does not cancel bookings.',
      authScopes: WRITE,
      resolve: (closure, _, { loaders }) => loaders.bookingCountByClosure.load(closure),
    }),
  }),
});

builder.objectField(Location, 'closures', (t) =>
  t.field({
    type: [Closure],
    description: 'Closures, sorted by start',
    authScopes: { access: 'spaces:read' },
    args: {
      from: t.arg({ type: 'Date', description: 'Only closures that end on or after this day' }),
    },
    resolve: ({ id }, { from }, { loaders }) => loaders.closures.load(id, from ?? null),
  }),
);

const CreateClosureInput = builder.inputType('CreateClosureInput', {
  fields: (t) => ({
    locationId: t.id({ required: true }),
    startsOn: t.field({ type: 'Date', required: true }),
    endsOn: t.field({ type: 'Date', required: true, description: 'The last day' }),
    reason: t.string(),
  }),
});

const createClosureSchema = z.object({
  locationId: z.uuid(),
  startsOn: z.string(),
  endsOn: z.string(),
  reason: boundedText(500).optional(),
});

builder.mutationField('createClosure', (t) =>
  t.field({
    type: Closure,
    authScopes: WRITE,
    args: { input: t.arg({ type: CreateClosureInput, required: true }) },
    resolve: (_, args, { ctx }) =>
      createClosure(ctx, parseInput(createClosureSchema, omitNull(args.input))),
  }),
);

builder.mutationField('deleteClosure', (t) =>
  t.field({
    type: Closure,
    description: 'Deletes a closure and returns it',
    authScopes: WRITE,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => deleteClosure(ctx, id),
  }),
);
