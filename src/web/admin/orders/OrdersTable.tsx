import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { DateTime, useNow } from '../../components/browser-time.tsx';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { formatMoney } from '../../components/money.ts';
import { StatusBadge } from '../../components/PageLayout.tsx';
import { formatOrderItem, toOrderStatusLabel } from './order-details.ts';
import type { OrderRow } from './queries.ts';

const codeColumn: Column<OrderRow> = {
  header: 'Code',
  cell: (order) => <OrderCodeCell order={order} />,
};
const contentsColumn: Column<OrderRow> = {
  header: 'Items',
  cell: (order) => <OrderContentsCell order={order} />,
};
const itemsColumn: Column<OrderRow> = {
  header: 'Tickets',
  cell: ({ items }) => <OrderItemsCell items={items} />,
};
const buyerColumn: Column<OrderRow> = {
  header: 'Buyer',
  cell: ({ buyer }) => (
    <>
      <Text size="sm">{buyer.name}</Text>
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {buyer.email}
      </Text>
    </>
  ),
};
const sharedColumns: Column<OrderRow>[] = [
  { header: 'Status', cell: (order) => <OrderStatusBadge order={order} /> },
  { header: 'Total', cell: (order) => <OrderTotalCell order={order} /> },
  { header: 'Placed', cell: ({ createdAt }) => <DateTime at={createdAt} format="since" /> },
];

const COLUMNS = {
  all: [codeColumn, contentsColumn, buyerColumn, ...sharedColumns],
  event: [codeColumn, itemsColumn, buyerColumn, ...sharedColumns],
  member: [codeColumn, contentsColumn, ...sharedColumns],
};

interface Props {
  orders: OrderRow[];
  /** The page of an event omits its name, that of a member the buyer. */
  variant: keyof typeof COLUMNS;
}

export const OrdersTable = ({ orders, variant }: Props) => (
  <DataTable
    label="Orders"
    columns={COLUMNS[variant]}
    rows={orders}
    getKey={({ id }) => id}
    isEnded={({ status }) => status === 'EXPIRED' || status === 'CANCELLED'}
  />
);

const OrderCodeCell = ({ order: { id, code } }: { order: OrderRow }) => (
  <Anchor component={Link} to={`/orders/${id}`} fw={600} size="sm" ff="monospace">
    {code}
  </Anchor>
);

const OrderContentsCell = ({ order: { event, items } }: { order: OrderRow }) => (
  <>
    <Text size="sm">{event?.title ?? 'Day passes'}</Text>
    <Text size="xs" c="dimmed">
      {items.map(formatOrderItem).join(', ')}
    </Text>
  </>
);

const OrderItemsCell = ({ items }: Pick<OrderRow, 'items'>) => (
  <Text size="sm">{items.map(formatOrderItem).join(', ')}</Text>
);

const OrderTotalCell = ({ order: { total, refundedAmount } }: { order: OrderRow }) => (
  <>
    <Text size="sm">{total.amount === 0 ? 'free' : formatMoney(total)}</Text>
    {refundedAmount.amount > 0 && (
      <Text size="xs" c="dimmed">
        {formatMoney(refundedAmount)} refunded
      </Text>
    )}
  </>
);

type OrderStatusFields = Pick<OrderRow, 'status' | 'expiresAt' | 'disputedAt'>;

/** Also shows when the hold of a pending order ends, and whether the payment is disputed. */
export function OrderStatusBadge({ order }: { order: OrderStatusFields }) {
  const { status, expiresAt, disputedAt } = order;
  const now = useNow(15);
  const { color, label } = toOrderStatusLabel(status);
  return (
    <>
      <StatusBadge color={color}>{label}</StatusBadge>
      {disputedAt && (
        <div>
          <DisputedBadge />
        </div>
      )}
      {status === 'PENDING' && expiresAt && (
        <Text size="xs" c="dimmed" mt={4}>
          {new Date(expiresAt) > now ? (
            <>
              Hold ends <DateTime at={expiresAt} format="until" />
            </>
          ) : (
            'Hold expired'
          )}
        </Text>
      )}
    </>
  );
}

/** Marks an order, a ticket or a day pass whose payment the buyer disputes with their bank. */
export const DisputedBadge = () => <StatusBadge color="orange">Disputed</StatusBadge>;
