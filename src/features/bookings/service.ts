// What other features, jobs and both APIs can do with bookings.

export { cancelBooking, confirmBooking, updateBooking } from './commands/change-booking.ts';
export {
  checkInArrivedBookings,
  checkInBooking,
  releaseNoShows,
} from './commands/check-in-booking.ts';
export { createBooking, previewBooking } from './commands/create-booking.ts';
export { createBookingSeries, previewBookingSeries } from './commands/create-series.ts';
export { previewReschedule, rescheduleBooking } from './commands/reschedule-booking.ts';
export { findAvailability, findResourceSlots } from './queries/availability.ts';
export { getBooking, listBookings, listBookingsJson } from './queries/list-bookings.ts';
