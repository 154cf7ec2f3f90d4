import { useQuery } from '@tanstack/react-query';
import { useInvalidatingMutation } from '../../api/mutations.ts';
import { usePagedQuery } from '../../api/paged-query.ts';
import { request } from '../../api/request.ts';
import type {
  OrderFilter,
  OrderInListFragment,
  OrderPageQuery,
  RefundOrderInput,
} from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

const ORDERS_PAGE_SIZE = 25;
const ORDERS_REFRESH_INTERVAL_SECONDS = 30;

export type OrderRow = OrderInListFragment;

graphql(`
  fragment OrderInList on Order {
    ...OrderSummary
    createdAt
    event {
      id
    }
  }
`);

const ORDER_LIST_QUERY = graphql(`
  query OrderList($first: Int!, $after: String, $filter: OrderFilter) {
    orders(first: $first, after: $after, filter: $filter) {
      edges {
        node {
          ...OrderInList
        }
      }
      pageInfo {
        endCursor
        hasNextPage
      }
    }
  }
`);

/** Newest first. Polls for new orders. */
export const useOrders = (filter: OrderFilter) =>
  usePagedQuery<OrderRow>({
    queryKey: ['orders', filter],
    refreshSeconds: ORDERS_REFRESH_INTERVAL_SECONDS,
    load: async (after, signal) =>
      (await request(ORDER_LIST_QUERY, { first: ORDERS_PAGE_SIZE, after, filter }, signal)).orders,
  });

const ORDER_REFRESH_INTERVAL_SECONDS = 30;

export type OrderDetails = OrderPageQuery['orderById'];

const ORDER_PAGE_QUERY = graphql(`
  query OrderPage($id: ID!) {
    orderById(id: $id) {
      ...OrderInList
      ...OrderContents
      memberId
      paidAt
      cancelledAt
      refunds {
        ...RefundInList
      }
    }
  }
`);

export const useOrder = (id: string) =>
  useQuery({
    queryKey: ['orders', 'one', id],
    staleTime: 0, // the refundable amount must be current
    refetchInterval: ORDER_REFRESH_INTERVAL_SECONDS * 1000,
    queryFn: async ({ signal }) => (await request(ORDER_PAGE_QUERY, { id }, signal)).orderById,
  });

/** An order also affects the stock of its event or date, and refunds. */
export const ORDER_QUERY_KEYS = [
  'orders',
  'refunds',
  'events',
  'waitlist',
  'discounts',
  'day-passes',
].map((key) => [key]);

const MARK_ORDER_PAID_MUTATION = graphql(`
  mutation MarkOrderPaid($id: ID!) {
    markOrderPaid(orderId: $id) {
      id
      status
    }
  }
`);

const REFUND_ORDER_MUTATION = graphql(`
  mutation RefundOrder($input: RefundOrderInput!) {
    refundOrder(input: $input) {
      id
    }
  }
`);

const RESEND_ORDER_MUTATION = graphql(`
  mutation ResendOrder($id: ID!) {
    resendOrder(id: $id) {
      id
    }
  }
`);

const REVOKE_ORDER_LINKS_MUTATION = graphql(`
  mutation RevokeOrderLinks($id: ID!) {
    revokeOrderLinks(id: $id) {
      id
    }
  }
`);

/** Passes on whether the payment confirmed the order, as its items may be gone. */
export const useMarkPaid = (onSuccess: (isConfirmed: boolean) => void) =>
  useInvalidatingMutation(
    async (id: string) =>
      (await request(MARK_ORDER_PAID_MUTATION, { id })).markOrderPaid.status === 'PAID',
    ORDER_QUERY_KEYS,
    onSuccess,
  );

export const useRefundOrder = (onSuccess: () => void) =>
  useInvalidatingMutation(
    (input: RefundOrderInput) => request(REFUND_ORDER_MUTATION, { input }),
    ORDER_QUERY_KEYS,
    onSuccess,
  );

export const useResendOrder = (onSuccess: () => void) =>
  useInvalidatingMutation(
    (id: string) => request(RESEND_ORDER_MUTATION, { id }),
    ORDER_QUERY_KEYS,
    onSuccess,
  );

export const useRevokeOrderLinks = (onSuccess: () => void) =>
  useInvalidatingMutation(
    (id: string) => request(REVOKE_ORDER_LINKS_MUTATION, { id }),
    ORDER_QUERY_KEYS,
    onSuccess,
  );
