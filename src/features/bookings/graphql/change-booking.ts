import { builder, withArgs } from '../../../graphql/builder.ts';
import { addMutation } from '../../../graphql/mutation.ts';
import {
  bookingIdInput,
  cancelBookingInput,
  confirmBookingInput,
  previewRescheduleArgs,
  rescheduleBookingInput,
  updateBookingInput,
} from '../inputs.ts';
import { cancelBooking, confirmBooking, updateBooking } from '../service/change-booking.ts';
import { checkInBooking } from '../service/check-in-booking.ts';
import { previewReschedule, rescheduleBooking } from '../service/reschedule-booking.ts';
import { Booking, BookingPreview } from './booking.ts';

const WRITE = { access: 'bookings:write' } as const;

builder.enumType('SeriesScope', {
  description: 'The bookings of a series that a change applies to',
  values: {
    THIS: { value: 'this', description: 'Only this one' },
    FOLLOWING: { value: 'following', description: 'This one and the following ones' },
    ALL: { value: 'all', description: 'This one and all future ones' },
  } as const,
});

addMutation('cancelBooking', {
  description: 'Cancels a booking and frees its slot',
  access: 'bookings:write',
  input: cancelBookingInput,
  payload: {
    booking: {
      type: Booking,
      description: 'The named booking, even if others of its series were cancelled too',
    },
  },
  resolve: async ({ id, ...options }, { ctx }) => ({
    booking: await cancelBooking(ctx, id, options),
  }),
});

addMutation('rescheduleBooking', {
  description:
    'Moves a booking to other times, to another resource of its location, or both, in one step. If the new slot is unavailable, the booking keeps the old one.',
  access: 'bookings:write',
  input: rescheduleBookingInput,
  takesVersion: true,
  payload: {
    booking: {
      type: Booking,
      description: 'The named booking, even if others of its series moved too',
    },
  },
  resolve: async ({ id, ...change }, { ctx }) => ({
    booking: await rescheduleBooking(ctx, id, change),
  }),
});

builder.queryField('previewReschedule', (t) =>
  t.field({
    type: BookingPreview,
    description: 'Shows what rescheduleBooking would do with this booking, without moving it',
    authScopes: WRITE,
    ...withArgs(previewRescheduleArgs, ({ id, ...change }, { ctx }) =>
      previewReschedule(ctx, id, change),
    ),
  }),
);

addMutation('updateBooking', {
  description: 'Changes the title or the notes of a booking',
  access: 'bookings:write',
  input: updateBookingInput,
  takesVersion: true,
  payload: {
    booking: {
      type: Booking,
      description: 'The named booking, even if others of its series changed too',
    },
  },
  resolve: async ({ id, scope, ...change }, { ctx }) => ({
    booking: await updateBooking(ctx, id, change, scope),
  }),
});

addMutation('confirmBooking', {
  description: 'Approves a pending booking',
  access: 'bookings:write',
  input: confirmBookingInput,
  payload: {
    booking: {
      type: Booking,
      description: 'The named booking, even if others of its series were approved too',
    },
  },
  resolve: async ({ id, scope }, { ctx }) => ({ booking: await confirmBooking(ctx, id, scope) }),
});

addMutation('checkInBooking', {
  description: 'Checks in the holder, so that the booking is not released as a no-show',
  access: 'check-ins:write',
  input: bookingIdInput,
  payload: { booking: { type: Booking, description: 'The booking after the check-in' } },
  resolve: async ({ id }, { ctx }) => ({ booking: await checkInBooking(ctx, id) }),
});
