import { useQuery } from '@tanstack/react-query';
import { usePagedQuery } from '../../api/paged-query.ts';
import { request } from '../../api/request.ts';
import { can, useStaffViewer } from '../../app/session/viewer.ts';
import type { RelatedPage } from '../../components/RelatedList.tsx';
import { addMinutes } from '../../components/wall-clock.ts';
import type { ResourcePageQuery } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';
import type { Booking } from '../bookings/queries.ts';
import type { EventRow } from '../events/queries.ts';

const LIST_PAGE_SIZE = 25;
const DAY_MINUTES = 24 * 60;

export type ResourcePageDetails = ResourcePageQuery['resource'];

const RESOURCE_PAGE_QUERY = graphql(`
  query ResourcePage(
    $id: ID!
    $now: DateTime!
    $until: DateTime!
    $canReadBookings: Boolean!
    $canReadEvents: Boolean!
    $canReadDisplays: Boolean!
  ) {
    resource(id: $id) {
      ...Resource
      location {
        id
        name
        address
        timeZone
        openingHours {
          weekday
          opens
          closes
        }
      }
      availability(from: $now, to: $until) {
        free {
          startsAt
          endsAt
        }
      }
      bookings(first: 10, filter: { from: $now, status: [CONFIRMED, PENDING] })
        @include(if: $canReadBookings) {
        nodes {
          ...Booking
        }
        totalCount {
          value
          text
        }
      }
      events(first: 5) @include(if: $canReadEvents) {
        nodes {
          ...EventInList
        }
        totalCount {
          value
          text
        }
      }
      displays(first: 10, filter: { revoked: false }) @include(if: $canReadDisplays) {
        nodes {
          ...DisplayOfPlace
        }
        totalCount {
          value
          text
        }
      }
    }
  }
`);

/** Loads a resource, when it is free in the next 24 hours, and what the viewer can see of its bookings and events. */
export function useResource(id: string) {
  const viewer = useStaffViewer();
  return useQuery({
    queryKey: ['resources', 'one', id],
    staleTime: 0, // other pages change bookings and events
    queryFn: async ({ signal }) => {
      const now = new Date().toISOString();
      const variables = {
        id,
        now,
        until: addMinutes(now, DAY_MINUTES),
        canReadBookings: can(viewer, 'bookings:read'),
        canReadEvents: can(viewer, 'events:read'),
        canReadDisplays: can(viewer, 'displays:read'),
      };
      return (await request(RESOURCE_PAGE_QUERY, variables, signal)).resource;
    },
  });
}

const RESOURCE_BOOKINGS_QUERY = graphql(`
  query ResourceBookings($id: ID!, $first: Int!, $after: String) {
    resource(id: $id) {
      name
      bookings(first: $first, after: $after, orderBy: STARTS_AT_DESC) {
        edges {
          node {
            ...Booking
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
export const useResourceBookings = (id: string) =>
  usePagedQuery<Booking, RelatedPage<Booking>>({
    queryKey: ['resources', 'one', id, 'bookings'],
    load: async (after, signal) => {
      const variables = { id, first: LIST_PAGE_SIZE, after };
      const { resource } = await request(RESOURCE_BOOKINGS_QUERY, variables, signal);
      return { ...resource.bookings, ownerName: resource.name };
    },
  });

const RESOURCE_EVENTS_QUERY = graphql(`
  query ResourceEvents($id: ID!, $first: Int!, $after: String, $from: DateTime!) {
    resource(id: $id) {
      name
      events(first: $first, after: $after, filter: { from: $from }, orderBy: STARTS_AT_DESC) {
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
  }
`);

/** Latest first, including past events. */
export const useResourceEvents = (id: string) =>
  usePagedQuery<EventRow, RelatedPage<EventRow>>({
    queryKey: ['resources', 'one', id, 'events'],
    load: async (after, signal) => {
      const variables = { id, first: LIST_PAGE_SIZE, after, from: '2000-01-01T00:00:00Z' };
      const { resource } = await request(RESOURCE_EVENTS_QUERY, variables, signal);
      return { ...resource.events, ownerName: resource.name };
    },
  });
