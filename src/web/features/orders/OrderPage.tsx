import { Stack } from '@mantine/core';
import { useParams } from 'react-router';
import { may, useStaff } from '../../session/viewer.ts';
import { BackLink } from '../../ui/BackLink.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Admissions } from './Admissions.tsx';
import { OrderActions } from './OrderActions.tsx';
import { OrderFacts } from './OrderFacts.tsx';
import { OrderMoney } from './OrderMoney.tsx';
import { OrderRefunds } from './OrderRefunds.tsx';
import { useOrder } from './order-queries.ts';

export function OrderPage() {
  const { orderId = '' } = useParams();
  const mayChange = may(useStaff(), 'orders:write');
  const order = useOrder(orderId);
  return (
    <>
      <BackLink to="/orders">All orders</BackLink>
      <Loaded query={order} height={400}>
        {(order) => (
          <>
            <PageHeader
              title={`Order ${order.code}`}
              description={`${order.event?.title ?? 'Day passes'}, for ${order.buyer.name}.`}
              action={mayChange && <OrderActions order={order} />}
            />
            <Stack>
              <OrderFacts order={order} />
              <Admissions order={order} />
              <OrderMoney order={order} />
              {order.refunds.length > 0 && <OrderRefunds order={order} mayChange={mayChange} />}
            </Stack>
          </>
        )}
      </Loaded>
    </>
  );
}
