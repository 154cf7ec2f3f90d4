import { useQuery } from '@tanstack/react-query';
import { useRefetchingMutation } from '../../api/mutations.ts';
import { type Connection, usePagedQuery } from '../../api/paged-query.ts';
import { request } from '../../api/request.ts';
import type {
  CloseDayInput,
  CorrectDailyClosingInput,
  DailyClosingFragment,
  PaymentFilter,
  PaymentInListFragment,
  RefundFilter,
  ReturnedRefundFragment,
  TakingsQuery,
} from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

const PAGE_SIZE = 25;
const EXPORT_PAGE_SIZE = 100;

export type PaymentRow = PaymentInListFragment;
export type RefundRow = ReturnedRefundFragment;
export type DailyClosing = DailyClosingFragment;
export type TakingsResult = TakingsQuery['takings'];

const TAKINGS_QUERY = graphql(`
  query Takings($locationId: ID!, $from: Date!, $to: Date!) {
    takings(locationId: $locationId, from: $from, to: $to) {
      total {
        ...Sum
      }
      byMethod {
        method
        taken {
          amount
          currency
        }
        paidBack {
          amount
          currency
        }
        net {
          amount
          currency
        }
        paymentCount
        refundCount
      }
      bySold {
        sold
        taken {
          amount
          currency
        }
        paidBack {
          amount
          currency
        }
        net {
          amount
          currency
        }
        paymentCount
        refundCount
      }
    }
  }

  fragment Sum on TakingsSum {
    taken {
      amount
      currency
    }
    paidBack {
      amount
      currency
    }
    net {
      amount
      currency
    }
    paymentCount
    refundCount
  }
`);

export interface TakingsRange {
  locationId: string;
  from: string;
  to: string;
}

export const useTakings = (range: TakingsRange) =>
  useQuery({
    queryKey: ['takings', 'sums', range],
    queryFn: async ({ signal }) => (await request(TAKINGS_QUERY, { ...range }, signal)).takings,
  });

const PAYMENTS_QUERY = graphql(`
  query PaymentList($first: Int!, $after: String, $filter: PaymentFilter) {
    payments(first: $first, after: $after, filter: $filter) {
      edges {
        node {
          ...PaymentInList
        }
      }
      pageInfo {
        endCursor
        hasNextPage
      }
    }
  }

  fragment PaymentInList on Payment {
    id
    amount {
      amount
      currency
    }
    method
    takenBy
    createdAt
    voidedAt
    order {
      id
      code
      buyer {
        name
      }
      eventSummary {
        title
      }
    }
    booking {
      id
      resource {
        name
      }
      member {
        name
      }
      guest {
        name
      }
    }
  }
`);

/** Loads a page of a list. Exports load longer pages. */
export type FetchPage<Row, Filter> = (
  filter: Filter,
  after: string | null,
  signal: AbortSignal,
  first?: number,
) => Promise<Connection<Row>>;

export const useMoneyList = <Row, Filter>(
  noun: 'payments' | 'refunds',
  filter: Filter,
  fetchPage: FetchPage<Row, Filter>,
) =>
  usePagedQuery<Row>({
    queryKey: ['takings', noun, filter],
    load: (after, signal) => fetchPage(filter, after, signal, PAGE_SIZE),
  });

export const fetchPayments: FetchPage<PaymentRow, PaymentFilter> = async (
  filter,
  after,
  signal,
  first = EXPORT_PAGE_SIZE,
) => (await request(PAYMENTS_QUERY, { first, after, filter }, signal)).payments;

const RETURNED_REFUNDS_QUERY = graphql(`
  query ReturnedRefunds($first: Int!, $after: String, $filter: RefundFilter) {
    refunds(first: $first, after: $after, filter: $filter) {
      edges {
        node {
          ...ReturnedRefund
        }
      }
      pageInfo {
        endCursor
        hasNextPage
      }
    }
  }

  fragment ReturnedRefund on Refund {
    id
    amount {
      amount
      currency
    }
    method
    paidBackBy
    completedAt
    reason
    orderCode
    payment {
      booking {
        resource {
          name
        }
      }
    }
  }
`);

export const fetchRefunds: FetchPage<RefundRow, RefundFilter> = async (
  filter,
  after,
  signal,
  first = EXPORT_PAGE_SIZE,
) => (await request(RETURNED_REFUNDS_QUERY, { first, after, filter }, signal)).refunds;

const CASH_DAY_QUERY = graphql(`
  query CashDay($locationId: ID!, $day: Date!) {
    cashDay(locationId: $locationId, day: $day) {
      proposedOpening {
        amount
        currency
      }
      taken {
        amount
        currency
      }
      paidBack {
        amount
        currency
      }
      canClose
      closing {
        ...DailyClosing
      }
    }
  }

  fragment DailyClosing on DailyClosing {
    id
    updatedAt
    day
    note
    closedBy
    createdAt
    opening {
      amount
      currency
    }
    openingDifference {
      amount
      currency
    }
    taken {
      amount
      currency
    }
    paidBack {
      amount
      currency
    }
    expected {
      amount
      currency
    }
    counted {
      amount
      currency
    }
    difference {
      amount
      currency
    }
    changedSince {
      amount
      currency
    }
    allowedActions {
      correct
    }
  }
`);

export const useCashDay = (locationId: string, day: string) =>
  useQuery({
    queryKey: ['takings', 'cash-day', locationId, day],
    staleTime: 0, // what is expected must be current
    queryFn: async ({ signal }) =>
      (await request(CASH_DAY_QUERY, { locationId, day }, signal)).cashDay,
  });

const DAILY_CLOSINGS_QUERY = graphql(`
  query DailyClosings($first: Int!, $after: String, $filter: DailyClosingFilter) {
    dailyClosings(first: $first, after: $after, filter: $filter) {
      edges {
        node {
          ...DailyClosing
        }
      }
      pageInfo {
        endCursor
        hasNextPage
      }
    }
  }
`);

export const useDailyClosings = (locationId: string, enabled: boolean) =>
  usePagedQuery<DailyClosing>({
    queryKey: ['takings', 'closings', locationId],
    enabled,
    load: async (after, signal) =>
      (
        await request(
          DAILY_CLOSINGS_QUERY,
          { first: PAGE_SIZE, after, filter: { locationId } },
          signal,
        )
      ).dailyClosings,
  });

const CLOSE_DAY_MUTATION = graphql(`
  mutation CloseDay($input: CloseDayInput!) {
    closeDay(input: $input) {
      dailyClosing {
        id
      }
    }
  }
`);

const CORRECT_DAILY_CLOSING_MUTATION = graphql(`
  mutation CorrectDailyClosing($input: CorrectDailyClosingInput!) {
    correctDailyClosing(input: $input) {
      dailyClosing {
        id
      }
    }
  }
`);

export const useCloseDay = (onSuccess: () => void) =>
  useRefetchingMutation(
    (input: CloseDayInput) => request(CLOSE_DAY_MUTATION, { input }),
    [['takings']],
    onSuccess,
  );

export const useCorrectDailyClosing = (onSuccess: () => void) =>
  useRefetchingMutation(
    (input: CorrectDailyClosingInput) => request(CORRECT_DAILY_CLOSING_MUTATION, { input }),
    [['takings']],
    onSuccess,
  );
