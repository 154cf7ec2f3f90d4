import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { request } from '../../api/request.ts';
import type {
  OfferedPassesQuery,
  OfferedPassFragment,
  OrderDayPassesInput,
} from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

export type OfferedPass = OfferedPassFragment & { isPaidOnSite: boolean };

export const OFFERED_PASSES_QUERY = graphql(`
  query OfferedPasses($date: Date) {
    dayPassTypes {
      ...OfferedPass
    }
    paymentProvider
  }
`);

graphql(`
  fragment OfferedPass on DayPassType {
    id
    name
    description
    stock(date: $date) {
      date
      left
      reason
      openingTimes {
        opens
        closes
      }
    }
    price {
      amount
      currency
    }
    location {
      id
      name
      address
      timeZone
    }
  }
`);

const ORDER_DAY_PASSES_MUTATION = graphql(`
  mutation OrderDayPasses($input: OrderDayPassesInput!) {
    orderDayPasses(input: $input) {
      order {
        ...Portal
      }
    }
  }
`);

export const offeredPassesKey = ['offered-passes'];

export const getOfferedPassesKey = (date: string | null) => [...offeredPassesKey, date];

/** Loads the day passes of all locations. Without a date, for today at each location. */
export const useOfferedPasses = (date: string | null) =>
  useQuery({
    queryKey: getOfferedPassesKey(date),
    queryFn: async ({ signal }) =>
      toOfferedPasses(await request(OFFERED_PASSES_QUERY, { date }, signal)),
    placeholderData: keepPreviousData,
  });

export function toOfferedPasses({
  dayPassTypes,
  paymentProvider,
}: OfferedPassesQuery): OfferedPass[] {
  const isPaidOnSite = paymentProvider === 'ON_SITE';
  return dayPassTypes.map((type) => ({ ...type, isPaidOnSite }));
}

export const orderDayPasses = async (input: OrderDayPassesInput, idempotencyKey: string) =>
  (await request(ORDER_DAY_PASSES_MUTATION, { input }, undefined, idempotencyKey)).orderDayPasses
    .order;
