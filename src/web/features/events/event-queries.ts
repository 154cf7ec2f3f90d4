import { useQuery } from '@tanstack/react-query';
import { request } from '../../api/request.ts';
import type { EventDetailsFragment, TypeOfEventFragment } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

export type EventDetails = EventDetailsFragment;
export type TicketType = TypeOfEventFragment;

graphql(`
  fragment TypeOfEvent on TicketType {
    id
    name
    description
    position
    price {
      amount
      currency
    }
    left
    perOrder
    audience
    salesStartAt
    salesEndAt
    saleState
    quantity
    sold
    active
  }
`);

graphql(`
  fragment EventDetails on Event {
    ...EventInList
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
      ...TypeOfEvent
    }
  }
`);

const ONE = graphql(`
  query EventPage($id: String!) {
    event(slug: $id) {
      ...EventDetails
    }
  }
`);

export const useEvent = (id: string) =>
  useQuery({
    queryKey: ['events', 'one', id],
    staleTime: 0, // what is sold is said from it before an event is cancelled
    queryFn: async ({ signal }) => (await request(ONE, { id }, signal)).event,
  });
