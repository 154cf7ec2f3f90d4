import { Checkbox, Input, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { can, useStaffViewer } from '../../app/session/viewer.ts';
import { InputField, useInputForm } from '../../components/InputFields.tsx';
import type { FieldViews } from '../../components/input-values.ts';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import type { CreateWebhookInput } from '../../gql/graphql.ts';
import { EditForm } from '../EditForm.tsx';
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

type WebhookInput = CreateWebhookInput & WebhookUpdate;

const VIEWS: FieldViews<WebhookInput> = {
  url: {
    label: 'URL',
    type: 'url',
    placeholder: 'https://example.org/hooks/foyer',
    missing: 'Enter a URL',
  },
  description: {
    label: 'Description',
    description: 'The program that receives the messages',
    placeholder: 'Team chat',
  },
  events: {
    label: 'Events',
    description: 'Select “All” in a group to include events that are added to it later.',
    missing: 'Select at least one event',
  },
};

interface WebhookFormProps {
  /** The webhook to edit. Omit it to create one. */
  webhook?: Webhook;
  label: string;
  mutation: { error: Error | null; isPending: boolean };
  onSave: (input: WebhookInput, changes: Partial<WebhookInput>) => void;
  onClose: () => void;
}

export function WebhookForm({ webhook, label, mutation, onSave, onClose }: WebhookFormProps) {
  const form = useInputForm(webhook ? 'UpdateWebhookInput' : 'CreateWebhookInput', VIEWS, {
    row: webhook ?? {},
    validate: { url: validateWebhookUrl },
    // The order of events has no meaning. The service rejects a list with events that the viewer cannot read.
    toInput: ({ events }) => ({
      events: webhook && isSameSet(events, webhook.events) ? webhook.events : events,
    }),
  });
  return (
    <EditForm
      row={webhook}
      form={form}
      label={label}
      onSubmit={form.onSubmit((values) => onSave(form.toInput(values), form.toChanges(values)))}
      mutation={mutation}
      onCancel={onClose}
    >
      <InputField
        form={form}
        name="url"
        isFirst
        description={
          findUrlWarning(form.values.url) ?? 'Foyer sends messages to this URL as POST requests.'
        }
      />
      <InputField form={form} name="description" />
      <EventPicker {...form.getFieldProps('events')} />
    </EditForm>
  );
}

const isSameSet = (some: string[], others: string[]) =>
  some.length === others.length && some.every((event) => others.includes(event));

interface EventPickerProps {
  label: string;
  description?: string;
  value: string[];
  onChange: (events: string[]) => void;
  error?: ReactNode;
}

function EventPicker({ label, description, value, onChange, error }: EventPickerProps) {
  const viewer = useStaffViewer();
  const query = useWebhookEvents();
  const isEverything = value.includes(ALL_EVENTS);
  const toggle = (name: string) => onChange(toggleEvent(value, name));
  return (
    <Stack gap="sm" role="group" aria-labelledby="events-label" aria-describedby="events-error">
      <div>
        <Input.Label id="events-label" labelElement="div">
          {label}
        </Input.Label>
        <Input.Description>{description}</Input.Description>
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

function validateWebhookUrl(url: string): string | null {
  const text = url.trim();
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
