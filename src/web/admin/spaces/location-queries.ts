import { useQuery } from '@tanstack/react-query';
import { useRefetchingMutation } from '../../api/mutations.ts';
import { fetchAllPages } from '../../api/paged-query.ts';
import { request } from '../../api/request.ts';
import type {
  ClosureFragment,
  CreateClosureInput,
  LocationFragment,
  OpeningHoursInput,
  UpdateLocationInput,
} from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

export type LocationDetails = LocationFragment;
export interface Closure extends ClosureFragment {
  /** Only staff who can change spaces may read it. */
  bookingsAffected?: number;
}
/** One span of opening hours on a weekday. */
export type OpeningSpan = LocationDetails['openingHours'][number];

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
    slug
    name
    address
    timeZone
    capacity
    hostEmail
    lookupNames
    lookupNeedsKiosk
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
    queryKey: ['locations', 'whole'],
    queryFn: ({ signal }) =>
      fetchAllPages<LocationDetails>(
        async (after) => (await request(LOCATIONS_QUERY, { after }, signal)).locations,
        signal,
      ),
  });

const LOCATION_PAGE_QUERY = graphql(`
  query LocationPage($id: ID!, $from: Date, $canWrite: Boolean!) {
    location(id: $id) {
      ...Location
      closures(from: $from) {
        ...Closure
        bookingsAffected @include(if: $canWrite)
      }
    }
  }
`);

/** Includes closures that end on or after `from`. */
export const useLocation = (id: string, from: string, canWrite: boolean) =>
  useQuery({
    queryKey: ['locations', id, from],
    queryFn: async ({ signal }) =>
      (await request(LOCATION_PAGE_QUERY, { id, from, canWrite }, signal)).location,
  });

const UPDATE_LOCATION_MUTATION = graphql(`
  mutation UpdateLocation($id: ID!, $input: UpdateLocationInput!) {
    updateLocation(id: $id, input: $input) {
      id
    }
  }
`);

const SET_OPENING_HOURS_MUTATION = graphql(`
  mutation SetOpeningHours($locationId: ID!, $hours: [OpeningHoursInput!]!) {
    setOpeningHours(locationId: $locationId, hours: $hours) {
      id
    }
  }
`);

const CREATE_CLOSURE_MUTATION = graphql(`
  mutation CreateClosure($input: CreateClosureInput!) {
    createClosure(input: $input) {
      ...Closure
      bookingsAffected
    }
  }
`);

const DELETE_CLOSURE_MUTATION = graphql(`
  mutation DeleteClosure($id: ID!) {
    deleteClosure(id: $id) {
      id
    }
  }
`);

const LOCATION_QUERY_KEYS = [['locations'], ['day']];

export const useUpdateLocation = (id: string, onSuccess: () => void) =>
  useRefetchingMutation(
    (input: UpdateLocationInput) => request(UPDATE_LOCATION_MUTATION, { id, input }),
    LOCATION_QUERY_KEYS,
    onSuccess,
  );

export const useSetOpeningHours = (locationId: string, onSuccess: () => void) =>
  useRefetchingMutation(
    (hours: OpeningHoursInput[]) => request(SET_OPENING_HOURS_MUTATION, { locationId, hours }),
    LOCATION_QUERY_KEYS,
    onSuccess,
  );

export const useCreateClosure = (onSuccess: (closure: Closure) => void) =>
  useRefetchingMutation(
    async (input: CreateClosureInput) =>
      (await request(CREATE_CLOSURE_MUTATION, { input })).createClosure,
    LOCATION_QUERY_KEYS,
    onSuccess,
  );

export const useDeleteClosure = (onSuccess: () => void) =>
  useRefetchingMutation(
    (id: string) => request(DELETE_CLOSURE_MUTATION, { id }),
    LOCATION_QUERY_KEYS,
    onSuccess,
  );
