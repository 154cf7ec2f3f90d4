import { useQuery } from '@tanstack/react-query';
import { type RecordChange, useRefetchingMutation } from '../../api/mutations.ts';
import { fetchAllPages, fetchRemainingPages } from '../../api/paged-query.ts';
import { request } from '../../api/request.ts';
import type {
  CreateResourceInput,
  CreateResourcesInput,
  ResourceChoicesQuery,
  ResourceFragment,
  ResourceListPageFragment,
  UpdateResourceInput,
  UpdateResourcesInput,
} from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

type ResourceChoice = ResourceChoicesQuery['resources']['edges'][number]['node'];

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

export type ResourceDetails = ResourceFragment;

graphql(`
  fragment Resource on Resource {
    id
    updatedAt
    slug
    name
    type
    area
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

graphql(`
  fragment ResourceListPage on ResourceConnection {
    edges {
      node {
        ...Resource
      }
    }
    pageInfo {
      endCursor
      hasNextPage
    }
    totalCount {
      text
    }
  }
`);

const RESOURCES_OF_LOCATION_QUERY = graphql(`
  query ResourcesOfLocation($locationId: ID!, $after: String) {
    resources(first: 50, after: $after, filter: { locationId: $locationId }) {
      ...ResourceListPage
    }
  }
`);

/** Adds the resources that did not fit into the first page, which came with the location. */
export const fetchRemainingResources = (
  locationId: string,
  first: ResourceListPageFragment,
  signal: AbortSignal,
) =>
  fetchRemainingPages<ResourceDetails>(
    first,
    async (after) =>
      (await request(RESOURCES_OF_LOCATION_QUERY, { locationId, after }, signal)).resources,
    signal,
  );

const RESOURCE_KEYS = [['resources'], ['locations'], ['day']];

const CREATE_RESOURCE_MUTATION = graphql(`
  mutation CreateResource($input: CreateResourceInput!) {
    createResource(input: $input) {
      resource {
        ...Resource
      }
    }
  }
`);

const UPDATE_RESOURCE_MUTATION = graphql(`
  mutation UpdateResource($input: UpdateResourceInput!) {
    updateResource(input: $input) {
      resource {
        ...Resource
      }
    }
  }
`);

/** Creates a resource, or updates the one with the given id. */
export const useSaveResource = (onSuccess: (resource: ResourceDetails) => void) =>
  useRefetchingMutation(
    async (change: RecordChange<CreateResourceInput, UpdateResourceInput>) =>
      'create' in change
        ? (await request(CREATE_RESOURCE_MUTATION, { input: change.create })).createResource
            .resource
        : (await request(UPDATE_RESOURCE_MUTATION, { input: change.update })).updateResource
            .resource,
    RESOURCE_KEYS,
    onSuccess,
  );

const CREATE_RESOURCES_MUTATION = graphql(`
  mutation CreateResources($input: CreateResourcesInput!) {
    createResources(input: $input) {
      resources {
        name
      }
    }
  }
`);

/** Creates numbered resources. */
export const createResources = async (input: CreateResourcesInput) =>
  (await request(CREATE_RESOURCES_MUTATION, { input })).createResources.resources;

export const useCreateResources = (onSuccess: (resources: { name: string }[]) => void) =>
  useRefetchingMutation(createResources, RESOURCE_KEYS, onSuccess);

const UPDATE_RESOURCES_MUTATION = graphql(`
  mutation UpdateResources($input: UpdateResourcesInput!) {
    updateResources(input: $input) {
      resources {
        id
      }
    }
  }
`);

export const useUpdateResources = (onSuccess: (resources: { id: string }[]) => void) =>
  useRefetchingMutation(
    async (input: UpdateResourcesInput) =>
      (await request(UPDATE_RESOURCES_MUTATION, { input })).updateResources.resources,
    RESOURCE_KEYS,
    onSuccess,
  );
