import { useChange } from '../../api/change.ts';
import { request } from '../../api/request.ts';
import type { RefundOrderInput } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

/** What an order holds is stock of an event or of a day, and its money may be due back. */
export const AFFECTED = ['orders', 'refunds', 'events', 'waitlist', 'discounts', 'day-passes'].map(
  (key) => [key],
);

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

const REVOKE_LINKS = graphql(`
  mutation RevokeOrderLinks($id: ID!) {
    revokeOrderLinks(id: $id) {
      id
    }
  }
`);

/** Says whether the order is confirmed by it: what was held may be gone in the meantime. */
export const useMarkPaid = (onSuccess: (isConfirmed: boolean) => void) =>
  useChange(
    async (id: string) => (await request(MARK_PAID, { id })).markOrderPaid.status === 'PAID',
    AFFECTED,
    onSuccess,
  );

export const useRefundOrder = (onSuccess: () => void) =>
  useChange((input: RefundOrderInput) => request(REFUND, { input }), AFFECTED, onSuccess);

export const useResendOrder = (onSuccess: () => void) =>
  useChange((id: string) => request(RESEND, { id }), AFFECTED, onSuccess);

export const useRevokeOrderLinks = (onSuccess: () => void) =>
  useChange((id: string) => request(REVOKE_LINKS, { id }), AFFECTED, onSuccess);
