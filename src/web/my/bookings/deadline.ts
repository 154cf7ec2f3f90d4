import { freeUntil } from '../../features/bookings/booking-words.ts';
import type { MyBooking } from './queries.ts';

/** Moving is no way around the fee; what is not approved yet costs nothing, and moves at any time. */
export const movableUntil = (booking: MyBooking): Date | null =>
  booking.status === 'PENDING' ? null : freeUntil(booking);
