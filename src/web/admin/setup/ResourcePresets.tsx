import { NumberInput, SimpleGrid, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useRefetchingMutation } from '../../api/mutations.ts';
import { DialogForm } from '../../components/Dialog.tsx';
import { type NumberInputValue, toLimitProps } from '../../components/input-values.ts';
import { notifySuccess } from '../../components/notify.ts';
import type { ResourceType } from '../../gql/graphql.ts';
import { createResources } from '../spaces/resource-queries.ts';

interface Preset {
  label: string;
  namePrefix: string;
  type: ResourceType;
  capacity: number;
  count: NumberInputValue;
}

const PRESETS: Preset[] = [
  { label: 'Desks', namePrefix: 'Desk', type: 'DESK', capacity: 1, count: 10 },
  { label: 'Meeting rooms', namePrefix: 'Meeting room', type: 'ROOM', capacity: 6, count: 2 },
  { label: 'Phone booths', namePrefix: 'Phone booth', type: 'ROOM', capacity: 1, count: 0 },
  { label: 'Event rooms', namePrefix: 'Event room', type: 'ROOM', capacity: 40, count: 0 },
  { label: 'Projectors', namePrefix: 'Projector', type: 'EQUIPMENT', capacity: 1, count: 0 },
];

interface Props {
  locationId: string;
  cancelLabel: string;
  onDone: () => void;
}

/** Adds numbered rooms, desks and equipment of the usual kinds. */
export function ResourcePresets({ locationId, cancelLabel, onDone }: Props) {
  const form = useForm({
    initialValues: { presets: PRESETS },
    validate: {
      presets: { namePrefix: (name) => (name.trim() === '' ? 'Enter a name' : null) },
    },
  });
  const create = useRefetchingMutation(
    async (presets: Preset[]) => {
      let total = 0;
      for (const [index, { namePrefix, type, capacity, count }] of presets.entries()) {
        if (Number(count) === 0) continue;
        const input = { locationId, namePrefix, type, capacity, count: Number(count) };
        total += (await createResources(input)).length;
        // If a later kind fails, submitting again does not add this one twice.
        form.setFieldValue(`presets.${index}.count`, 0);
      }
      return total;
    },
    [['resources'], ['locations'], ['day']],
    (total) => {
      if (total > 0) notifySuccess(`${total} added.`);
      onDone();
    },
  );
  return (
    <DialogForm
      label="Add"
      cancelLabel={cancelLabel}
      onSubmit={form.onSubmit(({ presets }) => create.mutate(presets))}
      mutation={create}
      onCancel={onDone}
    >
      {form.values.presets.map(({ label, namePrefix, count }, index) => (
        <SimpleGrid key={label} cols={2} role="group" aria-label={`${label} to add`}>
          <NumberInput
            label={label}
            {...toLimitProps('CreateResourcesInput', 'count')}
            min={0}
            allowDecimal={false}
            clampBehavior="strict"
            {...form.getInputProps(`presets.${index}.count`)}
          />
          <TextInput
            label="Name"
            description={Number(count) > 0 ? formatNames(namePrefix, Number(count)) : undefined}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            {...form.getInputProps(`presets.${index}.namePrefix`)}
          />
        </SimpleGrid>
      ))}
    </DialogForm>
  );
}

/** As the service numbers them: "Desk 01 to Desk 10". A single one has no number. */
function formatNames(namePrefix: string, count: number): string {
  if (count === 1) return namePrefix;
  const digits = Math.max(2, String(count).length);
  const toName = (number: number) => `${namePrefix} ${String(number).padStart(digits, '0')}`;
  return `${toName(1)} to ${toName(count)}`;
}
