import { useMutation, useQueryClient } from '@tanstack/react-query';
import { request } from '../../api/request.ts';
import type {
  CancelBookingMutationVariables,
  EditBookingMutationVariables,
  MoveBookingMutationVariables,
} from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

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
  useBookingMutation((input: CancelBookingMutationVariables) => request(CANCEL, input), onSuccess);

export const useMoveBooking = (onSuccess: (startsAt: string) => void) =>
  useBookingMutation(
    async (input: MoveBookingMutationVariables) =>
      (await request(MOVE, input)).rescheduleBooking.startsAt,
    onSuccess,
  );

export const useEditBooking = (onSuccess: () => void) =>
  useBookingMutation((input: EditBookingMutationVariables) => request(EDIT, input), onSuccess);

export const useApproveBooking = (onSuccess: () => void) =>
  useBookingMutation((id: string) => request(APPROVE, { id }), onSuccess);

export const useCheckInBooking = (onSuccess: () => void) =>
  useBookingMutation((id: string) => request(ARRIVE, { id }), onSuccess);

export function useBookingMutation<Input, Result>(
  mutationFn: (input: Input) => Promise<Result>,
  onSuccess: (result: Result) => void,
) {
  const client = useQueryClient();
  const lookAgain = () =>
    ['day', 'bookings', 'booking-preview'].map((key) =>
      client.invalidateQueries({ queryKey: [key] }),
    );
  return useMutation({
    mutationFn,
    onSuccess: (result) => {
      onSuccess(result);
      void lookAgain();
    },
    // What was refused has mostly been changed by somebody else meanwhile.
    onError: () => void lookAgain(),
  });
}
