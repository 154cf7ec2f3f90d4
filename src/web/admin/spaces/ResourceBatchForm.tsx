import { Select, SimpleGrid, TagsInput, Text } from '@mantine/core';
import { useState } from 'react';
import { DialogForm } from '../../components/Dialog.tsx';
import { MoneyFields } from '../../components/FieldGroups.tsx';
import { InputField, useInputForm } from '../../components/InputFields.tsx';
import { notifySuccess } from '../../components/notify.ts';
import { RULE_FIELDS } from './ResourceForm.tsx';
import {
  BATCH_SWITCHES,
  BATCH_VIEWS,
  toBatchChanges,
  toBatchPrice,
  toBatchRow,
} from './resource-batch-values.ts';
import { RESOURCE_TYPES } from './resource-labels.ts';
import { type ResourceDetails, useUpdateResources } from './resource-queries.ts';

interface ResourceBatchFormProps {
  resources: ResourceDetails[];
  onClose: () => void;
}

const SWITCH_OPTIONS = [
  { value: '', label: 'Keep as they are' },
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
];

/** Changes the chosen fields of several resources. */
export function ResourceBatchForm({ resources: current, onClose }: ResourceBatchFormProps) {
  // The page reloads the rows after a conflict.
  const [resources] = useState(current);
  const save = useUpdateResources((changed) => {
    notifySuccess(`${changed.length} changed.`);
    onClose();
  });
  const form = useInputForm('UpdateResourcesInput', BATCH_VIEWS, {
    row: toBatchRow(resources),
    own: { requiresApproval: '', active: '' },
    toInput: (values) => ({ pricePerHour: toBatchPrice(values.pricePerHour) }),
  });
  const submit = form.onSubmit((values) =>
    save.mutate({
      resources: resources.map(({ id, updatedAt }) => ({ id, ifUpdatedAt: updatedAt })),
      ...toBatchChanges(form.toChanges(values), values),
    }),
  );
  return (
    <DialogForm
      label={`Change ${resources.length}`}
      onSubmit={submit}
      mutation={save}
      onCancel={onClose}
    >
      <Text size="sm">
        Only what you change here changes. A field is empty if the selected rows differ in it.
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Select data={RESOURCE_TYPES} {...form.getFieldProps('type')} />
        <InputField form={form} name="capacity" />
      </SimpleGrid>
      <InputField form={form} name="area" isFirst />
      <MoneyFields {...form.getFieldProps('pricePerHour')} />
      <TagsInput {...form.getFieldProps('amenities')} />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {RULE_FIELDS.map((name) => (
          <InputField
            key={name}
            form={form}
            name={name}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
          />
        ))}
        {BATCH_SWITCHES.map(({ name, label }) => (
          <Select
            key={name}
            label={label}
            data={SWITCH_OPTIONS}
            allowDeselect={false}
            {...form.getInputProps(name)}
          />
        ))}
      </SimpleGrid>
    </DialogForm>
  );
}
