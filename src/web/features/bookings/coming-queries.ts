import { useQuery } from '@tanstack/react-query';
import { request } from '../../api/request.ts';
import { graphql } from '../../gql/index.ts';

const COMING = graphql(`
  query ComingBookings($filter: BookingFilter!) {
    bookings(first: 50, filter: $filter) {
      edges {
        node {
          ...Booking
        }
      }
      pageInfo {
        hasNextPage
      }
    }
  }
`);

/** The next bookings of a member that are still meant to happen. */
export const useComingBookings = (memberId: string, from: string) =>
  useQuery({
    queryKey: ['bookings', 'coming', memberId, from],
    queryFn: async ({ signal }) => {
      const { bookings } = await request(COMING, { filter: { memberId, from } }, signal);
      const rows = bookings.edges
        .map(({ node }) => node)
        .filter(({ status }) => status === 'CONFIRMED' || status === 'PENDING');
      return { rows, isMore: bookings.pageInfo.hasNextPage };
    },
  });
