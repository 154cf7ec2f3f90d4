import { Radio, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { DialogActions } from '../../ui/DialogActions.tsx';
import { FormFailure } from '../../ui/FormFailure.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { CreateResource } from '../spaces/CreateResource.tsx';
import { useUpdateDisplay } from './changes.ts';
import { type DisplayValues, validateDisplay } from './display-form.ts';
import { DISPLAY_KINDS } from './kinds.ts';
import type { Display } from './queries.ts';
import { ResourceSelect } from './ResourceSelect.tsx';

/** Its name and what it shows; it stays where it hangs. */
export function EditDisplay({ display, onClose }: { display: Display; onClose: () => void }) {
  const [isAdding, setIsAdding] = useState(false);
  const update = useUpdateDisplay(display.id, ({ name }) => {
    notifyDone(`${name} is saved. The screen follows with its next poll.`);
    onClose();
  });
  const form = useForm<DisplayValues>({
    initialValues: {
      name: display.name,
      kind: display.kind,
      locationId: display.location.id,
      resourceId: display.resource?.id ?? null,
    },
    validate: validateDisplay,
  });
  const { location } = display;
  if (isAdding) {
    return (
      <CreateResource
        location={location}
        onCancel={() => setIsAdding(false)}
        onCreated={({ id }) => {
          form.setFieldValue('resourceId', id);
          setIsAdding(false);
        }}
      />
    );
  }
  const submit = form.onSubmit(({ name, kind, resourceId }) =>
    update.mutate({
      name: name.trim(),
      kind,
      resourceId: kind === 'ROOM_PANEL' ? resourceId : null,
    }),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <FormFailure error={update.error} />
        <TextInput label="Name" maxLength={200} data-autofocus {...form.getInputProps('name')} />
        <Radio.Group label="What does it show?" {...form.getInputProps('kind')}>
          <Stack gap="xs" mt="xs">
            {DISPLAY_KINDS.map((kind) => (
              <Radio key={kind.value} {...kind} />
            ))}
          </Stack>
        </Radio.Group>
        {form.values.kind === 'ROOM_PANEL' && (
          <ResourceSelect
            locationId={location.id}
            onAdd={() => setIsAdding(true)}
            value={form.values.resourceId}
            onChange={(id) => form.setFieldValue('resourceId', id)}
            error={form.errors.resourceId}
          />
        )}
      </Stack>
      <DialogActions label="Save display" onCancel={onClose} pending={update.isPending} />
    </form>
  );
}
