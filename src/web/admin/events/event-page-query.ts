import { useQuery } from '@tanstack/react-query';
import { request } from '../../api/request.ts';
import { can, useStaffViewer } from '../../app/session/viewer.ts';
import type { EventPageQuery } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';
import { fetchRemainingDiscountCodes } from '../discounts/queries.ts';

graphql(`
  fragment EventDetails on Event {
    ...EventInList
    updatedAt
    allowedActions {
      update
      publish
      cancel
      delete
      createTicketType
    }
    slug
    summary
    description
    tags
    refundHours
    orderLimits {
      maxSeatsPerEmail
      maxSeatsPerAddress
      maxSeatsPerNetwork
      limitWindowHours
      confirmFreeOrders
      unpaidHold
      unpaidHoldAmount
    }
    publishedAt
    cancelledAt
    cancelReason
    location {
      id
    }
    resource {
      id
      name
    }
    ticketTypes {
      ...TicketType
      tickets(first: 1, filter: { status: [VALID] }) @include(if: $canReadOrders) {
        totalCount {
          text
        }
      }
    }
  }
`);

const EVENT_PAGE_QUERY = graphql(`
  query EventPage($id: ID!, $slug: String!, $canReadOrders: Boolean!, $canReadCheckIns: Boolean!) {
    event(slug: $slug) {
      ...EventDetails
      orders(first: 10) @include(if: $canReadOrders) {
        nodes {
          ...OrderInList
        }
        totalCount {
          value
          text
        }
      }
      tickets(first: 5) @include(if: $canReadOrders) {
        nodes {
          ...TicketInList
        }
        totalCount {
          value
          text
        }
      }
      waitlist(first: 10) @include(if: $canReadOrders) {
        nodes {
          ...WaitlistEntry
        }
        totalCount {
          value
          text
        }
      }
      discountCodes(first: 50) @include(if: $canReadOrders) {
        ...DiscountCodePage
      }
      checkIns(first: 5, filter: { result: [ADMITTED] }) @include(if: $canReadCheckIns) {
        nodes {
          ...Attempt
        }
        totalCount {
          value
          text
        }
      }
    }
    suspiciousHolds(eventId: $id) @include(if: $canReadOrders) {
      ...SuspiciousHold
    }
  }
`);

export type EventDetails = EventPageQuery['event'];

const REFRESH_INTERVAL_MS = 60_000;

/** Loads an event with what the viewer can see of its orders and check-ins. */
export function useEvent(id: string) {
  const viewer = useStaffViewer();
  return useQuery({
    queryKey: ['events', 'one', id],
    staleTime: 0, // the dialog that cancels the event shows how many tickets are sold
    refetchInterval: REFRESH_INTERVAL_MS,
    queryFn: async ({ signal }) => {
      const variables = {
        id,
        slug: id,
        canReadOrders: can(viewer, 'orders:read'),
        canReadCheckIns: can(viewer, 'check-ins:read'),
      };
      const { event, suspiciousHolds } = await request(EVENT_PAGE_QUERY, variables, signal);
      const discountCodes =
        event.discountCodes && (await fetchRemainingDiscountCodes(id, event.discountCodes, signal));
      return { event, suspiciousHolds, discountCodes };
    },
  });
}
