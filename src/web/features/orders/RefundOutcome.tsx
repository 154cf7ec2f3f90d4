import { List, Text } from '@mantine/core';
import type { PaymentProvider } from '../../gql/graphql.ts';
import { moneyWords } from '../../ui/money.ts';
import { leftOf } from './admissions.ts';
import type { OrderDetails } from './order-queries.ts';
import type { RefundPlan } from './refund-plan.ts';

const WAYS: Record<PaymentProvider, string> = {
  ON_SITE: 'Hand it out at the desk, then settle it under Refunds.',
  STRIPE: 'It goes back to where it came from by itself, within some days.',
  SANDBOX: 'No real money moves: it was paid in the sandbox.',
};

interface Props {
  order: OrderDetails;
  plan: RefundPlan;
}

export function RefundOutcome({ order, plan: { ended, endsOrder, amount } }: Props) {
  const left = leftOf(order);
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
            <b>{moneyWords({ amount, currency })}</b> go back;{' '}
            {moneyWords({ amount: after, currency })} are then left of this order.
            {provider && ` ${WAYS[provider]}`}
          </List.Item>
        )}
        {order.paid.amount > 0 && left.amount === 0 && (
          <List.Item>All that was paid has gone back already.</List.Item>
        )}
        {ended.length > 0 && <List.Item>{endWords(order, ended, endsOrder)}</List.Item>}
        {endsOrder && <List.Item>With that the order is cancelled.</List.Item>}
        <List.Item>
          {ended.length === 0 && amount === 0
            ? 'Nothing yet: choose what goes back.'
            : `${order.buyer.name} is told by mail.`}
        </List.Item>
      </List>
    </div>
  );
}

function endWords(order: OrderDetails, ended: RefundPlan['ended'], isAll: boolean): string {
  const noun = order.event === null ? 'day pass' : 'ticket';
  const [first] = ended;
  if (ended.length === 1 && first) {
    return `The ${noun} of ${first.person.name} lets nobody in any more; its place goes to those who wait, or on sale.`;
  }
  const nouns = order.event === null ? 'day passes' : 'tickets';
  return `${isAll ? 'All ' : ''}${ended.length} ${nouns} let nobody in any more; their places go to those who wait, or on sale.`;
}
