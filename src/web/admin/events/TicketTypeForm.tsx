import { NumberInput, Select, SimpleGrid, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { DialogForm } from '../../components/Dialog.tsx';
import {
  MoneyFields,
  type NumberInputValue,
  PeriodFields,
  type PriceValues,
  priceValidators,
  toChangedInstant,
  toLocalDateTime,
  toMoneyInput,
  toNumberOrNull,
  toPriceValues,
  validateEndAfterStart,
  validateLocalDateTime,
} from '../../components/FieldGroups.tsx';
import { formatTimeZone } from '../../components/format-local-time.ts';
import { notifySuccess } from '../../components/notify.ts';
import type { EventVisibility } from '../../gql/graphql.ts';
import { EVENT_VISIBILITY_OPTIONS } from './event-form-values.ts';
import type { EventDetails } from './event-page-query.ts';
import { useSaveTicketType } from './mutations.ts';
import type { TicketType } from './queries.ts';

interface Props {
  event: EventDetails;
  /** The type to edit. Omit it to create one. */
  type?: TicketType;
  onClose: () => void;
}

export function TicketTypeForm({ event, type, onClose }: Props) {
  const save = useSaveTicketType(({ name }) => {
    notifySuccess(`${name} saved.`);
    onClose();
  });
  const form = useForm<TicketTypeFormValues>({
    initialValues: toTicketTypeFormValues(event, type),
    validate: createTicketTypeValidators(event.timeZone),
  });
  const submit = form.onSubmit((values) => {
    const input = toTicketTypeInput(values, event, type);
    if (type) save.mutate({ update: { id: type.id, ...input } });
    else save.mutate({ create: { ...input, eventId: event.id } });
  });
  const { price, currency } = form.values;
  const sold = type?.sold ?? 0;
  return (
    <DialogForm
      label={type ? 'Save ticket type' : 'Add ticket type'}
      onSubmit={submit}
      mutation={save}
      onCancel={onClose}
    >
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
          description={sold > 0 ? 'Applies to new orders only' : '0 = free registration'}
          price={price}
          currency={currency}
          error={form.errors.price ?? form.errors.currency}
          onChange={(change) => form.setValues(change)}
        />
        <NumberInput
          label="Quantity (optional)"
          description={sold > 0 ? `${sold} sold or on hold` : 'Up to the capacity of the event'}
          placeholder="Unlimited"
          min={1}
          max={1_000_000}
          allowDecimal={false}
          {...form.getInputProps('quantity')}
        />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NumberInput
          label="Maximum per order"
          min={1}
          max={100}
          allowDecimal={false}
          {...form.getInputProps('maxPerOrder')}
        />
        <Select
          label="Available to"
          data={EVENT_VISIBILITY_OPTIONS.map(({ value, label }) => ({ value, label }))}
          allowDeselect={false}
          {...form.getInputProps('audience')}
        />
      </SimpleGrid>
      <PeriodFields
        start={{ label: 'Sale starts (optional)', ...form.getInputProps('salesStart') }}
        end={{ label: 'Sale ends (optional)', ...form.getInputProps('salesEnd') }}
        hint={`${formatTimeZone(event.timeZone)}. Leave blank to sell from publication until the event ends.`}
      />
      <TextInput
        label="Description (optional)"
        placeholder="With dinner"
        maxLength={2000}
        {...form.getInputProps('description')}
      />
    </DialogForm>
  );
}

interface TicketTypeFormValues extends PriceValues {
  name: string;
  description: string;
  /** Blank means up to the event's capacity. */
  quantity: NumberInputValue;
  maxPerOrder: NumberInputValue;
  audience: EventVisibility;
  /** In the event's time zone. Blank means from publication, or until the event ends. */
  salesStart: string;
  salesEnd: string;
}

/** All ticket types of an event share one currency, so a new one starts with it. */
const toTicketTypeFormValues = (
  event: EventDetails,
  type: TicketType | undefined,
): TicketTypeFormValues => ({
  name: type?.name ?? '',
  description: type?.description ?? '',
  ...toPriceValues(type?.price, event.ticketTypes[0]?.price.currency),
  quantity: type?.quantity ?? '',
  maxPerOrder: type?.maxPerOrder ?? 10,
  audience: type?.audience ?? event.visibility,
  salesStart: toLocalDateTime(type?.salesStartAt ?? null, event.timeZone),
  salesEnd: toLocalDateTime(type?.salesEndAt ?? null, event.timeZone),
});

const createTicketTypeValidators = (timeZone: string) => ({
  name: (name: string) => (name.trim() ? null : 'Enter a name'),
  ...priceValidators,
  maxPerOrder: (amount: NumberInputValue) => (Number(amount) > 0 ? null : 'Enter at least 1'),
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
  price: toMoneyInput(values),
  quantity: toNumberOrNull(values.quantity),
  maxPerOrder: Number(values.maxPerOrder),
  audience: values.audience,
  salesStartAt: toChangedInstant(values.salesStart, type?.salesStartAt ?? null, timeZone),
  salesEndAt: toChangedInstant(values.salesEnd, type?.salesEndAt ?? null, timeZone),
});
