import { useQuery } from '@tanstack/react-query';
import { request } from '../../api/request.ts';
import type { BookingDetailsQuery, BookingFragment } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

export type Booking = BookingFragment;
export type BookingDetails = BookingDetailsQuery['booking'];

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

const DETAILS = graphql(`
  query BookingDetails($id: ID!) {
    booking(id: $id) {
      ...Booking
      notes
      createdAt
      price {
        amount
        currency
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
    }
  }
`);

export const useBooking = (id: string) =>
  useQuery({
    queryKey: ['bookings', id],
    staleTime: 0, // what a cancellation costs is said from it
    queryFn: async ({ signal }) => (await request(DETAILS, { id }, signal)).booking,
  });
