import { useQuery, useQueryClient } from '@tanstack/react-query';
import { toLocalDate } from '../../../core/time/time-zone.ts';
import { toApiError } from '../../api/errors.ts';
import { fetchRemainingPages } from '../../api/paged-query.ts';
import { request } from '../../api/request.ts';
import { can, useStaffViewer, type Viewer } from '../../app/session/viewer.ts';
import { addDays, toStartOfDay } from '../../components/wall-clock.ts';
import type {
  BookingDayFragment,
  BookingFilter,
  BookingLocationFragment,
  BookingsPageQuery,
} from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';
import type { Booking } from './queries.ts';

const DAY_REFRESH_INTERVAL_SECONDS = 30;

export type BookingLocation = BookingLocationFragment;
export type BookableResource = BookingDayFragment['resources']['edges'][number]['node'];
export type DayEvent = NonNullable<BookingDayFragment['events']>['nodes'][number];

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
    closures(from: $closedFrom) {
      startsOn
      endsOn
      reason
    }
  }
`);

graphql(`
  fragment BookableResources on ResourceConnection {
    edges {
      node {
        id
        name
        type
        area
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
`);

graphql(`
  fragment BookingDay on Location {
    ...BookingLocation
    resources(first: 50) {
      ...BookableResources
    }
    bookings(first: 100, filter: { from: $from, to: $to, status: [CONFIRMED, PENDING, NO_SHOW] }) {
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
    events(first: 50, filter: { from: $from, to: $to, status: [DRAFT, PUBLISHED] })
      @include(if: $canReadEvents) {
      nodes {
        id
        title
        startsAt
        endsAt
        resource {
          id
        }
      }
    }
  }
`);

const BOOKINGS_PAGE_QUERY = graphql(`
  query BookingsPage(
    $after: String
    $closedFrom: Date!
    $locationId: ID!
    $from: DateTime
    $to: DateTime
    $hasDay: Boolean!
    $canReadEvents: Boolean!
  ) {
    locations(first: 50, after: $after) {
      edges {
        node {
          ...BookingLocation
          resources(first: 1) {
            nodes {
              id
            }
          }
        }
      }
      pageInfo {
        endCursor
        hasNextPage
      }
    }
    location(id: $locationId) @include(if: $hasDay) {
      ...BookingDay
    }
  }
`);

const BOOKING_DAY_QUERY = graphql(`
  query BookingDay(
    $locationId: ID!
    $closedFrom: Date!
    $from: DateTime!
    $to: DateTime!
    $canReadEvents: Boolean!
  ) {
    location(id: $locationId) {
      ...BookingDay
    }
  }
`);

const MORE_RESOURCES_QUERY = graphql(`
  query MoreBookableResources($locationId: ID!, $after: String) {
    resources(first: 100, after: $after, filter: { locationId: $locationId }) {
      ...BookableResources
    }
  }
`);

const MORE_BOOKINGS_QUERY = graphql(`
  query MoreBookingsOfDay($filter: BookingFilter!, $after: String) {
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

export interface LocationOption extends BookingLocation {
  hasResources: boolean;
}

/** One day at a location, which is known by its id and time zone. */
export interface LocationDay {
  location: { id: string; timeZone: string };
  day: string;
}

/**
 * All locations, with opening hours and with closures that have not ended. The same request loads the day that the page
 * probably shows, so that `useBookingDay` finds it in the cache.
 */
export function useBookingLocations(expected: LocationDay | null) {
  const client = useQueryClient();
  const viewer = useStaffViewer();
  return useQuery({
    queryKey: ['locations', 'bookings'],
    queryFn: async ({ signal }) => {
      const first = await fetchLocations(null, expected, viewer, signal).catch((thrown) => {
        // The expected location may no longer exist.
        if (expected === null || toApiError(thrown).code !== 'NOT_FOUND') throw thrown;
        return fetchLocations(null, null, viewer, signal);
      });
      if (first.location && expected) {
        const day = await toBookingDay(first.location, expected, signal);
        client.setQueryData(toDayKey(expected), day);
      }
      const locations = await fetchRemainingPages(
        first.locations,
        async (after) => (await fetchLocations(after, null, viewer, signal)).locations,
        signal,
      );
      return locations.map(
        ({ resources, ...location }): LocationOption => ({
          ...location,
          hasResources: resources.nodes.length > 0,
        }),
      );
    },
  });
}

/** A location, its resources, and its bookings and events of one day. */
export function useBookingDay(shown: LocationDay) {
  const viewer = useStaffViewer();
  return useQuery({
    queryKey: toDayKey(shown),
    refetchInterval: DAY_REFRESH_INTERVAL_SECONDS * 1000,
    queryFn: async ({ signal }) => {
      const variables = {
        ...toDayRange(shown),
        locationId: shown.location.id,
        closedFrom: shown.day,
        canReadEvents: can(viewer, 'events:read'),
      };
      const { location } = await request(BOOKING_DAY_QUERY, variables, signal);
      return toBookingDay(location, shown, signal);
    },
  });
}

export type BookingDay = NonNullable<ReturnType<typeof useBookingDay>['data']>;

const toDayKey = ({ location, day }: LocationDay) => ['day', location.id, day];

function toDayRange({ location: { timeZone }, day }: LocationDay) {
  return {
    from: toStartOfDay(day, timeZone).toISOString(),
    to: toStartOfDay(addDays(day, 1), timeZone).toISOString(),
  };
}

function fetchLocations(
  after: string | null,
  expected: LocationDay | null,
  viewer: Viewer,
  signal: AbortSignal,
): Promise<BookingsPageQuery> {
  // The local date of a location can be one day behind UTC.
  const yesterday = addDays(toLocalDate(new Date(), 'UTC'), -1);
  const variables = {
    after,
    closedFrom: expected !== null && expected.day < yesterday ? expected.day : yesterday,
    locationId: expected?.location.id ?? '',
    hasDay: expected !== null,
    canReadEvents: can(viewer, 'events:read'),
    ...(expected && toDayRange(expected)),
  };
  return request(BOOKINGS_PAGE_QUERY, variables, signal);
}

/** Adds the resources and bookings that did not fit into the first pages. */
async function toBookingDay(
  { resources, bookings, events, ...location }: BookingDayFragment,
  shown: LocationDay,
  signal: AbortSignal,
) {
  const locationId = location.id;
  const filter: BookingFilter = {
    locationId,
    ...toDayRange(shown),
    status: ['CONFIRMED', 'PENDING', 'NO_SHOW'],
  };
  return {
    location,
    resources: await fetchRemainingPages<BookableResource>(
      resources,
      async (after) =>
        (await request(MORE_RESOURCES_QUERY, { locationId, after }, signal)).resources,
      signal,
    ),
    bookings: await fetchRemainingPages<Booking>(
      bookings,
      async (after) => (await request(MORE_BOOKINGS_QUERY, { filter, after }, signal)).bookings,
      signal,
    ),
    events: (events?.nodes ?? []).filter(({ resource }) => resource !== null),
  };
}
