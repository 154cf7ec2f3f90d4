import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useInvalidatingMutation } from '../../api/mutations.ts';
import { usePagedQuery } from '../../api/paged-query.ts';
import { request } from '../../api/request.ts';
import { useSubscription } from '../../api/subscriptions.ts';
import type {
  AttemptFilter,
  AttemptFragment,
  CheckInFromDeskMutation,
  CheckInInput,
  FrontDeskQuery,
  OccupancyFragment,
} from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

export type CheckInAttempt = AttemptFragment;
export type Occupancy = OccupancyFragment;
export type CheckIn = CheckInFromDeskMutation['checkIn']['checkIn'];

export const CHECK_INS_KEY = 'check-ins';
const ATTEMPTS_PAGE_SIZE = 50;
const REFRESH_INTERVAL_SECONDS = 15;
const LIVE_REFRESH_INTERVAL_SECONDS = 120;

graphql(`
  fragment Occupancy on Occupancy {
    locationId
    locationName
    present
    unconfirmed
    capacity
  }
`);

graphql(`
  fragment Attempt on CheckInAttempt {
    id
    result
    unconfirmed
    disputed
    beforeCancellation
    label
    at
    recordedAt
    checkedOutAt
    autoCheckOutAt
    autoCheckedOut
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

const FRONT_DESK_QUERY = graphql(`
  query FrontDesk($locationId: ID) {
    expected: expectedArrivals(locationId: $locationId) {
      kind
      id
      name
      what
      startsAt
      locationName
      timeZone
    }
    occupancy {
      ...Occupancy
    }
    present: checkIns(first: 50, filter: { locationId: $locationId, present: true }) {
      nodes {
        ...Attempt
      }
      totalCount {
        value
        text
      }
    }
    latest: checkIns(first: 20, filter: { locationId: $locationId }) {
      nodes {
        ...Attempt
      }
      totalCount {
        value
        text
      }
    }
  }
`);

export type FrontDesk = FrontDeskQuery;
export type ExpectedArrival = FrontDeskQuery['expected'][number];

const OCCUPANCY_CHANGED_SUBSCRIPTION = graphql(`
  subscription OccupancyChanged {
    occupancyChanged {
      ...Occupancy
    }
  }
`);

/**
 * The occupancy of every location, and who has checked in at one of them or all. An event of the subscription that differs
 * from what is shown triggers a refetch, so that counts and lists agree.
 */
export function useFrontDesk(locationId: string | null) {
  const client = useQueryClient();
  const queryKey = [CHECK_INS_KEY, 'front-desk', locationId];
  const isLive = useSubscription(OCCUPANCY_CHANGED_SUBSCRIPTION, {}, ({ occupancyChanged }) => {
    const shown = client
      .getQueryData<FrontDesk>(queryKey)
      ?.occupancy.find((one) => one.locationId === occupancyChanged.locationId);
    if (
      shown?.present !== occupancyChanged.present ||
      shown.unconfirmed !== occupancyChanged.unconfirmed ||
      shown.capacity !== occupancyChanged.capacity
    ) {
      void client.invalidateQueries({ queryKey: [CHECK_INS_KEY] });
    }
  });
  const refreshSeconds = isLive ? LIVE_REFRESH_INTERVAL_SECONDS : REFRESH_INTERVAL_SECONDS;
  const frontDesk = useQuery({
    queryKey,
    queryFn: ({ signal }) => request(FRONT_DESK_QUERY, { locationId }, signal),
    placeholderData: keepPreviousData,
    refetchInterval: refreshSeconds * 1000,
  });
  return { frontDesk, isLive, refreshSeconds };
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

export const useAttempts = (filter: AttemptFilter) =>
  usePagedQuery<CheckInAttempt>({
    queryKey: [CHECK_INS_KEY, filter],
    load: async (after, signal) =>
      (await request(CHECK_INS_QUERY, { first: ATTEMPTS_PAGE_SIZE, after, filter }, signal))
        .checkIns,
    refreshSeconds: REFRESH_INTERVAL_SECONDS,
  });

const CHECK_IN_FROM_DESK_MUTATION = graphql(`
  mutation CheckInFromDesk($input: CheckInInput!) {
    checkIn(input: $input) {
      checkIn {
        result
        disputed
        label
        checkedInAt
        subject {
          type
          title
        }
      }
    }
  }
`);

const CONFIRM_VISIT_MUTATION = graphql(`
  mutation ConfirmVisit($id: ID!) {
    confirmVisit(input: { id: $id }) {
      checkIn {
        result
        label
      }
    }
  }
`);

const CHECK_OUT_FROM_DESK_MUTATION = graphql(`
  mutation CheckOutFromDesk($id: ID!) {
    checkOut(input: { id: $id }) {
      checkIn {
        label
      }
    }
  }
`);

export const useCheckIn = (onSuccess: (checkIn: CheckIn) => void) =>
  useInvalidatingMutation(
    async (input: CheckInInput) =>
      (await request(CHECK_IN_FROM_DESK_MUTATION, { input })).checkIn.checkIn,
    [[CHECK_INS_KEY]],
    onSuccess,
  );

export const useConfirmVisit = (onSuccess: (checkIn: Pick<CheckIn, 'result' | 'label'>) => void) =>
  useInvalidatingMutation(
    async (id: string) => (await request(CONFIRM_VISIT_MUTATION, { id })).confirmVisit.checkIn,
    [[CHECK_INS_KEY]],
    onSuccess,
  );

export const useCheckOut = (onSuccess: (label: string | null) => void) =>
  useInvalidatingMutation(
    async (id: string) =>
      (await request(CHECK_OUT_FROM_DESK_MUTATION, { id })).checkOut.checkIn.label,
    [[CHECK_INS_KEY]],
    onSuccess,
  );
