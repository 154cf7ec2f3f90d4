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

/** The URL can hold a search. */
export function OrdersPage() {
  const [searchParams] = useSearchParams();
  const [search, setSearch] = useState(searchParams.get('q') ?? '');
  const [q] = useDebouncedValue(search.trim(), 250);
  const [status, setStatus] = useState<OrderStatus | null>(null);
  const pages = useOrders({ q: q || null, status });
  return (
    <>
      <PageHeader
        title="Orders"
        description="Orders for tickets and day passes, with payments and refunds."
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
          placeholder="Code, name or email"
          flex="1 1 200px"
          maw={320}
          value={search}
          onChange={({ currentTarget: { value } }) => setSearch(value)}
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
            <EmptyState icon={IconReceipt} title="No matching orders">
              Enter a full order code, or part of a name or email.
            </EmptyState>
          ) : (
            <EmptyState icon={IconReceipt} title="No orders yet">
              Orders for tickets and day passes appear here.
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

/** Refunds that need action by staff. */
export function PendingRefunds() {
  const { data } = usePendingRefunds();
  if (data === undefined || data.onSite + data.failed === 0) return null;
  return (
    <Alert color="orange" icon={<IconAlertTriangle size={18} />} role="status" mb="md">
      {data.onSite > 0 && (
        <div>
          {formatRefundCount(data.onSite)} to pay out at the front desk.{' '}
          <Anchor
            component={Link}
            to="/orders/refunds?status=due"
            inherit
            c="inherit"
            td="underline"
          >
            View refunds
          </Anchor>
        </div>
      )}
      {data.failed > 0 && (
        <div>
          {formatRefundCount(data.failed)} failed at the payment provider.{' '}
          <Anchor
            component={Link}
            to="/orders/refunds?status=failed"
            inherit
            c="inherit"
            td="underline"
          >
            View failed refunds
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
