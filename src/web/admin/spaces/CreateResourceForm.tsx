import { NumberInput, Select, Stack } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { DialogActions } from '../../components/Dialog.tsx';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { NameAndSlugFields, validateSlug } from '../../components/NameAndSlugFields.tsx';
import type { ResourceType } from '../../gql/graphql.ts';
import { useCreateResource } from './queries.ts';
import { RESOURCE_TYPES } from './resource-labels.ts';

interface Props {
  location: { id: string; name: string };
  onCreated: (resource: { id: string; name: string }) => void;
  onCancel: () => void;
}

/** The minimum that a room display needs. */
export function CreateResourceForm({ location, onCreated, onCancel }: Props) {
  const create = useCreateResource(onCreated);
  const form = useForm({
    initialValues: { name: '', slug: '', type: 'ROOM' as ResourceType, capacity: 4 },
    validate: { name: isNotEmpty('Enter a name'), slug: validateSlug },
  });
  const submit = form.onSubmit((input) => create.mutate({ ...input, locationId: location.id }));
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <FormError error={create.error} />
        <NameAndSlugFields
          values={form.values}
          errors={form.errors}
          placeholder="Meeting room 1"
          onChange={form.setValues}
        />
        <Select
          label="Type"
          data={RESOURCE_TYPES}
          allowDeselect={false}
          {...form.getInputProps('type')}
        />
        <NumberInput
          label="Capacity (people)"
          min={1}
          allowDecimal={false}
          {...form.getInputProps('capacity')}
        />
      </Stack>
      <DialogActions
        label={`Add to ${location.name}`}
        cancelLabel="Back"
        onCancel={onCancel}
        pending={create.isPending}
      />
    </form>
  );
}
