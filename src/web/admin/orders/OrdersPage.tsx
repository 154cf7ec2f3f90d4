import { Alert, Anchor, Button, Group, Select, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconAlertTriangle, IconReceipt } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { EmptyState } from '../../components/EmptyState.tsx';
import { InfiniteList } from '../../components/InfiniteList.tsx';
import { PageHeader } from '../../components/PageHeader.tsx';
import type { OrderStatus } from '../../gql/graphql.ts';
import { OrdersTable } from './OrdersTable.tsx';
import { ORDER_STATUS_OPTIONS } from './order-labels.ts';
import { useOrders } from './queries.ts';
import { usePendingRefunds } from './refund-queries.ts';

const ANY_STATUS_OPTION = { value: '', label: 'Any' };

/** A search may come with the address. */
export function OrdersPage() {
  const [at] = useSearchParams();
  const [typed, setTyped] = useState(at.get('q') ?? '');
  const [q] = useDebouncedValue(typed.trim(), 250);
  const [status, setStatus] = useState<OrderStatus | null>(null);
  const pages = useOrders({ q: q || null, status });
  return (
    <>
      <PageHeader
        title="Orders"
        description="Tickets and day passes that were ordered: who bought them, what is paid, what went back."
        action={
          <Button component={Link} to="/orders/refunds" variant="default">
            Refunds
          </Button>
        }
      />
      <PendingRefunds />
      <Group align="flex-end" mb="md" gap="sm">
        <TextInput
          type="search"
          label="Search"
          placeholder="Code, name or e-mail address"
          flex="1 1 200px"
          maw={320}
          value={typed}
          onChange={({ currentTarget: { value } }) => setTyped(value)}
        />
        <Select
          label="Status"
          w={150}
          data={[
            ANY_STATUS_OPTION,
            ...ORDER_STATUS_OPTIONS.map(({ value, label }) => ({ value, label })),
          ]}
          value={status ?? ''}
          onChange={(value) => setStatus((value || null) as OrderStatus | null)}
          allowDeselect={false}
        />
      </Group>
      <InfiniteList
        pages={pages}
        empty={
          q || status ? (
            <EmptyState icon={IconReceipt} title="No such order">
              A code is searched for as a whole; of a name or an address some letters will do.
            </EmptyState>
          ) : (
            <EmptyState icon={IconReceipt} title="No orders yet">
              They appear here as soon as somebody orders tickets for an event, or day passes.
            </EmptyState>
          )
        }
      >
        {(orders) => <OrdersTable orders={orders} variant="all" />}
      </InfiniteList>
    </>
  );
}

const MAX_COUNTED_REFUNDS = 50;

/** Money that goes back only if somebody of the staff does something. */
export function PendingRefunds() {
  const { data } = usePendingRefunds();
  if (data === undefined || data.onSite + data.failed === 0) return null;
  return (
    <Alert color="orange" icon={<IconAlertTriangle size={18} />} role="status" mb="md">
      {data.onSite > 0 && (
        <div>
          {formatRefundCount(data.onSite)} to be handed out at the front desk.{' '}
          <Anchor
            component={Link}
            to="/orders/refunds?status=due"
            inherit
            c="inherit"
            td="underline"
          >
            See who gets money
          </Anchor>
        </div>
      )}
      {data.failed > 0 && (
        <div>
          {formatRefundCount(data.failed)} the payment provider could not make.{' '}
          <Anchor
            component={Link}
            to="/orders/refunds?status=failed"
            inherit
            c="inherit"
            td="underline"
          >
            See what went wrong
          </Anchor>
        </div>
      )}
    </Alert>
  );
}

const formatRefundCount = (count: number) =>
  count === 1
    ? '1 refund'
    : `${count >= MAX_COUNTED_REFUNDS ? `${MAX_COUNTED_REFUNDS} or more` : count} refunds`;
