import { NumberInput, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { DialogActions } from '../../../ui/DialogActions.tsx';
import { FormFailure } from '../../../ui/FormFailure.tsx';
import { MoneyFields } from '../../../ui/MoneyFields.tsx';
import { notifyDone } from '../../../ui/notify.ts';
import { zoneWords } from '../../../ui/place-words.ts';
import type { EventDetails, TicketType } from '../event-queries.ts';
import { VISIBILITIES } from '../event-words.ts';
import { useSaveTicketType } from './queries.ts';
import {
  inputOf,
  type TicketTypeValues,
  validateTicketType,
  valuesOf,
} from './ticket-type-form.ts';

interface Props {
  event: EventDetails;
  /** The one to change; without it, a new one is made. */
  type?: TicketType;
  onClose: () => void;
}

export function TicketTypeForm({ event, type, onClose }: Props) {
  const save = useSaveTicketType(({ name }) => {
    notifyDone(`${name} is saved.`);
    onClose();
  });
  const form = useForm<TicketTypeValues>({
    initialValues: valuesOf(event, type),
    validate: validateTicketType(event.timeZone),
  });
  const submit = form.onSubmit((values) => {
    const input = inputOf(values, event, type);
    if (type) save.mutate({ id: type.id, update: input });
    else save.mutate({ create: { ...input, eventId: event.id } });
  });
  const { price, currency } = form.values;
  const sold = type?.sold ?? 0;
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <FormFailure error={save.error} />
        <TextInput
          label="Name"
          placeholder="Early bird"
          maxLength={200}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <MoneyFields
            label="Price"
            description={sold > 0 ? 'What is ordered keeps its own' : '0 is a registration'}
            price={price}
            currency={currency}
            error={form.errors.price ?? form.errors.currency}
            onChange={(change) => form.setValues(change)}
          />
          <NumberInput
            label="How many (optional)"
            description={sold > 0 ? `${sold} sold or held` : 'Never more than the event holds'}
            placeholder="no limit"
            min={1}
            max={1_000_000}
            allowDecimal={false}
            {...form.getInputProps('quantity')}
          />
        </SimpleGrid>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <NumberInput
            label="At most in one order"
            min={1}
            max={100}
            allowDecimal={false}
            {...form.getInputProps('perOrder')}
          />
          <Select
            label="Who may buy it"
            data={VISIBILITIES.map(({ value, label }) => ({ value, label }))}
            allowDeselect={false}
            {...form.getInputProps('audience')}
          />
        </SimpleGrid>
        <div>
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <TextInput
              type="datetime-local"
              label="Sale begins (optional)"
              {...form.getInputProps('salesStart')}
            />
            <TextInput
              type="datetime-local"
              label="Sale ends (optional)"
              {...form.getInputProps('salesEnd')}
            />
          </SimpleGrid>
          <Text size="xs" c="dimmed" mt={4}>
            {zoneWords(event.timeZone)}. Left empty, it is sold from when the event is published
            until it is over.
          </Text>
        </div>
        <TextInput
          label="Description (optional)"
          placeholder="With dinner"
          maxLength={2000}
          {...form.getInputProps('description')}
        />
      </Stack>
      <DialogActions
        label={type ? 'Save ticket type' : 'Add ticket type'}
        onCancel={onClose}
        pending={save.isPending}
      />
    </form>
  );
}
