import { Code } from '@mantine/core';
import { Facts } from '../../ui/Facts.tsx';
import { moneyWords } from '../../ui/money.ts';
import { Panel } from '../../ui/Panel.tsx';
import { leftOf } from './admissions.ts';
import type { OrderDetails } from './order-queries.ts';
import { providerWords } from './order-words.ts';

export function OrderMoney({ order }: { order: OrderDetails }) {
  const { total, discount, refundedAmount } = order;
  const isFree = total.amount === 0 && discount.amount === 0;
  return (
    <Panel title="Money">
      <Facts
        of={[
          ['Discount', discount.amount > 0 ? <Discount key="discount" order={order} /> : null],
          ['Total', isFree ? 'free' : moneyWords(total)],
          ['Paid', total.amount > 0 ? paidWords(order) : null],
          ['Given back', refundedAmount.amount > 0 ? moneyWords(refundedAmount) : null],
          ['Left', refundedAmount.amount > 0 ? moneyWords(leftOf(order)) : null],
        ]}
      />
    </Panel>
  );
}

const Discount = ({ order: { discount, discountCode } }: { order: OrderDetails }) => (
  <>
    {moneyWords(discount)}
    {discountCode !== null && (
      <>
        {' '}
        by <Code>{discountCode}</Code>
      </>
    )}
  </>
);

function paidWords({ status, paid, payment }: OrderDetails): string {
  const where = payment?.provider ? providerWords(payment.provider) : null;
  if (paid.amount > 0) return [moneyWords(paid), where].filter(Boolean).join(', ');
  return status === 'PENDING' && where ? `not yet; ${where}` : 'nothing';
}
