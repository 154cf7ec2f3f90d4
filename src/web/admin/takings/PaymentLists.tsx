import { Anchor, Group, Text, Title } from '@mantine/core';
import { IconCash } from '@tabler/icons-react';
import { Link } from 'react-router';
import { formatDecimal } from '../../../core/money.ts';
import { formatLocalDateTime } from '../../../core/time/format.ts';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { ExportButton } from '../../components/ExportButton.tsx';
import { formatMoney } from '../../components/money.ts';
import { EmptyState, StatusBadge } from '../../components/PageLayout.tsx';
import { InfiniteList } from '../../components/QueryBoundary.tsx';
import { capitalize } from '../../components/text.ts';
import { addDays, toStartOfDay } from '../../components/wall-clock.ts';
import type { PaymentMethod } from '../../gql/graphql.ts';
import { PAYMENT_METHOD_LABELS } from '../orders/PaymentMethodField.tsx';
import {
  type FetchPage,
  fetchPayments,
  fetchRefunds,
  type PaymentRow,
  type RefundRow,
  useMoneyList,
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
  const days = range.from === range.to ? range.from : `${range.from}-to-${range.to}`;
  const formatAt = (at: string | null) => (at === null ? '–' : formatLocalDateTime(at, timeZone));
  return (
    <>
      <MoneyList
        noun="payments"
        days={days}
        filter={paymentFilter}
        fetchPage={fetchPayments}
        columns={[
          ...paymentColumns,
          { header: 'Received', cell: ({ createdAt }) => formatAt(createdAt) },
        ]}
        isEnded={({ voidedAt }) => voidedAt !== null}
        csvHeader={PAYMENT_HEADER}
        toCsvLines={toPaymentLines}
      />
      <MoneyList
        noun="refunds"
        days={days}
        filter={refundFilter}
        fetchPage={fetchRefunds}
        columns={[
          ...refundColumns,
          { header: 'Returned', cell: ({ completedAt }) => formatAt(completedAt) },
        ]}
        csvHeader={REFUND_HEADER}
        toCsvLines={toRefundLines}
      />
    </>
  );
}

interface MoneyListProps<Row, Filter> {
  noun: 'payments' | 'refunds';
  /** Part of the name of the CSV file. */
  days: string;
  filter: Filter;
  fetchPage: FetchPage<Row, Filter>;
  columns: Column<Row>[];
  isEnded?: (row: Row) => boolean;
  csvHeader: string[];
  toCsvLines: (row: Row) => string[][];
}

function MoneyList<Row extends { id: string }, Filter extends object>({
  noun,
  days,
  filter,
  fetchPage,
  columns,
  isEnded,
  csvHeader,
  toCsvLines,
}: MoneyListProps<Row, Filter>) {
  const pages = useMoneyList(noun, filter, fetchPage);
  const title = capitalize(noun);
  return (
    <>
      <Group justify="space-between" mt="lg" mb="sm">
        <Title order={2} size="h4">
          {title}
        </Title>
        <ExportButton
          fileName={`${noun}-${days}.csv`}
          noun={noun}
          header={csvHeader}
          load={(after, signal) => fetchPage(filter, after, signal)}
          toLines={toCsvLines}
        />
      </Group>
      <InfiniteList
        pages={pages}
        empty={
          <EmptyState icon={IconCash} title={`No ${noun}`}>
            No {noun} on these days match.
          </EmptyState>
        }
      >
        {(rows) => (
          <DataTable
            label={title}
            columns={columns}
            rows={rows}
            getKey={({ id }) => id}
            {...(isEnded && { isEnded })}
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
