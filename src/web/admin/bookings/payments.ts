import { useInvalidatingMutation } from '../../api/mutations.ts';
import { request } from '../../api/request.ts';
import type {
  BookingPaymentStatus,
  MarkBookingPaidInput,
  MarkBookingUnpaidInput,
  ReturnBookingPaymentInput,
} from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

export const PAYMENT_STATUS_LABELS: Record<BookingPaymentStatus, [color: string, label: string]> = {
  NOT_DUE: ['gray', 'Nothing to pay'],
  UNPAID: ['orange', 'Unpaid'],
  PAID: ['teal', 'Paid'],
  OVERPAID: ['orange', 'To be returned'],
  NOT_RECORDED: ['gray', 'Not recorded'],
};

graphql(`
  fragment BookingPaid on BookingPayment {
    status
    due {
      amount
      currency
    }
    paid {
      amount
      currency
    }
    open {
      amount
      currency
    }
    surplus {
      amount
      currency
    }
  }
`);

/** The queries that depend on payments of bookings. */
const QUERY_KEYS = [['day'], ['bookings'], ['takings']];

const MARK_BOOKING_PAID_MUTATION = graphql(`
  mutation MarkBookingPaid($input: MarkBookingPaidInput!) {
    markBookingPaid(input: $input) {
      outcome
      booking {
        id
      }
    }
  }
`);

const MARK_BOOKING_UNPAID_MUTATION = graphql(`
  mutation MarkBookingUnpaid($input: MarkBookingUnpaidInput!) {
    markBookingUnpaid(input: $input) {
      booking {
        id
      }
    }
  }
`);

const RETURN_BOOKING_PAYMENT_MUTATION = graphql(`
  mutation ReturnBookingPayment($input: ReturnBookingPaymentInput!) {
    returnBookingPayment(input: $input) {
      booking {
        id
      }
    }
  }
`);

export const useMarkBookingPaid = (onSuccess: (outcome: 'RECORDED' | 'ALREADY_RECORDED') => void) =>
  useInvalidatingMutation(
    async (input: MarkBookingPaidInput) =>
      (await request(MARK_BOOKING_PAID_MUTATION, { input })).markBookingPaid.outcome,
    QUERY_KEYS,
    onSuccess,
  );

export const useMarkBookingUnpaid = (onSuccess: () => void) =>
  useInvalidatingMutation(
    (input: MarkBookingUnpaidInput) => request(MARK_BOOKING_UNPAID_MUTATION, { input }),
    QUERY_KEYS,
    onSuccess,
  );

export const useReturnBookingPayment = (onSuccess: () => void) =>
  useInvalidatingMutation(
    (input: ReturnBookingPaymentInput) => request(RETURN_BOOKING_PAYMENT_MUTATION, { input }),
    QUERY_KEYS,
    onSuccess,
  );
