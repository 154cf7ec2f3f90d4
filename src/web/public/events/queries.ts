import { useQuery } from '@tanstack/react-query';
import { usePagedQuery } from '../../api/paged-query.ts';
import { request } from '../../api/request.ts';
import type {
  ListedEventFragment,
  OfferedEventFragment,
  PublicEventQuery,
} from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

export type ListedEvent = ListedEventFragment;
export type OfferedEvent = OfferedEventFragment & { isPaidOnSite: boolean };
export type PublicTicketType = OfferedEvent['ticketTypes'][number];

graphql(`
  fragment ListedEvent on Event {
    id
    slug
    title
    summary
    visibility
    startsAt
    endsAt
    timeZone
    tags
    location {
      name
    }
    ticketTypes {
      id
      left
      saleState
      audience
      price {
        amount
        currency
      }
    }
  }
`);

export const PUBLIC_EVENTS_QUERY = graphql(`
  query PublicEvents($filter: EventFilter!, $after: String) {
    events(first: 20, after: $after, filter: $filter) {
      edges {
        node {
          ...ListedEvent
        }
      }
      pageInfo {
        endCursor
        hasNextPage
      }
    }
  }
`);

interface EventSearch {
  q: string;
  tag: string;
}

export const getPublicEventsKey = (search: EventSearch) => ['public-events', search];

export const toPublicEventsFilter = ({ q, tag }: EventSearch) => ({
  status: ['PUBLISHED' as const],
  ...(q && { q }),
  ...(tag && { tag }),
});

/** Loads published events that have not ended, soonest first. Members also see events for members only. */
export const usePublicEvents = (search: EventSearch) =>
  usePagedQuery<ListedEvent>({
    queryKey: getPublicEventsKey(search),
    load: async (after, signal) => {
      const variables = { filter: toPublicEventsFilter(search), after };
      return (await request(PUBLIC_EVENTS_QUERY, variables, signal)).events;
    },
  });

graphql(`
  fragment OfferedEvent on Event {
    id
    slug
    title
    summary
    description
    status
    cancelReason
    visibility
    startsAt
    endsAt
    timeZone
    tags
    refundHours
    resource {
      name
    }
    location {
      name
      address
    }
    ticketTypes {
      id
      name
      description
      left
      maxPerOrder
      saleState
      salesStartAt
      salesEndAt
      audience
      price {
        amount
        currency
      }
    }
  }
`);

export const PUBLIC_EVENT_QUERY = graphql(`
  query PublicEvent($slug: String!) {
    event(slug: $slug) {
      ...OfferedEvent
    }
    paymentProvider
  }
`);

const JOIN_WAITLIST_MUTATION = graphql(`
  mutation JoinWaitlist($input: JoinWaitlistInput!) {
    joinWaitlist(input: $input) {
      ticketTypeId
      quantity
    }
  }
`);

export const getPublicEventKey = (slug: string) => ['public-event', slug];

export const usePublicEvent = (slug: string) =>
  useQuery({
    queryKey: getPublicEventKey(slug),
    queryFn: async ({ signal }) =>
      toOfferedEvent(await request(PUBLIC_EVENT_QUERY, { slug }, signal)),
  });

export const toOfferedEvent = ({ event, paymentProvider }: PublicEventQuery): OfferedEvent => ({
  ...event,
  isPaidOnSite: paymentProvider === 'ON_SITE',
});

export const joinWaitlist = (input: {
  ticketTypeId: string;
  name: string;
  email: string;
  quantity: number;
  acceptsFewer: boolean;
}) => request(JOIN_WAITLIST_MUTATION, { input });
