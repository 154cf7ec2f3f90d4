import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type RecordChange, useInvalidatingMutation } from '../../api/mutations.ts';
import { request } from '../../api/request.ts';
import { can, useStaffViewer } from '../../app/session/viewer.ts';
import type {
  CreateDayPassTypeInput,
  DayPassTypeInListFragment,
  UpdateDayPassTypeInput,
} from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';
import { fetchRemainingDiscountCodes } from '../discounts/queries.ts';
import { fetchRemainingLocations } from '../spaces/location-queries.ts';

const REFRESH_INTERVAL_SECONDS = 30;

export type DayPassType = DayPassTypeInListFragment;

graphql(`
  fragment DayPassTypeInList on DayPassType {
    id
    updatedAt
    name
    description
    price {
      amount
      currency
    }
    location {
      id
      name
      timeZone
    }
    dailyCapacity
    daysAhead
    active
    orderLimits {
      maxSeatsPerEmail
      maxSeatsPerAddress
      maxSeatsPerNetwork
      limitWindowHours
      confirmFreeOrders
      unpaidHold
      unpaidHoldAmount
    }
    stock {
      left
      reason
    }
    stockOnDate: stock(date: $date) @include(if: $hasDate) {
      date
      left
      reason
    }
  }
`);

const DAY_PASSES_PAGE_QUERY = graphql(`
  query DayPassesPage($date: Date, $hasDate: Boolean!, $canReadOrders: Boolean!) {
    locations(first: 100) {
      ...LocationChoices
    }
    dayPassTypes(includeInactive: true) {
      ...DayPassTypeInList
    }
    discountCodes(first: 100) @include(if: $canReadOrders) {
      ...DiscountCodePage
    }
  }
`);

/** All day passes with what is left today, in the time zone of each location, and on a date. */
export function useDayPasses(date: string | null) {
  const viewer = useStaffViewer();
  return useQuery({
    queryKey: ['day-passes', date],
    refetchInterval: REFRESH_INTERVAL_SECONDS * 1000,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const { locations, dayPassTypes, discountCodes } = await request(
        DAY_PASSES_PAGE_QUERY,
        { date, hasDate: date !== null, canReadOrders: can(viewer, 'orders:read') },
        signal,
      );
      return {
        types: dayPassTypes,
        locations: await fetchRemainingLocations(locations, signal),
        discountCodes:
          discountCodes && (await fetchRemainingDiscountCodes(null, discountCodes, signal)),
      };
    },
  });
}

const CREATE_DAY_PASS_TYPE_MUTATION = graphql(`
  mutation CreateDayPassType($input: CreateDayPassTypeInput!) {
    createDayPassType(input: $input) {
      dayPassType {
        id
        name
      }
    }
  }
`);

const UPDATE_DAY_PASS_TYPE_MUTATION = graphql(`
  mutation UpdateDayPassType($input: UpdateDayPassTypeInput!) {
    updateDayPassType(input: $input) {
      dayPassType {
        id
        name
      }
    }
  }
`);

const DELETE_DAY_PASS_TYPE_MUTATION = graphql(`
  mutation DeleteDayPassType($id: ID!) {
    deleteDayPassType(input: { id: $id }) {
      deletedDayPassTypeId
    }
  }
`);

/** Creates a day pass type, or updates the one with the given id. */
export const useSaveDayPassType = (onSuccess: (type: { name: string }) => void) =>
  useInvalidatingMutation(
    async (change: RecordChange<CreateDayPassTypeInput, UpdateDayPassTypeInput>) =>
      'create' in change
        ? (await request(CREATE_DAY_PASS_TYPE_MUTATION, { input: change.create })).createDayPassType
            .dayPassType
        : (
            await request(UPDATE_DAY_PASS_TYPE_MUTATION, {
              input: change.update,
            })
          ).updateDayPassType.dayPassType,
    [['day-passes']],
    onSuccess,
  );

export const useDeleteDayPassType = (onSuccess: () => void) =>
  useInvalidatingMutation(
    (id: string) => request(DELETE_DAY_PASS_TYPE_MUTATION, { id }),
    [['day-passes']],
    onSuccess,
  );
