import { z } from 'zod';
import { anyId, uuid } from '../../core/validation.ts';
import { paymentRow, refundRow } from './rows.ts';

const { provider } = paymentRow.columns;
const { status } = refundRow.columns;

export const refundFilter = z
  .object({
    orderId: uuid.optional().meta({ description: 'Only refunds of this order' }),
    status: z
      .array(status.schema)
      .min(1)
      .max(status.schema.options.length)
      .optional()
      .meta({ description: 'Only refunds with one of these statuses' }),
  })
  .meta({ description: 'Limits a list of refunds' });

export const paymentFilter = z.object({
  orderId: uuid.optional().meta({ description: 'Only payments of this order' }),
  provider: z
    .array(provider.schema)
    .min(1)
    .max(provider.schema.options.length)
    .optional()
    .meta({ description: 'Only payments through one of these providers' }),
  from: z.date().optional().meta({ description: 'Only payments received at this time or later' }),
  to: z.date().optional().meta({ description: 'Only payments received before this time' }),
});

export const refundIdInput = z.object({ id: anyId.meta({ description: 'The id of the refund' }) });

export const markOrderPaidInput = z.object({
  id: anyId.meta({ description: 'The id of the order' }),
});
