import { z } from 'zod';
import { parseClockTime } from '../../core/time/format.ts';
import { DAY_MINUTES, WEEK_MINUTES } from '../../core/time/time-zone.ts';
import {
  anyId,
  boundedText,
  creationFilter,
  moneyPerHourInput,
  slug,
} from '../../core/validation.ts';
import { describeChanges, toChangeShape, toCreationShape } from '../../rows/inputs.ts';
import { RESOURCE_TYPES } from './resources.ts';
import { closureRow, locationRow } from './rows.ts';
import { MAX_BUFFER_MINUTES } from './types.ts';

const locationId = anyId.meta({ description: 'The id of the location' });

export const createLocationInput = z.object(toCreationShape(locationRow));

export const updateLocationInput = z
  .object({ id: locationId, ...toChangeShape(locationRow) })
  .meta({ description: describeChanges(locationRow) });

const timeOfDay = z
  .string()
  .regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, 'must be a time from 00:00 to 24:00 such as 09:30')
  .transform(parseClockTime);

export const openingHoursInput = z
  .object({
    weekday: z.literal([1, 2, 3, 4, 5, 6, 7]).meta({ description: 'The day of the week' }),
    opens: timeOfDay.meta({ description: 'HH:MM, such as 09:00' }),
    closes: timeOfDay.meta({ description: 'HH:MM. 24:00 is the end of the day.' }),
  })
  .meta({ description: 'One opening period on a weekday, in the time zone of the location' })
  .transform(({ weekday, opens, closes }) => ({
    weekday,
    opensMinute: opens,
    closesMinute: closes,
  }))
  .meta({ description: 'One opening period on a weekday, in the time zone of the location' });

export const setOpeningHoursInput = z.object({
  locationId,
  hours: z
    .array(openingHoursInput)
    .max(100)
    .meta({ description: 'All periods of the week, in any order' }),
});

export const createClosureInput = z.object(toCreationShape(closureRow));

export const closureIdInput = z.object({
  id: anyId.meta({ description: 'The id of the closure' }),
});

export const locationFilter = creationFilter
  .extend({
    q: boundedText(200).optional().meta({ description: 'Part of the name or address' }),
  })
  .meta({ description: 'Limits a list of locations; all conditions apply together' });

export const resourceFilter = creationFilter
  .extend({
    q: boundedText(200).optional().meta({ description: 'Part of the name' }),
    locationId: z.uuid().optional().meta({ description: 'Only resources of this location' }),
    type: z
      .array(z.enum(RESOURCE_TYPES))
      .min(1)
      .max(RESOURCE_TYPES.length)
      .optional()
      .meta({ description: 'Only resources of one of these types' }),
    active: z
      .boolean()
      .optional()
      .meta({ description: 'Only resources that can be booked, or only the others' }),
    minCapacity: z
      .int()
      .min(1)
      .optional()
      .meta({ description: 'Only resources for at least this many people' }),
    amenities: z
      .array(boundedText(100))
      .max(20)
      .optional()
      .meta({ description: 'Only resources with all of these' }),
  })
  .meta({ description: 'Limits a list of resources; all conditions apply together' });

const YEAR_MINUTES = 365 * DAY_MINUTES;

const upTo = (max: number) => z.int().min(0).max(max);
const minutesUpTo = (max: number) => z.int().min(1).max(max);

const resourceFields = z.object({
  name: boundedText(200).meta({ description: 'What people see when they book' }),
  type: z.enum(RESOURCE_TYPES).meta({ description: 'Plans have benefits by type' }),
  capacity: z.int().min(1).max(1_000_000).meta({ description: 'For how many people it is' }),
  amenities: z
    .array(boundedText(100))
    .max(100)
    .meta({ description: 'Words by which people filter, such as "projector"' }),
  pricePerHour: moneyPerHourInput.meta({ description: 'The public price' }),
  minMinutes: minutesUpTo(WEEK_MINUTES).meta({ description: 'The shortest booking' }),
  maxMinutes: minutesUpTo(WEEK_MINUTES).meta({ description: 'The longest booking' }),
  gridMinutes: minutesUpTo(DAY_MINUTES).meta({
    description:
      'Bookings start at multiples of this interval, counted from midnight, and last a multiple of it. 1440 books whole days, from midnight to midnight.',
  }),
  bufferMinutes: upTo(MAX_BUFFER_MINUTES).meta({
    description:
      'Minutes that are kept free after each booking. A change applies to later bookings.',
  }),
  noticeMinutes: upTo(YEAR_MINUTES).meta({
    description: 'How many minutes in advance a booking must be made',
  }),
  daysAhead: upTo(3650).meta({ description: 'How many days in advance bookings can start' }),
  freeCancellationHours: upTo(YEAR_MINUTES / 60).meta({
    description: 'Bookings can be cancelled free of charge until this many hours before the start',
  }),
  requiresApproval: z
    .boolean()
    .meta({ description: 'Whether bookings by members need approval by staff' }),
});
const noShowMinutes = minutesUpTo(DAY_MINUTES).meta({
  description:
    'Bookings without a check-in are released this many minutes after the start. Without it, they are kept.',
});

/** Renames the fields to the names of the service. */
const toDetails = <
  T extends {
    gridMinutes?: number | undefined;
    noticeMinutes?: number | undefined;
    daysAhead?: number | undefined;
  },
>({
  gridMinutes,
  noticeMinutes,
  daysAhead,
  ...input
}: T) => ({
  ...input,
  slotIntervalMinutes: gridMinutes,
  minNoticeMinutes: noticeMinutes,
  maxAdvanceDays: daysAhead,
});

export const createResourceInput = resourceFields
  .partial()
  .extend({
    locationId: z.uuid().meta({ description: 'The location of the resource' }),
    name: resourceFields.shape.name,
    slug: slug.meta({ description: 'For URLs: lowercase letters, digits and dashes' }),
    type: resourceFields.shape.type,
    noShowMinutes: noShowMinutes.optional(),
  })
  .transform(toDetails);

export const updateResourceInput = resourceFields
  .partial()
  .extend({
    id: anyId.meta({ description: 'The id of the resource' }),
    noShowMinutes: noShowMinutes.nullish(),
    active: z.boolean().optional().meta({ description: 'Whether it can be booked' }),
  })
  .meta({ description: 'Omitted fields stay as they are; null clears noShowMinutes' })
  .transform(toDetails);
