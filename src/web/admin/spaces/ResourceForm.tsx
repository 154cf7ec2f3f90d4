import {
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  TagsInput,
  TextInput,
  Title,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { DialogActions } from '../../components/Dialog.tsx';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { MoneyFields } from '../../components/MoneyFields.tsx';
import { NameAndSlugFields } from '../../components/NameAndSlugFields.tsx';
import { notifySuccess } from '../../components/notify.ts';
import { type ResourceDetails, useSaveResource } from './queries.ts';
import {
  NEW_RESOURCE_VALUES,
  type ResourceFormState,
  type ResourceFormValues,
  resourceValidators,
  toResourceFormValues,
  toResourceInput,
} from './resource-form-values.ts';
import { RESOURCE_TYPES } from './resource-labels.ts';

interface Props {
  locationId: string;
  /** The one to change; without it, a new one is made. */
  resource?: ResourceDetails;
  onClose: () => void;
}

export function ResourceForm({ locationId, resource, onClose }: Props) {
  const save = useSaveResource(({ name }) => {
    notifySuccess(`${name} is saved.`);
    onClose();
  });
  const form = useForm<ResourceFormValues>({
    initialValues: resource ? toResourceFormValues(resource) : NEW_RESOURCE_VALUES,
    validate: resourceValidators,
  });
  const submit = form.onSubmit((values) => {
    const input = toResourceInput(values);
    if (resource) save.mutate({ id: resource.id, update: { ...input, active: values.active } });
    else save.mutate({ create: { ...input, locationId, slug: values.slug } });
  });
  const { price, currency } = form.values;
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <FormError error={save.error} />
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
        <ResourceRuleFields form={form} />
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

interface RuleField {
  name: keyof ResourceFormValues;
  label: string;
  suffix: string;
  /** What it means for those who book. */
  description: string;
  min?: number;
}

const RULE_FIELDS: RuleField[] = [
  {
    name: 'gridMinutes',
    label: 'Grid',
    suffix: ' min',
    description: 'Bookings begin on it, counted from midnight, and last multiples of it',
    min: 1,
  },
  {
    name: 'bufferMinutes',
    label: 'Buffer',
    suffix: ' min',
    description: 'Kept free after each booking, to air and tidy up',
  },
  {
    name: 'minMinutes',
    label: 'Shortest booking',
    suffix: ' min',
    description: 'Nobody books for less',
    min: 1,
  },
  {
    name: 'maxMinutes',
    label: 'Longest booking',
    suffix: ' min',
    description: 'Nobody books for more at once',
    min: 1,
  },
  {
    name: 'noticeMinutes',
    label: 'Notice',
    suffix: ' min',
    description: 'Booked at least so long before it begins; 0: until the last moment',
  },
  {
    name: 'daysAhead',
    label: 'Days ahead',
    suffix: ' days',
    description: 'Booked at most so many days before',
  },
  {
    name: 'freeCancellationHours',
    label: 'Free cancellation',
    suffix: ' h',
    description: 'Until so many hours before the start; later the price stays due',
  },
  {
    name: 'noShowMinutes',
    label: 'No-show',
    suffix: ' min',
    description: 'Who has not come by then loses the booking; empty: nobody does',
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
      description="Members’ bookings wait until staff approves them; the slot is kept meanwhile"
      {...form.getInputProps('requiresApproval', { type: 'checkbox' })}
    />
  </>
);
