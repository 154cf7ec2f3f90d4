import { z } from 'zod';
import { anyId } from '../../core/validation.ts';
import { REFUND_STATUSES } from './list-payments.ts';

export const refundFilter = z
  .object({
    orderId: z.uuid().optional().meta({ description: 'Only refunds of this order' }),
    status: z
      .array(z.enum(REFUND_STATUSES))
      .min(1)
      .max(REFUND_STATUSES.length)
      .optional()
      .meta({ description: 'Only refunds with one of these statuses' }),
  })
  .meta({ description: 'Limits a list of refunds' });

const PROVIDERS = ['stripe', 'on_site', 'sandbox'] as const;

export const paymentFilter = z.object({
  orderId: z.uuid().optional().meta({ description: 'Only payments of this order' }),
  provider: z
    .array(z.enum(PROVIDERS))
    .min(1)
    .max(PROVIDERS.length)
    .optional()
    .meta({ description: 'Only payments through one of these providers' }),
  from: z.date().optional().meta({ description: 'Only payments received at this time or later' }),
  to: z.date().optional().meta({ description: 'Only payments received before this time' }),
});

export const refundIdInput = z.object({ id: anyId.meta({ description: 'The id of the refund' }) });

export const markOrderPaidInput = z.object({
  id: anyId.meta({ description: 'The id of the order' }),
});
