import { isNotEmpty } from '@mantine/form';
import type { UpdateWebhookInput } from '../../gql/graphql.ts';
import type { Webhook } from './queries.ts';

export interface WebhookFormValues {
  url: string;
  description: string;
  events: string[];
}

export const toWebhookFormValues = (webhook?: Webhook): WebhookFormValues => ({
  url: webhook?.url ?? '',
  description: webhook?.description ?? '',
  events: webhook?.events ?? [],
});

export const webhookValidators = {
  url: validateWebhookUrl,
  events: isNotEmpty('Select at least one event'),
};

export const toWebhookInput = ({ url, description, events }: WebhookFormValues) => ({
  url: url.trim(),
  description: description.trim() || null,
  events,
});

/** Sends changed fields only, so that events the viewer cannot read stay as they are and do not fail the update. */
export function toWebhookUpdate(values: WebhookFormValues, webhook: Webhook): UpdateWebhookInput {
  const { url, description, events } = toWebhookInput(values);
  const isSame =
    events.length === webhook.events.length &&
    events.every((event) => webhook.events.includes(event));
  return {
    ...(url === webhook.url ? {} : { url }),
    ...(description === webhook.description ? {} : { description }),
    ...(isSame ? {} : { events }),
  };
}

function validateWebhookUrl(url: string): string | null {
  const text = url.trim();
  if (text === '') return 'Enter a URL';
  if (!URL.canParse(text)) return 'Enter a full URL that starts with https://';
  const { protocol, username, password } = new URL(text);
  if (!['https:', 'http:'].includes(protocol)) return 'Use https:// or http://';
  if (username || password) {
    return 'Remove user and password. The receiver verifies signatures instead.';
  }
  return null;
}

/** A warning about the URL, if any. */
export const findUrlWarning = (url: string) =>
  url.trim().startsWith('http://') ? 'Without https, others can read messages in transit.' : null;

/** The name of a webhook in sentences. */
export const formatWebhookName = ({
  description,
  url,
}: {
  description: string | null;
  url: string;
}) => description ?? new URL(url).host;
