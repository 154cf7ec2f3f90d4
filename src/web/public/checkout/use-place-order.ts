import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useNavigate } from 'react-router';
import { v4 } from 'uuid';
import { isTransient, toApiError } from '../../api/errors.ts';
import { isEmbedded } from '../../api/urls.ts';
import { getPortalOrderKey, type PortalOrder } from '../orders/queries.ts';
import { rememberOrder } from '../orders/remembered-order.ts';

/**
 * Places an order, opens its page and then the checkout. Sending the same input again, after a double click or a lost
 * response, uses the same idempotency key and so creates one order only. Call `resetKey` when the input changes.
 */
export function usePlaceOrder<Input>(
  send: (input: Input, idempotencyKey: string) => Promise<PortalOrder>,
) {
  const key = useRef<string | null>(null);
  const client = useQueryClient();
  const navigate = useNavigate();
  const resetKey = () => {
    key.current = null;
  };
  const place = useMutation({
    mutationFn: (input: Input) => {
      key.current ??= v4();
      return send(input, key.current);
    },
    onSuccess: async (order) => {
      const { id, secret, payment, allowedActions } = order;
      client.setQueryData(getPortalOrderKey(secret ?? ''), order);
      // Going back from the checkout then leads to the order and not to the form.
      await navigate(`/orders#${secret}`);
      if (secret) rememberOrder({ id, secret });
      // Payment providers do not open in a frame. There, the next page has a link.
      if (isEmbedded()) return;
      if (allowedActions.pay && payment?.url && payment.provider !== 'ON_SITE')
        location.assign(payment.url);
    },
    onError: (error) => {
      // With the same key, the service would return the same rejection again, even if it could accept the order now.
      if (!isTransient(toApiError(error))) resetKey();
    },
    gcTime: 0,
  });
  return { place, resetKey };
}
