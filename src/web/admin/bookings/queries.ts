import { useQuery } from '@tanstack/react-query';
import { request } from '../../api/request.ts';
import type {
  BookingDetailsFragment,
  BookingFragment,
  MemberBookingFragment,
} from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

export type Booking = BookingFragment;
export type MemberBooking = MemberBookingFragment;
export type BookingDetails = BookingDetailsFragment;

/** The fields of a booking in the lists of its member. */
graphql(`
  fragment MemberBooking on Booking {
    id
    status
    title
    startsAt
    endsAt
    checkedInAt
    resource {
      id
      name
    }
    location {
      id
      name
      timeZone
    }
  }
`);

graphql(`
  fragment Booking on Booking {
    id
    status
    title
    startsAt
    endsAt
    seriesId
    checkedInAt
    resource {
      id
      name
    }
    location {
      id
      name
      timeZone
    }
    member {
      id
      name
    }
    guest {
      name
      email
    }
  }
`);

graphql(`
  fragment BookingDetails on Booking {
    ...Booking
    updatedAt
    notes
    createdAt
    price {
      amount
      currency
    }
    payment {
      ...BookingPaid
    }
    paymentActions {
      markPaid
      markUnpaid
      returnSurplus
    }
    cancellation {
      cancelledAt
      reason
      fee {
        amount
        currency
      }
    }
    resource {
      freeCancellationHours
    }
    allowedActions {
      confirm
      checkIn
      update
      reschedule
      cancel
      freeCancellationUntil
    }
  }
`);

const BOOKING_DETAILS_QUERY = graphql(`
  query BookingDetails($id: ID!) {
    booking(id: $id) {
      ...BookingDetails
    }
  }
`);

export const useBooking = (id: string) =>
  useQuery({
    queryKey: ['bookings', id],
    staleTime: 0, // the dialog shows the cancellation fee
    refetchInterval: 30_000, // what staff can do with it depends on the time
    queryFn: async ({ signal }) => (await request(BOOKING_DETAILS_QUERY, { id }, signal)).booking,
  });
