import { useQuery } from '@tanstack/react-query';
import { useSeenChange } from '../../api/change.ts';
import { everyPage } from '../../api/pages.ts';
import { request } from '../../api/request.ts';
import type {
  CreateResourceInput,
  ResourceFragment,
  UpdateResourceInput,
} from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

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

const LIST = graphql(`
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
      everyPage<ResourceDetails>(
        async (after) => (await request(LIST, { locationId, after }, signal)).resources,
        signal,
      ),
  });

const CREATE = graphql(`
  mutation CreateWholeResource($input: CreateResourceInput!) {
    createResource(input: $input) {
      ...Resource
    }
  }
`);

const UPDATE = graphql(`
  mutation UpdateResource($id: ID!, $input: UpdateResourceInput!) {
    updateResource(id: $id, input: $input) {
      ...Resource
    }
  }
`);

/** Makes one, or changes the one that is named. */
export const useSaveResource = (onSuccess: (resource: ResourceDetails) => void) =>
  useSeenChange(
    async (
      change: { create: CreateResourceInput } | { id: string; update: UpdateResourceInput },
    ) =>
      'create' in change
        ? (await request(CREATE, { input: change.create })).createResource
        : (await request(UPDATE, { id: change.id, input: change.update })).updateResource,
    [['resources'], ['day']],
    onSuccess,
  );
