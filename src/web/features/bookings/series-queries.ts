import { useQuery } from '@tanstack/react-query';
import { everyPage } from '../../api/pages.ts';
import { request } from '../../api/request.ts';
import { graphql } from '../../gql/index.ts';
import { isLive } from './booking-words.ts';
import type { Booking } from './queries.ts';

const SERIES = graphql(`
  query BookingsOfSeries($filter: BookingFilter!, $after: String) {
    bookings(first: 100, after: $after, filter: $filter) {
      edges {
        node {
          id
          status
          startsAt
        }
      }
      pageInfo {
        endCursor
        hasNextPage
      }
    }
  }
`);

/** How many bookings are meant by those that follow one, and by all to come, itself among them. */
export const useMeant = ({ id, seriesId, startsAt }: Booking) =>
  useQuery({
    queryKey: ['bookings', 'series', seriesId, id],
    enabled: seriesId !== null,
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const now = new Date().toISOString();
      const filter = { seriesId, from: startsAt < now ? startsAt : now };
      const rows = await everyPage(
        async (after) => (await request(SERIES, { filter, after }, signal)).bookings,
        signal,
      );
      const others = rows.filter((one) => isLive(one) && one.id !== id);
      return {
        FOLLOWING: 1 + others.filter((one) => one.startsAt >= startsAt).length,
        ALL: 1 + others.filter((one) => one.startsAt > now).length,
      };
    },
  });
