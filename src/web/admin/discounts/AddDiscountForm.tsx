import { NumberInput, SegmentedControl, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { DialogForm } from '../../components/Dialog.tsx';
import {
  MoneyFields,
  type NumberInputValue,
  PeriodFields,
  parseLocalDateTime,
  toMoneyInput,
  toNumberOrNull,
  validateCurrency,
  validateEndAfterStart,
  validateLocalDateTime,
} from '../../components/FieldGroups.tsx';
import { formatTimeZone } from '../../components/format-local-time.ts';
import { notifySuccess } from '../../components/notify.ts';
import { useCreateDiscountCode } from './queries.ts';

interface Props {
  /** Null creates a code for all events and day passes. */
  eventId: string | null;
  timeZone: string;
  currency: string;
  onClose: () => void;
}

const CODE_PATTERN = /^[A-Z0-9-]{3,40}$/;

export function AddDiscountForm({ eventId, timeZone, currency, onClose }: Props) {
  const create = useCreateDiscountCode(({ code }) => {
    notifySuccess(`Code ${code} added.`);
    onClose();
  });
  const form = useForm({
    initialValues: {
      code: '',
      kind: 'percent',
      percent: 10 as NumberInputValue,
      price: '' as NumberInputValue,
      currency,
      maxUses: '' as NumberInputValue,
      startsAt: '',
      endsAt: '',
    },
    validate: {
      code: (code) =>
        code === '' || CODE_PATTERN.test(code) ? null : 'Use 3 to 40 letters, digits and dashes',
      percent: (percent, { kind }) =>
        kind === 'percent' && !(Number(percent) >= 1) ? 'Enter a number from 1 to 100' : null,
      price: (price, { kind }) =>
        kind === 'amount' && !(Number(price) > 0) ? 'Enter an amount' : null,
      currency: (code, { kind }) => (kind === 'amount' ? validateCurrency(code) : null),
      startsAt: (local) => validateLocalDateTime(local, timeZone),
      endsAt: (local, { startsAt }) => validateEndAfterStart(startsAt, local, timeZone),
    },
  });
  const { values } = form;
  const submit = form.onSubmit((values) =>
    create.mutate({
      eventId,
      code: values.code || null,
      maxUses: toNumberOrNull(values.maxUses),
      startsAt: parseLocalDateTime(values.startsAt, timeZone),
      endsAt: parseLocalDateTime(values.endsAt, timeZone),
      ...(values.kind === 'percent'
        ? { percent: Number(values.percent) }
        : { amount: toMoneyInput(values) }),
    }),
  );
  return (
    <DialogForm label="Add code" onSubmit={submit} mutation={create} onCancel={onClose}>
      <TextInput
        label="Code (optional)"
        description="Leave blank to generate one"
        placeholder="SPRING-26"
        maxLength={40}
        data-autofocus
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        {...form.getInputProps('code')}
        onChange={({ currentTarget: { value } }) => form.setFieldValue('code', value.toUpperCase())}
      />
      <SegmentedControl
        fullWidth
        aria-label="Discount type"
        data={[
          { value: 'percent', label: 'Percentage' },
          { value: 'amount', label: 'Fixed amount' },
        ]}
        {...form.getInputProps('kind')}
      />
      {values.kind === 'percent' ? (
        <NumberInput
          label="Discount per order"
          suffix=" %"
          min={1}
          max={100}
          allowDecimal={false}
          {...form.getInputProps('percent')}
        />
      ) : (
        <MoneyFields
          label="Discount per order"
          price={values.price}
          currency={values.currency}
          error={form.errors.price ?? form.errors.currency}
          onChange={(change) => form.setValues(change)}
        />
      )}
      <NumberInput
        label="Maximum uses (optional)"
        description="Number of orders"
        placeholder="Unlimited"
        min={1}
        allowDecimal={false}
        {...form.getInputProps('maxUses')}
      />
      <PeriodFields
        start={{ label: 'From (optional)', ...form.getInputProps('startsAt') }}
        end={{ label: 'Until (optional)', ...form.getInputProps('endsAt') }}
        hint={`${formatTimeZone(timeZone)}.`}
      />
    </DialogForm>
  );
}
