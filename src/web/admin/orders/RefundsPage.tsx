import { Anchor, SegmentedControl, Text } from '@mantine/core';
import { IconReceipt } from '@tabler/icons-react';
import { Link, useSearchParams } from 'react-router';
import { can, useStaffViewer } from '../../app/session/viewer.ts';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { DateTime } from '../../components/DateTime.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { InfiniteList } from '../../components/InfiniteList.tsx';
import { formatMoney } from '../../components/money.ts';
import { BackLink, PageHeader } from '../../components/PageHeader.tsx';
import type { RefundStatus } from '../../gql/graphql.ts';
import { formatProvider } from './order-labels.ts';
import { RefundActions, RefundStatusBadge } from './RefundActions.tsx';
import { type Refund, useRefunds } from './refund-queries.ts';

const REFUND_VIEWS: {
  value: string;
  label: string;
  status: RefundStatus;
  emptyState: [string, string];
}[] = [
  {
    value: 'due',
    label: 'Due',
    status: 'DUE',
    emptyState: [
      'Nothing is due',
      'Money that is to go back to buyers is listed here until it has.',
    ],
  },
  {
    value: 'failed',
    label: 'Failed',
    status: 'FAILED',
    emptyState: [
      'Nothing has failed',
      'Refunds that the payment provider could not make come here.',
    ],
  },
  {
    value: 'done',
    label: 'Done',
    status: 'DONE',
    emptyState: ['No refunds yet', 'Money that went back to buyers is listed here.'],
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
  { header: 'Paid', cell: ({ provider }) => <Text size="sm">{formatProvider(provider)}</Text> },
  { header: 'State', cell: (refund) => <RefundStatusBadge refund={refund} /> },
  { header: 'Reason', cell: ({ reason }) => <Text size="sm">{reason ?? '–'}</Text> },
  { header: 'Since', cell: ({ createdAt }) => <DateTime at={createdAt} format="since" /> },
];

export function RefundsPage() {
  const canChange = can(useStaffViewer(), 'orders:write');
  const [at, setAt] = useSearchParams();
  const view = REFUND_VIEWS.find(({ value }) => value === at.get('status')) ?? REFUND_VIEWS[0];
  const pages = useRefunds(view?.status ?? 'DUE');
  const [title, text] = view?.emptyState ?? ['', ''];
  return (
    <>
      <BackLink to="/orders">All orders</BackLink>
      <PageHeader
        title="Refunds"
        description="Money that goes back to buyers. What was paid at the desk is handed out there; the rest the payment provider gives back by itself."
      />
      <SegmentedControl
        mb="md"
        aria-label="Which refunds"
        data={REFUND_VIEWS.map(({ value, label }) => ({ value, label }))}
        value={view?.value ?? 'due'}
        onChange={(status) => setAt({ status }, { replace: true })}
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
            {...(canChange && {
              actions: (refund: Refund) => <RefundActions refund={refund} />,
            })}
          />
        )}
      </InfiniteList>
    </>
  );
}
