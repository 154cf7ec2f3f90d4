import { usePagedQuery } from '../../api/paged-query.ts';
import { request } from '../../api/request.ts';
import type { RelatedPage } from '../../components/RelatedList.tsx';
import { graphql } from '../../gql/index.ts';
import type { MemberBooking } from '../bookings/queries.ts';
import type { CheckInAttempt } from '../front-desk/queries.ts';
import type { DayPassRow, TicketRow } from '../orders/AdmissionTables.tsx';
import type { OrderRow } from '../orders/queries.ts';

const PAGE_SIZE = 25;

/** Loads one of the lists of a member page by page. The key lets changes of the member refetch it. */
const useMemberList = <Row>(
  memberId: string,
  list: string,
  load: (after: string | null, signal: AbortSignal) => Promise<RelatedPage<Row>>,
) =>
  usePagedQuery<Row, RelatedPage<Row>>({
    queryKey: ['members', 'one', memberId, list],
    load,
  });

const MEMBER_BOOKINGS_QUERY = graphql(`
  query MemberBookings($id: ID!, $first: Int!, $after: String) {
    member(id: $id) {
      name
      bookings(first: $first, after: $after, orderBy: STARTS_AT_DESC) {
        edges {
          node {
            ...MemberBooking
          }
        }
        pageInfo {
          endCursor
          hasNextPage
        }
      }
    }
  }
`);

/** Latest first. */
export const useMemberBookings = (id: string) =>
  useMemberList<MemberBooking>(id, 'bookings', async (after, signal) => {
    const variables = { id, first: PAGE_SIZE, after };
    const { member } = await request(MEMBER_BOOKINGS_QUERY, variables, signal);
    return { ...member.bookings, ownerName: member.name };
  });

const MEMBER_ORDERS_QUERY = graphql(`
  query MemberOrders($id: ID!, $first: Int!, $after: String) {
    member(id: $id) {
      name
      orders(first: $first, after: $after) {
        edges {
          node {
            ...OrderInList
          }
        }
        pageInfo {
          endCursor
          hasNextPage
        }
      }
    }
  }
`);

export const useMemberOrders = (id: string) =>
  useMemberList<OrderRow>(id, 'orders', async (after, signal) => {
    const variables = { id, first: PAGE_SIZE, after };
    const { member } = await request(MEMBER_ORDERS_QUERY, variables, signal);
    return { ...member.orders, ownerName: member.name };
  });

const MEMBER_TICKETS_QUERY = graphql(`
  query MemberTickets($id: ID!, $first: Int!, $after: String, $canReadCheckIns: Boolean!) {
    member(id: $id) {
      name
      tickets(first: $first, after: $after) {
        edges {
          node {
            ...TicketInList
          }
        }
        pageInfo {
          endCursor
          hasNextPage
        }
      }
    }
  }
`);

export const useMemberTickets = (id: string, canReadCheckIns: boolean) =>
  useMemberList<TicketRow>(id, 'tickets', async (after, signal) => {
    const variables = { id, first: PAGE_SIZE, after, canReadCheckIns };
    const { member } = await request(MEMBER_TICKETS_QUERY, variables, signal);
    return { ...member.tickets, ownerName: member.name };
  });

const MEMBER_DAY_PASSES_QUERY = graphql(`
  query MemberDayPasses($id: ID!, $first: Int!, $after: String) {
    member(id: $id) {
      name
      dayPasses(first: $first, after: $after) {
        edges {
          node {
            ...DayPassInList
          }
        }
        pageInfo {
          endCursor
          hasNextPage
        }
      }
    }
  }
`);

export const useMemberDayPasses = (id: string) =>
  useMemberList<DayPassRow>(id, 'day-passes', async (after, signal) => {
    const variables = { id, first: PAGE_SIZE, after };
    const { member } = await request(MEMBER_DAY_PASSES_QUERY, variables, signal);
    return { ...member.dayPasses, ownerName: member.name };
  });

const MEMBER_CHECK_INS_QUERY = graphql(`
  query MemberCheckIns($id: ID!, $first: Int!, $after: String) {
    member(id: $id) {
      name
      checkIns(first: $first, after: $after) {
        edges {
          node {
            ...Attempt
          }
        }
        pageInfo {
          endCursor
          hasNextPage
        }
      }
    }
  }
`);

export const useMemberCheckIns = (id: string) =>
  useMemberList<CheckInAttempt>(id, 'check-ins', async (after, signal) => {
    const variables = { id, first: PAGE_SIZE, after };
    const { member } = await request(MEMBER_CHECK_INS_QUERY, variables, signal);
    return { ...member.checkIns, ownerName: member.name };
  });
