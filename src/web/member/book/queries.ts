import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { request } from '../../api/request.ts';
import { addDays, addMinutes, toStartOfDay } from '../../components/wall-clock.ts';
import type { FreeTimesQuery, FreeTimesQueryVariables } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

export type FreeTimes = FreeTimesQuery['availability'][number];
export type PricedSlot = FreeTimes['slots'][number];

const REFRESH_INTERVAL_SECONDS = 60;

const FREE_TIMES_QUERY = graphql(`
  query FreeTimes(
    $from: DateTime!
    $to: DateTime!
    $minutes: Int!
    $resourceId: ID
    $locationId: ID
    $type: ResourceType
    $capacity: Int
  ) {
    availability(
      from: $from
      to: $to
      minutes: $minutes
      resourceId: $resourceId
      locationId: $locationId
      type: $type
      capacity: $capacity
    ) {
      resource {
        id
        name
      }
      slots {
        startsAt
        endsAt
        price {
          amount
          currency
        }
      }
    }
  }
`);

type FreeTimesParams = Omit<FreeTimesQueryVariables, 'from' | 'to'> & {
  day: string;
  timeZone: string;
};

/** Loads free slots of the given length that start on a day in the location's time zone. They may end on the next day. */
export const useFreeTimes = ({ day, timeZone, ...criteria }: FreeTimesParams) =>
  useQuery({
    queryKey: ['day', 'free', day, timeZone, criteria],
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_INTERVAL_SECONDS * 1000,
    queryFn: async ({ signal }) => {
      const from = toStartOfDay(day, timeZone).toISOString();
      const end = toStartOfDay(addDays(day, 1), timeZone).toISOString();
      const to = addMinutes(end, criteria.minutes);
      const { availability } = await request(FREE_TIMES_QUERY, { ...criteria, from, to }, signal);
      return availability.map(({ resource, slots }) => ({
        resource,
        slots: slots.filter(({ startsAt }) => startsAt < end),
      }));
    },
  });
