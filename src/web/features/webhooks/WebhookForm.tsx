import { Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { DialogActions } from '../../ui/DialogActions.tsx';
import { FormFailure } from '../../ui/FormFailure.tsx';
import { EventPicker } from './EventPicker.tsx';
import type { Webhook } from './queries.ts';
import { nudgeFor, rules, valuesOf, type WebhookValues } from './webhook-form.ts';

interface Props {
  /** The one to change; without it, a new one is made. */
  webhook?: Webhook;
  label: string;
  save: (values: WebhookValues) => void;
  pending: boolean;
  error: Error | null;
  onClose: () => void;
}

export function WebhookForm({ webhook, label, save, pending, error, onClose }: Props) {
  const form = useForm({ initialValues: valuesOf(webhook), validate: rules });
  return (
    <form onSubmit={form.onSubmit(save)} noValidate>
      <Stack>
        <FormFailure error={error} />
        <TextInput
          type="url"
          label="Address"
          description={nudgeFor(form.values.url) ?? 'Messages are sent here, by POST.'}
          placeholder="https://example.org/hooks/foyer"
          maxLength={2000}
          data-autofocus
          {...form.getInputProps('url')}
        />
        <TextInput
          label="Description (optional)"
          description="Which program is it, and what does it do with the messages?"
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
