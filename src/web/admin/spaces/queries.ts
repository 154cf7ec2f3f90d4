import { useQuery } from '@tanstack/react-query';
import { useRefetchingMutation } from '../../api/mutations.ts';
import { fetchAllPages } from '../../api/paged-query.ts';
import { request } from '../../api/request.ts';
import type {
  CreateLocationInput,
  CreateResourceInput,
  LocationChoicesQuery,
  ResourceChoicesQuery,
  ResourceFragment,
  UpdateResourceInput,
} from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

type ConnectionNode<C extends { edges: { node: unknown }[] }> = C['edges'][number]['node'];
export type LocationChoice = ConnectionNode<LocationChoicesQuery['locations']>;
type ResourceChoice = ConnectionNode<ResourceChoicesQuery['resources']>;

const LOCATION_CHOICES_QUERY = graphql(`
  query LocationChoices($after: String) {
    locations(first: 100, after: $after) {
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
  }
`);

export const useLocationChoices = () =>
  useQuery({
    queryKey: ['locations'],
    queryFn: ({ signal }) =>
      fetchAllPages<LocationChoice>(
        async (after) => (await request(LOCATION_CHOICES_QUERY, { after }, signal)).locations,
        signal,
      ),
  });

const RESOURCE_CHOICES_QUERY = graphql(`
  query ResourceChoices($locationId: ID!, $after: String) {
    resources(first: 100, after: $after, filter: { locationId: $locationId }) {
      edges {
        node {
          id
          name
          type
          active
        }
      }
      pageInfo {
        endCursor
        hasNextPage
      }
    }
  }
`);

export const useResourceChoices = (locationId: string | null) =>
  useQuery({
    queryKey: ['resources', locationId],
    enabled: locationId !== null,
    queryFn: ({ signal }) =>
      fetchAllPages<ResourceChoice>(
        async (after) =>
          (await request(RESOURCE_CHOICES_QUERY, { locationId: locationId ?? '', after }, signal))
            .resources,
        signal,
      ),
  });

const CREATE_LOCATION_MUTATION = graphql(`
  mutation CreateLocation($input: CreateLocationInput!) {
    createLocation(input: $input) {
      id
      name
      timeZone
    }
  }
`);

export const useCreateLocation = (onSuccess: (location: LocationChoice) => void) =>
  useRefetchingMutation(
    async (input: CreateLocationInput) =>
      (await request(CREATE_LOCATION_MUTATION, { input })).createLocation,
    [['locations']],
    onSuccess,
  );

const CREATE_RESOURCE_MUTATION = graphql(`
  mutation CreateResource($input: CreateResourceInput!) {
    createResource(input: $input) {
      id
      name
    }
  }
`);

export const useCreateResource = (onSuccess: (resource: { id: string; name: string }) => void) =>
  useRefetchingMutation(
    async (input: CreateResourceInput) =>
      (await request(CREATE_RESOURCE_MUTATION, { input })).createResource,
    [['resources']],
    onSuccess,
  );

export type ResourceDetails = ResourceFragment;

graphql(`
  fragment Resource on Resource {
    id
    slug
    name
    type
    capacity
    amenities
    pricePerHour {
      amount
      currency
    }
    gridMinutes
    minMinutes
    maxMinutes
    bufferMinutes
    noticeMinutes
    daysAhead
    freeCancellationHours
    noShowMinutes
    requiresApproval
    active
  }
`);

const RESOURCES_OF_LOCATION_QUERY = graphql(`
  query ResourcesOfLocation($locationId: ID!, $after: String) {
    resources(first: 50, after: $after, filter: { locationId: $locationId }) {
      edges {
        node {
          ...Resource
        }
      }
      pageInfo {
        endCursor
        hasNextPage
      }
    }
  }
`);

export const useResourceList = (locationId: string) =>
  useQuery({
    queryKey: ['resources', locationId, 'whole'],
    queryFn: ({ signal }) =>
      fetchAllPages<ResourceDetails>(
        async (after) =>
          (await request(RESOURCES_OF_LOCATION_QUERY, { locationId, after }, signal)).resources,
        signal,
      ),
  });

const CREATE_WHOLE_RESOURCE_MUTATION = graphql(`
  mutation CreateWholeResource($input: CreateResourceInput!) {
    createResource(input: $input) {
      ...Resource
    }
  }
`);

const UPDATE_RESOURCE_MUTATION = graphql(`
  mutation UpdateResource($id: ID!, $input: UpdateResourceInput!) {
    updateResource(id: $id, input: $input) {
      ...Resource
    }
  }
`);

/** Creates a resource, or updates the one with the given id. */
export const useSaveResource = (onSuccess: (resource: ResourceDetails) => void) =>
  useRefetchingMutation(
    async (
      change: { create: CreateResourceInput } | { id: string; update: UpdateResourceInput },
    ) =>
      'create' in change
        ? (await request(CREATE_WHOLE_RESOURCE_MUTATION, { input: change.create })).createResource
        : (await request(UPDATE_RESOURCE_MUTATION, { id: change.id, input: change.update }))
            .updateResource,
    [['resources'], ['day']],
    onSuccess,
  );
