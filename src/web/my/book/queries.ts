import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { request } from '../../api/request.ts';
import type { FreeTimesQuery, FreeTimesQueryVariables } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';
import { later, nextDay, startOf } from '../../ui/wall-clock.ts';

export type FreeTimes = FreeTimesQuery['availability'][number];
export type PricedSlot = FreeTimes['slots'][number];

const REFRESH_SECONDS = 60;

const FREE = graphql(`
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

type Choice = Omit<FreeTimesQueryVariables, 'from' | 'to'> & { day: string; timeZone: string };

/** What begins on a day by the clocks of the place, for that long; it may end on the next. */
export const useFreeTimes = ({ day, timeZone, ...choice }: Choice) =>
  useQuery({
    queryKey: ['day', 'free', day, timeZone, choice],
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_SECONDS * 1000,
    queryFn: async ({ signal }) => {
      const from = startOf(day, timeZone).toISOString();
      const end = startOf(nextDay(day, 1), timeZone).toISOString();
      const to = later(end, choice.minutes);
      const { availability } = await request(FREE, { ...choice, from, to }, signal);
      return availability.map((one) => ({
        ...one,
        slots: one.slots.filter(({ startsAt }) => startsAt < end),
      }));
    },
  });
