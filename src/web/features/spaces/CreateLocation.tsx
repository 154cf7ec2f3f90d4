import { Select, Stack, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { DialogActions } from '../../ui/DialogActions.tsx';
import { FormFailure } from '../../ui/FormFailure.tsx';
import { NameAndSlug } from './NameAndSlug.tsx';
import { type Location, useCreateLocation } from './queries.ts';
import { problemWithSlug } from './slug.ts';
import { hereZone, timeZones } from './time-zones.ts';

interface Props {
  onCreated: (location: Location) => void;
  onCancel: () => void;
}

export function CreateLocation({ onCreated, onCancel }: Props) {
  const create = useCreateLocation(onCreated);
  const form = useForm({
    initialValues: { name: '', slug: '', timeZone: hereZone, address: '' },
    validate: {
      name: isNotEmpty('Give it a name'),
      slug: problemWithSlug,
      timeZone: isNotEmpty('Choose its time zone'),
    },
  });
  const submit = form.onSubmit(({ address, ...input }) =>
    create.mutate({ ...input, address: address.trim() || null }),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <FormFailure error={create.error} />
        <NameAndSlug
          values={form.values}
          errors={form.errors}
          placeholder="Harbour House"
          onChange={form.setValues}
        />
        <Select
          label="Time zone"
          description="Its bookings and events are kept in this zone"
          data={timeZones}
          searchable
          limit={200}
          allowDeselect={false}
          nothingFoundMessage="No such time zone"
          {...form.getInputProps('timeZone')}
        />
        <TextInput label="Address (optional)" maxLength={500} {...form.getInputProps('address')} />
      </Stack>
      <DialogActions label="Add location" onCancel={onCancel} pending={create.isPending} />
    </form>
  );
}
