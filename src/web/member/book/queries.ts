import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { fetchRemainingLocations } from '../../admin/spaces/location-queries.ts';
import { fetchRemainingResources } from '../../admin/spaces/resource-queries.ts';
import { toApiError } from '../../api/errors.ts';
import { request } from '../../api/request.ts';
import { addDays, addMinutes, toStartOfDay } from '../../components/wall-clock.ts';
import type { FreeTimesQuery, FreeTimesQueryVariables } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';
import { requireMember } from '../membership/current-member.ts';

type FreeTimes = FreeTimesQuery['availability'][number];
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
    $area: String
    $capacity: Int
  ) {
    availability(
      from: $from
      to: $to
      minutes: $minutes
      resourceId: $resourceId
      locationId: $locationId
      type: $type
      area: $area
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

const EMPTY_DAY_QUERY = graphql(`
  query EmptyDay(
    $from: DateTime!
    $to: DateTime!
    $minutes: Int!
    $locationId: ID
    $type: ResourceType
    $area: String
    $capacity: Int
  ) {
    availability(
      from: $from
      to: $to
      minutes: $minutes
      locationId: $locationId
      type: $type
      area: $area
      capacity: $capacity
    ) {
      emptyReason
      nextFreeOn
    }
  }
`);

/** Loads why nothing is free on a day, if all resources have the same reason, and the next day on which something is. */
export const useEmptyDay = ({ day, timeZone, ...criteria }: FreeTimesParams) =>
  useQuery({
    queryKey: ['day', 'empty', day, timeZone, criteria],
    queryFn: async ({ signal }) => {
      const from = toStartOfDay(day, timeZone).toISOString();
      const to = toStartOfDay(addDays(day, 1), timeZone).toISOString();
      const { availability } = await request(EMPTY_DAY_QUERY, { ...criteria, from, to }, signal);
      const [reason, ...others] = new Set(availability.map(({ emptyReason }) => emptyReason));
      const days = availability.flatMap(({ nextFreeOn }) => nextFreeOn ?? []);
      return { reason: others.length === 0 ? reason : undefined, nextFreeOn: days.sort()[0] };
    },
  });

const BOOK_PAGE_QUERY = graphql(`
  query BookPage($locationId: ID!, $hasLocation: Boolean!) {
    me {
      status
    }
    locations(first: 100) {
      ...LocationChoices
    }
    location(id: $locationId) @include(if: $hasLocation) {
      id
      memberBookingsOnDisplays
      resources(first: 50) {
        ...ResourceListPage
      }
    }
    firstLocation: locations(first: 1) @skip(if: $hasLocation) {
      nodes {
        id
        memberBookingsOnDisplays
        resources(first: 50) {
          ...ResourceListPage
        }
      }
    }
  }
`);

const fetchBookPage = (locationId: string | null, signal: AbortSignal) =>
  request(
    BOOK_PAGE_QUERY,
    { locationId: locationId ?? '', hasLocation: locationId !== null },
    signal,
  );

/** The locations, and what can be booked at one of them: the given one, or the first. */
export const useBookPage = (locationId: string | null) =>
  useQuery({
    queryKey: ['resources', 'book', locationId],
    staleTime: 0, // the membership can be paused at any time
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const data = await fetchBookPage(locationId, signal).catch((thrown) => {
        // The location that was chosen last may no longer exist.
        if (toApiError(thrown).code !== 'NOT_FOUND' || locationId === null) throw thrown;
        return fetchBookPage(null, signal);
      });
      const location = data.location ?? data.firstLocation?.nodes[0];
      const resources = location
        ? await fetchRemainingResources(location.id, location.resources, signal)
        : [];
      return {
        status: requireMember(data.me).status,
        locations: await fetchRemainingLocations(data.locations, signal),
        locationId: location?.id,
        showsTitles: location?.memberBookingsOnDisplays === 'TITLE',
        resources: resources.filter(({ active }) => active),
      };
    },
  });
