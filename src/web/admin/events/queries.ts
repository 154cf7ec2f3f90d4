import { type Connection, usePagedQuery } from '../../api/paged-query.ts';
import { request } from '../../api/request.ts';
import type { EventFilter, EventInListFragment, TicketTypeFragment } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';
import { fetchRemainingLocations, type LocationChoice } from '../spaces/location-queries.ts';

const EVENTS_PAGE_SIZE = 50;
const EARLIEST_INSTANT = '2000-01-01T00:00:00Z';

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
    reservedCount
    capacity
    location {
      name
    }
  }
`);

const EVENT_LIST_QUERY = graphql(`
  query EventList(
    $first: Int!
    $after: String
    $filter: EventFilter
    $orderBy: EventOrder
    $isFirstPage: Boolean!
  ) {
    events(first: $first, after: $after, filter: $filter, orderBy: $orderBy) {
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
    locations(first: 100) @include(if: $isFirstPage) {
      ...LocationChoices
    }
  }
`);

interface EventsPage extends Connection<EventRow> {
  /** The options of the filter. Only the first page has them. */
  locations: LocationChoice[];
}

/** Upcoming events and drafts come soonest first, past events latest first. */
export const useEvents = ({ view, ...search }: EventSearch) =>
  usePagedQuery<EventRow, EventsPage>({
    queryKey: ['events', 'list', view, search],
    load: async (after, signal) => {
      const now = new Date().toISOString();
      const { locations, events } = await request(
        EVENT_LIST_QUERY,
        {
          first: EVENTS_PAGE_SIZE,
          after,
          filter: { ...search, ...VIEW_FILTERS[view](now) },
          orderBy: view === 'past' ? 'STARTS_AT_DESC' : 'STARTS_AT_ASC',
          isFirstPage: after === null,
        },
        signal,
      );
      // The filter of past events finds those that have started.
      const edges = events.edges.filter(({ node }) => view !== 'past' || node.endsAt <= now);
      return {
        ...events,
        edges,
        locations: locations ? await fetchRemainingLocations(locations, signal) : [],
      };
    },
  });

const VIEW_FILTERS: Record<EventView, (now: string) => EventFilter> = {
  upcoming: () => ({}),
  past: (now) => ({ from: EARLIEST_INSTANT, to: now }),
  drafts: () => ({ status: ['DRAFT'], from: EARLIEST_INSTANT }),
};

export type TicketType = TicketTypeFragment;

graphql(`
  fragment TicketType on TicketType {
    id
    updatedAt
    name
    description
    position
    price {
      amount
      currency
    }
    left
    maxPerOrder
    audience
    salesStartAt
    salesEndAt
    saleState
    quantity
    reservedCount
    active
    allowedActions {
      update
      delete
    }
  }
`);
