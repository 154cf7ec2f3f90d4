import { useQuery } from '@tanstack/react-query';
import { everyPage } from '../../api/pages.ts';
import { request } from '../../api/request.ts';
import type { BookableResourcesQuery, BookingPlaceQuery } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';
import type { Booking } from './queries.ts';

const REFRESH_SECONDS = 30;

export type Place = BookingPlaceQuery['location'];
export type BookableResource = BookableResourcesQuery['resources']['edges'][number]['node'];

const PLACE = graphql(`
  query BookingPlace($locationId: ID!, $day: Date!) {
    location(id: $locationId) {
      id
      name
      timeZone
      openingHours {
        weekday
        opens
        closes
      }
      closures(from: $day) {
        startsOn
        endsOn
        reason
      }
    }
  }
`);

const RESOURCES = graphql(`
  query BookableResources($locationId: ID!, $after: String) {
    resources(first: 100, after: $after, filter: { locationId: $locationId }) {
      edges {
        node {
          id
          name
          type
          capacity
          active
          minMinutes
        }
      }
      pageInfo {
        endCursor
        hasNextPage
      }
    }
  }
`);

const BOOKINGS = graphql(`
  query BookingsOfDay($filter: BookingFilter!, $after: String) {
    bookings(first: 100, after: $after, filter: $filter) {
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
`);

/** A location with what can be booked in it, and what happens there from one instant to another. */
export const useDay = (locationId: string, day: string, from: string, to: string) =>
  useQuery({
    queryKey: ['day', locationId, from, to],
    refetchInterval: REFRESH_SECONDS * 1000,
    queryFn: async ({ signal }) => {
      const [{ location }, resources, bookings] = await Promise.all([
        request(PLACE, { locationId, day }, signal),
        everyPage<BookableResource>(
          async (after) => (await request(RESOURCES, { locationId, after }, signal)).resources,
          signal,
        ),
        everyPage<Booking>(
          async (after) =>
            (await request(BOOKINGS, { filter: { locationId, from, to }, after }, signal)).bookings,
          signal,
        ),
      ]);
      return {
        location,
        resources,
        bookings: bookings.filter(({ status }) => status !== 'CANCELLED'),
      };
    },
  });

export type Day = NonNullable<ReturnType<typeof useDay>['data']>;

const EVENTS = graphql(`
  query EventsOfDay($filter: EventFilter!) {
    events(first: 100, filter: $filter) {
      edges {
        node {
          id
          title
          startsAt
          endsAt
          status
          resource {
            id
          }
        }
      }
    }
  }
`);

/** Events that occupy something that could be booked. */
export const useEventsOfDay = (locationId: string, from: string, to: string, enabled: boolean) =>
  useQuery({
    queryKey: ['day', locationId, from, to, 'events'],
    enabled,
    refetchInterval: REFRESH_SECONDS * 1000,
    queryFn: async ({ signal }) =>
      (await request(EVENTS, { filter: { locationId, from, to } }, signal)).events.edges
        .map(({ node }) => node)
        .filter(({ status, resource }) => status !== 'CANCELLED' && resource !== null),
  });

export type EventOfDay = NonNullable<ReturnType<typeof useEventsOfDay>['data']>[number];
