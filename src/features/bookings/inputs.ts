import { z } from 'zod';
import { DAY_MINUTES } from '../../core/time/time-zone.ts';
import {
  anyId,
  boundedText,
  calendarDate,
  emailAddress,
  ignoreNull,
  moneyInput,
  orDefault,
  personName,
  slug,
  uuid,
} from '../../core/validation.ts';
import { describeChanges, toChangeShape, toCreationShape } from '../../rows/inputs.ts';
import { RESOURCE_TYPES } from '../spaces/rows.ts';
import { BOOKING_STATUSES, bookingRow } from './rows.ts';
import { BOOKING_PAYMENT_STATUSES, MAX_BOOKING_DAYS } from './types.ts';

const bookingId = anyId.meta({ description: 'The id of the booking' });

export const bookingIdInput = z.object({ id: bookingId });

export const guestInput = z
  .strictObject({
    name: personName.meta({ description: 'The name of the guest' }),
    email: emailAddress.nullish().meta({ description: 'Gets the emails about the booking' }),
  })
  .meta({ description: 'A person without a member record' });

const { title, notes, startsAt, endsAt } = toCreationShape(bookingRow);

export const createBookingInput = z
  .object({
    resourceId: anyId.meta({ description: 'The resource to book' }),
    startsAt,
    endsAt,
    memberId: ignoreNull(anyId).meta({ description: 'The member for whom staff or a token books' }),
    guest: ignoreNull(guestInput).meta({
      description: 'The guest for whom staff or a token books',
    }),
    title,
    notes,
    override: z.boolean().optional().meta({
      description: 'Ignore overridable rules, but not conflicts. Only for staff and tokens.',
    }),
  })
  .meta({
    description: 'Either memberId or guest. Members book for themselves and omit both.',
  });

const { resourceId: _, override: __, ...bookingShape } = createBookingInput.shape;

export const bookAnyResourceInput = z
  .object({
    locationId: anyId.meta({ description: 'Where to book' }),
    type: z.enum(RESOURCE_TYPES).meta({ description: 'What to book' }),
    area: ignoreNull(boundedText(100)).meta({ description: 'Only resources in this area' }),
    capacity: ignoreNull(z.int().min(1)).meta({
      description: 'Only resources for at least this many people',
    }),
    maxPrice: ignoreNull(moneyInput).meta({
      description: 'Only resources that cost at most this, such as the price that was shown',
    }),
    ...bookingShape,
  })
  .meta({
    description: 'Either memberId or guest. Members book for themselves and omit both.',
  });

export const createBookingSeriesInput = createBookingInput
  .extend({
    override: z
      .boolean()
      .optional()
      .meta({ description: 'Ignore overridable rules. Only for staff and tokens.' }),
    rule: boundedText(1_000).meta({
      description:
        'RFC 5545 RRULE with COUNT or UNTIL, such as FREQ=WEEKLY;BYDAY=MO,TH;COUNT=10 or FREQ=MONTHLY;BYDAY=-1FR;COUNT=6, in the time zone of the location. It includes the day of startsAt.',
    }),
    exdates: z
      .array(z.date())
      .max(366)
      .optional()
      .meta({ description: 'Starts of occurrences to skip' }),
    onConflict: orDefault(z.enum(['reject', 'skip']), 'reject').meta({
      description: 'What happens if an occurrence is unavailable. Default: REJECT.',
    }),
  })
  .meta({ description: 'The first occurrence, as in CreateBookingInput, and how it repeats' });

const scope = z
  .enum(['this', 'following', 'all'])
  .default('this')
  .meta({ description: 'Which bookings of the series change' });

export const updateBookingInput = z
  .object({ id: bookingId, ...toChangeShape(bookingRow), scope })
  .meta({ description: describeChanges(bookingRow) });

export const cancelBookingInput = z.object({
  id: bookingId,
  reason: ignoreNull(boundedText(500)).meta({ description: 'Shown to the holder' }),
  scope,
  waiveFee: z.boolean().optional().meta({
    description:
      'Waive the fee for a late cancellation, and return the included hours. Only for staff and tokens.',
  }),
});

export const confirmBookingInput = z.object({ id: bookingId, scope });

export const previewRescheduleArgs = z.object({
  id: bookingId.meta({ description: 'The booking to move' }),
  resourceId: ignoreNull(anyId).meta({
    description:
      'The resource to move to, at the same location. Default: the one that is booked already',
  }),
  startsAt: startsAt.meta({ description: 'The new start' }),
  endsAt: endsAt.meta({ description: 'The new end' }),
  override: z
    .boolean()
    .optional()
    .meta({ description: 'Ignore overridable rules. Only for staff and tokens.' }),
});

export const rescheduleBookingInput = previewRescheduleArgs.extend({ scope });

export const bookingFilter = z
  .object({
    from: z.date().optional().meta({ description: 'Only bookings that end after this' }),
    to: z.date().optional().meta({ description: 'Only bookings that start before this' }),
    resourceId: uuid.optional().meta({ description: 'Only bookings of this resource' }),
    locationId: uuid.optional().meta({ description: 'Only bookings at this location' }),
    memberId: uuid.optional().meta({ description: 'Only bookings of this member' }),
    seriesId: uuid.optional().meta({ description: 'Only bookings of this series' }),
    status: z
      .array(z.enum(BOOKING_STATUSES))
      .min(1)
      .max(BOOKING_STATUSES.length)
      .optional()
      .meta({ description: 'Only bookings with one of these statuses' }),
    payment: z
      .array(z.enum(BOOKING_PAYMENT_STATUSES))
      .min(1)
      .max(BOOKING_PAYMENT_STATUSES.length)
      .optional()
      .meta({ description: 'Only bookings with one of these payment statuses' }),
    teamId: uuid.optional().meta({ description: 'Only bookings of the members of this team' }),
  })
  .meta({ description: 'Limits a list of bookings; all conditions apply together' });

const MAX_SLOT_MINUTES = MAX_BOOKING_DAYS * DAY_MINUTES;

export const publicAvailabilityArgs = z.object({
  location: slug
    .optional()
    .meta({ description: 'The slug of the location. Default: the first one, by name.' }),
  date: calendarDate.optional().meta({
    description: 'A day in the time zone of the location, up to 60 days ahead. Default: today.',
  }),
});

export const availabilityArgs = z.object({
  from: z.date().optional().meta({ description: 'Default: now' }),
  to: z.date().optional().meta({ description: 'Default: a week after from' }),
  minutes: z.int().min(1).max(MAX_SLOT_MINUTES).optional().meta({
    description: 'The length of the slots. Default: the shortest booking of each resource',
  }),
  resourceId: uuid.optional().meta({ description: 'Only this resource' }),
  resourceIds: z.array(uuid).max(100).optional().meta({ description: 'Only these resources' }),
  locationId: uuid.optional().meta({ description: 'Only resources at this location' }),
  type: z.enum(RESOURCE_TYPES).optional().meta({ description: 'Only resources of this type' }),
  area: boundedText(100).optional().meta({ description: 'Only resources in this area' }),
  capacity: z
    .int()
    .min(1)
    .optional()
    .meta({ description: 'Only resources for at least this many people' }),
  amenities: z
    .array(boundedText(100))
    .max(20)
    .optional()
    .meta({ description: 'Only resources with all of these' }),
  memberId: z
    .uuid()
    .optional()
    .meta({ description: 'Quote the prices of this member. Requires members:read.' }),
});
