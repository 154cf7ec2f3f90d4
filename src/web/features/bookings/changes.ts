import { useChange } from '../../api/change.ts';
import { request } from '../../api/request.ts';
import type {
  CancelBookingMutationVariables,
  EditBookingMutationVariables,
  MoveBookingMutationVariables,
} from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

export const AFFECTED = [['day'], ['bookings'], ['booking-preview']];

const CANCEL = graphql(`
  mutation CancelBooking($id: ID!, $reason: String, $scope: SeriesScope!, $waiveFee: Boolean!) {
    cancelBooking(id: $id, reason: $reason, scope: $scope, waiveFee: $waiveFee) {
      id
    }
  }
`);

const MOVE = graphql(`
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

const EDIT = graphql(`
  mutation EditBooking($id: ID!, $title: String, $notes: String, $scope: SeriesScope!) {
    updateBooking(id: $id, input: { title: $title, notes: $notes }, scope: $scope) {
      id
    }
  }
`);

const APPROVE = graphql(`
  mutation ApproveBooking($id: ID!) {
    confirmBooking(id: $id) {
      id
    }
  }
`);

const ARRIVE = graphql(`
  mutation CheckInBooking($id: ID!) {
    checkInBooking(id: $id) {
      id
    }
  }
`);

export const useCancelBooking = (onSuccess: () => void) =>
  useChange((input: CancelBookingMutationVariables) => request(CANCEL, input), AFFECTED, onSuccess);

export const useMoveBooking = (onSuccess: (startsAt: string) => void) =>
  useChange(
    async (input: MoveBookingMutationVariables) =>
      (await request(MOVE, input)).rescheduleBooking.startsAt,
    AFFECTED,
    onSuccess,
  );

export const useEditBooking = (onSuccess: () => void) =>
  useChange((input: EditBookingMutationVariables) => request(EDIT, input), AFFECTED, onSuccess);

export const useApproveBooking = (onSuccess: () => void) =>
  useChange((id: string) => request(APPROVE, { id }), AFFECTED, onSuccess);

export const useCheckInBooking = (onSuccess: () => void) =>
  useChange((id: string) => request(ARRIVE, { id }), AFFECTED, onSuccess);
