import { Select, SimpleGrid, TagsInput, Title } from '@mantine/core';
import { DialogForm } from '../../components/Dialog.tsx';
import { MoneyFields, NameAndSlugFields } from '../../components/FieldGroups.tsx';
import { InputField, useInputForm } from '../../components/InputFields.tsx';
import { notifySuccess } from '../../components/notify.ts';
import { EditForm } from '../EditForm.tsx';
import {
  NEW_ROOM,
  RESOURCE_VIEWS,
  type ResourceFormState,
  ROOM_VIEWS,
  resourceValidators,
  toResourceRow,
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
  const form = useInputForm(
    resource ? 'UpdateResourceInput' : 'CreateResourceInput',
    RESOURCE_VIEWS,
    {
      row: toResourceRow(resource),
      validate: resourceValidators,
    },
  );
  const submit = form.onSubmit((values) =>
    save.mutate(
      resource
        ? { update: { id: resource.id, ...form.toChanges(values) } }
        : { create: { locationId, ...form.toInput(values) } },
    ),
  );
  return (
    <EditForm
      row={resource}
      form={form}
      label={resource ? 'Save' : 'Add'}
      onSubmit={submit}
      mutation={save}
      onCancel={onClose}
    >
      {resource ? (
        <InputField form={form} name="name" isFirst />
      ) : (
        <NameAndSlugFields form={form} />
      )}
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Select data={RESOURCE_TYPES} allowDeselect={false} {...form.getFieldProps('type')} />
        <InputField form={form} name="capacity" />
      </SimpleGrid>
      <MoneyFields {...form.getFieldProps('pricePerHour')} />
      <TagsInput {...form.getFieldProps('amenities')} />
      <ResourceRuleFields form={form} />
      {resource && <InputField form={form} name="active" />}
    </EditForm>
  );
}

const RULE_FIELDS = [
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
