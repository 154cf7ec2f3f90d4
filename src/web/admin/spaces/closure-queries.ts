import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRefetchingMutation } from '../../api/mutations.ts';
import { request } from '../../api/request.ts';
import { can, useStaffViewer } from '../../app/session/viewer.ts';
import { addDays, isCalendarDate, toStartOfDay } from '../../components/wall-clock.ts';
import type {
  AnnounceClosureInput,
  AnnounceClosureMutation,
  ClosureEffectsQueryVariables,
  CreateClosureInput,
} from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';
import type { Closure } from './location-queries.ts';

const CLOSURE_EFFECTS_QUERY = graphql(`
  query ClosureEffects(
    $locationId: ID!
    $from: DateTime!
    $to: DateTime!
    $firstDay: Date!
    $lastDay: Date!
    $canReadBookings: Boolean!
    $canReadEvents: Boolean!
    $canReadOrders: Boolean!
  ) {
    location(id: $locationId) {
      bookings(first: 100, filter: { from: $from, to: $to, status: [CONFIRMED, PENDING] })
        @include(if: $canReadBookings) {
        totalCount {
          value
        }
        nodes {
          id
          startsAt
          endsAt
          resource {
            name
          }
          member {
            name
          }
          guest {
            name
            email
          }
        }
      }
      events(first: 20, filter: { from: $from, to: $to, status: [DRAFT, PUBLISHED] })
        @include(if: $canReadEvents) {
        nodes {
          id
          title
        }
      }
      dayPasses(first: 1, filter: { from: $firstDay, to: $lastDay, status: [VALID] })
        @include(if: $canReadOrders) {
        totalCount {
          value
        }
      }
    }
  }
`);

const CREATE_CLOSURE_MUTATION = graphql(`
  mutation CreateClosure($input: CreateClosureInput!) {
    createClosure(input: $input) {
      closure {
        ...Closure
      }
    }
  }
`);

const ANNOUNCE_CLOSURE_MUTATION = graphql(`
  mutation AnnounceClosure($input: AnnounceClosureInput!) {
    announceClosure(input: $input) {
      bookingCount
      cancelledCount
      ticketHolderCount
    }
  }
`);

const DELETE_CLOSURE_MUTATION = graphql(`
  mutation DeleteClosure($id: ID!) {
    deleteClosure(input: { id: $id }) {
      deletedClosureId
    }
  }
`);

export type ClosureEffects = NonNullable<ReturnType<typeof useClosureEffects>['data']>;

/** What falls within a closure of these days, in the time zone of the location. Nothing while a day is missing. */
export function useClosureEffects(
  { id: locationId, timeZone }: { id: string; timeZone: string },
  firstDay: string,
  lastDay: string,
) {
  const viewer = useStaffViewer();
  const enabled = isCalendarDate(firstDay) && isCalendarDate(lastDay) && firstDay <= lastDay;
  return useQuery({
    queryKey: ['bookings', 'closure', locationId, firstDay, lastDay],
    enabled,
    staleTime: 0,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const variables: ClosureEffectsQueryVariables = {
        ...{ locationId, firstDay, lastDay },
        from: toStartOfDay(firstDay, timeZone).toISOString(),
        to: toStartOfDay(addDays(lastDay, 1), timeZone).toISOString(),
        canReadBookings: can(viewer, 'bookings:read'),
        canReadEvents: can(viewer, 'events:read'),
        canReadOrders: can(viewer, 'orders:read'),
      };
      const { location } = await request(CLOSURE_EFFECTS_QUERY, variables, signal);
      return {
        bookings: location.bookings?.nodes ?? [],
        bookingCount: location.bookings?.totalCount.value ?? 0,
        events: location.events?.nodes ?? [],
        dayPassCount: location.dayPasses?.totalCount.value ?? 0,
      };
    },
  });
}

const CLOSURE_QUERY_KEYS = [['locations'], ['day'], ['bookings']];

export const useCreateClosure = (onSuccess: (closure: Closure) => void) =>
  useRefetchingMutation(
    async (input: CreateClosureInput) =>
      (await request(CREATE_CLOSURE_MUTATION, { input })).createClosure.closure,
    CLOSURE_QUERY_KEYS,
    onSuccess,
  );

export const useAnnounceClosure = (
  onSuccess: (result: AnnounceClosureMutation['announceClosure']) => void,
) =>
  useRefetchingMutation(
    async (input: AnnounceClosureInput) =>
      (await request(ANNOUNCE_CLOSURE_MUTATION, { input })).announceClosure,
    CLOSURE_QUERY_KEYS,
    onSuccess,
  );

export const useDeleteClosure = (onSuccess: () => void) =>
  useRefetchingMutation(
    (id: string) => request(DELETE_CLOSURE_MUTATION, { id }),
    CLOSURE_QUERY_KEYS,
    onSuccess,
  );
