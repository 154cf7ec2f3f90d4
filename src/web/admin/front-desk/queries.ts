import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useInvalidatingMutation } from '../../api/mutations.ts';
import { usePagedQuery } from '../../api/paged-query.ts';
import { request } from '../../api/request.ts';
import { useSubscription } from '../../api/subscriptions.ts';
import type {
  AttemptFilter,
  AttemptFragment,
  CheckInFromDeskMutation,
  CheckInInput,
  OccupancyFragment,
} from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

export type CheckInAttempt = AttemptFragment;
export type Occupancy = OccupancyFragment;
export type CheckIn = CheckInFromDeskMutation['checkIn'];

const CHECK_INS_KEY = 'check-ins';
const REFRESH_INTERVAL_SECONDS = 15;
const LIVE_REFRESH_INTERVAL_SECONDS = 120;

graphql(`
  fragment Occupancy on Occupancy {
    locationId
    locationName
    present
    capacity
  }
`);

graphql(`
  fragment Attempt on CheckInAttempt {
    id
    result
    label
    at
    recordedAt
    checkedOutAt
    leavesAt
    leftByItself
    actor
    subject {
      type
      title
    }
    location {
      id
      name
      timeZone
    }
  }
`);

const OCCUPANCY_QUERY = graphql(`
  query Occupancy {
    occupancy {
      ...Occupancy
    }
  }
`);

const OCCUPANCY_CHANGED_SUBSCRIPTION = graphql(`
  subscription OccupancyChanged {
    occupancyChanged {
      ...Occupancy
    }
  }
`);

/**
 * How many are in, of every location. What is told as it happens is only taken as a sign to look again: so the counts and
 * the lists on the page never disagree for long.
 */
export function useOccupancy() {
  const client = useQueryClient();
  const isLive = useSubscription(OCCUPANCY_CHANGED_SUBSCRIPTION, {}, () =>
    client.invalidateQueries({ queryKey: [CHECK_INS_KEY] }),
  );
  const refreshSeconds = isLive ? LIVE_REFRESH_INTERVAL_SECONDS : REFRESH_INTERVAL_SECONDS;
  const occupancy = useQuery({
    queryKey: [CHECK_INS_KEY, 'occupancy'],
    queryFn: async () => (await request(OCCUPANCY_QUERY)).occupancy,
    refetchInterval: refreshSeconds * 1000,
  });
  return { occupancy, isLive, refreshSeconds };
}

const CHECK_INS_QUERY = graphql(`
  query CheckIns($first: Int!, $after: String, $filter: AttemptFilter) {
    checkIns(first: $first, after: $after, filter: $filter) {
      edges {
        node {
          ...Attempt
        }
      }
      pageInfo {
        endCursor
        hasNextPage
      }
    }
  }
`);

export const useAttempts = (filter: AttemptFilter, first: number, refreshSeconds: number) =>
  usePagedQuery<CheckInAttempt>({
    queryKey: [CHECK_INS_KEY, filter],
    load: async (after, signal) =>
      (await request(CHECK_INS_QUERY, { first, after, filter }, signal)).checkIns,
    refreshSeconds,
  });

const CHECK_IN_FROM_DESK_MUTATION = graphql(`
  mutation CheckInFromDesk($input: CheckInInput!) {
    checkIn(input: $input) {
      result
      label
      checkedInAt
      subject {
        type
        title
      }
    }
  }
`);

const CHECK_OUT_FROM_DESK_MUTATION = graphql(`
  mutation CheckOutFromDesk($id: ID!) {
    checkOut(id: $id) {
      label
    }
  }
`);

export const useCheckIn = (onSuccess: (checkIn: CheckIn) => void) =>
  useInvalidatingMutation(
    async (input: CheckInInput) => (await request(CHECK_IN_FROM_DESK_MUTATION, { input })).checkIn,
    [[CHECK_INS_KEY]],
    onSuccess,
  );

export const useCheckOut = (onSuccess: (label: string | null) => void) =>
  useInvalidatingMutation(
    async (id: string) => (await request(CHECK_OUT_FROM_DESK_MUTATION, { id })).checkOut.label,
    [[CHECK_INS_KEY]],
    onSuccess,
  );
