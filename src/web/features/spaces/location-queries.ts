import { useQuery } from '@tanstack/react-query';
import { useSeenChange } from '../../api/change.ts';
import { everyPage } from '../../api/pages.ts';
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
export type Closure = ClosureFragment;
/** Opening hours of one span of a weekday. */
export type Hours = LocationDetails['openingHours'][number];

graphql(`
  fragment Closure on Closure {
    id
    startsOn
    endsOn
    reason
    bookingsAffected
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

const LIST = graphql(`
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
      everyPage<LocationDetails>(
        async (after) => (await request(LIST, { after }, signal)).locations,
        signal,
      ),
  });

const ONE = graphql(`
  query LocationPage($id: ID!, $from: Date) {
    location(id: $id) {
      ...Location
      closures(from: $from) {
        ...Closure
      }
    }
  }
`);

/** With the closures that are not over before `from`. */
export const useLocation = (id: string, from: string) =>
  useQuery({
    queryKey: ['locations', id, from],
    queryFn: async ({ signal }) => (await request(ONE, { id, from }, signal)).location,
  });

const UPDATE = graphql(`
  mutation UpdateLocation($id: ID!, $input: UpdateLocationInput!) {
    updateLocation(id: $id, input: $input) {
      id
    }
  }
`);

const SET_HOURS = graphql(`
  mutation SetOpeningHours($locationId: ID!, $hours: [OpeningHoursInput!]!) {
    setOpeningHours(locationId: $locationId, hours: $hours) {
      id
    }
  }
`);

const CREATE_CLOSURE = graphql(`
  mutation CreateClosure($input: CreateClosureInput!) {
    createClosure(input: $input) {
      ...Closure
    }
  }
`);

const DELETE_CLOSURE = graphql(`
  mutation DeleteClosure($id: ID!) {
    deleteClosure(id: $id) {
      id
    }
  }
`);

const AFFECTED = [['locations'], ['day']];

export const useUpdateLocation = (id: string, onSuccess: () => void) =>
  useSeenChange(
    (input: UpdateLocationInput) => request(UPDATE, { id, input }),
    AFFECTED,
    onSuccess,
  );

export const useSetOpeningHours = (locationId: string, onSuccess: () => void) =>
  useSeenChange(
    (hours: OpeningHoursInput[]) => request(SET_HOURS, { locationId, hours }),
    AFFECTED,
    onSuccess,
  );

export const useCreateClosure = (onSuccess: (closure: Closure) => void) =>
  useSeenChange(
    async (input: CreateClosureInput) => (await request(CREATE_CLOSURE, { input })).createClosure,
    AFFECTED,
    onSuccess,
  );

export const useDeleteClosure = (onSuccess: () => void) =>
  useSeenChange((id: string) => request(DELETE_CLOSURE, { id }), AFFECTED, onSuccess);
