import { Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { DialogActions } from '../../ui/DialogActions.tsx';
import { FormFailure } from '../../ui/FormFailure.tsx';
import { EXPIRIES, momentOf, problemWith } from './expiry.ts';
import { useCreateApiKey } from './queries.ts';
import { ScopePicker } from './ScopePicker.tsx';

export function CreateApiKey({ onClose }: { onClose: () => void }) {
  const create = useCreateApiKey(onClose);
  const form = useForm({
    initialValues: { name: '', scopes: [] as string[], choice: 'never', date: '' },
    validate: {
      name: isNotEmpty('Give it a name that says which program uses it'),
      scopes: isNotEmpty('Choose at least one thing that it may do'),
      date: (_, values) => problemWith(values, new Date()),
    },
  });
  const submit = form.onSubmit(({ name, scopes, ...expiry }) =>
    create.mutate({ name, scopes, expiresAt: momentOf(expiry, new Date()) }),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <FormFailure error={create.error} />
        <TextInput
          label="Name"
          description="Which program will use it?"
          placeholder="Website"
          maxLength={200}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <ScopePicker
          value={form.values.scopes}
          onChange={(scopes) => form.setFieldValue('scopes', scopes)}
          error={form.errors.scopes}
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Select
            label="Expires"
            data={EXPIRIES}
            allowDeselect={false}
            {...form.getInputProps('choice')}
          />
          {form.values.choice === 'date' && (
            <TextInput type="date" label="Last day" {...form.getInputProps('date')} />
          )}
        </SimpleGrid>
      </Stack>
      <DialogActions label="Create key" onCancel={onClose} pending={create.isPending} />
    </form>
  );
}
