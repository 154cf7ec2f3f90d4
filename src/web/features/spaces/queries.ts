import { useQuery } from '@tanstack/react-query';
import { useSeenChange } from '../../api/change.ts';
import { everyPage } from '../../api/pages.ts';
import { request } from '../../api/request.ts';
import type {
  CreateLocationInput,
  CreateResourceInput,
  LocationChoicesQuery,
  ResourceChoicesQuery,
} from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

type NodeOf<C extends { edges: { node: unknown }[] }> = C['edges'][number]['node'];
export type Location = NodeOf<LocationChoicesQuery['locations']>;
export type Resource = NodeOf<ResourceChoicesQuery['resources']>;

const LOCATIONS = graphql(`
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

export const useLocations = () =>
  useQuery({
    queryKey: ['locations'],
    queryFn: ({ signal }) =>
      everyPage<Location>(
        async (after) => (await request(LOCATIONS, { after }, signal)).locations,
        signal,
      ),
  });

const RESOURCES = graphql(`
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

export const useResources = (locationId: string | null) =>
  useQuery({
    queryKey: ['resources', locationId],
    enabled: locationId !== null,
    queryFn: ({ signal }) =>
      everyPage<Resource>(
        async (after) =>
          (await request(RESOURCES, { locationId: locationId ?? '', after }, signal)).resources,
        signal,
      ),
  });

const CREATE_LOCATION = graphql(`
  mutation CreateLocation($input: CreateLocationInput!) {
    createLocation(input: $input) {
      id
      name
      timeZone
    }
  }
`);

export const useCreateLocation = (onSuccess: (location: Location) => void) =>
  useSeenChange(
    async (input: CreateLocationInput) =>
      (await request(CREATE_LOCATION, { input })).createLocation,
    [['locations']],
    onSuccess,
  );

const CREATE_RESOURCE = graphql(`
  mutation CreateResource($input: CreateResourceInput!) {
    createResource(input: $input) {
      id
      name
    }
  }
`);

export const useCreateResource = (onSuccess: (resource: { id: string; name: string }) => void) =>
  useSeenChange(
    async (input: CreateResourceInput) =>
      (await request(CREATE_RESOURCE, { input })).createResource,
    [['resources']],
    onSuccess,
  );
