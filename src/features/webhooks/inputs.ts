import { z } from 'zod';
import { boundedText, creationFilter, orDefault, singleLine } from '../../core/validation.ts';
import { DELIVERY_STATES } from './deliveries.ts';

const url = z
  .url({ protocol: /^https?$/, error: 'must be an https:// or http:// URL' })
  .max(2_000)
  .refine(
    hasNoUser,
    'must not contain a user or password: verify the signature of deliveries instead',
  );
const events = z.array(z.string().max(100)).max(100);
const description = singleLine(200).meta({ description: 'What receives the messages' });

const id = z.uuid('must be a UUID').meta({ description: 'The id of the webhook' });

export const createWebhookInput = z.object({
  url: url.meta({ description: 'Use https:// outside of private networks' }),
  description: orDefault(description, null),
  events: events.meta({
    description:
      'Names from webhookEvents, such as display.offline; display.* for all display events, * for all events',
  }),
});

export const updateWebhookInput = z
  .object({
    id,
    url: url.optional().meta({ description: 'Where messages are sent' }),
    description: description.nullish(),
    events: events.optional().meta({ description: 'Replaces the events that it receives' }),
  })
  .meta({ description: 'Omitted fields stay as they are; null removes the description' });

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
    webhookId: z.uuid().optional().meta({ description: 'Only deliveries to this webhook' }),
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
  id: z.uuid('must be a UUID').meta({ description: 'The id of the delivery' }),
});

export const rotateWebhookSecretInput = z.object({
  id,
  overlapHours: z
    .int()
    .meta({ description: 'How many hours messages are also signed with the old secret: 0 to 72' }),
});

function hasNoUser(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}
