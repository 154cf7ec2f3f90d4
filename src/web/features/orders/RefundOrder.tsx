import { Checkbox, NumberInput, Radio, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { DialogActions } from '../../ui/DialogActions.tsx';
import { FormFailure } from '../../ui/FormFailure.tsx';
import { asMajor, digitsOf, moneyWords } from '../../ui/money.ts';
import { notifyDone } from '../../ui/notify.ts';
import { admissionsOf, leftOf } from './admissions.ts';
import { useRefundOrder } from './changes.ts';
import type { OrderDetails } from './order-queries.ts';
import { RefundOutcome } from './RefundOutcome.tsx';
import {
  inputOf,
  kindsFor,
  planOf,
  type RefundKind,
  type RefundValues,
  submitWords,
} from './refund-plan.ts';

const KINDS: Record<RefundKind, string> = {
  whole: 'The whole order',
  tickets: 'Some of it',
  amount: 'An amount; tickets and passes stay good',
};

/** Says what is left and what will happen before it is done. */
export function RefundOrder({ order, onClose }: { order: OrderDetails; onClose: () => void }) {
  const refund = useRefundOrder(() => {
    notifyDone('It is done, and the buyer is told by mail.');
    onClose();
  });
  const left = leftOf(order);
  const kinds = kindsFor(order);
  const form = useForm<RefundValues>({
    validateInputOnChange: ['amount'],
    initialValues: { kind: kinds[0] ?? 'whole', ticketIds: [], amount: '', reason: '' },
    validate: {
      ticketIds: (ids, { kind }) =>
        kind === 'tickets' && ids.length === 0 ? 'Choose at least one' : null,
      amount: (amount, { kind }) => {
        if (kind !== 'amount') return null;
        if (!(Number(amount) > 0)) return 'Fill in how much';
        return Number(amount) > asMajor(left) ? `At most ${moneyWords(left)} are left` : null;
      },
    },
  });
  const { kind } = form.values;
  const plan = planOf(order, form.values);
  return (
    <form noValidate onSubmit={form.onSubmit((values) => refund.mutate(inputOf(order, values)))}>
      <Stack>
        <FormFailure error={refund.error} />
        {kinds.length > 1 && (
          <Radio.Group label="What goes back?" {...form.getInputProps('kind')}>
            <Stack gap="xs" mt="xs">
              {kinds.map((kind) => (
                <Radio key={kind} value={kind} label={KINDS[kind]} />
              ))}
            </Stack>
          </Radio.Group>
        )}
        {kind === 'tickets' && (
          <Checkbox.Group label="Which?" {...form.getInputProps('ticketIds')}>
            <Stack gap="xs" mt="xs">
              {admissionsOf(order)
                .filter(({ isValid }) => isValid)
                .map(({ id, code, what, person, price }) => (
                  <Checkbox
                    key={id}
                    value={id}
                    label={`${person.name}: ${what}, ${price.amount === 0 ? 'free' : moneyWords(price)}`}
                    description={<code>{code}</code>}
                  />
                ))}
            </Stack>
          </Checkbox.Group>
        )}
        {kind === 'amount' && (
          <NumberInput
            label={`How much, in ${left.currency}`}
            description={`${moneyWords(left)} are left`}
            min={0}
            decimalScale={digitsOf(left.currency)}
            {...form.getInputProps('amount')}
          />
        )}
        <TextInput
          label="Reason (optional)"
          description="Told to the buyer"
          maxLength={1000}
          {...form.getInputProps('reason')}
        />
        <RefundOutcome order={order} plan={plan} />
      </Stack>
      <DialogActions
        label={submitWords(order, plan)}
        cancelLabel="Back"
        color="red"
        onCancel={onClose}
        pending={refund.isPending}
      />
    </form>
  );
}
