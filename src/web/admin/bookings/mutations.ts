import { useInvalidatingMutation } from '../../api/mutations.ts';
import { request } from '../../api/request.ts';
import type {
  BookingInput,
  BookingSeriesInput,
  CancelBookingMutationVariables,
  EditBookingMutationVariables,
  MoveBookingMutationVariables,
} from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

const CREATE_BOOKING_MUTATION = graphql(`
  mutation CreateBooking($input: BookingInput!) {
    createBooking(input: $input) {
      ...Booking
    }
  }
`);

const CREATE_BOOKING_SERIES_MUTATION = graphql(`
  mutation CreateBookingSeries($input: BookingSeriesInput!) {
    createBookingSeries(input: $input) {
      bookings {
        id
        startsAt
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
      target: { booking: BookingInput } | { series: BookingSeriesInput },
    ): Promise<BookingResult> => {
      if ('booking' in target) {
        const { createBooking } = await request(CREATE_BOOKING_MUTATION, { input: target.booking });
        return { count: 1, firstStart: createBooking.startsAt };
      }
      const { createBookingSeries } = await request(CREATE_BOOKING_SERIES_MUTATION, {
        input: target.series,
      });
      const { bookings } = createBookingSeries;
      return { count: bookings.length, firstStart: bookings[0]?.startsAt ?? null };
    },
    BOOKING_QUERY_KEYS,
    onSuccess,
  );

const BOOKING_QUERY_KEYS = [['day'], ['bookings'], ['booking-preview']];

const CANCEL_BOOKING_MUTATION = graphql(`
  mutation CancelBooking($id: ID!, $reason: String, $scope: SeriesScope!, $waiveFee: Boolean!) {
    cancelBooking(id: $id, reason: $reason, scope: $scope, waiveFee: $waiveFee) {
      id
    }
  }
`);

const MOVE_BOOKING_MUTATION = graphql(`
  mutation MoveBooking(
    $id: ID!
    $startsAt: DateTime!
    $endsAt: DateTime!
    $scope: SeriesScope!
    $override: Boolean!
  ) {
    rescheduleBooking(
      id: $id
      startsAt: $startsAt
      endsAt: $endsAt
      scope: $scope
      override: $override
    ) {
      id
      startsAt
    }
  }
`);

const EDIT_BOOKING_MUTATION = graphql(`
  mutation EditBooking($id: ID!, $title: String, $notes: String, $scope: SeriesScope!) {
    updateBooking(id: $id, input: { title: $title, notes: $notes }, scope: $scope) {
      id
    }
  }
`);

const APPROVE_BOOKING_MUTATION = graphql(`
  mutation ApproveBooking($id: ID!) {
    confirmBooking(id: $id) {
      id
    }
  }
`);

const CHECK_IN_BOOKING_MUTATION = graphql(`
  mutation CheckInBooking($id: ID!) {
    checkInBooking(id: $id) {
      id
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
    async (input: MoveBookingMutationVariables) =>
      (await request(MOVE_BOOKING_MUTATION, input)).rescheduleBooking.startsAt,
    BOOKING_QUERY_KEYS,
    onSuccess,
  );

export const useUpdateBooking = (onSuccess: () => void) =>
  useInvalidatingMutation(
    (input: EditBookingMutationVariables) => request(EDIT_BOOKING_MUTATION, input),
    BOOKING_QUERY_KEYS,
    onSuccess,
  );

export const useApproveBooking = (onSuccess: () => void) =>
  useInvalidatingMutation(
    (id: string) => request(APPROVE_BOOKING_MUTATION, { id }),
    BOOKING_QUERY_KEYS,
    onSuccess,
  );

export const useCheckInBooking = (onSuccess: () => void) =>
  useInvalidatingMutation(
    (id: string) => request(CHECK_IN_BOOKING_MUTATION, { id }),
    BOOKING_QUERY_KEYS,
    onSuccess,
  );
