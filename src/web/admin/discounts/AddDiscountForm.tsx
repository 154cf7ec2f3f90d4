import { SegmentedControl, TextInput } from '@mantine/core';
import { formatTimeZone } from '../../../core/time/format.ts';
import { DialogForm } from '../../components/Dialog.tsx';
import { MoneyFields, PeriodFields } from '../../components/FieldGroups.tsx';
import { InputField, useInputForm } from '../../components/InputFields.tsx';
import { type FieldViews, toMoney, toMoneyInputValue } from '../../components/input-values.ts';
import {
  parseLocalDateTime,
  validateEndAfterStart,
  validateLocalDateTime,
} from '../../components/local-date-time.ts';
import { explainAmount } from '../../components/money.ts';
import { notifySuccess } from '../../components/notify.ts';
import type { CreateDiscountCodeInput } from '../../gql/graphql.ts';
import { useCreateDiscountCode } from './queries.ts';

interface Props {
  /** Null creates a code for all events and day passes. */
  eventId: string | null;
  timeZone: string;
  currency: string;
  onClose: () => void;
}

const VIEWS: FieldViews<Omit<CreateDiscountCodeInput, 'eventId'>> = {
  code: {
    label: 'Code',
    description: 'Leave blank to generate one',
    placeholder: 'SPRING-26',
    invalid: 'Use 3 to 40 letters, digits and dashes',
  },
  percent: { label: 'Discount per order', hidesOptional: true, suffix: ' %' },
  amount: { label: 'Discount per order', hidesOptional: true },
  maxUses: {
    label: 'Maximum uses',
    description: 'Number of orders',
    placeholder: 'Unlimited',
  },
  startsAt: { label: 'From' },
  endsAt: { label: 'Until' },
};

export function AddDiscountForm({ eventId, timeZone, currency, onClose }: Props) {
  const create = useCreateDiscountCode(({ code }) => {
    notifySuccess(`Code ${code} added.`);
    onClose();
  });
  const form = useInputForm('CreateDiscountCodeInput', VIEWS, {
    row: { percent: 10 },
    own: { kind: 'percent', amount: toMoneyInputValue(null, currency) },
    validate: {
      percent: (percent, { kind }) =>
        kind === 'percent' && percent === '' ? 'Enter a number from 1 to 100' : null,
      amount: (money, { kind }) =>
        kind === 'amount' && toMoney(money).amount === 0 ? explainAmount(money.currency) : null,
      startsAt: (local) => validateLocalDateTime(local, timeZone),
      endsAt: (local, { startsAt }) => validateEndAfterStart(startsAt, local, timeZone),
    },
    toInput: ({ kind, amount, percent, startsAt, endsAt }) => ({
      startsAt: parseLocalDateTime(startsAt, timeZone),
      endsAt: parseLocalDateTime(endsAt, timeZone),
      percent: kind === 'percent' ? Number(percent) : null,
      amount: kind === 'amount' ? toMoney(amount) : null,
    }),
  });
  const submit = form.onSubmit((values) => create.mutate({ eventId, ...form.toInput(values) }));
  return (
    <DialogForm label="Add code" onSubmit={submit} mutation={create} onCancel={onClose}>
      <TextInput
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        data-autofocus
        {...form.getFieldProps('code')}
        onChange={({ currentTarget: { value } }) => form.setFieldValue('code', value.toUpperCase())}
      />
      <SegmentedControl
        fullWidth
        aria-label="Discount type"
        data={[
          { value: 'percent', label: 'Percentage' },
          { value: 'amount', label: 'Fixed amount' },
        ]}
        value={form.values.kind}
        // An amount that is no longer shown must not count as invalid.
        onChange={(kind) => form.setValues({ kind, amount: toMoneyInputValue(null, currency) })}
      />
      {form.values.kind === 'percent' ? (
        <InputField form={form} name="percent" />
      ) : (
        <MoneyFields {...form.getFieldProps('amount')} />
      )}
      <InputField form={form} name="maxUses" />
      <PeriodFields
        start={form.getFieldProps('startsAt')}
        end={form.getFieldProps('endsAt')}
        hint={`${formatTimeZone(timeZone)}.`}
      />
    </DialogForm>
  );
}
