import { Checkbox, Input, Stack, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import { can, useStaffViewer } from '../../app/session/viewer.ts';
import { DialogForm } from '../../components/Dialog.tsx';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import classes from './EventFieldset.module.css';
import {
  ALL_EVENTS,
  formatEventNoun,
  groupEventsByNoun,
  type NounEvents,
  toggleEvent,
} from './event-labels.ts';
import {
  useWebhookEvents,
  type Webhook,
  type WebhookEvent,
  type WebhookUpdate,
} from './queries.ts';

interface WebhookFormProps {
  /** The webhook to edit. Omit it to create one. */
  webhook?: Webhook;
  label: string;
  mutation: { error: Error | null; isPending: boolean };
  onSave: (values: WebhookFormValues) => void;
  onClose: () => void;
}

export function WebhookForm({ webhook, label, mutation, onSave, onClose }: WebhookFormProps) {
  const form = useForm({
    initialValues: toWebhookFormValues(webhook),
    validate: webhookValidators,
  });
  return (
    <DialogForm
      label={label}
      onSubmit={form.onSubmit(onSave)}
      mutation={mutation}
      onCancel={onClose}
    >
      <TextInput
        type="url"
        label="URL"
        description={
          findUrlWarning(form.values.url) ?? 'Foyer sends messages to this URL as POST requests.'
        }
        placeholder="https://example.org/hooks/foyer"
        maxLength={2000}
        data-autofocus
        {...form.getInputProps('url')}
      />
      <TextInput
        label="Description (optional)"
        description="The program that receives the messages"
        placeholder="Team chat"
        maxLength={200}
        {...form.getInputProps('description')}
      />
      <EventPicker
        value={form.values.events}
        onChange={(events) => form.setFieldValue('events', events)}
        error={form.errors.events}
      />
    </DialogForm>
  );
}

interface EventPickerProps {
  value: string[];
  onChange: (events: string[]) => void;
  error?: ReactNode;
}

function EventPicker({ value, onChange, error }: EventPickerProps) {
  const viewer = useStaffViewer();
  const query = useWebhookEvents();
  const isEverything = value.includes(ALL_EVENTS);
  const toggle = (name: string) => onChange(toggleEvent(value, name));
  return (
    <Stack gap="sm" role="group" aria-labelledby="events-label" aria-describedby="events-error">
      <div>
        <Input.Label id="events-label" labelElement="div">
          Events
        </Input.Label>
        <Input.Description>
          Select “All” in a group to include events that are added to it later.
        </Input.Description>
      </div>
      <Checkbox
        label="Everything"
        description="All events, including ones added later"
        checked={isEverything}
        disabled={!isEverything && !can(viewer, '*')}
        onChange={() => toggle(ALL_EVENTS)}
      />
      <QueryBoundary query={query} height={320}>
        {(events) =>
          groupEventsByNoun(events).map((group) => (
            <EventFieldset
              key={group.noun}
              group={group}
              value={value}
              disabled={isEverything}
              canRead={({ scope }) => can(viewer, scope)}
              onToggle={toggle}
            />
          ))
        }
      </QueryBoundary>
      <Input.Error id="events-error" role="alert">
        {error}
      </Input.Error>
    </Stack>
  );
}

interface EventFieldsetProps {
  group: NounEvents;
  value: string[];
  /** Whether everything is selected. */
  disabled: boolean;
  /** A webhook receives only events that its owner can read. */
  canRead: (event: WebhookEvent) => boolean;
  onToggle: (name: string) => void;
}

function EventFieldset({ group, value, disabled, canRead, onToggle }: EventFieldsetProps) {
  const { noun, all, events } = group;
  const includesAll = disabled || value.includes(all);
  const cannotAdd = (name: string, isReadable: boolean) => !isReadable && !value.includes(name);
  const title = formatEventNoun(noun);
  return (
    <fieldset className={classes.noun} disabled={disabled}>
      <legend>{title}</legend>
      <Checkbox
        label={`All ${title.toLowerCase()}`}
        checked={includesAll}
        disabled={disabled || cannotAdd(all, events.every(canRead))}
        onChange={() => onToggle(all)}
      />
      {events.map((event) => (
        <Checkbox
          key={event.name}
          label={event.name}
          description={event.description}
          checked={includesAll || value.includes(event.name)}
          disabled={includesAll || cannotAdd(event.name, canRead(event))}
          onChange={() => onToggle(event.name)}
        />
      ))}
    </fieldset>
  );
}

interface WebhookFormValues {
  url: string;
  description: string;
  events: string[];
}

const toWebhookFormValues = (webhook?: Webhook): WebhookFormValues => ({
  url: webhook?.url ?? '',
  description: webhook?.description ?? '',
  events: webhook?.events ?? [],
});

const webhookValidators = {
  url: validateWebhookUrl,
  events: isNotEmpty('Select at least one event'),
};

function validateWebhookUrl(url: string): string | null {
  const text = url.trim();
  if (text === '') return 'Enter a URL';
  if (!URL.canParse(text)) return 'Enter a full URL that starts with https://';
  const { protocol, username, password } = new URL(text);
  if (!['https:', 'http:'].includes(protocol)) return 'Use https:// or http://';
  if (username || password) {
    return 'Remove the user name and password. The receiver verifies signatures instead.';
  }
  return null;
}

const findUrlWarning = (url: string) =>
  url.trim().startsWith('http://') ? 'Without https, others can read messages in transit.' : null;

export const toWebhookInput = ({ url, description, events }: WebhookFormValues) => ({
  url: url.trim(),
  description: description.trim() || null,
  events,
});

/** Only the changed fields, as the service rejects a list with events that the viewer cannot read. */
export function toWebhookUpdate(values: WebhookFormValues, webhook: Webhook): WebhookUpdate {
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
