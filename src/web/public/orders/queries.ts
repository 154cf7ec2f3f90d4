import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { request } from '../../api/request.ts';
import type { PortalFragment } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

export type PortalOrder = PortalFragment;

graphql(`
  fragment Portal on Order {
    ...OrderContents
    secret
    isOffer
    paymentInProgress
    confirmationRequired
    confirmedHoldUntil
    location {
      name
      address
      timeZone
      openingHours {
        weekday
        opens
        closes
      }
    }
    payment {
      url
    }
    event: eventSummary {
      slug
      address
    }
    tickets {
      qr
    }
    dayPasses {
      qr
    }
    refunds {
      id
      status
      provider
      reason
      createdAt
      amount {
        amount
        currency
      }
    }
    allowedActions {
      pay
      confirm
      cancel
      refundUntil
      changeAttendees
    }
  }
`);

const PORTAL_ORDER_QUERY = graphql(`
  query Portal($secret: String!) {
    order(secret: $secret) {
      ...Portal
    }
  }
`);

export const getPortalOrderKey = (secret: string) => ['order', secret];

const POLL_INTERVAL_MS = 3_000;
const SLOW_POLL_INTERVAL_MS = 10_000;

/** Polls while a payment or a provider's refund is pending. */
function getPollInterval(order: PortalOrder | undefined): number | false {
  // Orders that are paid at the front desk can be held for days.
  if (order?.status === 'PENDING')
    return order.payment?.provider === 'ON_SITE' ? SLOW_POLL_INTERVAL_MS : POLL_INTERVAL_MS;
  const hasPendingRefund = order?.refunds.some(
    ({ status, provider }) => status === 'PENDING' && provider !== 'ON_SITE',
  );
  return hasPendingRefund ? SLOW_POLL_INTERVAL_MS : false;
}

export const usePortalOrder = (secret: string) =>
  useQuery({
    queryKey: getPortalOrderKey(secret),
    queryFn: async ({ signal }) => (await request(PORTAL_ORDER_QUERY, { secret }, signal)).order,
    refetchInterval: ({ state: { data } }) => getPollInterval(data),
    refetchOnWindowFocus: 'always',
  });

/** Changes an order and updates the cache with the result. */
export function useOrderMutation<Input>(
  secret: string,
  change: (input: Input) => Promise<PortalOrder>,
  onSuccess: (order: PortalOrder) => void,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (order) => {
      client.setQueryData(getPortalOrderKey(secret), order);
      onSuccess(order);
    },
    onError: () => client.invalidateQueries({ queryKey: getPortalOrderKey(secret) }),
    gcTime: 0,
  });
}
