import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useNavigate } from 'react-router';
import { v4 } from 'uuid';
import { isTransient, toApiError } from '../../api/errors.ts';
import { getPortalOrderKey, type PortalOrder } from '../orders/queries.ts';

/**
 * Places an order and leads to its page, and on to where it is paid. Whatever is sent again while nothing has changed,
 * because it was clicked twice or its answer was lost, carries the same key: so it makes one order.
 */
export function usePlaceOrder<Input>(
  send: (input: Input, idempotencyKey: string) => Promise<PortalOrder>,
) {
  const key = useRef<string | null>(null);
  const client = useQueryClient();
  const navigate = useNavigate();
  const changed = () => {
    key.current = null;
  };
  const place = useMutation({
    mutationFn: (input: Input) => {
      key.current ??= v4();
      return send(input, key.current);
    },
    onSuccess: async (order) => {
      const { secret, payment, allowedActions } = order;
      client.setQueryData(getPortalOrderKey(secret ?? ''), order);
      // The order's page comes first: whoever turns back from paying finds it, and not the form.
      await navigate(`/orders#${secret}`);
      if (allowedActions.pay && payment?.url && payment.provider !== 'ON_SITE')
        location.assign(payment.url);
    },
    onError: (error) => {
      // What was refused allowedActions be had a little later; the service would repeat its refusal for the same key.
      if (!isTransient(toApiError(error))) changed();
    },
    gcTime: 0,
  });
  return { place, changed };
}
