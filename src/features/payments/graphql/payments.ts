import { canReadCodes } from '../../../auth/viewer.ts';
import { builder, createInputType, Money } from '../../../graphql/builder.ts';
import {
  getOrderEnum,
  listField,
  type RowExtension,
  relationField,
  rowField,
} from '../../../graphql/list-fields.ts';
import { addMutation } from '../../../graphql/mutation.ts';
import { Node } from '../../../graphql/node.ts';
import { addActions } from '../../../graphql/row-actions.ts';
import { showFields } from '../../../graphql/row-fields.ts';
import { Booking } from '../../bookings/graphql/booking.ts';
import { bookingList } from '../../bookings/service/list-bookings.ts';
import {
  authorizeOrderReader,
  canSeeCodes,
  Order,
  PaymentProvider,
  toOrderField,
} from '../../orders/graphql/types.ts';
import { loadOrder } from '../../orders/service/find-orders.ts';
import { Location } from '../../spaces/graphql/locations.ts';
import { locationList } from '../../spaces/service/locations.ts';
import { orderStaffActions, refundActions } from '../allowed-actions.ts';
import {
  markOrderPaidInput,
  paymentFilter,
  refundFilter,
  refundIdInput,
  settleRefundInput,
} from '../inputs.ts';
import { paymentRow, refundRow } from '../rows.ts';
import {
  canSeeReference,
  type Payment as PaymentValue,
  paymentList,
  type Refund,
  refundList,
  toPaymentProjection,
  toRefundProjection,
  visiblePayments,
} from '../service/list-payments.ts';
import { markOrderPaid, retryRefund, settleRefund } from '../service/payments.ts';

const READ = { access: 'orders:read' } as const;
builder.enumType('RefundStatus', {
  description: 'The state of a refund',
  values: {
    PENDING: {
      value: 'pending',
      description: 'Waits for the payment provider, or for staff to return an on-site payment',
    },
    SUCCEEDED: { value: 'succeeded', description: 'The money was returned' },
    FAILED: { value: 'failed', description: 'Failed. Staff can retry it with retryRefund.' },
  } as const,
});

export const PaymentMethod = builder.enumType('PaymentMethod', {
  description: 'How money was received or returned',
  values: {
    CARD_ONLINE: { value: 'card_online', description: 'By card through the payment provider' },
    CASH: { value: 'cash', description: 'In cash' },
    CARD: { value: 'card', description: 'By card at the front desk' },
    OTHER: { value: 'other', description: 'Otherwise, such as by bank transfer or voucher' },
  } as const,
});

export const Payment = builder.objectRef<PaymentValue>('Payment');
Payment.implement({
  description: 'Money that was paid for an order or a booking',
  interfaces: [Node],
  extensions: { projection: toPaymentProjection },
  fields: (t) => ({
    ...showFields(t, paymentRow),
    amount: t.expose('amount', { type: Money, description: 'What was paid' }),
    refunded: t.expose('refunded', {
      type: Money,
      description: 'What was returned of it, including refunds that wait or have failed',
    }),
    reference: t.string({
      nullable: true,
      description:
        "The provider's id of the payment. Only for callers with orders:read. Of payments that Stripe has not taken, only for those who also have orders:write or check-ins:write.",
      extensions: { reads: 'ref' },
      resolve: (payment, _, { ctx }) => (canSeeReference(ctx.viewer, payment) ? payment.ref : null),
    }),
    order: t.field({
      type: Order,
      description: 'The order it pays for; null for the payment of a booking',
      ...toOrderField,
    }),
    booking: t.field({
      type: Booking,
      description:
        'The booking it pays for; null for the payment of an order, and for callers who cannot see the booking',
      authScopes: READ,
      ...rowField(bookingList, {
        reads: 'bookingId',
        toId: ({ bookingId }: PaymentValue) => bookingId,
      }),
    }),
    location: t.field({
      type: Location,
      description: 'Where it was for when it was paid',
      authScopes: READ,
      ...rowField(locationList, {
        reads: 'locationId',
        toId: ({ locationId }: PaymentValue) => locationId,
      }),
    }),
  }),
});

const RefundType = builder.objectRef<Refund & { showsOrderCode?: boolean }>('Refund');
RefundType.implement({
  description: 'Money returned to a buyer',
  interfaces: [Node],
  extensions: { projection: toRefundProjection },
  fields: (t) => ({
    ...showFields(t, refundRow),
    amount: t.expose('amount', { type: Money, description: 'How much is returned' }),
    orderCode: t.string({
      nullable: true,
      description: 'Null for callers who cannot see the code of the order',
      extensions: { reads: 'orderCode' },
      resolve: ({ orderCode, showsOrderCode }, _, { ctx: { viewer } }) =>
        (showsOrderCode ?? canReadCodes(viewer, 'orders:write')) ? orderCode : null,
    }),
    order: t.field({
      type: Order,
      description: 'The order it belongs to; null if it returns the payment of a booking',
      ...toOrderField,
    }),
    payment: t.field({
      type: Payment,
      description: 'The payment that it returns, in whole or in part',
      authScopes: READ,
      ...rowField(visiblePayments, {
        reads: 'paymentId',
        toId: ({ paymentId }: Refund) => paymentId,
      }),
    }),
  }),
});

addActions(RefundType, {
  type: 'RefundActions',
  noun: 'a refund',
  rules: refundActions,
  actions: {
    settle: 'Record with settleRefund that the money was returned',
    retry: 'Retry it at the payment provider with retryRefund',
  },
});

