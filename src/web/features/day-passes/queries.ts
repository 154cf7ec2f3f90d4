import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useChange } from '../../api/change.ts';
import { request } from '../../api/request.ts';
import type {
  CreateDayPassTypeInput,
  DayPassTypeInListFragment,
  UpdateDayPassTypeInput,
} from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

const REFRESH_SECONDS = 30;

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

const LIST = graphql(`
  query DayPassTypesOn($date: Date) {
    dayPassTypes(date: $date, includeInactive: true) {
      ...DayPassTypeInList
    }
  }
`);

/** As they stand on a date; null: on each location's own today. */
export const useDayPassTypes = (date: string | null) =>
  useQuery({
    queryKey: ['day-passes', date],
    refetchInterval: REFRESH_SECONDS * 1000,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => (await request(LIST, { date }, signal)).dayPassTypes,
  });

const CREATE = graphql(`
  mutation CreateDayPassType($input: CreateDayPassTypeInput!) {
    createDayPassType(input: $input) {
      id
      name
    }
  }
`);

const UPDATE = graphql(`
  mutation UpdateDayPassType($id: ID!, $input: UpdateDayPassTypeInput!) {
    updateDayPassType(id: $id, input: $input) {
      id
      name
    }
  }
`);

const DELETE = graphql(`
  mutation DeleteDayPassType($id: ID!) {
    deleteDayPassType(id: $id) {
      id
    }
  }
`);

/** Makes one, or changes the one that is named. */
export const useSaveDayPassType = (onSuccess: (type: { name: string }) => void) =>
  useChange(
    async (
      change: { create: CreateDayPassTypeInput } | { id: string; update: UpdateDayPassTypeInput },
    ) =>
      'create' in change
        ? (await request(CREATE, { input: change.create })).createDayPassType
        : (await request(UPDATE, { id: change.id, input: change.update })).updateDayPassType,
    [['day-passes']],
    onSuccess,
  );

export const useDeleteDayPassType = (onSuccess: () => void) =>
  useChange((id: string) => request(DELETE, { id }), [['day-passes']], onSuccess);
