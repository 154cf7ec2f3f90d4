import { Button, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import { toServiceUrl } from '../api/urls.ts';
import { BackLink, PageHeader } from '../components/PageLayout.tsx';
import { getText } from '../language/page-texts.ts';
import { listNextSteps } from '../public/orders/OrderStatusNotice.tsx';
import { formatHoldEnd } from '../public/orders/order-details.ts';
import { getPortalOrderKey, type PortalOrder } from '../public/orders/queries.ts';

/** Leads from a widget to the page of the order, where one can pay. It opens in a tab of its own. */
export function Component() {
  const secret = useLocation().hash.slice(1);
  const order = useQueryClient().getQueryData<PortalOrder>(getPortalOrderKey(secret));
  const canPay = order?.allowedActions.pay === true && order.payment?.provider !== 'ON_SITE';
  const { title, description } = canPay
    ? { title: getText('embed.pay'), description: getText('embed.payHelp') }
    : describePlacedOrder(order);
  return (
    <>
      <BackLink to="/events">{getText('event.all')}</BackLink>
      <PageHeader title={title} description={description} />
      <Button
        component="a"
        href={toServiceUrl(`orders#${secret}`)}
        target="_blank"
        rel="noopener"
        size="md"
      >
        {canPay ? getText('embed.continue') : getText('embed.open')}
      </Button>
      <Text size="sm" c="dimmed" mt="xs">
        {getText('embed.newTab')}
      </Text>
    </>
  );
}

/** Says as the page of the order does that it is released again unless the buyer confirms it in time. */
function describePlacedOrder(order: PortalOrder | undefined) {
  if (!order?.confirmationRequired || order.expiresAt === null)
    return { title: getText('embed.thanks'), description: getText('embed.thanksHelp') };
  const now = new Date();
  const time = formatHoldEnd(order, new Date(order.expiresAt), now);
  return {
    title: getText('order.reservedUntil', { time }),
    description: listNextSteps(order, now).join(' '),
  };
}
