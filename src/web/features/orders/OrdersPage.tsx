import { Button, Group, Select, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { OrderStatus } from '../../gql/graphql.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { IconOrder } from '../../ui/icons.tsx';
import { PagedList } from '../../ui/PagedList.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { OrdersTable } from './OrdersTable.tsx';
import { ORDER_STATUSES } from './order-words.ts';
import { useOrders } from './queries.ts';
import { RefundsToDo } from './RefundsToDo.tsx';

const EVERY_STATUS = { value: '', label: 'Any' };

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
      <RefundsToDo />
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
          data={[EVERY_STATUS, ...ORDER_STATUSES.map(({ value, label }) => ({ value, label }))]}
          value={status ?? ''}
          onChange={(value) => setStatus((value || null) as OrderStatus | null)}
          allowDeselect={false}
        />
      </Group>
      <PagedList
        pages={pages}
        empty={
          q || status ? (
            <EmptyState icon={IconOrder} title="No such order">
              A code is searched for as a whole; of a name or an address some letters will do.
            </EmptyState>
          ) : (
            <EmptyState icon={IconOrder} title="No orders yet">
              They appear here as soon as somebody orders tickets for an event, or day passes.
            </EmptyState>
          )
        }
      >
        {(orders) => <OrdersTable orders={orders} of="all" />}
      </PagedList>
    </>
  );
}
