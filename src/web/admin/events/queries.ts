import { useQuery } from '@tanstack/react-query';
import { type Connection, fetchAllPages, usePagedQuery } from '../../api/paged-query.ts';
import { request } from '../../api/request.ts';
import type {
  EventDetailsFragment,
  EventFilter,
  EventInListFragment,
  TypeOfEventFragment,
} from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

const EVENTS_PAGE_SIZE = 50;
const YEAR_MS = 365 * 24 * 3_600_000;
const EARLIEST_INSTANT = '2000-01-01T00:00:00Z';
const DRAFT_FILTER = { status: 'DRAFT', from: EARLIEST_INSTANT } as const;

export type EventRow = EventInListFragment;
export type EventView = 'upcoming' | 'past' | 'drafts';
export interface EventSearch {
  view: EventView;
  q: string | null;
  locationId: string | null;
}

graphql(`
  fragment EventInList on Event {
    id
    title
    status
    visibility
    startsAt
    endsAt
    timeZone
    taken
    capacity
    location {
      name
    }
  }
`);

const EVENT_LIST_QUERY = graphql(`
  query EventList($first: Int!, $after: String, $filter: EventFilter) {
    events(first: $first, after: $after, filter: $filter) {
      edges {
        node {
          ...EventInList
        }
      }
      pageInfo {
        endCursor
        hasNextPage
      }
    }
  }
`);

/** Upcoming events and drafts come soonest first, past events latest first. */
export const useEvents = ({ view, ...search }: EventSearch) =>
  usePagedQuery<EventRow>({
    queryKey: ['events', 'list', view, search],
    load: async (after, signal) => {
      if (view === 'past') return fetchPastYear(search, after, signal);
      const filter = view === 'drafts' ? { ...search, ...DRAFT_FILTER } : search;
      return fetchEventPage({ first: EVENTS_PAGE_SIZE, after, filter }, signal);
    },
  });

type EventPageRequest = { first: number; after: string | null; filter: EventFilter };
const fetchEventPage = async (variables: EventPageRequest, signal: AbortSignal) =>
  (await request(EVENT_LIST_QUERY, variables, signal)).events;

/**
 * The service sorts by the beginning, and what is over is looked for from its end: so it is read by the year. The
 * position in the list is the instant before which one goes on.
 */
async function fetchPastYear(
  search: Omit<EventSearch, 'view'>,
  before: string | null,
  signal: AbortSignal,
): Promise<Connection<EventRow>> {
  const to = before ?? new Date().toISOString();
  const from = new Date(new Date(to).getTime() - YEAR_MS).toISOString();
  const filter = { ...search, from, to };
  const rows = await fetchAllPages<EventRow>(
    (after) => fetchEventPage({ first: 100, after, filter }, signal),
    signal,
  );
  const startedThatYear = rows.filter(({ startsAt, endsAt }) =>
    // An event that started before this year belongs to the page of the year before.
    before === null ? startsAt >= from && endsAt <= to : startsAt >= from,
  );
  const older = { ...search, from: EARLIEST_INSTANT, to: from };
  const { edges } = await fetchEventPage({ first: 1, after: null, filter: older }, signal);
  const hasNextPage = edges.length > 0;
  if (startedThatYear.length === 0 && hasNextPage) return fetchPastYear(search, from, signal);
  return {
    edges: startedThatYear.reverse().map((node) => ({ node })),
    pageInfo: { endCursor: from, hasNextPage },
  };
}

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

const EVENT_PAGE_QUERY = graphql(`
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
    queryFn: async ({ signal }) => (await request(EVENT_PAGE_QUERY, { id }, signal)).event,
  });
