import { z } from 'zod';
import { parseInput } from '../../../core/validation.ts';
import { builder } from '../../../graphql/builder.ts';
import { bookingNotesSchema, bookingTitleSchema, cancelReasonSchema } from '../booking-input.ts';
import { cancelBooking, confirmBooking, updateBooking } from '../commands/change-booking.ts';
import { checkInBooking } from '../commands/check-in-booking.ts';
import { previewReschedule, rescheduleBooking } from '../commands/reschedule-booking.ts';
import { Booking, BookingPreview } from './booking.ts';

const WRITE = { access: 'bookings:write' } as const;

const SeriesScope = builder.enumType('SeriesScope', {
  description: 'Which bookings of a series to change',
  values: {
    THIS: { value: 'this' },
    FOLLOWING: { value: 'following', description: 'This one and the following ones' },
    ALL: { value: 'all', description: 'This one and all future ones' },
  } as const,
});

const cancelInput = z.object({ reason: cancelReasonSchema.optional() });

builder.mutationField('cancelBooking', (t) =>
  t.field({
    type: Booking,
    description: 'Cancels a booking and frees its slot. Returns the named booking.',
    authScopes: WRITE,
    args: {
      id: t.arg.id({ required: true }),
      reason: t.arg.string(),
      scope: t.arg({ type: SeriesScope, defaultValue: 'this' }),
      waiveFee: t.arg.boolean({
        description: 'Do not charge the fee of a late cancellation. Staff only.',
      }),
    },
    resolve: (_, { id, scope, waiveFee, ...args }, { ctx }) =>
      cancelBooking(ctx, id, {
        ...parseInput(cancelInput, { reason: args.reason ?? undefined }),
        scope: scope ?? undefined,
        waiveFee: waiveFee ?? undefined,
      }),
  }),
);

builder.mutationField('rescheduleBooking', (t) =>
  t.field({
    type: Booking,
    description:
      'Moves a booking in one step. If the new slot is unavailable, the booking keeps the old one.',
    authScopes: WRITE,
    args: {
      id: t.arg.id({ required: true }),
      startsAt: t.arg({ type: 'DateTime', required: true }),
      endsAt: t.arg({ type: 'DateTime', required: true }),
      scope: t.arg({ type: SeriesScope, defaultValue: 'this' }),
      override: t.arg.boolean({ description: 'Ignore overridable rules. Staff only.' }),
    },
    resolve: (_, { id, startsAt, endsAt, scope, override }, { ctx }) =>
      rescheduleBooking(ctx, id, {
        startsAt,
        endsAt,
        scope: scope ?? undefined,
        override: override ?? undefined,
      }),
  }),
);

builder.queryField('previewReschedule', (t) =>
  t.field({
    type: BookingPreview,
    description: 'Shows what rescheduleBooking would do with this booking, without moving it',
    authScopes: WRITE,
    args: {
      id: t.arg.id({ required: true }),
      startsAt: t.arg({ type: 'DateTime', required: true }),
      endsAt: t.arg({ type: 'DateTime', required: true }),
      override: t.arg.boolean(),
    },
    resolve: (_, { id, startsAt, endsAt, override }, { ctx }) =>
      previewReschedule(ctx, id, { startsAt, endsAt, override: override ?? undefined }),
  }),
);

const UpdateBookingInput = builder.inputType('UpdateBookingInput', {
  description: 'Omitted fields stay as they are; null clears a field',
  fields: (t) => ({ title: t.string(), notes: t.string() }),
});

const updateInput = z.object({
  title: bookingTitleSchema.nullish(),
  notes: bookingNotesSchema.nullish(),
});

builder.mutationField('updateBooking', (t) =>
  t.field({
    type: Booking,
    authScopes: WRITE,
    args: {
      id: t.arg.id({ required: true }),
      input: t.arg({ type: UpdateBookingInput, required: true }),
      scope: t.arg({ type: SeriesScope, defaultValue: 'this' }),
    },
    resolve: (_, { id, input, scope }, { ctx }) =>
      updateBooking(ctx, id, parseInput(updateInput, input), scope ?? undefined),
  }),
);

builder.mutationField('confirmBooking', (t) =>
  t.field({
    type: Booking,
    description: 'Approves a pending booking',
    authScopes: WRITE,
    args: {
      id: t.arg.id({ required: true }),
      scope: t.arg({ type: SeriesScope, defaultValue: 'this' }),
    },
    resolve: (_, { id, scope }, { ctx }) => confirmBooking(ctx, id, scope ?? undefined),
  }),
);

builder.mutationField('checkInBooking', (t) =>
  t.field({
    type: Booking,
    description: 'Checks in the holder, so that the booking is not released as a no-show',
    authScopes: { access: 'check-ins:write' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => checkInBooking(ctx, id),
  }),
);
