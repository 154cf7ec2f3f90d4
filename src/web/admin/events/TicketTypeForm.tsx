import { NumberInput, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { DialogActions } from '../../components/Dialog.tsx';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { formatTimeZone } from '../../components/format-local-time.ts';
import {
  toChangedInstant,
  toLocalDateTime,
  validateEndAfterStart,
  validateLocalDateTime,
} from '../../components/local-date-time.ts';
import { MoneyFields } from '../../components/MoneyFields.tsx';
import { isCurrencyCode, toMajorUnits, toMinorUnits } from '../../components/money.ts';
import { notifySuccess } from '../../components/notify.ts';
import type { EventVisibility } from '../../gql/graphql.ts';
import { EVENT_VISIBILITY_OPTIONS } from './event-labels.ts';
import { useSaveTicketType } from './mutations.ts';
import type { EventDetails, TicketType } from './queries.ts';

interface Props {
  event: EventDetails;
  /** The one to change; without it, a new one is made. */
  type?: TicketType;
  onClose: () => void;
}

export function TicketTypeForm({ event, type, onClose }: Props) {
  const save = useSaveTicketType(({ name }) => {
    notifySuccess(`${name} is saved.`);
    onClose();
  });
  const form = useForm<TicketTypeFormValues>({
    initialValues: toTicketTypeFormValues(event, type),
    validate: createTicketTypeValidators(event.timeZone),
  });
  const submit = form.onSubmit((values) => {
    const input = toTicketTypeInput(values, event, type);
    if (type) save.mutate({ id: type.id, update: input });
    else save.mutate({ create: { ...input, eventId: event.id } });
  });
  const { price, currency } = form.values;
  const sold = type?.sold ?? 0;
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <FormError error={save.error} />
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
            data={EVENT_VISIBILITY_OPTIONS.map(({ value, label }) => ({ value, label }))}
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
            {formatTimeZone(event.timeZone)}. Left empty, it is sold from when the event is
            published until it is over.
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

type NumberInputValue = number | string;

interface TicketTypeFormValues {
  name: string;
  description: string;
  price: NumberInputValue;
  currency: string;
  /** Empty: as many as the event holds. */
  quantity: NumberInputValue;
  perOrder: NumberInputValue;
  audience: EventVisibility;
  /** By the clocks of the event; empty: from when it is published, until it is over. */
  salesStart: string;
  salesEnd: string;
}

/** All types of an event are sold in one currency, so a new one begins with that of the others. */
const toTicketTypeFormValues = (
  event: EventDetails,
  type: TicketType | undefined,
): TicketTypeFormValues => ({
  name: type?.name ?? '',
  description: type?.description ?? '',
  price: type ? toMajorUnits(type.price) : '',
  currency: (type ?? event.ticketTypes[0])?.price.currency ?? 'EUR',
  quantity: type?.quantity ?? '',
  perOrder: type?.perOrder ?? 10,
  audience: type?.audience ?? event.visibility,
  salesStart: toLocalDateTime(type?.salesStartAt ?? null, event.timeZone),
  salesEnd: toLocalDateTime(type?.salesEndAt ?? null, event.timeZone),
});

const createTicketTypeValidators = (timeZone: string) => ({
  name: (name: string) => (name.trim() ? null : 'Give it a name'),
  price: (price: NumberInputValue) =>
    price === '' ? 'Fill in the price; 0 is a registration' : null,
  currency: (code: string) => (isCurrencyCode(code) ? null : 'Three letters'),
  perOrder: (amount: NumberInputValue) => (Number(amount) > 0 ? null : 'At least one'),
  salesStart: (local: string) => validateLocalDateTime(local, timeZone),
  salesEnd: (local: string, { salesStart }: TicketTypeFormValues) =>
    validateEndAfterStart(salesStart, local, timeZone),
});

const toTicketTypeInput = (
  values: TicketTypeFormValues,
  { timeZone }: EventDetails,
  type: TicketType | undefined,
) => ({
  name: values.name.trim(),
  description: values.description.trim() || null,
  price: { amount: toMinorUnits(Number(values.price), values.currency), currency: values.currency },
  quantity: values.quantity === '' ? null : Number(values.quantity),
  perOrder: Number(values.perOrder),
  audience: values.audience,
  salesStartAt: toChangedInstant(values.salesStart, type?.salesStartAt ?? null, timeZone),
  salesEndAt: toChangedInstant(values.salesEnd, type?.salesEndAt ?? null, timeZone),
});
