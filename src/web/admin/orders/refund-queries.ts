import { useInvalidatingMutation } from '../../api/mutations.ts';
import { usePagedQuery } from '../../api/paged-query.ts';
import { request } from '../../api/request.ts';
import type {
  RefundFilter,
  RefundInListFragment,
  RefundStatus,
  SettleRefundInput,
} from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';
import { ORDER_QUERY_KEYS } from './queries.ts';

const PAGE_SIZE = 25;
const REFRESH_INTERVAL_SECONDS = 30;

export type Refund = RefundInListFragment;

graphql(`
  fragment RefundInList on Refund {
    id
    amount {
      amount
      currency
    }
    reason
    status
    lastError
    provider
    method
    payment {
      method
    }
    orderCode
    createdAt
    completedAt
    allowedActions {
      settle
      retry
    }
  }
`);

const REFUND_LIST_QUERY = graphql(`
  query RefundList($first: Int!, $after: String, $filter: RefundFilter) {
    refunds(first: $first, after: $after, filter: $filter) {
      edges {
        node {
          ...RefundInList
        }
      }
      pageInfo {
        endCursor
        hasNextPage
      }
    }
  }
`);

export const useRefunds = (status: RefundStatus) => {
  const filter: RefundFilter = { status: [status] };
  return usePagedQuery<Refund>({
    queryKey: ['refunds', status],
    refreshSeconds: REFRESH_INTERVAL_SECONDS,
    load: async (after, signal) =>
      (await request(REFUND_LIST_QUERY, { first: PAGE_SIZE, after, filter }, signal)).refunds,
  });
};

const SETTLE_REFUND_MUTATION = graphql(`
  mutation SettleRefund($input: SettleRefundInput!) {
    settleRefund(input: $input) {
      refund {
        id
      }
    }
  }
`);

const RETRY_REFUND_MUTATION = graphql(`
  mutation RetryRefund($id: ID!) {
    retryRefund(input: { id: $id }) {
      refund {
        id
      }
    }
  }
`);

export const useSettleRefund = (onSuccess: () => void) =>
  useInvalidatingMutation(
    (input: SettleRefundInput) => request(SETTLE_REFUND_MUTATION, { input }),
    ORDER_QUERY_KEYS,
    onSuccess,
  );

export const useRetryRefund = (onSuccess: () => void) =>
  useInvalidatingMutation(
    (id: string) => request(RETRY_REFUND_MUTATION, { id }),
    ORDER_QUERY_KEYS,
    onSuccess,
  );
