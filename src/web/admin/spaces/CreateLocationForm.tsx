import { Select, Stack, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { BROWSER_TIME_ZONE } from '../../components/browser-time-zone.ts';
import { DialogActions } from '../../components/Dialog.tsx';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { TIME_ZONES } from '../../components/local-date-time.ts';
import { NameAndSlugFields, validateSlug } from '../../components/NameAndSlugFields.tsx';
import { type LocationChoice, useCreateLocation } from './queries.ts';

interface Props {
  onCreated: (location: LocationChoice) => void;
  onCancel: () => void;
}

export function CreateLocationForm({ onCreated, onCancel }: Props) {
  const create = useCreateLocation(onCreated);
  const form = useForm({
    initialValues: { name: '', slug: '', timeZone: BROWSER_TIME_ZONE, address: '' },
    validate: {
      name: isNotEmpty('Enter a name'),
      slug: validateSlug,
      timeZone: isNotEmpty('Select a time zone'),
    },
  });
  const submit = form.onSubmit(({ address, ...input }) =>
    create.mutate({ ...input, address: address.trim() || null }),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <FormError error={create.error} />
        <NameAndSlugFields
          values={form.values}
          errors={form.errors}
          placeholder="Harbour House"
          onChange={form.setValues}
        />
        <Select
          label="Time zone"
          description="For bookings and events at this location"
          data={TIME_ZONES}
          searchable
          limit={200}
          allowDeselect={false}
          nothingFoundMessage="No matching time zone"
          {...form.getInputProps('timeZone')}
        />
        <TextInput label="Address (optional)" maxLength={500} {...form.getInputProps('address')} />
      </Stack>
      <DialogActions label="Add location" onCancel={onCancel} pending={create.isPending} />
    </form>
  );
}
