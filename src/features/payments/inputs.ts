import { z } from 'zod';
import { anyId, boundedText, ignoreNull, uuid } from '../../core/validation.ts';
import { PaymentMethod } from '../../db/generated/enums.ts';
import { describeStaffMethod, paymentRow, refundRow, staffMethod } from './rows.ts';

const { provider } = paymentRow.columns;
const { status } = refundRow.columns;

const method = z
  .array(z.enum(PaymentMethod))
  .min(1)
  .max(Object.keys(PaymentMethod).length)
  .optional();

export const refundFilter = z
  .object({
    orderId: uuid.optional().meta({ description: 'Only refunds of this order' }),
    locationId: uuid.optional().meta({ description: 'Only refunds at this location' }),
    method: method.meta({ description: 'Only refunds that were returned in one of these ways' }),
    completedFrom: z
      .date()
      .optional()
      .meta({ description: 'Only refunds returned at this time or later' }),
    completedTo: z
      .date()
      .optional()
      .meta({ description: 'Only refunds returned before this time' }),
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
  locationId: uuid.optional().meta({ description: 'Only payments at this location' }),
  method: method.meta({ description: 'Only payments that were made in one of these ways' }),
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

export const settleRefundInput = refundIdInput.extend({
  method: staffMethod
    .optional()
    .meta(
      describeStaffMethod(
        'How staff returned the money, by default as it was paid, or OTHER if that was online',
      ),
    ),
});

export const markOrderPaidInput = z.object({
  id: anyId.meta({ description: 'The id of the order' }),
  method: staffMethod.default('cash').meta(describeStaffMethod('How the buyer paid')),
});

const bookingId = anyId.meta({ description: 'The id of the booking' });

export const markBookingPaidInput = z.object({
  id: bookingId,
  method: staffMethod.meta(describeStaffMethod('How it was paid')),
});

export const markBookingUnpaidInput = z.object({
  id: bookingId,
  reason: boundedText(500).meta({ description: 'Why the payment is undone, for the audit log' }),
});

export const returnBookingPaymentInput = z.object({
  id: bookingId,
  method: staffMethod.meta(describeStaffMethod('How the money was returned')),
  reason: ignoreNull(boundedText(500)).meta({ description: 'Why it was returned' }),
});
