import { Text } from '@mantine/core';
import { PagedList } from '../../ui/PagedList.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { OrdersTable } from '../orders/OrdersTable.tsx';
import { useOrders } from '../orders/queries.ts';

export function EventOrders({ event }: { event: { id: string } }) {
  const pages = useOrders({ eventId: event.id });
  return (
    <Panel title="Orders">
      <PagedList
        pages={pages}
        empty={<Text size="sm">None yet. They appear here as tickets are ordered.</Text>}
      >
        {(orders) => <OrdersTable orders={orders} of="event" />}
      </PagedList>
    </Panel>
  );
}
