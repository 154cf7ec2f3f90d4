import { Select, SimpleGrid } from '@mantine/core';
import { formatTimeZone } from '../../../core/time/format.ts';
import { MoneyFields, PeriodFields } from '../../components/FieldGroups.tsx';
import { InputField, useInputForm } from '../../components/InputFields.tsx';
import { type FieldViews, toMoneyInputValue } from '../../components/input-values.ts';
import {
  parseLocalDateTime,
  toLocalDateTime,
  validateEndAfterStart,
  validateLocalDateTime,
} from '../../components/local-date-time.ts';
import { notifySuccess } from '../../components/notify.ts';
import type { CreateTicketTypeInput, UpdateTicketTypeInput } from '../../gql/graphql.ts';
import { EditForm } from '../EditForm.tsx';
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
  const { timeZone } = event;
  const form = useInputForm(type ? 'UpdateTicketTypeInput' : 'CreateTicketTypeInput', VIEWS, {
    row: toTicketTypeRow(event, type),
    validate: {
      maxPerOrder: (amount) => (Number(amount) > 0 ? null : 'Enter at least 1'),
      salesStartAt: (local) => validateLocalDateTime(local, timeZone),
      salesEndAt: (local, { salesStartAt }) => validateEndAfterStart(salesStartAt, local, timeZone),
    },
    toInput: ({ salesStartAt, salesEndAt }) => ({
      salesStartAt: parseLocalDateTime(salesStartAt, timeZone),
      salesEndAt: parseLocalDateTime(salesEndAt, timeZone),
    }),
  });
  const submit = form.onSubmit((values) =>
    save.mutate(
      type
        ? { update: { id: type.id, ...form.toChanges(values) } }
        : { create: { eventId: event.id, ...form.toInput(values) } },
    ),
  );
  const sold = type?.reservedCount ?? 0;
  return (
    <EditForm
      row={type}
      form={form}
      label={type ? 'Save ticket type' : 'Add ticket type'}
      onSubmit={submit}
      mutation={save}
      onCancel={onClose}
    >
      <InputField form={form} name="name" isFirst />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <MoneyFields
          {...form.getFieldProps('price')}
          description={sold > 0 ? 'Applies to new orders only' : '0 = free registration'}
        />
        <InputField
          form={form}
          name="quantity"
          description={sold > 0 ? `${sold} sold or on hold` : 'Up to the capacity of the event'}
        />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <InputField form={form} name="maxPerOrder" />
        <Select
          data={EVENT_VISIBILITY_OPTIONS.map(({ value, label }) => ({ value, label }))}
          allowDeselect={false}
          {...form.getFieldProps('audience')}
        />
      </SimpleGrid>
      <PeriodFields
        start={form.getFieldProps('salesStartAt')}
        end={form.getFieldProps('salesEndAt')}
        hint={`${formatTimeZone(timeZone)}. Leave blank to sell from publication until the event ends.`}
      />
      <InputField form={form} name="description" />
    </EditForm>
  );
}

/** All ticket types of an event share one currency, so a new one starts with it. Times are in the time zone of the event. */
const toTicketTypeRow = (event: EventDetails, type: TicketType | undefined) => ({
  maxPerOrder: 10,
  audience: event.visibility,
  ...type,
  price: toMoneyInputValue(type?.price, event.ticketTypes[0]?.price.currency),
  salesStartAt: toLocalDateTime(type?.salesStartAt ?? null, event.timeZone),
  salesEndAt: toLocalDateTime(type?.salesEndAt ?? null, event.timeZone),
});

const VIEWS: FieldViews<
  Omit<CreateTicketTypeInput & UpdateTicketTypeInput, 'id' | 'eventId' | 'active' | 'position'>
> = {
  name: { label: 'Name', placeholder: 'Early bird', missing: 'Enter a name' },
  price: { label: 'Price' },
  quantity: { label: 'Quantity', placeholder: 'Unlimited' },
  maxPerOrder: { label: 'Maximum per order', missing: 'Enter at least 1' },
  audience: { label: 'Available to' },
  salesStartAt: { label: 'Sale starts' },
  salesEndAt: { label: 'Sale ends' },
  description: { label: 'Description', placeholder: 'With dinner' },
};
