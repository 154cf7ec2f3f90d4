import { Stack, Text } from '@mantine/core';
import type { Money } from '../../../core/money.ts';
import { DialogActions } from '../../components/Dialog.tsx';
import { FormError, FormErrorProvider } from '../../components/ErrorAlerts.tsx';
import { MoneyFields } from '../../components/FieldGroups.tsx';
import { InputField, useInputForm } from '../../components/InputFields.tsx';
import {
  type FieldViews,
  type MoneyInputValue,
  toMoney,
  toMoneyInputValue,
} from '../../components/input-values.ts';
import { explainAmount, formatMoney, parseAmount } from '../../components/money.ts';
import { notifySuccess } from '../../components/notify.ts';
import type { CloseDayInput, CorrectDailyClosingInput } from '../../gql/graphql.ts';
import { EditForm } from '../EditForm.tsx';
import { type DailyClosing, useCloseDay, useCorrectDailyClosing } from './queries.ts';

const OPENING = { label: 'Cash at the start of the day', hidesOptional: true } as const;
const COUNTED = { label: 'Counted at the end of the day', hidesOptional: true } as const;
const NOTE = { label: 'Note', rows: 2, maxRows: 6 };

/** An empty amount is not zero: someone has to count. */
const validateAmount = ({ amount, currency }: MoneyInputValue) =>
  parseAmount(amount, currency) === null ? explainAmount(currency) : null;

const CLOSE_VIEWS: FieldViews<Omit<CloseDayInput, 'locationId' | 'day'>> = {
  opening: OPENING,
  counted: COUNTED,
  note: NOTE,
};

interface CloseDayFormProps {
  locationId: string;
  day: string;
  cash: { proposedOpening: Money | null; taken: Money; paidBack: Money };
}

export function CloseDayForm({ locationId, day, cash }: CloseDayFormProps) {
  const { proposedOpening, taken, paidBack } = cash;
  const close = useCloseDay(() => notifySuccess('Day closed.'));
  const form = useInputForm('CloseDayInput', CLOSE_VIEWS, {
    own: {
      opening: toMoneyInputValue(proposedOpening, taken.currency),
      counted: toMoneyInputValue(null, taken.currency),
    },
    validate: { opening: validateAmount, counted: validateAmount },
  });
  const { opening, counted } = form.values;
  const expected = {
    amount: toMoney(opening).amount + taken.amount - paidBack.amount,
    currency: taken.currency,
  };
  const isCounted = validateAmount(counted) === null && validateAmount(opening) === null;
  const isOpeningAsCounted =
    proposedOpening === null ||
    validateAmount(opening) !== null ||
    opening.currency !== proposedOpening.currency ||
    toMoney(opening).amount === proposedOpening.amount;
  const difference = { ...expected, amount: toMoney(counted).amount - expected.amount };
  return (
    <form
      noValidate
      onSubmit={form.onSubmit((values) =>
        close.mutate({
          locationId,
          day,
          opening: toMoney(values.opening),
          counted: toMoney(values.counted),
          note: values.note || null,
        }),
      )}
    >
      <Stack maw={480}>
        <FormError error={close.error} />
        <FormErrorProvider value={close.error}>
          <MoneyFields
            {...form.getFieldProps('opening')}
            {...(proposedOpening && {
              description: `Counted at the last closing: ${formatMoney(proposedOpening)}`,
            })}
          />
          {!isOpeningAsCounted && (
            <Text size="sm" role="status">
              This differs from the last count. Say why in the note.
            </Text>
          )}
          <Text size="sm">
            Taken in cash: <b>{formatMoney(taken)}</b>. Paid back in cash:{' '}
            <b>{formatMoney(paidBack)}</b>. Expected: <b>{formatMoney(expected)}</b>.
          </Text>
          <MoneyFields {...form.getFieldProps('counted')} />
          {isCounted && (
            <Text size="sm" role="status">
              Difference: <b>{formatMoney(difference)}</b>
            </Text>
          )}
          <InputField form={form} name="note" />
        </FormErrorProvider>
        <DialogActions
          label="Close the day"
          pending={close.isPending}
          cancelLabel="Reset"
          onCancel={() => form.reset()}
        />
      </Stack>
    </form>
  );
}

const CORRECT_VIEWS: FieldViews<Omit<CorrectDailyClosingInput, 'id' | 'ifUpdatedAt'>> = {
  opening: OPENING,
  counted: COUNTED,
  note: NOTE,
};

interface CorrectClosingFormProps {
  closing: DailyClosing;
  onClose: () => void;
}

export function CorrectClosingForm({ closing, onClose }: CorrectClosingFormProps) {
  const correct = useCorrectDailyClosing(() => {
    notifySuccess('Closing corrected.');
    onClose();
  });
  const form = useInputForm('CorrectDailyClosingInput', CORRECT_VIEWS, {
    row: closing,
    own: {
      opening: toMoneyInputValue(closing.opening),
      counted: toMoneyInputValue(closing.counted),
    },
    validate: { opening: validateAmount, counted: validateAmount },
  });
  return (
    <EditForm
      row={closing}
      form={form}
      label="Correct closing"
      mutation={correct}
      onCancel={onClose}
      onSubmit={form.onSubmit((values) =>
        correct.mutate({ id: closing.id, ...form.toChanges(values) }),
      )}
    >
      <Text size="sm">
        The correction takes over the payments of the day as they are recorded now. The audit log
        keeps the earlier figures.
      </Text>
      <MoneyFields {...form.getFieldProps('opening')} />
      <MoneyFields {...form.getFieldProps('counted')} />
      <InputField form={form} name="note" />
    </EditForm>
  );
}
