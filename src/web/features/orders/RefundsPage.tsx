import { Anchor, SegmentedControl, Text } from '@mantine/core';
import { Link, useSearchParams } from 'react-router';
import type { RefundStatus } from '../../gql/graphql.ts';
import { may, useStaff } from '../../session/viewer.ts';
import { BackLink } from '../../ui/BackLink.tsx';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { IconOrder } from '../../ui/icons.tsx';
import { Moment } from '../../ui/Moment.tsx';
import { moneyWords } from '../../ui/money.ts';
import { PagedList } from '../../ui/PagedList.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { providerWords } from './order-words.ts';
import { RefundActions } from './RefundActions.tsx';
import { RefundState } from './RefundState.tsx';
import { type Refund, useRefunds } from './refund-queries.ts';

const VIEWS: { value: string; label: string; status: RefundStatus; none: [string, string] }[] = [
  {
    value: 'due',
    label: 'Due',
    status: 'DUE',
    none: ['Nothing is due', 'Money that is to go back to buyers is listed here until it has.'],
  },
  {
    value: 'failed',
    label: 'Failed',
    status: 'FAILED',
    none: ['Nothing has failed', 'Refunds that the payment provider could not make come here.'],
  },
  {
    value: 'done',
    label: 'Done',
    status: 'DONE',
    none: ['No refunds yet', 'Money that went back to buyers is listed here.'],
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
  { header: 'Amount', cell: ({ amount }) => <Text size="sm">{moneyWords(amount)}</Text> },
  { header: 'Paid', cell: ({ provider }) => <Text size="sm">{providerWords(provider)}</Text> },
  { header: 'State', cell: (refund) => <RefundState refund={refund} /> },
  { header: 'Reason', cell: ({ reason }) => <Text size="sm">{reason ?? '–'}</Text> },
  { header: 'Since', cell: ({ createdAt }) => <Moment at={createdAt} as="since" /> },
];

export function RefundsPage() {
  const mayChange = may(useStaff(), 'orders:write');
  const [at, setAt] = useSearchParams();
  const view = VIEWS.find(({ value }) => value === at.get('status')) ?? VIEWS[0];
  const pages = useRefunds(view?.status ?? 'DUE');
  const [title, text] = view?.none ?? ['', ''];
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
        data={VIEWS.map(({ value, label }) => ({ value, label }))}
        value={view?.value ?? 'due'}
        onChange={(status) => setAt({ status }, { replace: true })}
      />
      <PagedList
        pages={pages}
        empty={
          <EmptyState icon={IconOrder} title={title}>
            {text}
          </EmptyState>
        }
      >
        {(refunds) => (
          <DataTable
            label="Refunds"
            columns={columns}
            rows={refunds}
            keyOf={({ id }) => id}
            {...(mayChange && {
              actions: (refund: Refund) => <RefundActions refund={refund} />,
            })}
          />
        )}
      </PagedList>
    </>
  );
}
