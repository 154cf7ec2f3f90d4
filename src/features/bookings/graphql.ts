import './graphql/booking.ts';
import './graphql/change-booking.ts';
import './graphql/create-series.ts';
import './graphql/queries.ts';
import './graphql/resource-availability.ts';

export { Booking } from './graphql/booking.ts';
