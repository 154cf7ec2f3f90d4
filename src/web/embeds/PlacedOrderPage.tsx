import { Button, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import { toServiceUrl } from '../api/urls.ts';
import { BackLink, PageHeader } from '../components/PageLayout.tsx';
import { getText } from '../language/page-texts.ts';
import { getPortalOrderKey, type PortalOrder } from '../public/orders/queries.ts';

/** Leads from a widget to the page of the order, where one can pay. It opens in a tab of its own. */
export function Component() {
  const secret = useLocation().hash.slice(1);
  const order = useQueryClient().getQueryData<PortalOrder>(getPortalOrderKey(secret));
  const canPay = order?.allowedActions.pay === true && order.payment?.provider !== 'ON_SITE';
  return (
    <>
      <BackLink to="/events">{getText('event.all')}</BackLink>
      <PageHeader
        title={canPay ? getText('embed.pay') : getText('embed.thanks')}
        description={canPay ? getText('embed.payHelp') : getText('embed.thanksHelp')}
      />
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
