import { Text } from '@mantine/core';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { Moment } from '../../ui/Moment.tsx';
import { moneyWords } from '../../ui/money.ts';
import { Panel } from '../../ui/Panel.tsx';
import type { OrderDetails } from './order-queries.ts';
import { providerWords } from './order-words.ts';
import { RefundActions } from './RefundActions.tsx';
import { RefundState } from './RefundState.tsx';
import type { Refund } from './refund-queries.ts';

const columns: Column<Refund>[] = [
  {
    header: 'Amount',
    cell: ({ amount }) => (
      <Text fw={600} size="sm">
        {moneyWords(amount)}
      </Text>
    ),
  },
  { header: 'State', cell: (refund) => <RefundState refund={refund} /> },
  { header: 'Paid', cell: ({ provider }) => <Text size="sm">{providerWords(provider)}</Text> },
  { header: 'Reason', cell: ({ reason }) => <Text size="sm">{reason ?? '–'}</Text> },
  { header: 'Since', cell: ({ createdAt }) => <Moment at={createdAt} as="since" /> },
];

interface Props {
  order: OrderDetails;
  mayChange: boolean;
}

export const OrderRefunds = ({ order, mayChange }: Props) => (
  <Panel title="Refunds">
    <DataTable
      label="Refunds"
      columns={columns}
      rows={order.refunds}
      keyOf={({ id }) => id}
      {...(mayChange && { actions: (refund: Refund) => <RefundActions refund={refund} /> })}
    />
  </Panel>
);
