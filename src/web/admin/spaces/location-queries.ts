import { useQuery } from '@tanstack/react-query';
import { useInvalidatingMutation, useRefetchingMutation } from '../../api/mutations.ts';
import { fetchAllPages, fetchRemainingPages } from '../../api/paged-query.ts';
import { request } from '../../api/request.ts';
import { can, useStaffViewer } from '../../app/session/viewer.ts';
import type {
  BookingsOutsideOpeningHoursQuery,
  ClosureFragment,
  CreateLocationInput,
  LocationChoicesFragment,
  LocationFragment,
  SetOpeningHoursInput,
  UpdateLocationInput,
} from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

export type LocationDetails = LocationFragment;
export interface Closure extends ClosureFragment {
  /** Only for staff who can change spaces. */
  bookingsAffected?: number;
}
/** One span of opening hours on a weekday. */

graphql(`
  fragment Closure on Closure {
    id
    startsOn
    endsOn
    reason
  }
`);

graphql(`
  fragment Location on Location {
    id
    updatedAt
    slug
    name
    address
    phone
    timeZone
    capacity
    hostEmail
    lookupNames
    lookupAccess
    memberAdmission
    memberBookingsOnDisplays
    guestBookingsOnDisplays
    embedOrigins
    publicAvailability
    openingHours {
      weekday
      opens
      closes
    }
  }
`);

const LOCATIONS_QUERY = graphql(`
  query Locations($after: String) {
    locations(first: 20, after: $after) {
      edges {
        node {
          ...Location
        }
      }
      pageInfo {
        endCursor
        hasNextPage
      }
    }
  }
`);

export const useLocationList = () =>
  useQuery({
    queryKey: ['locations', 'list'],
    queryFn: ({ signal }) =>
      fetchAllPages<LocationDetails>(
        async (after) => (await request(LOCATIONS_QUERY, { after }, signal)).locations,
        signal,
      ),
  });

const UPDATE_LOCATION_MUTATION = graphql(`
  mutation UpdateLocation($input: UpdateLocationInput!) {
    updateLocation(input: $input) {
      location {
        id
      }
    }
  }
`);

const SET_OPENING_HOURS_MUTATION = graphql(`
  mutation SetOpeningHours($input: SetOpeningHoursInput!) {
    setOpeningHours(input: $input) {
      location {
        id
      }
    }
  }
`);

const LOCATION_QUERY_KEYS = [['locations'], ['day']];

export const useUpdateLocation = (id: string, onSuccess: () => void) =>
  useRefetchingMutation(
    (change: Omit<UpdateLocationInput, 'id'>) =>
      request(UPDATE_LOCATION_MUTATION, { input: { id, ...change } }),
    LOCATION_QUERY_KEYS,
    onSuccess,
  );

export const useSetOpeningHours = (locationId: string, onSuccess: () => void) =>
  useRefetchingMutation(
    (week: Omit<SetOpeningHoursInput, 'locationId'>) =>
      request(SET_OPENING_HOURS_MUTATION, { input: { locationId, ...week } }),
    LOCATION_QUERY_KEYS,
    onSuccess,
  );

const BOOKINGS_OUTSIDE_HOURS_QUERY = graphql(`
  query BookingsOutsideOpeningHours(
    $locationId: ID!
    $hours: [OpeningHoursInput!]!
    $canReadBookings: Boolean!
  ) {
    bookingsOutsideOpeningHours(locationId: $locationId, hours: $hours) {
      count
      alreadyOutsideCount
      firstBookings @include(if: $canReadBookings) {
        id
        startsAt
        endsAt
        resource {
          id
          name
        }
      }
    }
  }
`);

type OpeningWeek = SetOpeningHoursInput['hours'];
/** The bookings that are outside these opening hours. */
export type BookingsOutsideHours =
  BookingsOutsideOpeningHoursQuery['bookingsOutsideOpeningHours'] & { hours: OpeningWeek };

/** Finds the bookings that would be outside opening hours, before they are saved. */
export function useFindBookingsOutsideHours(
  locationId: string,
  onFound: (found: BookingsOutsideHours) => void,
) {
  const canReadBookings = can(useStaffViewer(), 'bookings:read');
  return useInvalidatingMutation(
    async (hours: OpeningWeek) => {
      const variables = { locationId, hours, canReadBookings };
      const data = await request(BOOKINGS_OUTSIDE_HOURS_QUERY, variables);
      return { ...data.bookingsOutsideOpeningHours, hours };
    },
    [],
    onFound,
  );
}

export type LocationChoice = LocationChoicesFragment['edges'][number]['node'];

graphql(`
  fragment LocationChoices on LocationConnection {
    edges {
      node {
        id
        name
        timeZone
      }
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
`);

const LOCATION_CHOICES_QUERY = graphql(`
  query LocationChoices($after: String) {
    locations(first: 100, after: $after) {
      ...LocationChoices
    }
  }
`);

const fetchLocationChoices = async (after: string | null, signal: AbortSignal) =>
  (await request(LOCATION_CHOICES_QUERY, { after }, signal)).locations;

/** Adds the locations that did not fit into the first page, which came with other data. */
export const fetchRemainingLocations = (first: LocationChoicesFragment, signal: AbortSignal) =>
  fetchRemainingPages<LocationChoice>(first, fetchLocationChoices, signal);

/** All locations, for selection in dialogs. */
export const useLocationChoices = () =>
  useQuery({
    queryKey: ['locations'],
    queryFn: ({ signal }) => fetchAllPages<LocationChoice>(fetchLocationChoices, signal),
  });

const CREATE_LOCATION_MUTATION = graphql(`
  mutation CreateLocation($input: CreateLocationInput!) {
    createLocation(input: $input) {
      location {
        id
        name
        timeZone
      }
    }
  }
`);

export const useCreateLocation = (onSuccess: (location: LocationChoice) => void) =>
  useRefetchingMutation(
    async (input: CreateLocationInput) =>
      (await request(CREATE_LOCATION_MUTATION, { input })).createLocation.location,
    [['locations'], ['displays']],
    onSuccess,
  );
