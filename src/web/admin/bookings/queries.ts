import { useQuery } from '@tanstack/react-query';
import { fetchAllPages } from '../../api/paged-query.ts';
import { request } from '../../api/request.ts';
import { addDays, toLocalDate } from '../../components/wall-clock.ts';
import type {
  BookableResourcesQuery,
  BookingDetailsQuery,
  BookingFragment,
  BookingLocationFragment,
} from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

export type Booking = BookingFragment;
export type BookingDetails = BookingDetailsQuery['booking'];

graphql(`
  fragment Booking on Booking {
    id
    status
    title
    startsAt
    endsAt
    seriesId
    checkedInAt
    resource {
      id
      name
    }
    location {
      id
      name
      timeZone
    }
    member {
      id
      name
    }
    guest {
      name
      email
    }
  }
`);

const BOOKING_DETAILS_QUERY = graphql(`
  query BookingDetails($id: ID!) {
    booking(id: $id) {
      ...Booking
      notes
      createdAt
      price {
        amount
        currency
      }
      cancellation {
        cancelledAt
        reason
        fee {
          amount
          currency
        }
      }
      resource {
        freeCancellationHours
      }
    }
  }
`);

export const useBooking = (id: string) =>
  useQuery({
    queryKey: ['bookings', id],
    staleTime: 0, // what a cancellation costs is said from it
    queryFn: async ({ signal }) => (await request(BOOKING_DETAILS_QUERY, { id }, signal)).booking,
  });

const DAY_REFRESH_INTERVAL_SECONDS = 30;

export type BookingLocation = BookingLocationFragment;
export type BookableResource = BookableResourcesQuery['resources']['edges'][number]['node'];

graphql(`
  fragment BookingLocation on Location {
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
`);

const BOOKING_LOCATION_QUERY = graphql(`
  query BookingPlace($locationId: ID!, $day: Date!) {
    location(id: $locationId) {
      ...BookingLocation
    }
  }
`);

const BOOKING_LOCATIONS_QUERY = graphql(`
  query BookingLocations($day: Date!, $after: String) {
    resources(first: 100) {
      edges {
        node {
          location {
            id
          }
        }
      }
    }
    locations(first: 100, after: $after) {
      edges {
        node {
          ...BookingLocation
        }
      }
      pageInfo {
        endCursor
        hasNextPage
      }
    }
  }
`);

export interface LocationOption extends BookingLocation {
  hasResources: boolean;
}

/** All locations with opening hours and the closures that are not over. */
export const useBookingLocations = () =>
  useQuery({
    queryKey: ['locations', 'bookings'],
    queryFn: async ({ signal }) => {
      // West of Greenwich, the local date can be one day behind UTC.
      const day = addDays(toLocalDate(new Date(), 'UTC'), -1);
      const withResources = new Set<string>();
      const locations = await fetchAllPages<BookingLocation>(async (after) => {
        const page = await request(BOOKING_LOCATIONS_QUERY, { day, after }, signal);
        for (const { node } of page.resources.edges) withResources.add(node.location.id);
        return page.locations;
      }, signal);
      return locations.map(
        (location): LocationOption => ({
          ...location,
          hasResources: withResources.has(location.id),
        }),
      );
    },
  });

const BOOKABLE_RESOURCES_QUERY = graphql(`
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

const BOOKINGS_OF_DAY_QUERY = graphql(`
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

/** A location, its resources and its bookings within a time range. */
export const useBookingDay = (locationId: string, day: string, from: string, to: string) =>
  useQuery({
    queryKey: ['day', locationId, from, to],
    refetchInterval: DAY_REFRESH_INTERVAL_SECONDS * 1000,
    queryFn: async ({ signal }) => {
      const [{ location }, resources, bookings] = await Promise.all([
        request(BOOKING_LOCATION_QUERY, { locationId, day }, signal),
        fetchAllPages<BookableResource>(
          async (after) =>
            (await request(BOOKABLE_RESOURCES_QUERY, { locationId, after }, signal)).resources,
          signal,
        ),
        fetchAllPages<Booking>(
          async (after) =>
            (
              await request(
                BOOKINGS_OF_DAY_QUERY,
                { filter: { locationId, from, to }, after },
                signal,
              )
            ).bookings,
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

export type BookingDay = NonNullable<ReturnType<typeof useBookingDay>['data']>;

const EVENTS_OF_DAY_QUERY = graphql(`
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

/** Events that occupy a bookable resource. */
export const useDayEvents = (locationId: string, from: string, to: string, enabled: boolean) =>
  useQuery({
    queryKey: ['day', locationId, from, to, 'events'],
    enabled,
    refetchInterval: DAY_REFRESH_INTERVAL_SECONDS * 1000,
    queryFn: async ({ signal }) =>
      (
        await request(EVENTS_OF_DAY_QUERY, { filter: { locationId, from, to } }, signal)
      ).events.edges
        .map(({ node }) => node)
        .filter(({ status, resource }) => status !== 'CANCELLED' && resource !== null),
  });

export type DayEvent = NonNullable<ReturnType<typeof useDayEvents>['data']>[number];
