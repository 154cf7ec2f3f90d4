import { Alert, Stack } from '@mantine/core';
import { useLocation } from 'react-router';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { LoadedOrMissing } from '../LoadedOrMissing.tsx';
import { FindOrders } from './FindOrders.tsx';
import { Portal } from './Portal.tsx';
import { useOrder } from './queries.ts';

/**
 * Unlike links that work once, the secret stays in the address, behind the #: buyers reload this page, keep it, and come
 * back to it from paying.
 */
export function Component() {
  const secret = useLocation().hash.replace(/^#/, '');
  return secret ? <OrderOf key={secret} secret={secret} /> : <NoSecret />;
}

function OrderOf({ secret }: { secret: string }) {
  const order = useOrder(secret);
  return (
    <LoadedOrMissing query={order} height={480} missing={<WrongSecret />}>
      {(order) => <Portal order={order} secret={secret} />}
    </LoadedOrMissing>
  );
}

const NoSecret = () => (
  <>
    <PageHeader
      title="My orders"
      description="Each order has a page of its own, with its tickets. Its link is in the mail that you got."
    />
    <FindOrders />
  </>
);

const WrongSecret = () => (
  <Stack>
    <PageHeader title="My orders" description="Each order has a page of its own." />
    <Alert color="orange" role="alert" title="This link is incomplete">
      It leads to no order. Copy the whole link out of the newest mail, or have the links sent to
      you again.
    </Alert>
    <FindOrders />
  </Stack>
);
