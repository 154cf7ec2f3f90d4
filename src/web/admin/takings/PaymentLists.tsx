import { Anchor, Group, Text, Title } from '@mantine/core';
import { IconCash } from '@tabler/icons-react';
import { Link } from 'react-router';
import { formatLocalDateTime } from '../../../core/time/format.ts';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { ExportButton } from '../../components/ExportButton.tsx';
import { formatDecimal, formatMoney } from '../../components/money.ts';
import { EmptyState, StatusBadge } from '../../components/PageLayout.tsx';
import { InfiniteList } from '../../components/QueryBoundary.tsx';
import { addDays, toStartOfDay } from '../../components/wall-clock.ts';
import type { PaymentMethod } from '../../gql/graphql.ts';
import { PAYMENT_METHOD_LABELS } from '../orders/PaymentMethodField.tsx';
import {
  fetchPayments,
  fetchRefunds,
  type PaymentRow,
  type RefundRow,
  usePayments,
  useReturnedRefunds,
} from './queries.ts';

interface PaymentListsProps {
  location: { id: string; timeZone: string };
  /** Days in the time zone of the location, both included. */
  range: { from: string; to: string };
  method: PaymentMethod | null;
}

/** The payments and refunds of some days, each with a CSV file. */
export function PaymentLists({ location, range, method }: PaymentListsProps) {
  const { id: locationId, timeZone } = location;
  const from = toStartOfDay(range.from, timeZone).toISOString();
  const to = toStartOfDay(addDays(range.to, 1), timeZone).toISOString();
  const filter = { locationId, ...(method && { method: [method] }) };
  const paymentFilter = { ...filter, from, to };
  const refundFilter = {
    ...filter,
    completedFrom: from,
    completedTo: to,
    status: ['SUCCEEDED' as const],
  };
  const payments = usePayments(paymentFilter);
  const refunds = useReturnedRefunds(refundFilter);
  const days = range.from === range.to ? range.from : `${range.from}-to-${range.to}`;
  const formatAt = (at: string) => formatLocalDateTime(at, timeZone);
  return (
    <>
      <Group justify="space-between" mt="lg" mb="sm">
        <Title order={2} size="h4">
          Payments
        </Title>
        <ExportButton
          fileName={`payments-${days}.csv`}
          noun="payments"
          header={PAYMENT_HEADER}
          load={(after, signal) => fetchPayments(paymentFilter, after, signal)}
          toLines={toPaymentLines}
        />
      </Group>
      <InfiniteList
        pages={payments}
        empty={
          <EmptyState icon={IconCash} title="No payments">
            No payments on these days match.
          </EmptyState>
        }
      >
        {(rows) => (
          <DataTable
            label="Payments"
            columns={[
              ...paymentColumns,
              { header: 'Received', cell: ({ createdAt }) => formatAt(createdAt) },
            ]}
            rows={rows}
            getKey={({ id }) => id}
            isEnded={({ voidedAt }) => voidedAt !== null}
          />
        )}
      </InfiniteList>
      <Group justify="space-between" mt="lg" mb="sm">
        <Title order={2} size="h4">
          Refunds
        </Title>
        <ExportButton
          fileName={`refunds-${days}.csv`}
          noun="refunds"
          header={REFUND_HEADER}
          load={(after, signal) => fetchRefunds(refundFilter, after, signal)}
          toLines={toRefundLines}
        />
      </Group>
      <InfiniteList
        pages={refunds}
        empty={
          <EmptyState icon={IconCash} title="No refunds">
            No refunds on these days match.
          </EmptyState>
        }
      >
        {(rows) => (
          <DataTable
            label="Refunds"
            columns={[
              ...refundColumns,
              {
                header: 'Returned',
                cell: ({ completedAt }) => (completedAt ? formatAt(completedAt) : '–'),
              },
            ]}
            rows={rows}
            getKey={({ id }) => id}
          />
        )}
      </InfiniteList>
    </>
  );
}

/** What a payment is for, in words. */
const toProduct = ({ order, booking }: PaymentRow) =>
  booking ? booking.resource.name : (order?.eventSummary?.title ?? (order ? 'Day passes' : ''));

const toPayer = ({ order, booking }: PaymentRow) =>
  booking ? (booking.member ?? booking.guest)?.name : order?.buyer.name;

const formatMethod = (method: PaymentMethod | null) =>
  method === null ? '' : PAYMENT_METHOD_LABELS[method];

const paymentColumns: Column<PaymentRow>[] = [
  {
    header: 'For',
    cell: (payment) => (
      <>
        {payment.order ? (
          <Anchor component={Link} to={`/orders/${payment.order.id}`} size="sm" fw={600}>
            {toProduct(payment)}
          </Anchor>
        ) : (
          <Text size="sm" fw={600}>
            {toProduct(payment) || '–'}
          </Text>
        )}
        <Text size="xs" c="dimmed">
          {[payment.order?.code, toPayer(payment)].filter(Boolean).join(' · ')}
        </Text>
      </>
    ),
  },
  {
    header: 'Amount',
    cell: ({ amount, voidedAt }) => (
      <>
        <Text size="sm">{formatMoney(amount)}</Text>
        {voidedAt && <StatusBadge color="gray">Undone</StatusBadge>}
      </>
    ),
  },
  { header: 'Paid by', cell: ({ method }) => <Text size="sm">{formatMethod(method)}</Text> },
  { header: 'Taken by', cell: ({ takenBy }) => <Text size="sm">{takenBy ?? '–'}</Text> },
];

const refundColumns: Column<RefundRow>[] = [
  {
    header: 'For',
    cell: ({ orderCode, payment }) => (
      <Text size="sm" fw={600}>
        {payment?.booking?.resource.name ?? orderCode ?? '–'}
      </Text>
    ),
  },
  { header: 'Amount', cell: ({ amount }) => <Text size="sm">{formatMoney(amount)}</Text> },
  { header: 'Returned by', cell: ({ method }) => <Text size="sm">{formatMethod(method)}</Text> },
  { header: 'Who', cell: ({ paidBackBy }) => <Text size="sm">{paidBackBy ?? '–'}</Text> },
];

const PAYMENT_HEADER = [
  ...['received_at', 'amount', 'currency', 'method', 'taken_by', 'sold', 'order', 'paid_by'],
  ...['undone_at', 'payment_id'],
];

const toPaymentLines = (payment: PaymentRow): string[][] => [
  [
    payment.createdAt,
    formatDecimal(payment.amount),
    payment.amount.currency,
    payment.method.toLowerCase(),
    payment.takenBy ?? '',
    toProduct(payment),
    payment.order?.code ?? '',
    toPayer(payment) ?? '',
    payment.voidedAt ?? '',
    payment.id,
  ],
];

const REFUND_HEADER = [
  ...['returned_at', 'amount', 'currency', 'method', 'returned_by', 'sold', 'order', 'reason'],
  'refund_id',
];

const toRefundLines = (refund: RefundRow): string[][] => [
  [
    refund.completedAt ?? '',
    formatDecimal(refund.amount),
    refund.amount.currency,
    refund.method?.toLowerCase() ?? '',
    refund.paidBackBy ?? '',
    refund.payment?.booking?.resource.name ?? '',
    refund.orderCode ?? '',
    refund.reason ?? '',
    refund.id,
  ],
];
