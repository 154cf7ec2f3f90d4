import { Code, Text } from '@mantine/core';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { moneyWords } from '../../ui/money.ts';
import { Panel } from '../../ui/Panel.tsx';
import { StateBadge } from '../../ui/StateBadge.tsx';
import { type Admission, admissionsOf } from './admissions.ts';
import type { OrderDetails } from './order-queries.ts';

const columns: Column<Admission>[] = [
  {
    header: 'For',
    cell: ({ person }) => (
      <>
        <Text fw={600} size="sm">
          {person.name}
        </Text>
        {person.email && (
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {person.email}
          </Text>
        )}
      </>
    ),
  },
  { header: 'What', cell: ({ what }) => <Text size="sm">{what}</Text> },
  {
    header: 'Code',
    cell: ({ code }) => <Code style={{ overflowWrap: 'anywhere' }}>{code}</Code>,
  },
  {
    header: 'Status',
    cell: ({ isValid }) =>
      isValid ? (
        <StateBadge color="teal">Valid</StateBadge>
      ) : (
        <StateBadge color="gray">Cancelled</StateBadge>
      ),
  },
  {
    header: 'Price',
    cell: ({ price }) => <Text size="sm">{price.amount === 0 ? 'free' : moneyWords(price)}</Text>,
  },
];

/** Tickets and day passes that have been issued. */
export function Admissions({ order }: { order: OrderDetails }) {
  const isPasses = order.event === null;
  const rows = admissionsOf(order);
  return (
    <Panel title={isPasses ? 'Day passes' : 'Tickets'}>
      {rows.length === 0 ? (
        <Text size="sm">
          {order.status === 'PENDING'
            ? 'They are held, and issued once the order is paid.'
            : 'None were issued.'}
        </Text>
      ) : (
        <DataTable
          label={isPasses ? 'Day passes' : 'Tickets'}
          columns={columns}
          rows={rows}
          keyOf={({ id }) => id}
          isEnded={({ isValid }) => !isValid}
        />
      )}
    </Panel>
  );
}
