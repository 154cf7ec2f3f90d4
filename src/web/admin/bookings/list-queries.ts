import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Connection, usePagedQuery } from '../../api/paged-query.ts';
import { request } from '../../api/request.ts';
import { can } from '../../app/session/viewer.ts';
import type { BookingFilter, BookingOrder, ListedBookingFragment } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';
import type { ExportedBooking } from './booking-csv.ts';

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

const BOOKING_EXPORT_QUERY = graphql(`
  query BookingExport(
    $first: Int!
    $after: String
    $filter: BookingFilter
    $orderBy: BookingOrder
    $canReadMembers: Boolean!
    $canReadPlans: Boolean!
  ) {
    bookings(first: $first, after: $after, filter: $filter, orderBy: $orderBy) {
      edges {
        node {
          ...ListedBooking
          member @include(if: $canReadMembers) {
            id
            email
            company
            team {
              id
              name
            }
          }
          membership @include(if: $canReadPlans) {
            id
            plan {
              id
              name
            }
          }
        }
      }
      pageInfo {
        endCursor
        hasNextPage
      }
    }
  }
`);

/** Latest first, unless the filter begins at a day. */
const toOrder = ({ from }: BookingFilter): BookingOrder =>
  from ? 'STARTS_AT_ASC' : 'STARTS_AT_DESC';

const fetchBookings = async (
  filter: BookingFilter,
  after: string | null,
  signal: AbortSignal,
): Promise<Connection<ListedBooking>> => {
  const variables = { first: PAGE_SIZE, after, filter, orderBy: toOrder(filter) } as const;
  return (await request(BOOKING_LIST_QUERY, variables, signal)).bookings;
};

/** A page of bookings with what bookkeepers and the front desk need of their members, as far as the viewer can read it. */
export const fetchExportedBookings = async (
  filter: BookingFilter,
  {
    viewer,
    after,
    signal,
  }: { viewer: Parameters<typeof can>[0]; after: string | null; signal: AbortSignal },
): Promise<Connection<ExportedBooking>> => {
  const canReadMembers = can(viewer, 'members:read');
  const variables = {
    ...{ first: EXPORT_PAGE_SIZE, after, filter, orderBy: toOrder(filter), canReadMembers },
    canReadPlans: canReadMembers && can(viewer, 'plans:read'),
  } as const;
  return (await request(BOOKING_EXPORT_QUERY, variables, signal)).bookings;
};

export const useBookingList = (filter: BookingFilter) =>
  usePagedQuery<ListedBooking>({
    queryKey: ['bookings', 'list', filter],
    load: (after, signal) => fetchBookings(filter, after, signal),
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
