import { useQuery } from '@tanstack/react-query';
import { useInvalidatingMutation } from '../../api/mutations.ts';
import { type Connection, usePagedQuery } from '../../api/paged-query.ts';
import { request } from '../../api/request.ts';
import type {
  ExtendOrderHoldInput,
  MarkOrderPaidInput,
  MarkOrderPaidMutation,
  OrderFilter,
  OrderInListFragment,
  OrderPageQuery,
  PaymentProvider,
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
    disputedAt
    event: eventSummary {
      id
    }
  }
`);

const ORDER_LIST_QUERY = graphql(`
  query OrderList($first: Int!, $after: String, $filter: OrderFilter, $isFirstPage: Boolean!) {
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
    paymentProvider @include(if: $isFirstPage)
    pendingRefunds: refunds(first: 50, filter: { status: [PENDING] }) @include(if: $isFirstPage) {
      nodes {
        provider
      }
    }
    failedRefunds: refunds(first: 1, filter: { status: [FAILED] }) @include(if: $isFirstPage) {
      totalCount {
        value
        text
      }
    }
    disputedOrders: orders(first: 1, filter: { disputed: true }) @include(if: $isFirstPage) {
      totalCount {
        value
        text
      }
    }
  }
`);

/** A page of orders. Only the first one has the refunds and disputes that need staff. */
export interface OrdersPageData extends Connection<OrderRow> {
  paymentProvider?: PaymentProvider;
  pendingRefunds?: { nodes: { provider: PaymentProvider }[] };
  failedRefunds?: { totalCount: { value: number; text: string } };
  disputedOrders?: { totalCount: { value: number; text: string } };
}

const EXPORT_PAGE_SIZE = 100;

/** Loads a large page of orders, newest first. */
export const fetchOrders = async (
  filter: OrderFilter,
  after: string | null,
  signal: AbortSignal,
): Promise<Connection<OrderRow>> =>
  (
    await request(
      ORDER_LIST_QUERY,
      { first: EXPORT_PAGE_SIZE, after, filter, isFirstPage: false },
      signal,
    )
  ).orders;

/** Newest first. */
export const useOrders = (filter: OrderFilter) =>
  usePagedQuery<OrderRow, OrdersPageData>({
    queryKey: ['orders', filter],
    refreshSeconds: ORDERS_REFRESH_INTERVAL_SECONDS,
    load: async (after, signal) => {
      const variables = { first: ORDERS_PAGE_SIZE, after, filter, isFirstPage: after === null };
      const { orders, ...refunds } = await request(ORDER_LIST_QUERY, variables, signal);
      return { ...orders, ...refunds };
    },
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
      confirmedHoldUntil
      location {
        timeZone
      }
      staffActions {
        cancel
        cancelTickets
        refundAmount
        markPaid
        extendHold
        resend
        revokeLinks
      }
      refunds {
        ...RefundInList
      }
      disputes {
        reference
        status
        reason
        createdAt
        endedAt
        amount {
          amount
          currency
        }
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

/** The queries that depend on an order, such as the stock of its event. */
export const ORDER_QUERY_KEYS = ['orders', 'refunds', 'events', 'day-passes'].map((key) => [key]);

const MARK_ORDER_PAID_MUTATION = graphql(`
  mutation MarkOrderPaid($input: MarkOrderPaidInput!) {
    markOrderPaid(input: $input) {
      outcome
      order {
        id
        status
      }
    }
  }
`);

const EXTEND_HOLD_MUTATION = graphql(`
  mutation ExtendOrderHold($input: ExtendOrderHoldInput!) {
    extendOrderHold(input: $input) {
      order {
        id
      }
    }
  }
`);

const REFUND_ORDER_MUTATION = graphql(`
  mutation RefundOrder($input: RefundOrderInput!) {
    refundOrder(input: $input) {
      order {
        id
      }
    }
  }
`);

const RESEND_ORDER_MUTATION = graphql(`
  mutation ResendOrder($id: ID!) {
    resendOrder(input: { id: $id }) {
      order {
        id
      }
    }
  }
`);

const REVOKE_ORDER_LINKS_MUTATION = graphql(`
  mutation RevokeOrderLinks($id: ID!) {
    revokeOrderLinks(input: { id: $id }) {
      order {
        id
      }
    }
  }
`);

/** The payment does not confirm the order if it is cancelled or its items are no longer available. */
export const useMarkPaid = (onSuccess: (marked: MarkOrderPaidMutation['markOrderPaid']) => void) =>
  useInvalidatingMutation(
    async (input: MarkOrderPaidInput) =>
      (await request(MARK_ORDER_PAID_MUTATION, { input })).markOrderPaid,
    ORDER_QUERY_KEYS,
    onSuccess,
  );

export const useExtendHold = (onSuccess: () => void) =>
  useInvalidatingMutation(
    (input: ExtendOrderHoldInput) => request(EXTEND_HOLD_MUTATION, { input }),
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
