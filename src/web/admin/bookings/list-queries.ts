import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Connection, usePagedQuery } from '../../api/paged-query.ts';
import { request } from '../../api/request.ts';
import type { BookingFilter, ListedBookingFragment } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

const PAGE_SIZE = 25;
const EXPORT_PAGE_SIZE = 100;

export type ListedBooking = ListedBookingFragment;

const BOOKING_LIST_QUERY = graphql(`
  query BookingList($first: Int!, $after: String, $filter: BookingFilter, $orderBy: BookingOrder) {
    bookings(first: $first, after: $after, filter: $filter, orderBy: $orderBy) {
      edges {
        node {
          ...ListedBooking
        }
      }
      pageInfo {
        endCursor
        hasNextPage
      }
    }
  }

  fragment ListedBooking on Booking {
    ...Booking
    price {
      amount
      currency
    }
    payment {
      ...BookingPaid
    }
  }
`);

/** Latest first, unless the filter begins at a day. */
const toOrder = ({ from }: BookingFilter) => (from ? 'STARTS_AT_ASC' : 'STARTS_AT_DESC');

export const fetchBookings = async (
  filter: BookingFilter,
  after: string | null,
  signal: AbortSignal,
  first = EXPORT_PAGE_SIZE,
): Promise<Connection<ListedBooking>> => {
  const variables = { first, after, filter, orderBy: toOrder(filter) } as const;
  return (await request(BOOKING_LIST_QUERY, variables, signal)).bookings;
};

export const useBookingList = (filter: BookingFilter) =>
  usePagedQuery<ListedBooking>({
    queryKey: ['bookings', 'list', filter],
    load: (after, signal) => fetchBookings(filter, after, signal, PAGE_SIZE),
  });

const BOOKING_TOTALS_QUERY = graphql(`
  query BookingTotals($filter: BookingFilter!) {
    bookingTotals(filter: $filter) {
      count
      due {
        amount
        currency
      }
      paid {
        amount
        currency
      }
      open {
        amount
        currency
      }
      surplus {
        amount
        currency
      }
    }
  }
`);

export const useBookingTotals = (filter: BookingFilter, enabled: boolean) =>
  useQuery({
    queryKey: ['bookings', 'totals', filter],
    enabled,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (await request(BOOKING_TOTALS_QUERY, { filter }, signal)).bookingTotals,
  });

const FILTER_NAMES_QUERY = graphql(`
  query BookingFilterNames(
    $memberId: ID!
    $hasMember: Boolean!
    $locationId: ID!
    $hasLocation: Boolean!
  ) {
    member(id: $memberId) @include(if: $hasMember) {
      id
      name
    }
    location(id: $locationId) @include(if: $hasLocation) {
      id
      resources(first: 100) {
        nodes {
          id
          name
        }
      }
    }
  }
`);

/** What the filters need besides their ids: the name of the member, and the resources of the location. */
export const useFilterNames = (memberId: string | null, locationId: string | null) =>
  useQuery({
    queryKey: ['bookings', 'filter-names', memberId, locationId],
    enabled: memberId !== null || locationId !== null,
    queryFn: async ({ signal }) =>
      request(
        FILTER_NAMES_QUERY,
        {
          memberId: memberId ?? '',
          hasMember: memberId !== null,
          locationId: locationId ?? '',
          hasLocation: locationId !== null,
        },
        signal,
      ),
  });
