import { NumberInput, SegmentedControl, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { DialogActions } from '../../components/Dialog.tsx';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { formatTimeZone } from '../../components/format-local-time.ts';
import {
  parseLocalDateTime,
  validateEndAfterStart,
  validateLocalDateTime,
} from '../../components/local-date-time.ts';
import { MoneyFields } from '../../components/MoneyFields.tsx';
import { isCurrencyCode, type NumberInputValue, toMinorUnits } from '../../components/money.ts';
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
      currency: (code, { kind }) =>
        kind === 'amount' && !isCurrencyCode(code) ? 'Enter a currency code, such as EUR' : null,
      startsAt: (local) => validateLocalDateTime(local, timeZone),
      endsAt: (local, { startsAt }) => validateEndAfterStart(startsAt, local, timeZone),
    },
  });
  const { values } = form;
  const submit = form.onSubmit((values) =>
    create.mutate({
      eventId,
      code: values.code || null,
      maxUses: values.maxUses === '' ? null : Number(values.maxUses),
      startsAt: parseLocalDateTime(values.startsAt, timeZone),
      endsAt: parseLocalDateTime(values.endsAt, timeZone),
      ...(values.kind === 'percent'
        ? { percent: Number(values.percent) }
        : {
            amount: {
              amount: toMinorUnits(Number(values.price), values.currency),
              currency: values.currency,
            },
          }),
    }),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <FormError error={create.error} />
        <TextInput
          label="Code (optional)"
          description="Leave blank to generate one"
          placeholder="SPRING-26"
          maxLength={40}
          data-autofocus
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          {...form.getInputProps('code')}
          onChange={({ currentTarget: { value } }) =>
            form.setFieldValue('code', value.toUpperCase())
          }
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
        <div>
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <TextInput
              type="datetime-local"
              label="From (optional)"
              {...form.getInputProps('startsAt')}
            />
            <TextInput
              type="datetime-local"
              label="Until (optional)"
              {...form.getInputProps('endsAt')}
            />
          </SimpleGrid>
          <Text size="xs" c="dimmed" mt={4}>
            {formatTimeZone(timeZone)}.
          </Text>
        </div>
      </Stack>
      <DialogActions label="Add code" onCancel={onClose} pending={create.isPending} />
    </form>
  );
}
