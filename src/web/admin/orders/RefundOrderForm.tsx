import { Checkbox, List, NumberInput, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { DialogActions } from '../../components/Dialog.tsx';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { formatMoney, getCurrencyDigits, toMajorUnits } from '../../components/money.ts';
import { notifySuccess } from '../../components/notify.ts';
import type { PaymentProvider } from '../../gql/graphql.ts';
import { toAdmissions, toRefundableAmount } from './admissions.ts';
import { type OrderDetails, useRefundOrder } from './queries.ts';
import {
  formatSubmitLabel,
  listRefundKinds,
  planRefund,
  type RefundKind,
  type RefundPlan,
  type RefundValues,
  toRefundInput,
} from './refund-plan.ts';

const REFUND_KIND_LABELS: Record<RefundKind, string> = {
  whole: 'The whole order',
  tickets: 'Some of it',
  amount: 'An amount; tickets and passes stay good',
};

/** Says what is left and what will happen before it is done. */
export function RefundOrderForm({ order, onClose }: { order: OrderDetails; onClose: () => void }) {
  const refund = useRefundOrder(() => {
    notifySuccess('It is done, and the buyer is told by mail.');
    onClose();
  });
  const left = toRefundableAmount(order);
  const kinds = listRefundKinds(order);
  const form = useForm<RefundValues>({
    validateInputOnChange: ['amount'],
    initialValues: { kind: kinds[0] ?? 'whole', ticketIds: [], amount: '', reason: '' },
    validate: {
      ticketIds: (ids, { kind }) =>
        kind === 'tickets' && ids.length === 0 ? 'Choose at least one' : null,
      amount: (amount, { kind }) => {
        if (kind !== 'amount') return null;
        if (!(Number(amount) > 0)) return 'Fill in how much';
        return Number(amount) > toMajorUnits(left) ? `At most ${formatMoney(left)} are left` : null;
      },
    },
  });
  const { kind } = form.values;
  const plan = planRefund(order, form.values);
  return (
    <form
      noValidate
      onSubmit={form.onSubmit((values) => refund.mutate(toRefundInput(order, values)))}
    >
      <Stack>
        <FormError error={refund.error} />
        {kinds.length > 1 && (
          <Radio.Group label="What goes back?" {...form.getInputProps('kind')}>
            <Stack gap="xs" mt="xs">
              {kinds.map((kind) => (
                <Radio key={kind} value={kind} label={REFUND_KIND_LABELS[kind]} />
              ))}
            </Stack>
          </Radio.Group>
        )}
        {kind === 'tickets' && (
          <Checkbox.Group label="Which?" {...form.getInputProps('ticketIds')}>
            <Stack gap="xs" mt="xs">
              {toAdmissions(order)
                .filter(({ isValid }) => isValid)
                .map(({ id, code, what, person, price }) => (
                  <Checkbox
                    key={id}
                    value={id}
                    label={`${person.name}: ${what}, ${price.amount === 0 ? 'free' : formatMoney(price)}`}
                    description={<code>{code}</code>}
                  />
                ))}
            </Stack>
          </Checkbox.Group>
        )}
        {kind === 'amount' && (
          <NumberInput
            label={`How much, in ${left.currency}`}
            description={`${formatMoney(left)} are left`}
            min={0}
            decimalScale={getCurrencyDigits(left.currency)}
            {...form.getInputProps('amount')}
          />
        )}
        <TextInput
          label="Reason (optional)"
          description="Told to the buyer"
          maxLength={1000}
          {...form.getInputProps('reason')}
        />
        <RefundConsequences order={order} plan={plan} />
      </Stack>
      <DialogActions
        label={formatSubmitLabel(order, plan)}
        cancelLabel="Back"
        color="red"
        onCancel={onClose}
        pending={refund.isPending}
      />
    </form>
  );
}

const PROVIDER_REFUND_NOTES: Record<PaymentProvider, string> = {
  ON_SITE: 'Hand it out at the desk, then settle it under Refunds.',
  STRIPE: 'It goes back to where it came from by itself, within some days.',
  SANDBOX: 'No real money moves: it was paid in the sandbox.',
};

interface Props {
  order: OrderDetails;
  plan: RefundPlan;
}

function RefundConsequences({ order, plan: { ended, cancelsOrder, amount } }: Props) {
  const left = toRefundableAmount(order);
  const { currency } = left;
  const after = Math.max(0, left.amount - amount);
  const provider = order.payment?.provider;
  return (
    <div role="status">
      <Text size="sm" fw={600}>
        What happens
      </Text>
      <List size="sm" spacing={4}>
        {order.paid.amount === 0 && <List.Item>Nothing was paid, so nothing goes back.</List.Item>}
        {amount > 0 && (
          <List.Item>
            <b>{formatMoney({ amount, currency })}</b> go back;{' '}
            {formatMoney({ amount: after, currency })} are then left of this order.
            {provider && ` ${PROVIDER_REFUND_NOTES[provider]}`}
          </List.Item>
        )}
        {order.paid.amount > 0 && left.amount === 0 && (
          <List.Item>All that was paid has gone back already.</List.Item>
        )}
        {ended.length > 0 && (
          <List.Item>{formatCancelledAdmissions(order, ended, cancelsOrder)}</List.Item>
        )}
        {cancelsOrder && <List.Item>With that the order is cancelled.</List.Item>}
        <List.Item>
          {ended.length === 0 && amount === 0
            ? 'Nothing yet: choose what goes back.'
            : `${order.buyer.name} is told by mail.`}
        </List.Item>
      </List>
    </div>
  );
}

function formatCancelledAdmissions(
  order: OrderDetails,
  ended: RefundPlan['ended'],
  isAll: boolean,
): string {
  const noun = order.event === null ? 'day pass' : 'ticket';
  const [first] = ended;
  if (ended.length === 1 && first) {
    return `The ${noun} of ${first.person.name} lets nobody in any more; its place goes to those who wait, or on sale.`;
  }
  const nouns = order.event === null ? 'day passes' : 'tickets';
  return `${isAll ? 'All ' : ''}${ended.length} ${nouns} let nobody in any more; their places go to those who wait, or on sale.`;
}
