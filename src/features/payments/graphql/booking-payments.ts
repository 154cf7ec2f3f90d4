import { builder } from '../../../graphql/builder.ts';
import { relationField } from '../../../graphql/list-fields.ts';
import { addMutation } from '../../../graphql/mutation.ts';
import { addActions } from '../../../graphql/row-actions.ts';
import { Booking } from '../../bookings/graphql/booking.ts';
import { getBookingWithScope } from '../../bookings/service/list-bookings.ts';
import { bookingPaymentActions } from '../allowed-actions.ts';
import {
  markBookingPaidInput,
  markBookingUnpaidInput,
  returnBookingPaymentInput,
} from '../inputs.ts';
import {
  markBookingPaid,
  markBookingUnpaid,
  returnBookingPayment,
} from '../service/booking-payments.ts';
import { paymentList } from '../service/list-payments.ts';
import { Payment, PaymentFilter, PaymentOrder } from './payments.ts';

const READ = { access: 'orders:read' } as const;
const WRITE = 'orders:write';

addActions(Booking, {
  type: 'BookingPaymentActions',
  noun: 'the payment of a booking',
  rules: bookingPaymentActions,
  field: 'paymentActions',
  actions: {
    markPaid: 'Record with markBookingPaid that staff received what is still to be paid',
    markUnpaid: 'Undo payments that were recorded by mistake with markBookingUnpaid',
    returnSurplus: 'Record with returnBookingPayment that staff returned the surplus',
  },
});

builder.objectField(Booking, 'payments', (t) =>
  t.connection({
    type: Payment,
    description: 'The payments that staff recorded for it, also those undone, newest first',
    authScopes: READ,
    args: { filter: t.arg({ type: PaymentFilter }), orderBy: t.arg({ type: PaymentOrder }) },
    ...relationField(paymentList, (row, booking) => `${row}.booking_id = ${booking}`),
  }),
);

const MarkBookingPaidOutcome = builder.enumType('MarkBookingPaidOutcome', {
  description: 'What markBookingPaid did',
  values: {
    RECORDED: { value: 'recorded', description: 'The payment is recorded' },
    ALREADY_RECORDED: {
      value: 'known',
      description: 'The booking was paid before, so nothing has changed',
    },
  } as const,
});

addMutation('markBookingPaid', {
  description: 'Records that staff received what is still to be paid for a booking',
  access: WRITE,
  input: markBookingPaidInput,
  payload: {
    booking: { type: Booking, description: 'The booking after the payment' },
    outcome: {
      type: MarkBookingPaidOutcome,
      description: 'Whether this call recorded the payment, or an earlier one',
    },
  },
  resolve: async (input, { ctx }) => {
    const outcome = await markBookingPaid(ctx, input);
    return { booking: await getBookingWithScope(ctx, input.id, WRITE), outcome };
  },
});

addMutation('markBookingUnpaid', {
  description:
    'Undoes the payments of a booking that were recorded by mistake. They no longer count in the takings. Those of which money was returned stay.',
  access: WRITE,
  input: markBookingUnpaidInput,
  payload: { booking: { type: Booking, description: 'The booking without these payments' } },
  resolve: async (input, { ctx }) => {
    await markBookingUnpaid(ctx, input);
    return { booking: await getBookingWithScope(ctx, input.id, WRITE) };
  },
});

addMutation('returnBookingPayment', {
  description:
    'Records that staff returned the surplus: what was paid for a booking above what it costs now',
  access: WRITE,
  input: returnBookingPaymentInput,
  payload: { booking: { type: Booking, description: 'The booking after the return' } },
  resolve: async (input, { ctx }) => {
    await returnBookingPayment(ctx, input);
    return { booking: await getBookingWithScope(ctx, input.id, WRITE) };
  },
});
