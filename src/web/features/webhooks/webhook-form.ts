import { isNotEmpty } from '@mantine/form';
import type { UpdateWebhookInput } from '../../gql/graphql.ts';
import type { Webhook } from './queries.ts';

export interface WebhookValues {
  url: string;
  description: string;
  events: string[];
}

export const valuesOf = (webhook?: Webhook): WebhookValues => ({
  url: webhook?.url ?? '',
  description: webhook?.description ?? '',
  events: webhook?.events ?? [],
});

export const rules = {
  url: problemWithUrl,
  events: isNotEmpty('Choose at least one thing that it is told of'),
};

export const inputOf = ({ url, description, events }: WebhookValues) => ({
  url: url.trim(),
  description: description.trim() || null,
  events,
});

/** Only what is another: events that one may not read oneself stay as they are, and do not refuse the rest. */
export function changesOf(values: WebhookValues, webhook: Webhook): UpdateWebhookInput {
  const { url, description, events } = inputOf(values);
  const isSame =
    events.length === webhook.events.length && events.every((one) => webhook.events.includes(one));
  return {
    ...(url === webhook.url ? {} : { url }),
    ...(description === webhook.description ? {} : { description }),
    ...(isSame ? {} : { events }),
  };
}

function problemWithUrl(typed: string): string | null {
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
export const nudgeFor = (url: string) =>
  url.trim().startsWith('http://') ? 'Without https, messages can be read on their way.' : null;

/** The name of a webhook in sentences. */
export const nameOf = ({ description, url }: { description: string | null; url: string }) =>
  description ?? new URL(url).host;
