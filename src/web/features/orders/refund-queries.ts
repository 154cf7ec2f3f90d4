import { useQuery } from '@tanstack/react-query';
import { useChange } from '../../api/change.ts';
import { usePages } from '../../api/pages.ts';
import { request } from '../../api/request.ts';
import type { RefundFilter, RefundInListFragment, RefundStatus } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';
import { AFFECTED } from './changes.ts';

const PAGE_SIZE = 25;
const REFRESH_SECONDS = 30;

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
    problem
    provider
    orderCode
    createdAt
    doneAt
  }
`);

const LIST = graphql(`
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
  const filter: RefundFilter = { status };
  return usePages<Refund>({
    queryKey: ['refunds', status],
    refreshSeconds: REFRESH_SECONDS,
    load: async (after, signal) =>
      (await request(LIST, { first: PAGE_SIZE, after, filter }, signal)).refunds,
  });
};

const TO_DO = graphql(`
  query RefundsToDo {
    due: refunds(first: 50, filter: { status: DUE }) {
      edges {
        node {
          provider
        }
      }
    }
    failed: refunds(first: 50, filter: { status: FAILED }) {
      edges {
        node {
          id
        }
      }
    }
  }
`);

/** How many wait for staff: up to fifty of each. */
export const useRefundsToDo = () =>
  useQuery({
    queryKey: ['refunds', 'to-do'],
    refetchInterval: REFRESH_SECONDS * 1000,
    queryFn: async () => {
      const { due, failed } = await request(TO_DO);
      const onSite = due.edges.filter(({ node }) => node.provider === 'ON_SITE');
      return { onSite: onSite.length, failed: failed.edges.length };
    },
  });

const SETTLE = graphql(`
  mutation SettleRefund($id: ID!) {
    settleRefund(id: $id) {
      id
    }
  }
`);

const RETRY = graphql(`
  mutation RetryRefund($id: ID!) {
    retryRefund(id: $id) {
      id
    }
  }
`);

export const useSettleRefund = (onSuccess: () => void) =>
  useChange((id: string) => request(SETTLE, { id }), AFFECTED, onSuccess);

export const useRetryRefund = (onSuccess: () => void) =>
  useChange((id: string) => request(RETRY, { id }), AFFECTED, onSuccess);
