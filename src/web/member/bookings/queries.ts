import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { toFreeCancellationDeadline } from '../../admin/bookings/booking-labels.ts';
import { fetchAllPages } from '../../api/paged-query.ts';
import { request } from '../../api/request.ts';
import type { BookingFilter, MyBookingFragment } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

export type MyBooking = MyBookingFragment;

graphql(`
  fragment MyBooking on Booking {
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
    location {
      address
    }
  }
`);

const MY_BOOKINGS_QUERY = graphql(`
  query MyBookings($filter: BookingFilter!, $after: String) {
    bookings(first: 50, after: $after, filter: $filter) {
      edges {
        node {
          ...MyBooking
        }
      }
      pageInfo {
        endCursor
        hasNextPage
      }
    }
  }
`);

const fetchAllBookings = (filter: BookingFilter, signal: AbortSignal) =>
  fetchAllPages<MyBooking>(
    async (after) => (await request(MY_BOOKINGS_QUERY, { filter, after }, signal)).bookings,
    signal,
  );

/** Loads bookings that end after an instant, including cancelled ones, soonest first. */
export const useMyUpcomingBookings = (from: string) =>
  useQuery({
    queryKey: ['bookings', 'mine', 'from', from],
    queryFn: ({ signal }) => fetchAllBookings({ from }, signal),
  });

const HISTORY_WINDOW_MS = 90 * 86_400_000;

/** Loads past bookings, latest first. The API lists forwards in time, so each page covers 90 days. */
export function useMyPastBookings(until: string, since: string | undefined) {
  const oldest = new Date(since ?? until).getTime();
  return useInfiniteQuery({
    queryKey: ['bookings', 'mine', 'until', until],
    enabled: since !== undefined,
    queryFn: async ({ pageParam: to, signal }) => {
      const from = new Date(new Date(to).getTime() - HISTORY_WINDOW_MS).toISOString();
      const rows = await fetchAllBookings({ from, to }, signal);
      // A booking that spans two windows belongs to the one in which it starts.
      return { from, rows: rows.filter(({ startsAt }) => startsAt >= from).toReversed() };
    },
    initialPageParam: until,
    getNextPageParam: ({ from }) => (new Date(from).getTime() > oldest ? from : null),
  });
}

/** Rescheduling ends with free cancellation, so that it cannot avoid the fee. Null if the booking is not approved yet. */
export const findRescheduleDeadline = (booking: MyBooking): Date | null =>
  booking.status === 'PENDING' ? null : toFreeCancellationDeadline(booking);