addActions(Order, {
  type: 'OrderStaffActions',
  noun: 'an order as staff',
  rules: orderStaffActions,
  field: 'staffActions',
  actions: {
    cancel: 'Cancel all of it with refundOrder, without ticketIds and amount',
    cancelTickets: 'Cancel some of its tickets or day passes with refundOrder and ticketIds',
    refundAmount: 'Return some of the payment with refundOrder and amount',
    markPaid: 'Record with markOrderPaid that the front desk received the price',
    extendHold: 'Hold it longer with extendOrderHold',
    resend: 'Send the confirmation again with resendOrder',
    revokeLinks: 'Revoke its links with revokeOrderLinks',
  },
});

builder.objectField(Order, 'refunds', (t) =>
  t.field({
    type: [RefundType],
    description: 'Its refunds, oldest first',
    extensions: {
      row: {
        table: refundList.table,
        where: (row, _, { parent }) => [`${row}.order_id = ${parent('id')}`],
        toOrder: (row) => `${row}.created_at, ${row}.id`,
      } satisfies RowExtension,
    },
    resolve: async (order, _, { ctx, loaders }) =>
      (await loaders.refundsByOrder.load(order.id)).map((refund) => ({
        ...refund,
        showsOrderCode: canSeeCodes(order, ctx),
      })),
  }),
);

const RefundFilter = createInputType('RefundFilter', refundFilter);
const RefundOrder = getOrderEnum('Refund', refundList);

builder.queryField('paymentProvider', (t) =>
  t.field({
    type: PaymentProvider,
    description:
      'How buyers pay now. SANDBOX: payments are simulated, so anyone can confirm an order.',
    authScopes: { access: 'public' },
    resolve: (_, __, { ctx }) => ctx.payments.name,
  }),
);

builder.queryField('refunds', (t) =>
  t.connection({
    type: RefundType,
    description: 'Refunds, newest first',
    authScopes: READ,
    args: {
      filter: t.arg({ type: RefundFilter, description: 'Which refunds to list. Default: all.' }),
      orderBy: t.arg({ type: RefundOrder }),
    },
    ...listField(refundList),
  }),
);

builder.objectField(Payment, 'refunds', (t) =>
  t.connection({
    type: RefundType,
    description: 'Its refunds, newest first',
    authScopes: authorizeOrderReader,
    args: { filter: t.arg({ type: RefundFilter }), orderBy: t.arg({ type: RefundOrder }) },
    ...relationField(refundList, (row, payment) => `${row}.payment_id = ${payment}`, READ.access),
  }),
);

export const PaymentFilter = createInputType(
  'PaymentFilter',
  paymentFilter,
  'Conditions that must all hold',
);
export const PaymentOrder = getOrderEnum('Payment', paymentList);

builder.queryField('payments', (t) =>
  t.connection({
    type: Payment,
    description: 'Payments, newest first',
    authScopes: READ,
    args: { filter: t.arg({ type: PaymentFilter }), orderBy: t.arg({ type: PaymentOrder }) },
    ...listField(paymentList),
  }),
);

builder.objectField(Order, 'payments', (t) =>
  t.connection({
    type: Payment,
    description: 'The payments that were received for it, newest first',
    authScopes: authorizeOrderReader,
    args: { filter: t.arg({ type: PaymentFilter }), orderBy: t.arg({ type: PaymentOrder }) },
    ...relationField(paymentList, (row, order) => `${row}.order_id = ${order}`, READ.access),
  }),
);

addMutation('settleRefund', {
  description: 'Records that staff returned the money: on site, or because the provider failed',
  access: 'orders:write',
  input: settleRefundInput,
  payload: { refund: { type: RefundType, description: 'The settled refund' } },
  resolve: async (input, { ctx }) => ({ refund: await settleRefund(ctx, input) }),
});

addMutation('retryRefund', {
  description: 'Retries a failed refund at the payment provider',
  access: 'orders:write',
  input: refundIdInput,
  payload: { refund: { type: RefundType, description: 'The refund after the attempt' } },
  resolve: async ({ id }, { ctx }) => ({ refund: await retryRefund(ctx, id) }),
});

const MarkOrderPaidOutcome = builder.enumType('MarkOrderPaidOutcome', {
  description: 'What a payment at the front desk did to its order',
  values: {
    CONFIRMED: {
      value: 'confirmed',
      description: 'The order is confirmed, and its tickets or day passes are valid',
    },
    REFUND_PENDING: {
      value: 'returned',
      description:
        'No ticket or day pass was issued: the order is cancelled, or has expired and its tickets are sold or its event is over. The payment and a refund of it are recorded. Return the money, then call settleRefund.',
    },
    ALREADY_RECORDED: {
      value: 'known',
      description: 'The payment was recorded before, so nothing has changed',
    },
  } as const,
});

addMutation('markOrderPaid', {
  description:
    'Records that the front desk received the full price of an order paid on site. It does not always confirm the order: see outcome.',
  access: 'orders:write',
  input: markOrderPaidInput,
  payload: {
    order: { type: Order, description: 'The order after the payment' },
    outcome: { type: MarkOrderPaidOutcome, description: 'Whether the payment confirmed the order' },
  },
  resolve: async (input, { ctx }) => {
    const outcome = await markOrderPaid(ctx, input);
    return { order: await loadOrder(ctx, input.id), outcome };
  },
});
