import { Group, NumberInput, Select, SimpleGrid, Textarea, TextInput } from '@mantine/core';
import { RESOURCE_TYPES } from '../spaces/resource-types.ts';
import { type BookingFormState, REPEATS } from './booking-form.ts';
import type { BookableResource } from './day-queries.ts';
import { HolderFields } from './HolderFields.tsx';
import { TimeFields } from './TimeFields.tsx';

interface Props {
  form: BookingFormState;
  resources: BookableResource[];
}

export function BookingFields({ form, resources }: Props) {
  const groups = RESOURCE_TYPES.map(({ value, plural }) => ({
    group: plural,
    items: resources
      .filter(({ type, active }) => active && type === value)
      .map(({ id, name }) => ({ value: id, label: name })),
  })).filter(({ items }) => items.length > 0);
  return (
    <>
      <Select
        label="What"
        data={groups}
        searchable
        allowDeselect={false}
        nothingFoundMessage="Nothing of that name"
        {...form.getInputProps('resourceId')}
      />
      <HolderFields form={form} />
      <TimeFields
        times={form.values}
        errors={form.errors}
        onChange={(times) => form.setValues(times)}
      />
      <Group align="flex-start" gap="sm" grow preventGrowOverflow={false}>
        <Select
          label="Repeat"
          data={REPEATS}
          allowDeselect={false}
          {...form.getInputProps('repeat')}
        />
        {form.values.repeat !== 'NONE' && (
          <NumberInput
            label="How many times"
            min={2}
            max={366}
            allowDecimal={false}
            {...form.getInputProps('count')}
          />
        )}
      </Group>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput label="Title (optional)" maxLength={200} {...form.getInputProps('title')} />
        <Textarea
          label="Notes (optional)"
          autosize
          minRows={1}
          maxRows={4}
          maxLength={2000}
          {...form.getInputProps('notes')}
        />
      </SimpleGrid>
    </>
  );
}
