import { usePages } from '../../api/pages.ts';
import { request } from '../../api/request.ts';
import type { OrderFilter, OrderInListFragment } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

const PAGE_SIZE = 25;
const REFRESH_SECONDS = 30;

export type OrderRow = OrderInListFragment;

graphql(`
  fragment OrderInList on Order {
    id
    code
    status
    createdAt
    expiresAt
    buyer {
      name
      email
    }
    total {
      amount
      currency
    }
    refundedAmount {
      amount
      currency
    }
    payment {
      provider
      status
    }
    event {
      id
      title
    }
    items {
      quantity
      validOn
      ticketType {
        name
      }
      dayPassType {
        name
      }
    }
  }
`);

const LIST = graphql(`
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

/** Newest first; new ones come in by themselves. */
export const useOrders = (filter: OrderFilter) =>
  usePages<OrderRow>({
    queryKey: ['orders', filter],
    refreshSeconds: REFRESH_SECONDS,
    load: async (after, signal) =>
      (await request(LIST, { first: PAGE_SIZE, after, filter }, signal)).orders,
  });
