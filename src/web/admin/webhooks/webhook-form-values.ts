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
  events: isNotEmpty('Choose at least one thing that it is told of'),
};

export const toWebhookInput = ({ url, description, events }: WebhookFormValues) => ({
  url: url.trim(),
  description: description.trim() || null,
  events,
});

/** Only what is another: events that one may not read oneself stay as they are, and do not refuse the rest. */
export function toWebhookUpdate(values: WebhookFormValues, webhook: Webhook): UpdateWebhookInput {
  const { url, description, events } = toWebhookInput(values);
  const isSame =
    events.length === webhook.events.length && events.every((one) => webhook.events.includes(one));
  return {
    ...(url === webhook.url ? {} : { url }),
    ...(description === webhook.description ? {} : { description }),
    ...(isSame ? {} : { events }),
  };
}

function validateWebhookUrl(typed: string): string | null {
  const text = typed.trim();
  if (text === '') return 'Give the address that messages are sent to';
  if (!URL.canParse(text)) return 'Give the whole address, beginning with https://';
  const { protocol, username, password } = new URL(text);
  if (!['https:', 'http:'].includes(protocol)) return 'It must begin with https:// or http://';
  if (username || password) {
    return 'Leave user and password out: messages are signed, and the receiver verifies that';
  }
  return null;
}

/** What should be thought of, if anything. */
export const findUrlWarning = (url: string) =>
  url.trim().startsWith('http://') ? 'Without https, messages can be read on their way.' : null;

/** The name of a webhook in sentences. */
export const formatWebhookName = ({
  description,
  url,
}: {
  description: string | null;
  url: string;
}) => description ?? new URL(url).host;
