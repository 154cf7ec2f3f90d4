import { z } from 'zod';
import { singleLine, uuid } from '../../core/validation.ts';
import type {
  WebhookAttempt,
  WebhookDelivery,
  WebhookEndpoint,
} from '../../db/generated/client.ts';
import { createdAt, type RowDescription, rowId, updatedAt } from '../../rows/row.ts';

const url = z
  .url({ protocol: /^https?$/, error: 'must be an https:// or http:// URL' })
  .max(2_000)
  .refine(
    hasNoUser,
    'must not contain a user or password: verify the signature of deliveries instead',
  );

function hasNoUser(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}

export const DELIVERY_STATES = ['delivered', 'waiting', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export const webhookRow = {
  table: 'webhook_endpoints',
  columns: {
    id: rowId('Identifies the webhook in both APIs'),
    url: {
      schema: url,
      description: 'Where messages are sent. Use https:// outside of private networks.',
      create: 'required',
      update: true,
      journal: false, // without its query, which can contain a secret
      erasure: 'technical',
    },
    description: {
      schema: singleLine(200).nullable(),
      description: 'What receives the messages',
      whenNull: 'null if there is no description',
      create: 'optional',
      update: true,
      erasure: 'content',
    },
    events: {
      schema: z.array(z.string().max(100)).max(100),
      description:
        'Types of changes, such as display.offline; display.* for all display events, * for all events',
      create: 'required',
      update: true,
      erasure: 'technical',
    },
    secret: { hidden: 'A secret', erasure: 'technical' },
    previousSecret: { hidden: 'A secret', erasure: 'technical' },
    previousSecretUntil: {
      schema: z.date().nullable(),
      description: 'Until then, deliveries are also signed with the previous secret',
      journal: false,
    },
    disabledAt: {
      schema: z.date().nullable(),
      description: 'When it was disabled',
      whenNull: 'null if it is enabled',
    },
    disabledReason: {
      schema: z.string().nullable(),
      description: 'Why it is disabled, for example because its token was revoked',
      erasure: 'technical',
    },
    pausedUntil: { hidden: 'Shown as the next attempt of deliveries' },
    ownerKind: { hidden: 'Shown as owner' },
    ownerUserId: {
      hidden: 'Shown as owner',
      schema: uuid.nullable(),
      description: 'The account of staff that created it',
      whenNull: 'null if an API token did',
      journal: true,
    },
    ownerTokenId: {
      hidden: 'Shown as owner',
      schema: uuid.nullable(),
      description: 'The API token that created it',
      whenNull: 'null if an account of staff did',
      journal: true,
    },
    createdAt: createdAt('When the webhook was created'),
    updatedAt: updatedAt(),
  },
} as const satisfies RowDescription<WebhookEndpoint>;

export const webhookDeliveryRow = {
  table: 'webhook_deliveries',
  columns: {
    id: rowId('Identifies the delivery in replayDelivery'),
    endpointId: { hidden: 'Shown as webhook' },
    messageId: {
      schema: uuid,
      description: 'Sent in the header webhook-id; the same for every attempt',
    },
    nextAttemptAt: {
      schema: z.date().nullable(),
      description: 'Earliest time of the next attempt',
      whenNull: 'null if none is left',
    },
    attempts: { hidden: 'Shown as attemptCount' },
    deliveredAt: {
      schema: z.date().nullable(),
      description: 'When the endpoint accepted it',
      whenNull: 'null if it has not',
    },
    createdAt: createdAt('When the event happened'),
  },
  computed: {
    attemptCount: {
      schema: z.int(),
      description: 'Attempts since the delivery was created or last replayed',
      sql: (row) => `${row}.attempts`,
      toValue: ({ attempts }) => attempts,
    },
  },
} as const satisfies RowDescription<WebhookDelivery>;

export const webhookAttemptRow = {
  table: 'webhook_attempts',
  columns: {
    id: { hidden: 'Attempts are shown with their delivery' },
    deliveryId: { hidden: 'Attempts are shown with their delivery' },
    at: { schema: z.date(), description: 'When the attempt began' },
    status: {
      schema: z.int().nullable(),
      description: 'HTTP status of the response',
      whenNull: 'null if there was none',
    },
    error: {
      schema: z.string().nullable(),
      description: 'Why the attempt failed',
      whenNull: 'null if it succeeded',
      erasure: 'copy',
    },
    durationMs: { schema: z.int(), description: 'How long it took, in milliseconds' },
  },
} as const satisfies RowDescription<WebhookAttempt>;
