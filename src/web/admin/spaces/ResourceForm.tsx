import { NumberInput, Select, SimpleGrid, TagsInput, Text, Title } from '@mantine/core';
import { DialogForm } from '../../components/Dialog.tsx';
import { MoneyFields, NameAndSlugFields } from '../../components/FieldGroups.tsx';
import { InputField, useInputForm } from '../../components/InputFields.tsx';
import { type NumberInputValue, toLimitProps } from '../../components/input-values.ts';
import { notifySuccess } from '../../components/notify.ts';
import type { ResourceType } from '../../gql/graphql.ts';
import { EditForm } from '../EditForm.tsx';
import {
  formatNumberedName,
  NEW_ROOM,
  RESOURCE_VIEWS,
  type ResourceFormState,
  ROOM_VIEWS,
  resourceValidators,
  toResourceRow,
  toTypeValues,
} from './resource-form-values.ts';
import { RESOURCE_TYPES } from './resource-labels.ts';
import { type ResourceDetails, useCreateResources, useSaveResource } from './resource-queries.ts';

interface ResourceFormProps {
  locationId: string;
  /** The resource to edit. Omit it to create one. */
  resource?: ResourceDetails;
  /** The resource that a new one starts with the values of. */
  copied?: ResourceDetails;
  onClose: () => void;
}

export function ResourceForm({ locationId, resource, copied, onClose }: ResourceFormProps) {
  const createSeveral = useCreateResources((created) => {
    notifySuccess(`${created[0]?.name} to ${created.at(-1)?.name} added.`);
    onClose();
  });
  const save = useSaveResource(({ name }) => {
    notifySuccess(`${name} saved.`);
    onClose();
  });
  const form = useInputForm(
    resource ? 'UpdateResourceInput' : 'CreateResourceInput',
    RESOURCE_VIEWS,
    {
      row: toResourceRow(resource, copied),
      own: { count: 1 as NumberInputValue, firstNumber: 1 as NumberInputValue },
      validate: resourceValidators,
    },
  );
  const isSeveral = Number(form.values.count) > 1;
  const submit = form.onSubmit((values) => {
    if (resource) return save.mutate({ update: { id: resource.id, ...form.toChanges(values) } });
    const input = { locationId, ...form.toInput(values) };
    if (!isSeveral) return save.mutate({ create: input });
    const { name: namePrefix, slug: slugPrefix, ...shared } = input;
    const { count, firstNumber } = values;
    createSeveral.mutate({
      ...shared,
      namePrefix,
      slugPrefix,
      count: Number(count),
      firstNumber: Number(firstNumber),
    });
  });
  return (
    <EditForm
      row={resource}
      form={form}
      label={resource ? 'Save' : isSeveral ? `Add ${form.values.count}` : 'Add'}
      onSubmit={submit}
      mutation={isSeveral ? createSeveral : save}
      onCancel={onClose}
    >
      {resource ? (
        <InputField form={form} name="name" isFirst />
      ) : (
        <>
          <NameAndSlugFields form={form} />
          <NumberFields form={form} />
        </>
      )}
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Select
          data={RESOURCE_TYPES}
          allowDeselect={false}
          {...form.getFieldProps('type')}
          {...(!resource && {
            onChange: (type: string | null) =>
              form.setValues(toTypeValues(form.values, type as ResourceType)),
          })}
        />
        <InputField form={form} name="capacity" />
      </SimpleGrid>
      <InputField form={form} name="area" />
      <MoneyFields {...form.getFieldProps('pricePerHour')} />
      <TagsInput {...form.getFieldProps('amenities')} />
      <ResourceRuleFields form={form} />
      {resource && <InputField form={form} name="active" />}
    </EditForm>
  );
}

/** How many to add, and what their names will be. */
const NumberFields = ({ form }: { form: ResourceFormState }) => {
  const { count, name } = form.values;
  const isSeveral = Number(count) > 1;
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NumberInput
          label="How many"
          {...toLimitProps('CreateResourcesInput', 'count')}
          clampBehavior="strict"
          allowDecimal={false}
          {...form.getInputProps('count')}
        />
        {isSeveral && (
          <NumberInput
            label="First number"
            {...toLimitProps('CreateResourcesInput', 'firstNumber')}
            allowDecimal={false}
            {...form.getInputProps('firstNumber')}
          />
        )}
      </SimpleGrid>
      {isSeveral && (
        <Text size="sm" aria-live="polite">
          Adds {formatNumberedName(name, form.values, 0)} to{' '}
          {formatNumberedName(name, form.values, Number(count) - 1)}, all with the values below.
        </Text>
      )}
    </>
  );
};

export const RULE_FIELDS = [
  'gridMinutes',
  'bufferMinutes',
  'minMinutes',
  'maxMinutes',
  'noticeMinutes',
  'daysAhead',
  'freeCancellationHours',
  'noShowMinutes',
] as const;

const ResourceRuleFields = ({ form }: { form: ResourceFormState }) => (
  <>
    <Title order={3} size="h5">
      Rules
    </Title>
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      {RULE_FIELDS.map((name) => (
        <InputField
          key={name}
          form={form}
          name={name}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
        />
      ))}
    </SimpleGrid>
    <InputField form={form} name="requiresApproval" />
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
  const form = useInputForm('CreateResourceInput', ROOM_VIEWS, {
    row: NEW_ROOM,
  });
  const submit = form.onSubmit((values) =>
    create.mutate({ create: { locationId: location.id, ...form.toInput(values) } }),
  );
  return (
    <DialogForm
      label={`Add to ${location.name}`}
      onSubmit={submit}
      mutation={create}
      cancelLabel="Back"
      onCancel={onCancel}
    >
      <NameAndSlugFields form={form} />
      <Select data={RESOURCE_TYPES} allowDeselect={false} {...form.getFieldProps('type')} />
      <InputField form={form} name="capacity" />
    </DialogForm>
  );
}
