import { Checkbox, List, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { toMajorUnits } from '../../../core/money.ts';
import { DialogForm } from '../../components/Dialog.tsx';
import { toLimitProps } from '../../components/input-values.ts';
import { explainAmount, formatMoney, parseAmount } from '../../components/money.ts';
import { notifySuccess } from '../../components/notify.ts';
import type { PaymentProvider } from '../../gql/graphql.ts';
import { toAdmissions, toRefundableAmount } from './order-details.ts';
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
  whole: 'Full order',
  tickets: 'Selected items',
  amount: 'An amount (items stay valid)',
};

/** Shows the effects of a refund before staff confirm it. */
export function RefundOrderForm({ order, onClose }: { order: OrderDetails; onClose: () => void }) {
  const refund = useRefundOrder(() => {
    notifySuccess('Order updated. The buyer is notified by email.');
    onClose();
  });
  const balance = toRefundableAmount(order);
  const kinds = listRefundKinds(order);
  const form = useForm<RefundValues>({
    validateInputOnChange: ['amount'],
    initialValues: { kind: kinds[0] ?? 'whole', ticketIds: [], amount: '', reason: '' },
    validate: {
      ticketIds: (ids, { kind }) =>
        kind === 'tickets' && ids.length === 0 ? 'Select at least one item' : null,
      amount: (amount, { kind }) => {
        if (kind !== 'amount') return null;
        if (amount.trim() === '') return 'Enter an amount';
        const major = parseAmount(amount, balance.currency);
        if (major === null || major === 0) return explainAmount(balance.currency);
        return major > toMajorUnits(balance) ? `Enter at most ${formatMoney(balance)}` : null;
      },
    },
  });
  const { kind } = form.values;
  const plan = planRefund(order, form.values);
  return (
    <DialogForm
      label={formatSubmitLabel(order, plan)}
      onSubmit={form.onSubmit((values) => refund.mutate(toRefundInput(order, values)))}
      mutation={refund}
      cancelLabel="Back"
      color="red"
      onCancel={onClose}
    >
      {kinds.length > 1 && (
        <Radio.Group label="What to refund" {...form.getInputProps('kind')}>
          <Stack gap="xs" mt="xs">
            {kinds.map((kind) => (
              <Radio key={kind} value={kind} label={REFUND_KIND_LABELS[kind]} />
            ))}
          </Stack>
        </Radio.Group>
      )}
      {kind === 'tickets' && (
        <Checkbox.Group label="Items" {...form.getInputProps('ticketIds')}>
          <Stack gap="xs" mt="xs">
            {toAdmissions(order)
              .filter(({ isValid }) => isValid)
              .map(({ id, code, name, person, price }) => (
                <Checkbox
                  key={id}
                  value={id}
                  label={`${person.name}: ${name}, ${price.amount === 0 ? 'free' : formatMoney(price)}`}
                  description={<code>{code}</code>}
                />
              ))}
          </Stack>
        </Checkbox.Group>
      )}
      {kind === 'amount' && (
        <TextInput
          inputMode="decimal"
          label={`Amount in ${balance.currency}`}
          description={`Balance: ${formatMoney(balance)}`}
          {...form.getInputProps('amount')}
        />
      )}
      <TextInput
        label="Reason (optional)"
        description="Shown to the buyer"
        {...toLimitProps('RefundOrderInput', 'reason')}
        {...form.getInputProps('reason')}
      />
      <RefundConsequences order={order} plan={plan} />
    </DialogForm>
  );
}

const PROVIDER_REFUND_NOTES: Record<PaymentProvider, string> = {
  ON_SITE: 'Pay the buyer at the front desk, then settle the refund under Refunds.',
  STRIPE: 'The payment provider returns it within a few days.',
  SANDBOX: 'Sandbox payment: no real money is charged.',
};

interface Props {
  order: OrderDetails;
  plan: RefundPlan;
}

function RefundConsequences({ order, plan: { cancelled, cancelsOrder, amount } }: Props) {
  const balance = toRefundableAmount(order);
  const { currency } = balance;
  const after = Math.max(0, balance.amount - amount);
  const provider = order.payment?.provider;
  return (
    <div role="status">
      <Text size="sm" fw={600}>
        Summary
      </Text>
      <List size="sm" spacing={4}>
        {order.paid.amount === 0 && (
          <List.Item>Nothing was paid, so nothing is refunded.</List.Item>
        )}
        {amount > 0 && (
          <List.Item>
            <b>{formatMoney({ amount, currency })}</b> will be refunded, leaving{' '}
            {formatMoney({ amount: after, currency })} on this order.
            {provider && ` ${PROVIDER_REFUND_NOTES[provider]}`}
          </List.Item>
        )}
        {order.paid.amount > 0 && balance.amount === 0 && (
          <List.Item>The full payment is already refunded.</List.Item>
        )}
        {cancelled.length > 0 && (
          <List.Item>{formatCancelledAdmissions(order, cancelled, cancelsOrder)}</List.Item>
        )}
        {cancelsOrder && <List.Item>This cancels the order.</List.Item>}
        <List.Item>
          {cancelled.length === 0 && amount === 0
            ? 'Select what to refund.'
            : `${order.buyer.name} is notified by email.`}
        </List.Item>
      </List>
    </div>
  );
}

function formatCancelledAdmissions(
  order: OrderDetails,
  cancelled: RefundPlan['cancelled'],
  isAll: boolean,
): string {
  const noun = order.event === null ? 'day pass' : 'ticket';
  const [first] = cancelled;
  if (cancelled.length === 1 && first) {
    return `The ${noun} of ${first.person.name} becomes invalid and goes to the waiting list or back on sale.`;
  }
  const nouns = order.event === null ? 'day passes' : 'tickets';
  return `${isAll ? 'All ' : ''}${cancelled.length} ${nouns} become invalid and go to the waiting list or back on sale.`;
}
