import { Button, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import { toServiceUrl } from '../api/urls.ts';
import { BackLink, PageHeader } from '../components/PageLayout.tsx';
import { getPortalOrderKey, type PortalOrder } from '../public/orders/queries.ts';

/** Leads from a widget to the page of the order, where one can pay. It opens in a tab of its own. */
export function Component() {
  const secret = useLocation().hash.slice(1);
  const order = useQueryClient().getQueryData<PortalOrder>(getPortalOrderKey(secret));
  const canPay = order?.allowedActions.pay === true && order.payment?.provider !== 'ON_SITE';
  return (
    <>
      <BackLink to="/events">All events</BackLink>
      <PageHeader
        title={canPay ? 'Pay for your order' : 'Thank you'}
        description={
          canPay
            ? 'Your tickets are reserved. They’re yours once you’ve paid.'
            : 'Your order has been placed. We’ve emailed you a link to it.'
        }
      />
      <Button
        component="a"
        href={toServiceUrl(`orders#${secret}`)}
        target="_blank"
        rel="noopener"
        size="md"
      >
        {canPay ? 'Continue to payment' : 'Open your order'}
      </Button>
      <Text size="sm" c="dimmed" mt="xs">
        Opens in a new tab.
      </Text>
    </>
  );
}
