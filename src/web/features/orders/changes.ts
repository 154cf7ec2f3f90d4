import { useMutation, useQueryClient } from '@tanstack/react-query';
import { request } from '../../api/request.ts';
import type { RefundOrderInput } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

const MARK_PAID = graphql(`
  mutation MarkOrderPaid($id: ID!) {
    markOrderPaid(orderId: $id) {
      id
      status
    }
  }
`);

const REFUND = graphql(`
  mutation RefundOrder($input: RefundOrderInput!) {
    refundOrder(input: $input) {
      id
    }
  }
`);

const RESEND = graphql(`
  mutation ResendOrder($id: ID!) {
    resendOrder(id: $id) {
      id
    }
  }
`);

/** Says whether the order is confirmed by it: what was held may be gone in the meantime. */
export const useMarkPaid = (onSuccess: (isConfirmed: boolean) => void) =>
  useOrderMutation(
    async (id: string) => (await request(MARK_PAID, { id })).markOrderPaid.status === 'PAID',
    onSuccess,
  );

export const useRefundOrder = (onSuccess: () => void) =>
  useOrderMutation((input: RefundOrderInput) => request(REFUND, { input }), onSuccess);

export const useResendOrder = (onSuccess: () => void) =>
  useOrderMutation((id: string) => request(RESEND, { id }), onSuccess);

/** What an order holds is stock of an event or of a day, and its money may be due back. */
export function useOrderMutation<Input, Result>(
  mutationFn: (input: Input) => Promise<Result>,
  onSuccess: (result: Result) => void,
) {
  const client = useQueryClient();
  const lookAgain = () =>
    ['orders', 'refunds', 'events', 'waitlist', 'discounts', 'day-passes'].map((key) =>
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
