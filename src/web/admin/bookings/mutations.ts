import { useInvalidatingMutation } from '../../api/mutations.ts';
import { request } from '../../api/request.ts';
import type {
  ApproveBookingMutationVariables,
  BookAnyResourceInput,
  BookAnyResourceMutation,
  CancelBookingMutationVariables,
  CreateBookingInput,
  CreateBookingSeriesInput,
  RescheduleBookingInput,
  UpdateBookingInput,
} from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

const CREATE_BOOKING_MUTATION = graphql(`
  mutation CreateBooking($input: CreateBookingInput!) {
    createBooking(input: $input) {
      booking {
        ...Booking
      }
    }
  }
`);

const CREATE_BOOKING_SERIES_MUTATION = graphql(`
  mutation CreateBookingSeries($input: CreateBookingSeriesInput!) {
    createBookingSeries(input: $input) {
      bookingSeries {
        bookings {
          id
          startsAt
        }
      }
    }
  }
`);

interface BookingResult {
  count: number;
  /** Null if no booking of a series was available. */
  firstStart: string | null;
}

export const useCreateBooking = (onSuccess: (booked: BookingResult) => void) =>
  useInvalidatingMutation(
    async (
      target: { booking: CreateBookingInput } | { series: CreateBookingSeriesInput },
    ): Promise<BookingResult> => {
      if ('booking' in target) {
        const { createBooking } = await request(CREATE_BOOKING_MUTATION, { input: target.booking });
        return { count: 1, firstStart: createBooking.booking.startsAt };
      }
      const { createBookingSeries } = await request(CREATE_BOOKING_SERIES_MUTATION, {
        input: target.series,
      });
      const { bookings } = createBookingSeries.bookingSeries;
      return { count: bookings.length, firstStart: bookings[0]?.startsAt ?? null };
    },
    BOOKING_QUERY_KEYS,
    onSuccess,
  );

const BOOK_ANY_RESOURCE_MUTATION = graphql(`
  mutation BookAnyResource($input: BookAnyResourceInput!) {
    bookAnyResource(input: $input) {
      booking {
        id
        status
        resource {
          id
          name
        }
      }
    }
  }
`);

type AnyBooking = BookAnyResourceMutation['bookAnyResource']['booking'];

/** Books whichever resource of a type is free. */
export const useBookAnyResource = (onSuccess: (booking: AnyBooking) => void) =>
  useInvalidatingMutation(
    async (input: BookAnyResourceInput) =>
      (await request(BOOK_ANY_RESOURCE_MUTATION, { input })).bookAnyResource.booking,
    BOOKING_QUERY_KEYS,
    onSuccess,
  );

const BOOKING_QUERY_KEYS = [['day'], ['bookings'], ['booking-preview']];

const CANCEL_BOOKING_MUTATION = graphql(`
  mutation CancelBooking($id: ID!, $reason: String, $scope: SeriesScope!, $waiveFee: Boolean!) {
    cancelBooking(input: { id: $id, reason: $reason, scope: $scope, waiveFee: $waiveFee }) {
      booking {
        id
      }
    }
  }
`);

const RESCHEDULE_BOOKING_MUTATION = graphql(`
  mutation RescheduleBooking($input: RescheduleBookingInput!) {
    rescheduleBooking(input: $input) {
      booking {
        id
        startsAt
      }
    }
  }
`);

const UPDATE_BOOKING_MUTATION = graphql(`
  mutation UpdateBooking($input: UpdateBookingInput!) {
    updateBooking(input: $input) {
      booking {
        id
      }
    }
  }
`);

const APPROVE_BOOKING_MUTATION = graphql(`
  mutation ApproveBooking($id: ID!, $scope: SeriesScope) {
    confirmBooking(input: { id: $id, scope: $scope }) {
      booking {
        id
      }
    }
  }
`);

const CHECK_IN_BOOKING_MUTATION = graphql(`
  mutation CheckInBooking($id: ID!) {
    checkInBooking(input: { id: $id }) {
      booking {
        id
      }
    }
  }
`);

export const useCancelBooking = (onSuccess: () => void) =>
  useInvalidatingMutation(
    (input: CancelBookingMutationVariables) => request(CANCEL_BOOKING_MUTATION, input),
    BOOKING_QUERY_KEYS,
    onSuccess,
  );

export const useRescheduleBooking = (onSuccess: (startsAt: string) => void) =>
  useInvalidatingMutation(
    async (input: RescheduleBookingInput) =>
      (await request(RESCHEDULE_BOOKING_MUTATION, { input })).rescheduleBooking.booking.startsAt,
    BOOKING_QUERY_KEYS,
    onSuccess,
  );

export const useUpdateBooking = (onSuccess: () => void) =>
  useInvalidatingMutation(
    (input: UpdateBookingInput) => request(UPDATE_BOOKING_MUTATION, { input }),
    BOOKING_QUERY_KEYS,
    onSuccess,
  );

export const useApproveBooking = (onSuccess: () => void) =>
  useInvalidatingMutation(
    (input: ApproveBookingMutationVariables) => request(APPROVE_BOOKING_MUTATION, input),
    BOOKING_QUERY_KEYS,
    onSuccess,
  );

export const useCheckInBooking = (onSuccess: () => void) =>
  useInvalidatingMutation(
    (id: string) => request(CHECK_IN_BOOKING_MUTATION, { id }),
    BOOKING_QUERY_KEYS,
    onSuccess,
  );
