import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useInvalidatingMutation } from '../../api/mutations.ts';
import { request } from '../../api/request.ts';
import type {
  CreateDayPassTypeInput,
  DayPassTypeInListFragment,
  UpdateDayPassTypeInput,
} from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

const REFRESH_INTERVAL_SECONDS = 30;

export type DayPassType = DayPassTypeInListFragment;

graphql(`
  fragment DayPassTypeInList on DayPassType {
    id
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
    perDay
    daysAhead
    active
    orderLimits {
      maxSeatsPerEmail
      maxSeatsPerAddress
      maxSeatsPerNetwork
      limitWindowHours
      confirmFreeOrders
    }
    date
    left
    closed
    reason
  }
`);

const DAY_PASS_TYPES_ON_QUERY = graphql(`
  query DayPassTypesOn($date: Date) {
    dayPassTypes(date: $date, includeInactive: true) {
      ...DayPassTypeInList
    }
  }
`);

/** Availability on a date. Null means today in each location's time zone. */
export const useDayPassTypes = (date: string | null) =>
  useQuery({
    queryKey: ['day-passes', date],
    refetchInterval: REFRESH_INTERVAL_SECONDS * 1000,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (await request(DAY_PASS_TYPES_ON_QUERY, { date }, signal)).dayPassTypes,
  });

const CREATE_DAY_PASS_TYPE_MUTATION = graphql(`
  mutation CreateDayPassType($input: CreateDayPassTypeInput!) {
    createDayPassType(input: $input) {
      id
      name
    }
  }
`);

const UPDATE_DAY_PASS_TYPE_MUTATION = graphql(`
  mutation UpdateDayPassType($id: ID!, $input: UpdateDayPassTypeInput!) {
    updateDayPassType(id: $id, input: $input) {
      id
      name
    }
  }
`);

const DELETE_DAY_PASS_TYPE_MUTATION = graphql(`
  mutation DeleteDayPassType($id: ID!) {
    deleteDayPassType(id: $id) {
      id
    }
  }
`);

/** Creates a day pass type, or updates the one with the given id. */
export const useSaveDayPassType = (onSuccess: (type: { name: string }) => void) =>
  useInvalidatingMutation(
    async (
      change: { create: CreateDayPassTypeInput } | { id: string; update: UpdateDayPassTypeInput },
    ) =>
      'create' in change
        ? (await request(CREATE_DAY_PASS_TYPE_MUTATION, { input: change.create })).createDayPassType
        : (await request(UPDATE_DAY_PASS_TYPE_MUTATION, { id: change.id, input: change.update }))
            .updateDayPassType,
    [['day-passes']],
    onSuccess,
  );

export const useDeleteDayPassType = (onSuccess: () => void) =>
  useInvalidatingMutation(
    (id: string) => request(DELETE_DAY_PASS_TYPE_MUTATION, { id }),
    [['day-passes']],
    onSuccess,
  );
