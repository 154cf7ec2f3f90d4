// The functions of bookings that other features and jobs use. The APIs of bookings import the commands and queries directly.
export { cancelBooking } from './commands/change-booking.ts';
export { checkInArrivedBookings, releaseNoShows } from './commands/check-in-booking.ts';
export { findBookingActions } from './queries/allowed-actions.ts';
export {
  type Availability,
  type AvailabilityRequest,
  createAvailabilityReader,
} from './queries/availability.ts';
export { bookingList } from './queries/list-bookings.ts';
