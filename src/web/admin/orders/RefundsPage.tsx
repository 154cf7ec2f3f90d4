import { Anchor, SegmentedControl, Text } from '@mantine/core';
import { IconReceipt } from '@tabler/icons-react';
import { Link, useSearchParams } from 'react-router';
import { DateTime } from '../../components/browser-time.tsx';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { formatMoney } from '../../components/money.ts';
import { BackLink, EmptyState, PageHeader } from '../../components/PageLayout.tsx';
import { InfiniteList } from '../../components/QueryBoundary.tsx';
import type { RefundStatus } from '../../gql/graphql.ts';
import { formatProvider } from './order-details.ts';
import { RefundStatusBadge, toRefundActions } from './RefundActions.tsx';
import { type Refund, useRefunds } from './refund-queries.ts';

const REFUND_VIEWS: {
  value: string;
  label: string;
  status: RefundStatus;
  emptyState: [string, string];
}[] = [
  {
    value: 'due',
    label: 'Pending',
    status: 'PENDING',
    emptyState: ['No pending refunds', 'Refunds that still need to reach buyers appear here.'],
  },
  {
    value: 'failed',
    label: 'Failed',
    status: 'FAILED',
    emptyState: ['No failed refunds', 'Refunds that the payment provider rejects appear here.'],
  },
  {
    value: 'done',
    label: 'Refunded',
    status: 'SUCCEEDED',
    emptyState: ['No completed refunds', 'Completed refunds appear here.'],
  },
];

const columns: Column<Refund>[] = [
  {
    header: 'Order',
    cell: ({ orderCode }) => (
      <Anchor
        component={Link}
        to={`/orders?q=${encodeURIComponent(orderCode ?? '')}`}
        fw={600}
        size="sm"
        ff="monospace"
      >
        {orderCode}
      </Anchor>
    ),
  },
  { header: 'Amount', cell: ({ amount }) => <Text size="sm">{formatMoney(amount)}</Text> },
  { header: 'Payment', cell: ({ provider }) => <Text size="sm">{formatProvider(provider)}</Text> },
  { header: 'Status', cell: (refund) => <RefundStatusBadge refund={refund} /> },
  { header: 'Reason', cell: ({ reason }) => <Text size="sm">{reason ?? '–'}</Text> },
  { header: 'Since', cell: ({ createdAt }) => <DateTime at={createdAt} format="since" /> },
];

export function RefundsPage() {
  const [searchParams, setSearchParams] = useSearchParams();
  const view =
    REFUND_VIEWS.find(({ value }) => value === searchParams.get('status')) ?? REFUND_VIEWS[0];
  const pages = useRefunds(view?.status ?? 'PENDING');
  const [title, text] = view?.emptyState ?? ['', ''];
  return (
    <>
      <BackLink to="/orders">All orders</BackLink>
      <PageHeader
        title="Refunds"
        description="Payments returned to buyers. Return on-site payments at the front desk; the payment provider returns the others."
      />
      <SegmentedControl
        mb="md"
        aria-label="Filter refunds"
        data={REFUND_VIEWS.map(({ value, label }) => ({ value, label }))}
        value={view?.value ?? 'due'}
        onChange={(status) => setSearchParams({ status }, { replace: true })}
      />
      <InfiniteList
        pages={pages}
        empty={
          <EmptyState icon={IconReceipt} title={title}>
            {text}
          </EmptyState>
        }
      >
        {(refunds) => (
          <DataTable
            label="Refunds"
            columns={columns}
            rows={refunds}
            getKey={({ id }) => id}
            actions={toRefundActions}
          />
        )}
      </InfiniteList>
    </>
  );
}
