import {
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  TagsInput,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { DialogActions } from '../../ui/DialogActions.tsx';
import { FormFailure } from '../../ui/FormFailure.tsx';
import { MoneyFields } from '../../ui/MoneyFields.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { NameAndSlug } from './NameAndSlug.tsx';
import { ResourceRules } from './ResourceRules.tsx';
import {
  inputOf,
  newResource,
  type ResourceValues,
  validateResource,
  valuesOf,
} from './resource-form.ts';
import { type ResourceDetails, useSaveResource } from './resource-queries.ts';
import { RESOURCE_TYPES } from './resource-types.ts';

interface Props {
  locationId: string;
  /** The one to change; without it, a new one is made. */
  resource?: ResourceDetails;
  onClose: () => void;
}

export function ResourceForm({ locationId, resource, onClose }: Props) {
  const save = useSaveResource(({ name }) => {
    notifyDone(`${name} is saved.`);
    onClose();
  });
  const form = useForm<ResourceValues>({
    initialValues: resource ? valuesOf(resource) : newResource,
    validate: validateResource,
  });
  const submit = form.onSubmit((values) => {
    const input = inputOf(values);
    if (resource) save.mutate({ id: resource.id, update: { ...input, active: values.active } });
    else save.mutate({ create: { ...input, locationId, slug: values.slug } });
  });
  const { price, currency } = form.values;
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <FormFailure error={save.error} />
        {resource ? (
          <TextInput label="Name" maxLength={200} data-autofocus {...form.getInputProps('name')} />
        ) : (
          <NameAndSlug
            values={form.values}
            errors={form.errors}
            placeholder="Meeting room 1"
            onChange={form.setValues}
          />
        )}
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <Select
            label="Kind"
            data={RESOURCE_TYPES}
            allowDeselect={false}
            {...form.getInputProps('type')}
          />
          <NumberInput
            label="How many people"
            min={1}
            allowDecimal={false}
            {...form.getInputProps('capacity')}
          />
        </SimpleGrid>
        <MoneyFields
          label="Price per hour"
          description="The public one; plans give members theirs"
          price={price}
          currency={currency}
          error={form.errors.price ?? form.errors.currency}
          onChange={(change) => form.setValues(change)}
        />
        <TagsInput
          label="Amenities (optional)"
          description="Press Enter after each: screen, whiteboard"
          maxTags={50}
          {...form.getInputProps('amenities')}
        />
        <ResourceRules form={form} />
        {resource && (
          <Switch
            label="Can be booked"
            description="Off: nobody books it, not even staff. Bookings that were made stay."
            {...form.getInputProps('active', { type: 'checkbox' })}
          />
        )}
      </Stack>
      <DialogActions
        label={resource ? 'Save' : 'Add'}
        onCancel={onClose}
        pending={save.isPending}
      />
    </form>
  );
}
