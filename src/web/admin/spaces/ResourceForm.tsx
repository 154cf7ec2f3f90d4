import {
  NumberInput,
  Select,
  SimpleGrid,
  Switch,
  TagsInput,
  TextInput,
  Title,
} from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { DialogForm } from '../../components/Dialog.tsx';
import { MoneyFields, NameAndSlugFields, validateSlug } from '../../components/FieldGroups.tsx';
import { notifySuccess } from '../../components/notify.ts';
import type { ResourceType } from '../../gql/graphql.ts';
import {
  NEW_RESOURCE_VALUES,
  type ResourceFormState,
  type ResourceFormValues,
  resourceValidators,
  toResourceFormValues,
  toResourceInput,
} from './resource-form-values.ts';
import { RESOURCE_TYPES } from './resource-labels.ts';
import { type ResourceDetails, useSaveResource } from './resource-queries.ts';

interface ResourceFormProps {
  locationId: string;
  /** The resource to edit. Omit it to create one. */
  resource?: ResourceDetails;
  onClose: () => void;
}

export function ResourceForm({ locationId, resource, onClose }: ResourceFormProps) {
  const save = useSaveResource(({ name }) => {
    notifySuccess(`${name} saved.`);
    onClose();
  });
  const form = useForm<ResourceFormValues>({
    initialValues: resource ? toResourceFormValues(resource) : NEW_RESOURCE_VALUES,
    validate: resourceValidators,
  });
  const submit = form.onSubmit((values) => {
    const input = toResourceInput(values);
    if (resource) save.mutate({ update: { id: resource.id, ...input, active: values.active } });
    else save.mutate({ create: { ...input, locationId, slug: values.slug } });
  });
  const { price, currency } = form.values;
  return (
    <DialogForm
      label={resource ? 'Save' : 'Add'}
      onSubmit={submit}
      mutation={save}
      onCancel={onClose}
    >
      {resource ? (
        <TextInput label="Name" maxLength={200} data-autofocus {...form.getInputProps('name')} />
      ) : (
        <NameAndSlugFields
          values={form.values}
          errors={form.errors}
          placeholder="Meeting room 1"
          onChange={form.setValues}
        />
      )}
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
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
      </SimpleGrid>
      <MoneyFields
        label="Price per hour"
        description="Public price. Plans can change it for members."
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
      <ResourceRuleFields form={form} />
      {resource && (
        <Switch
          label="Bookable"
          description="Turn off to stop new bookings, including by staff. Existing bookings stay."
          {...form.getInputProps('active', { type: 'checkbox' })}
        />
      )}
    </DialogForm>
  );
}

interface RuleField {
  name: keyof ResourceFormValues;
  label: string;
  suffix: string;
  description: string;
  min?: number;
}

const RULE_FIELDS: RuleField[] = [
  {
    name: 'gridMinutes',
    label: 'Booking interval',
    suffix: ' min',
    description: 'Bookings start and end at multiples of this interval',
    min: 1,
  },
  {
    name: 'bufferMinutes',
    label: 'Buffer',
    suffix: ' min',
    description: 'Free time after each booking',
  },
  {
    name: 'minMinutes',
    label: 'Shortest booking',
    suffix: ' min',
    description: 'Minimum duration',
    min: 1,
  },
  {
    name: 'maxMinutes',
    label: 'Longest booking',
    suffix: ' min',
    description: 'Maximum duration',
    min: 1,
  },
  {
    name: 'noticeMinutes',
    label: 'Minimum notice',
    suffix: ' min',
    description: 'Time between booking and start (0 = none)',
  },
  {
    name: 'daysAhead',
    label: 'Booking window',
    suffix: ' days',
    description: 'How many days ahead people can book',
  },
  {
    name: 'freeCancellationHours',
    label: 'Free cancellation',
    suffix: ' h',
    description: 'Hours before the start. After that, the full price is due.',
  },
  {
    name: 'noShowMinutes',
    label: 'No-show release',
    suffix: ' min',
    description: 'Release no-shows after (blank = never)',
    min: 1,
  },
];

const ResourceRuleFields = ({ form }: { form: ResourceFormState }) => (
  <>
    <Title order={3} size="h5">
      Rules
    </Title>
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      {RULE_FIELDS.map(({ name, min = 0, ...rule }) => (
        <NumberInput
          key={name}
          {...rule}
          min={min}
          allowDecimal={false}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          {...form.getInputProps(name)}
        />
      ))}
    </SimpleGrid>
    <Switch
      label="Needs approval"
      description="Staff must approve bookings by members. The slot stays reserved in the meantime."
      {...form.getInputProps('requiresApproval', { type: 'checkbox' })}
    />
  </>
);

interface CreateResourceFormProps {
  location: { id: string; name: string };
  onCreated: (resource: { id: string; name: string }) => void;
  onCancel: () => void;
}

/** A short form for adding a room while setting up a display. */
export function CreateResourceForm({ location, onCreated, onCancel }: CreateResourceFormProps) {
  const create = useSaveResource(onCreated);
  const form = useForm({
    initialValues: { name: '', slug: '', type: 'ROOM' as ResourceType, capacity: 4 },
    validate: { name: isNotEmpty('Enter a name'), slug: validateSlug },
  });
  const submit = form.onSubmit((input) =>
    create.mutate({ create: { ...input, locationId: location.id } }),
  );
  return (
    <DialogForm
      label={`Add to ${location.name}`}
      onSubmit={submit}
      mutation={create}
      cancelLabel="Back"
      onCancel={onCancel}
    >
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
    </DialogForm>
  );
}
