import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useChange } from '../../api/change.ts';
import { useLive } from '../../api/live.ts';
import { usePages } from '../../api/pages.ts';
import { request } from '../../api/request.ts';
import type {
  AttemptFilter,
  AttemptFragment,
  CheckInFromDeskMutation,
  CheckInInput,
  OccupancyFragment,
} from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

export type Attempt = AttemptFragment;
export type Occupancy = OccupancyFragment;
export type CheckIn = CheckInFromDeskMutation['checkIn'];

const KEY = 'check-ins';
const REFRESH_SECONDS = 15;
const REFRESH_SECONDS_LIVE = 120;

graphql(`
  fragment Occupancy on Occupancy {
    locationId
    locationName
    present
    capacity
  }
`);

graphql(`
  fragment Attempt on Attempt {
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

const OCCUPANCY = graphql(`
  query Occupancy {
    occupancy {
      ...Occupancy
    }
  }
`);

const CHANGED = graphql(`
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
  const isLive = useLive(CHANGED, {}, () => client.invalidateQueries({ queryKey: [KEY] }));
  const refreshSeconds = isLive ? REFRESH_SECONDS_LIVE : REFRESH_SECONDS;
  const occupancy = useQuery({
    queryKey: [KEY, 'occupancy'],
    queryFn: async () => (await request(OCCUPANCY)).occupancy,
    refetchInterval: refreshSeconds * 1000,
  });
  return { occupancy, isLive, refreshSeconds };
}

const LIST = graphql(`
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
  usePages<Attempt>({
    queryKey: [KEY, filter],
    load: async (after, signal) => (await request(LIST, { first, after, filter }, signal)).checkIns,
    refreshSeconds,
  });

const CHECK_IN = graphql(`
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

const CHECK_OUT = graphql(`
  mutation CheckOutFromDesk($id: ID!) {
    checkOut(id: $id) {
      label
    }
  }
`);

export const useCheckIn = (onSuccess: (checkIn: CheckIn) => void) =>
  useChange(
    async (input: CheckInInput) => (await request(CHECK_IN, { input })).checkIn,
    [[KEY]],
    onSuccess,
  );

export const useCheckOut = (onSuccess: (label: string | null) => void) =>
  useChange(
    async (id: string) => (await request(CHECK_OUT, { id })).checkOut.label,
    [[KEY]],
    onSuccess,
  );
