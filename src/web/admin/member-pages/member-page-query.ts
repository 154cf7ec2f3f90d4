import { useQuery } from '@tanstack/react-query';
import { request } from '../../api/request.ts';
import { can, useStaffViewer } from '../../app/session/viewer.ts';
import type { MemberPageOrdersQuery, MemberPageQuery } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

export type MemberDetails = MemberPageQuery['member'] & Partial<MemberPageOrdersQuery['member']>;

const MEMBER_PAGE_QUERY = graphql(`
  query MemberPage(
    $id: ID!
    $now: DateTime!
    $canReadBookings: Boolean!
    $canReadCheckIns: Boolean!
  ) {
    member(id: $id) {
      ...Member
      code
      createdAt
      emailConfirmed
      allowedActions {
        update
        resendConfirmation
        approveEmailChange
        endSessions
        cancelEmailChange
        sendSignInLink
      }
      emailChange {
        email
        confirmedAt
        approvedAt
        expiresAt
      }
      memberships(first: 20) {
        nodes {
          ...Membership
        }
      }
      currentMembership {
        team {
          name
        }
        plan {
          name
        }
      }
      upcomingBookings: bookings(first: 5, filter: { from: $now, status: [CONFIRMED, PENDING] })
        @include(if: $canReadBookings) {
        nodes {
          ...MemberBooking
        }
        totalCount {
          value
          text
        }
      }
      startedBookings: bookings(first: 5, filter: { to: $now }, orderBy: STARTS_AT_DESC)
        @include(if: $canReadBookings) {
        nodes {
          ...MemberBooking
        }
        totalCount {
          value
          text
        }
      }
      calendarFeeds(first: 50, filter: { active: true }) @include(if: $canReadBookings) {
        nodes {
          ...CalendarFeed
        }
      }
      checkIns(first: 5) @include(if: $canReadCheckIns) {
        nodes {
          ...Attempt
        }
        totalCount {
          value
          text
        }
      }
    }
  }
`);

/** A request of its own, since one has a limited number of fields. */
const MEMBER_PAGE_ORDERS_QUERY = graphql(`
  query MemberPageOrders($id: ID!, $canReadCheckIns: Boolean!) {
    member(id: $id) {
      id
      orders(first: 5) {
        nodes {
          ...OrderInList
        }
        totalCount {
          value
          text
        }
      }
      tickets(first: 5) {
        nodes {
          ...TicketInList
        }
        totalCount {
          value
          text
        }
      }
      dayPasses(first: 5) {
        nodes {
          ...DayPassInList
        }
        totalCount {
          value
          text
        }
      }
    }
  }
`);

/** Loads a member with what the viewer can see of their bookings, orders and check-ins. */
export function useMember(id: string) {
  const viewer = useStaffViewer();
  return useQuery({
    queryKey: ['members', 'one', id],
    staleTime: 0, // other pages change bookings and orders
    queryFn: async ({ signal }) => {
      const canReadCheckIns = can(viewer, 'check-ins:read');
      const variables = {
        id,
        now: new Date().toISOString(),
        canReadBookings: can(viewer, 'bookings:read'),
        canReadCheckIns,
      };
      const [page, sales] = await Promise.all([
        request(MEMBER_PAGE_QUERY, variables, signal),
        can(viewer, 'orders:read')
          ? request(MEMBER_PAGE_ORDERS_QUERY, { id, canReadCheckIns }, signal)
          : null,
      ]);
      return { ...page.member, ...sales?.member };
    },
  });
}
