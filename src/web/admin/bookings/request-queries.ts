import { useQuery } from '@tanstack/react-query';
import { usePagedQuery } from '../../api/paged-query.ts';
import { request } from '../../api/request.ts';
import { graphql } from '../../gql/index.ts';
import type { BookingDetails } from './queries.ts';

const BOOKING_REQUESTS_QUERY = graphql(`
  query BookingRequests($after: String, $from: DateTime!) {
    bookings(first: 50, after: $after, filter: { status: [PENDING], from: $from }) {
      edges {
        node {
          ...BookingDetails
        }
      }
      pageInfo {
        endCursor
        hasNextPage
      }
    }
  }
`);

const REQUESTS_KEY = ['bookings', 'requests'];

/** Bookings that need approval and are not over, soonest first. */
export const useBookingRequests = () =>
  usePagedQuery<BookingDetails>({
    queryKey: REQUESTS_KEY,
    load: async (after, signal) =>
      (await request(BOOKING_REQUESTS_QUERY, { after, from: new Date().toISOString() }, signal))
        .bookings,
  });

const COUNT_BOOKING_REQUESTS_QUERY = graphql(`
  query CountBookingRequests($from: DateTime!) {
    bookings(first: 1, filter: { status: [PENDING], from: $from }) {
      totalCount {
        value
        text
      }
    }
  }
`);

/** How many bookings need approval. */
export const useRequestCount = (enabled: boolean) =>
  useQuery({
    queryKey: [...REQUESTS_KEY, 'count'],
    enabled,
    refetchInterval: 60_000,
    queryFn: async ({ signal }) =>
      (await request(COUNT_BOOKING_REQUESTS_QUERY, { from: new Date().toISOString() }, signal))
        .bookings.totalCount,
  });
