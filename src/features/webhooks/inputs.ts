import { z } from 'zod';
import { boundedText, creationFilter, uuid } from '../../core/validation.ts';
import { describeChanges, toChangeShape, toCreationShape } from '../../rows/inputs.ts';
import { DELIVERY_STATES, webhookRow } from './rows.ts';

const id = uuid.meta({ description: 'The id of the webhook' });

export const createWebhookInput = z.object(toCreationShape(webhookRow));

export const updateWebhookInput = z
  .object({ id, ...toChangeShape(webhookRow) })
  .meta({ description: describeChanges(webhookRow) });

export const webhookFilter = creationFilter
  .extend({
    q: boundedText(200).optional().meta({ description: 'Part of the URL or description' }),
    active: z
      .boolean()
      .optional()
      .meta({ description: 'Only webhooks that receive events, or only the others' }),
  })
  .meta({ description: 'Limits a list of webhooks; all conditions apply together' });

export const webhookDeliveryFilter = creationFilter
  .extend({
    webhookId: uuid.optional().meta({ description: 'Only deliveries to this webhook' }),
    state: z
      .array(z.enum(DELIVERY_STATES))
      .min(1)
      .max(DELIVERY_STATES.length)
      .optional()
      .meta({ description: 'Only deliveries in one of these states' }),
  })
  .meta({ description: 'Limits a list of deliveries; all conditions apply together' });

export const webhookIdInput = z.object({ id: id.meta({ description: 'The id of the webhook' }) });

export const deliveryIdInput = z.object({
  id: uuid.meta({ description: 'The id of the delivery' }),
});

export const rotateWebhookSecretInput = z.object({
  id,
  overlapHours: z
    .int()
    .meta({ description: 'How many hours messages are also signed with the old secret: 0 to 72' }),
});
