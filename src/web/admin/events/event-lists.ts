import { usePagedQuery } from '../../api/paged-query.ts';
import { request } from '../../api/request.ts';
import type { RelatedPage } from '../../components/RelatedList.tsx';
import { graphql } from '../../gql/index.ts';
import type { CheckInAttempt } from '../front-desk/queries.ts';
import type { TicketRow } from '../orders/AdmissionTables.tsx';
import type { OrderRow } from '../orders/queries.ts';
import type { WaitlistEntry } from './Waitlist.tsx';

const PAGE_SIZE = 25;

/** Loads one of the lists of an event page by page. The key lets changes of the event refetch it. */
const useEventList = <Row>(
  eventId: string,
  list: string,
  load: (after: string | null, signal: AbortSignal) => Promise<RelatedPage<Row>>,
) =>
  usePagedQuery<Row, RelatedPage<Row>>({
    queryKey: ['events', 'one', eventId, list],
    load,
  });

const EVENT_ORDERS_QUERY = graphql(`
  query EventOrders($id: String!, $first: Int!, $after: String) {
    event(slug: $id) {
      title
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

export const useEventOrders = (id: string) =>
  useEventList<OrderRow>(id, 'orders', async (after, signal) => {
    const variables = { id, first: PAGE_SIZE, after };
    const { event } = await request(EVENT_ORDERS_QUERY, variables, signal);
    return { ...event.orders, ownerName: event.title };
  });

const EVENT_TICKETS_QUERY = graphql(`
  query EventTickets($id: String!, $first: Int!, $after: String, $canReadCheckIns: Boolean!) {
    event(slug: $id) {
      title
      tickets(first: $first, after: $after, orderBy: ATTENDEE_NAME_ASC) {
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

/** Sorted by the names of the attendees. */
export const useEventTickets = (id: string, canReadCheckIns: boolean) =>
  useEventList<TicketRow>(id, 'tickets', async (after, signal) => {
    const variables = { id, first: PAGE_SIZE, after, canReadCheckIns };
    const { event } = await request(EVENT_TICKETS_QUERY, variables, signal);
    return { ...event.tickets, ownerName: event.title };
  });

const EVENT_CHECK_INS_QUERY = graphql(`
  query EventCheckIns($id: String!, $first: Int!, $after: String) {
    event(slug: $id) {
      title
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

export const useEventCheckIns = (id: string) =>
  useEventList<CheckInAttempt>(id, 'check-ins', async (after, signal) => {
    const variables = { id, first: PAGE_SIZE, after };
    const { event } = await request(EVENT_CHECK_INS_QUERY, variables, signal);
    return { ...event.checkIns, ownerName: event.title };
  });

const EVENT_WAITLIST_QUERY = graphql(`
  query EventWaitlist($id: String!, $first: Int!, $after: String) {
    event(slug: $id) {
      title
      waitlist(first: $first, after: $after) {
        edges {
          node {
            ...WaitlistEntry
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

export const useEventWaitlist = (id: string) =>
  useEventList<WaitlistEntry>(id, 'waitlist', async (after, signal) => {
    const variables = { id, first: PAGE_SIZE, after };
    const { event } = await request(EVENT_WAITLIST_QUERY, variables, signal);
    return { ...event.waitlist, ownerName: event.title };
  });
