import { type Connection, fetchRemainingPages, usePagedQuery } from '../../api/paged-query.ts';
import { request } from '../../api/request.ts';
import type { MemberStatus, MyBookingFragment } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';
import { requireMember } from '../membership/current-member.ts';

export type MyBooking = MyBookingFragment;

graphql(`
  fragment MyBooking on Booking {
    ...BookingDetails
    location {
      address
    }
  }
`);

const MY_BOOKINGS_QUERY = graphql(`
  query MyBookings($now: DateTime!, $after: String, $isFirstPage: Boolean!) {
    me {
      status
    }
    past: bookings(first: 20, after: $after, filter: { to: $now }, orderBy: STARTS_AT_DESC) {
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
    upcoming: bookings(first: 50, filter: { from: $now }) @include(if: $isFirstPage) {
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

const MY_UPCOMING_BOOKINGS_QUERY = graphql(`
  query MyUpcomingBookings($now: DateTime!, $after: String) {
    bookings(first: 50, after: $after, filter: { from: $now }) {
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

interface PastBookingsPage extends Connection<MyBooking> {
  status: MemberStatus;
  /** Bookings that end after the given instant, including cancelled ones, soonest first. Only the first page has them. */
  upcoming: MyBooking[];
}

/** Loads bookings that started before an instant page by page, latest first, and first of all the upcoming ones. */
export const useMyBookings = (now: string) =>
  usePagedQuery<MyBooking, PastBookingsPage>({
    queryKey: ['bookings', 'mine', now],
    load: async (after, signal) => {
      const variables = { now, after, isFirstPage: after === null };
      const { me, past, upcoming } = await request(MY_BOOKINGS_QUERY, variables, signal);
      return {
        ...past,
        status: requireMember(me).status,
        upcoming: upcoming ? await fetchRemainingUpcoming(now, upcoming, signal) : [],
      };
    },
  });

const fetchRemainingUpcoming = (now: string, first: Connection<MyBooking>, signal: AbortSignal) =>
  fetchRemainingPages<MyBooking>(
    first,
    async (after) => (await request(MY_UPCOMING_BOOKINGS_QUERY, { now, after }, signal)).bookings,
    signal,
  );
