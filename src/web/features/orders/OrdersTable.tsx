import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { Moment } from '../../ui/Moment.tsx';
import { moneyWords } from '../../ui/money.ts';
import { OrderState } from './OrderState.tsx';
import { itemWords } from './order-words.ts';
import type { OrderRow } from './queries.ts';

const code: Column<OrderRow> = { header: 'Code', cell: (order) => <Code order={order} /> };
const what: Column<OrderRow> = { header: 'What', cell: (order) => <What order={order} /> };
const items: Column<OrderRow> = {
  header: 'Tickets',
  cell: ({ items }) => <Items items={items} />,
};
const others: Column<OrderRow>[] = [
  {
    header: 'Buyer',
    cell: ({ buyer }) => (
      <>
        <Text size="sm">{buyer.name}</Text>
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {buyer.email}
        </Text>
      </>
    ),
  },
  { header: 'Status', cell: (order) => <OrderState order={order} /> },
  { header: 'Total', cell: (order) => <Total order={order} /> },
  { header: 'Placed', cell: ({ createdAt }) => <Moment at={createdAt} as="since" /> },
];

interface Props {
  orders: OrderRow[];
  /** On the page of an event it goes without saying what for. */
  of: 'event' | 'all';
}

export const OrdersTable = ({ orders, of }: Props) => (
  <DataTable
    label="Orders"
    columns={of === 'event' ? [code, items, ...others] : [code, what, ...others]}
    rows={orders}
    keyOf={({ id }) => id}
    isEnded={({ status }) => status === 'EXPIRED' || status === 'CANCELLED'}
  />
);

const Code = ({ order: { id, code } }: { order: OrderRow }) => (
  <Anchor component={Link} to={`/orders/${id}`} fw={600} size="sm" ff="monospace">
    {code}
  </Anchor>
);

const What = ({ order: { event, items } }: { order: OrderRow }) => (
  <>
    <Text size="sm">{event?.title ?? 'Day passes'}</Text>
    <Text size="xs" c="dimmed">
      {items.map(itemWords).join(', ')}
    </Text>
  </>
);

const Items = ({ items }: Pick<OrderRow, 'items'>) => (
  <Text size="sm">{items.map(itemWords).join(', ')}</Text>
);

const Total = ({ order: { total, refundedAmount } }: { order: OrderRow }) => (
  <>
    <Text size="sm">{total.amount === 0 ? 'free' : moneyWords(total)}</Text>
    {refundedAmount.amount > 0 && (
      <Text size="xs" c="dimmed">
        {moneyWords(refundedAmount)} refunded
      </Text>
    )}
  </>
);
