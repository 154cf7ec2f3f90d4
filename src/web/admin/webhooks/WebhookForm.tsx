import { Checkbox, Input, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import { can, useStaffViewer } from '../../app/session/viewer.ts';
import { DialogActions } from '../../components/Dialog.tsx';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import classes from './EventFieldset.module.css';
import {
  ALL_EVENTS,
  formatEventNoun,
  groupEventsByNoun,
  type NounEvents,
  toggleEvent,
} from './event-labels.ts';
import { useWebhookEvents, type Webhook, type WebhookEvent } from './queries.ts';
import {
  findUrlWarning,
  toWebhookFormValues,
  type WebhookFormValues,
  webhookValidators,
} from './webhook-form-values.ts';

interface WebhookFormProps {
  /** The webhook to edit. Omit it to create one. */
  webhook?: Webhook;
  label: string;
  save: (values: WebhookFormValues) => void;
  pending: boolean;
  error: Error | null;
  onClose: () => void;
}

export function WebhookForm({ webhook, label, save, pending, error, onClose }: WebhookFormProps) {
  const form = useForm({
    initialValues: toWebhookFormValues(webhook),
    validate: webhookValidators,
  });
  return (
    <form onSubmit={form.onSubmit(save)} noValidate>
      <Stack>
        <FormError error={error} />
        <TextInput
          type="url"
          label="URL"
          description={findUrlWarning(form.values.url) ?? 'Messages are sent to this URL by POST.'}
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
      </Stack>
      <DialogActions label={label} onCancel={onClose} pending={pending} />
    </form>
  );
}

interface EventPickerProps {
  value: string[];
  onChange: (events: string[]) => void;
  error?: ReactNode;
}

function EventPicker({ value, onChange, error }: EventPickerProps) {
  const viewer = useStaffViewer();
  const known = useWebhookEvents();
  const isEverything = value.includes(ALL_EVENTS);
  const toggle = (name: string) => onChange(toggleEvent(value, name));
  return (
    <Stack gap="sm" role="group" aria-labelledby="events-label" aria-describedby="events-error">
      <div>
        <Input.Label id="events-label" labelElement="div">
          Events
        </Input.Label>
        <Input.Description>
          Select all of a group to include events added to it later.
        </Input.Description>
      </div>
      <Checkbox
        label="Everything"
        description="All events, including ones added later"
        checked={isEverything}
        disabled={!isEverything && !can(viewer, '*')}
        onChange={() => toggle(ALL_EVENTS)}
      />
      <QueryBoundary query={known} height={320}>
        {(events) =>
          groupEventsByNoun(events).map((noun) => (
            <EventFieldset
              key={noun.noun}
              group={noun}
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
  /** Everything is selected. */
  disabled: boolean;
  /** A webhook can only receive events that its owner can read. */
  canRead: (event: WebhookEvent) => boolean;
  onToggle: (name: string) => void;
}

function EventFieldset({ group, value, disabled, canRead, onToggle }: EventFieldsetProps) {
  const { noun, all, events } = group;
  const isWhole = disabled || value.includes(all);
  const cannotAdd = (name: string, canBeRead: boolean) => !canBeRead && !value.includes(name);
  const title = formatEventNoun(noun);
  return (
    <fieldset className={classes.noun} disabled={disabled}>
      <legend>{title}</legend>
      <Checkbox
        label={`All ${title.toLowerCase()}`}
        checked={isWhole}
        disabled={disabled || cannotAdd(all, events.every(canRead))}
        onChange={() => onToggle(all)}
      />
      {events.map((event) => (
        <Checkbox
          key={event.name}
          label={event.name}
          description={event.description}
          checked={isWhole || value.includes(event.name)}
          disabled={isWhole || cannotAdd(event.name, canRead(event))}
          onChange={() => onToggle(event.name)}
        />
      ))}
    </fieldset>
  );
}
